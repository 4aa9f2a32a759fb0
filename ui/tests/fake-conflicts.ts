/** The FAKE app's conflicts: two versions of some files to look at, and nothing that is really on a disk. */
import type { Backend, ConflictComparison, ConflictVersion, Problem, SyncedFolderView, TextDifferences } from "../src/backend";
import { NOW_MS } from "./fake-clock";
import { picture } from "./fake-designs";

export interface FakeConflicts {
  conflicts: ConflictComparison[];
  /** Why the app does not do what is chosen for a conflict, by its id; each once. */
  conflictsRefused: Record<string, Problem>;
}

export const NO_CONFLICTS: FakeConflicts = { conflicts: [], conflictsRefused: {} };

const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();
let nextId = 1;

interface Given {
  copy?: Partial<ConflictVersion>;
  original?: Partial<ConflictVersion>;
  text?: TextDifferences;
  folder_id?: string;
  folder_name?: string;
  newest?: "copy" | "original" | null;
  stays_in_drive?: boolean;
}

/** Two versions of the file at a path; the one on this computer is the newer one. */
export function conflict(path: string, given: Given = {}): ConflictComparison {
  const id = `${(nextId += 1)}`;
  const name = path.split("/").at(-1) ?? path;
  const dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
  const version = (own: string, age_ms: number): ConflictVersion => ({ name: own, size_bytes: 184_300, changed_at: ago(age_ms), seen: `1.${age_ms}.${id}.0`, picture: null });
  return {
    conflict: {
      id,
      folder_id: given.folder_id ?? "1",
      folder_name: given.folder_name ?? "Brand assets",
      path,
      at: ago(2 * HOUR_MS),
      original: { ...version(name, 26 * HOUR_MS), ...given.original },
      copy: { ...version(`${name.slice(0, dot)} (conflict, laptop, 2026-11-20)${name.slice(dot)}`, 3 * HOUR_MS), ...given.copy },
      newest: given.newest === undefined ? "copy" : given.newest,
      stays_in_drive: given.stays_in_drive ?? false,
    },
    text: given.text ?? null,
    original_by: { name: "Ben Crumb", is_you: false },
    copy_by: { name: "Ada Rye", is_you: true },
  };
}

const both = (number: number, says: string) => ({ is_same: true, original: { number, text: says }, copy: { number, text: says } });
export const LINES: TextDifferences = {
  rows: [
    both(1, "# Autumn launch"),
    both(2, ""),
    {
      is_same: false,
      copy: { number: 3, text: "A deck of six slides for the neighbourhood bakery, warm and quiet, with the prices of the new loaves on the last one." },
      original: { number: 3, text: "A deck of eight slides for the neighbourhood bakery." },
    },
    both(4, ""),
    both(5, "- Opening night on Friday, from six"),
    { is_same: false, copy: { number: 6, text: "- Bread school twice a week" }, original: null },
    { is_same: false, copy: { number: 7, text: "- Photos from Brand / Photos, none of them cropped" }, original: null },
    { is_same: true, copy: null, original: null },
    { is_same: true, copy: { number: 41, text: "What must stand on it:" }, original: { number: 39, text: "What must stand on it:" } },
    { is_same: false, copy: { number: 42, text: "the address, the hours, and that we bake at night." }, original: { number: 40, text: "the address and the hours." } },
  ],
  original_lines: 2,
  copy_lines: 4,
  is_cut: false,
};

const drawn = (paper: string, mark: string, title: string) => picture({ width: 1600, height: 1000, paper, mark, ink: "#f5eee0", title });

/** A picture, a text, and a kind of file that there is no preview of. */
export const sampleConflicts = (): ConflictComparison[] => [
  conflict("Photos/storefront-night.png", {
    copy: { picture: drawn("#1c3a4a", "#e27c3f", "Storefront"), size_bytes: 8_100_000 },
    original: { picture: drawn("#4a2c1c", "#7fb069", "Storefront"), size_bytes: 7_900_000 },
  }),
  conflict("Texts/brief.md", { text: LINES, newest: "original", copy: { size_bytes: 3_100 }, original: { size_bytes: 2_900 } }),
  conflict("Print/a menu for the long table with the old prices and a name that nobody has ever shortened.psd", {
    copy: { size_bytes: 88_000_000 },
    original: { size_bytes: 91_400_000 },
  }),
];

export type ConflictNames = "list_synced_conflicts" | "compare_synced_conflict" | "settle_synced_conflicts" | "reopen_synced_conflict";

/** What the fake app answers about conflicts; `tell` says how many a folder has left. */
export function conflictCommands(
  state: FakeConflicts & { synced: SyncedFolderView[] },
  tell: (folder: SyncedFolderView) => void,
): { [Name in ConflictNames]: (...given: Parameters<Backend[Name]>) => unknown } {
  const settled = new Map<string, ConflictComparison>();
  const count = (id: string) => {
    const conflicts = state.conflicts.filter((each) => each.conflict.folder_id === id).length;
    state.synced = state.synced.map((folder) => (folder.id === id ? { ...folder, conflicts } : folder));
    for (const folder of state.synced) if (folder.id === id) tell(folder);
  };
  return {
    list_synced_conflicts: (folderId) =>
      state.conflicts.map((each) => each.conflict).filter((each) => folderId === null || each.folder_id === folderId),
    compare_synced_conflict: (_, id) => state.conflicts.find((each) => each.conflict.id === id),
    settle_synced_conflicts: (choices) =>
      choices.map(({ folder_id, conflict_id }) => {
        const refused = state.conflictsRefused[conflict_id];
        if (refused) {
          delete state.conflictsRefused[conflict_id];
          return refused;
        }
        const of = state.conflicts.find((each) => each.conflict.id === conflict_id);
        if (of) settled.set(conflict_id, of);
        state.conflicts = state.conflicts.filter((each) => each !== of);
        count(folder_id);
        return null;
      }),
    reopen_synced_conflict: (folderId, id) => {
      const of = settled.get(id);
      if (of) state.conflicts = [...state.conflicts, of];
      count(folderId);
      return null;
    },
  };
}
