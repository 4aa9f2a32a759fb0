/** The FAKE app's synced folders: answers and states to look at, and nothing that is really kept in step. */
import type { Backend, Subfolders, SyncedFolderView, SyncedPreview, SyncedSkip, SyncedSource } from "../src/backend";
import { type FakeHistory, historyCommands, type HistoryNames, NO_HISTORY } from "./fake-history";
import { type ConflictNames, conflictCommands, type FakeConflicts, NO_CONFLICTS } from "./fake-conflicts";

export interface FakeSynced extends FakeConflicts, FakeHistory {
  synced: SyncedFolderView[];
  syncedSource: SyncedSource | null;
  syncedPreview: SyncedPreview;
  syncedSkips: SyncedSkip[];
  subfolders: Subfolders;
}

export const SOURCE: SyncedSource = { source_id: "source_1", name: "Brand assets", path: "~/Brand assets" };

export const PREVIEW: SyncedPreview = {
  up_files: 214,
  up_bytes: 3_000_000_000,
  down_files: 14,
  down_bytes: 61_000_000,
  folders: 12,
  already_same: 3,
  conflicts: 0,
  deletions: 0,
  skipped: [{ path: "raw/session.psd", reason: "It is larger than your workspace takes.", can_send_again: false }],
  skipped_count: 1,
  time_ms: 240_000,
  limited_by: "requests",
};

const subfolder = (path: string, files: number, bytes: number, at_least = false) => ({ path, name: path.split("/").at(-1) ?? path, files, bytes, at_least });
export const SUBFOLDERS: Subfolders = {
  folders: [
    subfolder("Archive", 48_112, 210_000_000_000, true),
    subfolder("Archive/2024", 12_004, 61_000_000_000),
    subfolder("Archive/2025", 36_108, 149_000_000_000, true),
    subfolder("Logos", 84, 61_000_000),
    subfolder("Photos", 1_730, 4_300_000_000),
    subfolder("Photos/raw", 1_204, 3_900_000_000),
    subfolder("Photos/retouched", 526, 400_000_000),
    subfolder("Templates", 0, 0),
  ],
  files: 49_960,
  bytes: 214_400_000_000,
  at_least: true,
  has_more: true,
};

export const NO_SYNCED: FakeSynced = {
  synced: [],
  syncedSource: SOURCE,
  syncedPreview: PREVIEW,
  syncedSkips: [],
  subfolders: SUBFOLDERS,
  ...NO_CONFLICTS,
  ...NO_HISTORY,
};

export function syncedFolder(given: Partial<SyncedFolderView> = {}): SyncedFolderView {
  return {
    id: "1",
    name: "Brand assets",
    path: "~/Brand",
    drive_folder_id: "fld_brand",
    drive_place: "Brand",
    choices: { mode: "both_ways", deletions: "keep", ignore: "", left_out: [] },
    state: { code: "up_to_date" },
    files: 1_284,
    bytes: 6_200_000_000,
    skipped_count: 0,
    copies_here_alone: 0,
    conflicts: 0,
    last_looked_at: null,
    looks_every_ms: 60_000,
    polling_reason: null,
    undoing: null,
    ...given,
  };
}

type Names =
  | ConflictNames
  | HistoryNames
  | "list_synced_folders"
  | "choose_synced_source"
  | "list_synced_subfolders"
  | "preview_synced_folder"
  | "add_synced_folder"
  | "pause_synced_folder"
  | "resume_synced_folder"
  | "look_again_at_synced_folder"
  | "answer_synced_folder"
  | "change_synced_folder"
  | "remove_synced_folder"
  | "open_synced_folder"
  | "relocate_synced_folder"
  | "send_synced_file_again"
  | "pause_all_synced_folders"
  | "resume_all_synced_folders"
  | "list_synced_skips";

/** What the fake app answers about synced folders; `tell` emits that one changed. */
export function syncedCommands(
  state: FakeSynced,
  tell: (folder: SyncedFolderView) => void,
): { [Name in Names]: (...given: Parameters<Backend[Name]>) => unknown } {
  const set = (id: string, news: Partial<SyncedFolderView>) => {
    state.synced = state.synced.map((folder) => (folder.id === id ? { ...folder, ...news } : folder));
    for (const folder of state.synced) if (folder.id === id) tell(folder);
    return null;
  };
  const setAll = (news: Partial<SyncedFolderView>) => {
    for (const folder of state.synced) set(folder.id, news);
    return null;
  };
  return {
    list_synced_folders: () => state.synced,
    choose_synced_source: () => state.syncedSource,
    list_synced_subfolders: () => state.subfolders,
    preview_synced_folder: () => state.syncedPreview,
    add_synced_folder: (draft) => {
      const folder = syncedFolder({ id: `${state.synced.length + 1}`, name: SOURCE.name, choices: draft.choices, state: { code: "looking" } });
      state.synced = [...state.synced, folder];
      return folder;
    },
    pause_synced_folder: (id) => set(id, { state: { code: "paused" } }),
    resume_synced_folder: (id) => set(id, { state: { code: "looking" } }),
    look_again_at_synced_folder: (id) => set(id, { state: { code: "looking" } }),
    answer_synced_folder: (id) => set(id, { state: { code: "looking" } }),
    change_synced_folder: (id, choices) => set(id, { choices }),
    remove_synced_folder: (id) => {
      state.synced = state.synced.filter((folder) => folder.id !== id);
      return null;
    },
    open_synced_folder: () => null,
    relocate_synced_folder: (id) => {
      set(id, { state: { code: "looking" } });
      return true;
    },
    send_synced_file_again: () => null,
    pause_all_synced_folders: () => setAll({ state: { code: "paused" } }),
    resume_all_synced_folders: () => setAll({ state: { code: "up_to_date" } }),
    list_synced_skips: (_id, offset) => state.syncedSkips.slice(offset),
    ...conflictCommands(state, tell),
    ...historyCommands(state),
  };
}
