/** The FAKE app's copies of the studio: another connection that has some of it. */
import type { Backend, MigrationPreview, MigrationView } from "../src/backend";

export interface FakeMigration {
  migration: MigrationView | null;
  /** What the app counts, for whichever connection. */
  migrationCounts: Omit<MigrationPreview, "connection_id">;
}

const FOLDER = "Easel – ada-laptop";

export const noMigration = (): FakeMigration => ({
  migration: null,
  migrationCounts: { folder_name: FOLDER, files: 1_284, bytes: 6_200_000_000, designs: 36, kits: 2, there: 0 },
});

export const sampleMigration = (given: Partial<MigrationView> = {}): MigrationView => ({
  connection_id: "service",
  folder_name: FOLDER,
  state: "copying",
  done: 412,
  total: 1_320,
  bytes: 2_100_000_000,
  failed: 0,
  left: [],
  problem: null,
  ...given,
});

type Names = "get_migration" | "preview_migration" | "start_migration" | "stop_migration";

export function migrationCommands(
  state: FakeMigration,
  tell: (view: MigrationView | null) => void,
): { [Name in Names]: (...given: Parameters<Backend[Name]>) => unknown } {
  const change = (view: MigrationView) => {
    state.migration = view;
    tell(view);
    return null;
  };
  return {
    get_migration: () => state.migration,
    preview_migration: (connectionId) => ({ connection_id: connectionId, ...state.migrationCounts }),
    start_migration: (connectionId) =>
      change(sampleMigration({ connection_id: connectionId, folder_name: state.migrationCounts.folder_name, done: 0, bytes: 0 })),
    stop_migration: () => (state.migration ? change({ ...state.migration, state: "stopped" }) : null),
  };
}
