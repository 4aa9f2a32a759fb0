/**
 * Folders of this computer that are kept in step with the drive, as the app tells of them.
 *
 * Kept by id, the oldest first. Not here: paths (the app has them; what the page shows is written for people), and deciding
 * anything about a file.
 */
import {
  backend,
  problemFrom,
  type Problem,
  type SyncedEvent,
  type SyncedFoldersChanged,
  type SyncedFolderView,
  type SyncedSource,
} from "../backend";
import { text } from "../text";
import { Asking } from "./asking";
import { onceEach } from "./once";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** Lines of the history that are asked for at once. */
const HISTORY_PAGE = 200;
const LATEST_AFTER_MS = 400;

class Synced {
  /** `null` until the app has answered. */
  list = $state.raw<SyncedFolderView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** A folder that was chosen or dropped: the sheet that describes it is open. */
  adding = $state.raw<SyncedSource | null>(null);

  /** What happened last in each folder, by the folder's id. */
  latest = $state.raw<ReadonlyMap<string, SyncedEvent>>(new Map());
  #latestTimer: ReturnType<typeof setTimeout> | undefined;

  history = $state.raw<SyncedEvent[] | null>(null);
  historyProblem = $state.raw<Problem | null>(null);
  search = $state("");
  /** The folder whose history is shown; `null` for that of all. */
  historyOf = $state<string | null>(null);
  /** There is more further back. */
  hasOlder = $state(false);
  /** The history is on the screen, or about to be. */
  #wantsHistory = false;
  #asked = 0;
  #asking = new Asking<SyncedFoldersChanged>();

  needing = $derived((this.list ?? []).filter((folder) => folder.state.code === "needs_you"));
  /** Those that have files with two versions. */
  conflicting = $derived((this.list ?? []).filter((folder) => folder.conflicts > 0));
  canPause = $derived((this.list ?? []).some((folder) => folder.state.code !== "paused"));

  async load(): Promise<void> {
    try {
      const fresh = await this.#asking.ask(() => backend().list_synced_folders());
      if (!fresh) return;
      this.list = fresh.answer;
      for (const change of fresh.told) this.#merge(change);
      this.problem = null;
      this.#lookForLatest();
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    this.#asking.forget();
    this.list = null;
    this.problem = null;
    this.adding = null;
    clearTimeout(this.#latestTimer);
    this.#latestTimer = undefined;
    this.latest = new Map();
    this.#wantsHistory = false;
    this.history = null;
    this.historyProblem = null;
    this.search = "";
    this.historyOf = null;
  }

  apply(change: SyncedFoldersChanged): void {
    this.#asking.tell(change);
    this.#merge(change);
    if (!change.has_history) return;
    if (this.#wantsHistory) void this.loadHistory();
    this.#lookForLatest();
  }

  #merge({ changed, removed }: SyncedFoldersChanged): void {
    if (this.list !== null) {
      const news = new Map(changed.map((folder) => [folder.id, folder]));
      const kept = this.list
        .filter((folder) => !removed.includes(folder.id))
        .map((folder) => {
          const now = news.get(folder.id) ?? folder;
          news.delete(folder.id);
          return now;
        });
      this.list = [...kept, ...news.values()];
    }
  }

  /** News of a folder of many files come many times a second, and one look for all of them is enough. */
  #lookForLatest(): void {
    this.#latestTimer ??= setTimeout(() => {
      this.#latestTimer = undefined;
      void this.#readLatest();
    }, LATEST_AFTER_MS);
  }

  async #readLatest(): Promise<void> {
    const folders = this.list ?? [];
    try {
      const found = await Promise.all(folders.map(({ id }) => backend().list_synced_history(id, "", 0, 1)));
      this.latest = new Map(folders.flatMap(({ id }, index) => found[index]?.slice(0, 1).map((event) => [id, event] as const) ?? []));
    } catch {
      // It is a line more on a card; where the journal cannot be read, the folder itself says so.
    }
  }

  /** The app has stopped keeping it in step; the news of it may still be on their way. */
  gone(id: string): void {
    this.list = this.list?.filter((folder) => folder.id !== id) ?? null;
    if (this.historyOf === id) this.historyOf = null;
  }

  /** Asks where a folder is now; what comes of it is told. */
  async relocate(folder: Pick<SyncedFolderView, "id" | "name">): Promise<void> {
    await attempt(async () => {
      if (await backend().relocate_synced_folder(folder.id)) toasts.say(text.synced.relocated(folder.name));
    });
  }

  /** Asks for a folder; the sheet opens when there is one. */
  async choose(): Promise<void> {
    await attempt(async () => {
      this.adding = (await backend().choose_synced_source()) ?? this.adding;
    });
  }

  /** The first lines of the history that fit what is searched for. */
  async loadHistory(): Promise<void> {
    this.#wantsHistory = true;
    await this.#readHistory([]);
  }

  async loadOlder(): Promise<void> {
    await this.#readHistory(this.history ?? []);
  }

  async #readHistory(before: SyncedEvent[]): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const more = await backend().list_synced_history(this.historyOf, this.search, before.length, HISTORY_PAGE);
      // What was searched for since then has its own answer.
      if (asked !== this.#asked) return;
      // What happened meanwhile has moved the lines on.
      this.history = onceEach([...before, ...more]);
      this.hasOlder = more.length === HISTORY_PAGE;
      this.historyProblem = null;
    } catch (thrown) {
      if (asked === this.#asked) this.historyProblem = problemFrom(thrown);
    }
  }

  /** Shows the history of one folder, or of all. */
  showHistoryOf(folderId: string | null): void {
    this.historyOf = folderId;
    this.history = null;
    void this.loadHistory();
  }

  searchFor(search: string): void {
    this.search = search;
    void this.loadHistory();
  }
}

export const synced = new Synced();
