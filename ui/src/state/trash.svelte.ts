/**
 * What was deleted from the drive of the connection in view, and what a person has chosen of it.
 *
 * A page at a time, the newest first. Whether the service has a trash at all is asked once a connection; until that is known, and
 * where it cannot be found out, nothing is said to be in one. Not here: deleting (drive.svelte.ts).
 */
import { backend, problemFrom, type ItemsRestored, type Problem, type TrashedView } from "../backend";
import { onceEach } from "./once";

class Trash {
  list = $state.raw<TrashedView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** Whether what is deleted comes here; not so until the service has said it. */
  offered = $state(false);
  loadingMore = $state(false);
  #next = $state.raw<string | null>(null);
  #loading = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  hasMore = $derived(this.#next !== null);
  chosen = $derived((this.list ?? []).filter((item) => this.selected.has(item.id)));

  /** Finds out whether the service has a trash. */
  async learn(): Promise<void> {
    const loading = this.#loading;
    try {
      const offered = await backend().has_trash();
      if (loading === this.#loading) this.offered = offered;
    } catch {
      // It is asked again with the next folder that is opened; until then every deletion is confirmed.
    }
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#loading += 1;
    const loading = this.#loading;
    try {
      const page = await backend().list_trash(null);
      if (loading !== this.#loading) return;
      this.list = onceEach(page.items);
      this.#next = page.next;
      this.problem = null;
      this.offered = true;
      this.#keepChosen();
    } catch (thrown) {
      if (loading === this.#loading) this.problem = problemFrom(thrown);
    }
  }

  /** For news, of which several come at once. */
  loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), 300);
  }

  async loadMore(): Promise<void> {
    const [loading, next] = [this.#loading, this.#next];
    if (next === null || this.loadingMore) return;
    this.loadingMore = true;
    try {
      const page = await backend().list_trash(next);
      if (loading !== this.#loading) return;
      this.list = onceEach([...(this.list ?? []), ...page.items]);
      this.#next = page.next;
    } finally {
      this.loadingMore = false;
    }
  }

  toggle(id: string): void {
    const next = new Set(this.selected);
    if (!next.delete(id)) next.add(id);
    this.selected = next;
  }

  chooseAll(all: boolean): void {
    this.selected = new Set(all ? (this.list ?? []).map((item) => item.id) : []);
  }

  async restore(ids: string[]): Promise<ItemsRestored> {
    const restored = await backend().restore_items(ids);
    await this.load();
    return restored;
  }

  /** How many are gone for good, and the first problem of those that are not. */
  async removeForGood(ids: string[]): Promise<{ removed: number; problem: Problem | null }> {
    const { removed, failed } = await backend().remove_for_good(ids);
    await this.load();
    return { removed, problem: failed[0]?.problem ?? null };
  }

  async empty(): Promise<number> {
    const removed = await backend().empty_trash();
    await this.load();
    return removed;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#loading += 1;
    this.list = null;
    this.problem = null;
    this.offered = false;
    this.#next = null;
    this.selected = new Set();
  }

  #keepChosen(): void {
    const ids = new Set((this.list ?? []).map((item) => item.id));
    this.selected = new Set([...this.selected].filter((id) => ids.has(id)));
  }
}

export const trash = new Trash();
