/** The FAKE app's backups: a folder with some, and a studio that can be brought back to each. */
import type { Backend, BackupProgress, BackupsView } from "../src/backend";
import { NOW_MS } from "./fake-clock";

export interface FakeBackups {
  backups: BackupsView;
}

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();
const NOW = { files: 1_284, designs: 36, bytes: 6_200_000_000 };

export const noBackups = (): FakeBackups => ({ backups: { now: NOW, place: null, under_way: null } });

/** A folder on another disk, as after some weeks. */
export const sampleBackups = (given: Partial<BackupsView> = {}): BackupsView => ({
  now: NOW,
  place: {
    path: "/media/ada/Archive/Easel backup",
    is_reachable: true,
    backups: [
      { id: "c.db", made_at: ago(2 * DAY_MS), figures: { files: 1_270, designs: 33, bytes: 6_100_000_000 } },
      { id: "b.db", made_at: ago(9 * DAY_MS), figures: { files: 1_101, designs: 21, bytes: 5_400_000_000 } },
      { id: "a.db", made_at: ago(40 * DAY_MS), figures: null },
    ],
  },
  under_way: null,
  ...given,
});

type Names = "get_backups" | "choose_backup_folder" | "back_up_studio" | "restore_studio";

export function backupCommands(
  state: FakeBackups,
  tell: (under_way: BackupProgress | null) => void,
): { [Name in Names]: (...given: Parameters<Backend[Name]>) => unknown } {
  const change = (news: Partial<BackupsView>) => (state.backups = { ...state.backups, ...news });
  return {
    get_backups: () => state.backups,
    choose_backup_folder: () => {
      change({ place: { path: "/media/ada/Archive/Easel backup", is_reachable: true, backups: [] } });
      return true;
    },
    back_up_studio: () => {
      const { place, now } = state.backups;
      tell({ stage: "backing_up", done: 0, total: 0, bytes: 0 });
      tell(null);
      if (place) change({ place: { ...place, backups: [{ id: "new.db", made_at: ago(0), figures: now }, ...place.backups] } });
      return null;
    },
    restore_studio: (id) => {
      change({ now: state.backups.place?.backups.find((each) => each.id === id)?.figures ?? state.backups.now });
      return { kept_at: "~/.local/share/dev.easel.desktop/studio.before-2026-11-26T12-00-00.000Z" };
    },
  };
}
