/** The FAKE app's history of synced folders: lines and answers to look at, and nothing that is really undone. */
import type { Backend, HistoryPreview, HistoryReverted, SyncedEvent } from "../src/backend";

export interface FakeHistory {
  syncedHistory: SyncedEvent[];
  historyReach: string | null;
  historyPreview: HistoryPreview;
  historyReverted: HistoryReverted;
}

export const NOTHING_TO_UNDO: HistoryPreview = {
  changes: 1,
  back_files: 0,
  earlier_files: 0,
  bytes: 0,
  beside_files: 0,
  later_files: 0,
  trashed_files: 0,
  moved_items: 0,
  back_folders: 0,
  removed_folders: 0,
  lost_files: 0,
  lost: [],
  left: [],
  left_count: 0,
  seen: "seen_1",
};

export const NO_HISTORY: FakeHistory = {
  syncedHistory: [],
  historyReach: null,
  historyPreview: { ...NOTHING_TO_UNDO, earlier_files: 1, bytes: 11_000 },
  historyReverted: { done: 1, refused: [], refused_count: 0 },
};

export function syncedEvent(id: number, path: string, given: Partial<SyncedEvent> = {}): SyncedEvent {
  return {
    id,
    at: new Date(0).toISOString(),
    folder_id: "1",
    folder_name: "Brand assets",
    path,
    change: { code: "sent" },
    is_from_here: true,
    by: null,
    bytes: null,
    run: id,
    can_undo: true,
    ...given,
  };
}

export type HistoryNames = "list_synced_history" | "get_history_reach" | "preview_history_revert" | "revert_history" | "give_up_undoing";

/** What the fake app answers about the history. */
export function historyCommands(state: FakeHistory): { [Name in HistoryNames]: (...given: Parameters<Backend[Name]>) => unknown } {
  return {
    list_synced_history: (folder, search, offset) =>
      state.syncedHistory.filter((event) => (folder === null || event.folder_id === folder) && event.path.includes(search)).slice(offset),
    get_history_reach: () => state.historyReach,
    preview_history_revert: () => state.historyPreview,
    revert_history: () => state.historyReverted,
    give_up_undoing: () => null,
  };
}
