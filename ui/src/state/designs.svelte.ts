/**
 * The designs of the connection in view, as the gallery shows them, and what a person does to one.
 *
 * A remix shows at once, as a copy that is still coming; a second click within a double click's time makes no second
 * copy. Not here: tasks (state/tasks.svelte.ts knows how far they are), and the design that is open.
 */
import { backend, problemFrom, type DesignSize, type DesignSort, type DesignView, type Problem } from "../backend";
import { text } from "../text";
import { NOT_OFFERED } from "./connection.svelte";
import { contactSheet } from "./contactsheet.svelte";
import { leave, left, staying } from "./leaving";
import { onceEach } from "./once";
import { attempt } from "./remedies.svelte";
import { route } from "./route.svelte";
import { tasks } from "./tasks.svelte";
import { toasts } from "./toasts.svelte";

export const PAGE = 60;
const NEWEST = 8;
const SEARCH_AFTER_MS = 200;
const NEWS_AFTER_MS = 150;
/** Two clicks this close are one request. */
const DOUBLE_CLICK_MS = 700;
/** So many characters of a name leave room for what is added to it. */
const MOST_OF_A_NAME = 230;
/** How long a copy says that it is one. */
const FRESH_MS = 8_000;

/** What is known of a design wherever it is remixed: in the gallery everything, in the drive less. */
export type Source = Pick<DesignView, "id" | "name" | "thumbnail"> & Partial<Pick<DesignView, "width" | "height">>;

/** A copy that was asked for and has not come. */
export interface Coming {
  key: number;
  source: Source;
}

class Designs {
  list = $state.raw<DesignView[] | null>(null);
  total = $state<number | null>(null);
  problem = $state.raw<Problem | null>(null);
  query = $state("");
  sort = $state<DesignSort>("newest");
  coming = $state.raw<Coming[]>([]);
  /** Copies that have just come. */
  fresh = $state.raw<ReadonlySet<string>>(new Set());
  loadingMore = $state(false);
  /** Shows the starred ones alone. */
  onlyStarred = $state(false);
  /** Those made last, whatever the gallery looks for; for Home. */
  newest = $state.raw<DesignView[] | null>(null);
  newestProblem = $state.raw<Problem | null>(null);

  #next: string | null = null;
  #asked = 0;
  #askedNewest = 0;
  #keys = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #clicked = new Map<string, number>();

  hasMore = $derived(this.list !== null && this.#next !== null);
  /** There is nothing at all, as opposed to nothing that was looked for. */
  empty = $derived(this.list !== null && this.list.length === 0 && this.query.trim() === "" && !this.onlyStarred);

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    // As many as are shown, so that news do not send a person back up.
    const wanted = Math.max(PAGE, this.list?.length ?? 0);
    try {
      const page = this.onlyStarred
        ? await backend().list_starred_designs(this.query.trim(), this.sort)
        : await backend().list_designs(this.query.trim(), this.sort, null, wanted);
      if (asked !== this.#asked) return;
      this.#next = page.next;
      this.list = staying(onceEach(page.designs));
      // How many there are in all does not become fewer because the starred ones alone are shown.
      if (!this.onlyStarred) this.total = page.total;
      this.problem = null;
    } catch (thrown) {
      if (asked !== this.#asked) return;
      const problem = problemFrom(thrown);
      if (problem.code === NOT_OFFERED && this.query.trim() !== "") {
        // It was the search that the service does not have: the gallery goes on without it.
        this.query = "";
        await this.load();
      }
      this.problem = problem;
    }
  }

  async loadNewest(): Promise<void> {
    this.#askedNewest += 1;
    const asked = this.#askedNewest;
    try {
      const page = await backend().list_designs("", "newest", null, NEWEST);
      if (asked !== this.#askedNewest) return;
      this.newest = staying(onceEach(page.designs));
      this.newestProblem = null;
    } catch (thrown) {
      this.newestProblem = problemFrom(thrown);
    }
  }

  /** For news, which come several at once: what has been looked at is looked at again. */
  loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.list !== null) void this.load();
      if (this.newest !== null) void this.loadNewest();
    }, NEWS_AFTER_MS);
  }

  async loadMore(): Promise<void> {
    if (this.#next === null || this.loadingMore || this.list === null) return;
    const asked = this.#asked;
    this.loadingMore = true;
    try {
      const page = await backend().list_designs(this.query.trim(), this.sort, this.#next, PAGE);
      if (asked !== this.#asked) return;
      this.#next = page.next;
      this.list = staying(onceEach([...this.list, ...page.designs]));
    } catch (thrown) {
      if (asked === this.#asked) toasts.problem(problemFrom(thrown), () => void this.loadMore());
    } finally {
      this.loadingMore = false;
    }
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#anew(), SEARCH_AFTER_MS);
  }

  async showStarred(only: boolean): Promise<void> {
    this.onlyStarred = only;
    await this.#anew();
  }

  async sortBy(sort: DesignSort): Promise<void> {
    this.sort = sort;
    await this.#anew();
  }

  forget(): void {
    this.#asked += 1;
    this.#askedNewest += 1;
    clearTimeout(this.#timer);
    this.list = null;
    this.newest = null;
    this.newestProblem = null;
    this.total = null;
    this.problem = null;
    this.query = "";
    this.onlyStarred = false;
    this.coming = [];
    this.fresh = new Set();
    this.#next = null;
    this.#clicked.clear();
  }

  /** A copy in one click. `now_ms` is the page's clock. */
  async remix(source: Source, now_ms: number = performance.now()): Promise<void> {
    const clicked = this.#clicked.get(source.id);
    if (clicked !== undefined && now_ms - clicked < DOUBLE_CLICK_MS) return;
    this.#clicked.set(source.id, now_ms);
    await attempt(async () => {
      const key = (this.#keys += 1);
      this.coming = [{ key, source }, ...this.coming];
      try {
        const { design, task } = await backend().remix_design(source.id, null);
        if (task) tasks.apply([task]);
        if (design) this.#arrived(design);
      } finally {
        this.coming = this.coming.filter((each) => each.key !== key);
      }
    });
  }

  /** So many variations in one click: another look each, the same content. They are seen to come on a sheet of their own. */
  async vary(source: Source, count: 4 | 8 | 12 = 4, now_ms: number = performance.now()): Promise<void> {
    const clicked = this.#clicked.get(`${source.id} variations`);
    if (clicked !== undefined && now_ms - clicked < DOUBLE_CLICK_MS) return;
    this.#clicked.set(`${source.id} variations`, now_ms);
    const from = route.place;
    await attempt(async () => {
      const begun = await backend().vary_design(source.id, count);
      tasks.apply(begun);
      contactSheet.begin(source, begun);
      // Who has gone somewhere else meanwhile is left there.
      if (route.place === from) route.go({ screen: "contact", designId: source.id });
    });
  }

  /** The design in other sizes, each laid out anew; seen to come like variations. Rejects where they cannot be started. */
  async resize(source: Source, sizes: readonly DesignSize[]): Promise<void> {
    const words = text.designs.sizes;
    // The size stands at the end of the name, which has its bounds.
    const stem = [...source.name].slice(0, MOST_OF_A_NAME).join("").trim();
    const resizes = sizes.map((size) => ({ size, name: words.named(stem, words.names[size]) }));
    const from = route.place;
    const begun = await backend().resize_design(source.id, resizes);
    tasks.apply(begun);
    contactSheet.begin(source, begun, "sizes");
    if (route.place === from) route.go({ screen: "contact", designId: source.id });
  }

  /** A copy that is changed as the words say. Rejects where it cannot be started, for the dialog that asked. */
  async remixWithWords(source: Source, prompt: string): Promise<void> {
    const { design, task } = await backend().remix_design(source.id, prompt);
    if (task) tasks.apply([task]);
    if (design) this.#arrived(design);
    toasts.say(text.designs.remixStarted(source.name), watch());
  }

  /** Changes the design itself as the words say. Rejects where it cannot be started. */
  async edit(design: DesignView, prompt: string): Promise<void> {
    tasks.apply([await backend().edit_design(design.id, prompt)]);
    toasts.say(text.designs.editStarted(design.name), watch());
  }

  /** Shown at once; put back if the service says no. */
  async rename(design: DesignView, name: string): Promise<void> {
    if (name === design.name) return;
    this.#replace({ ...design, name });
    try {
      this.#replace(await backend().rename_design(design.id, name));
    } catch (thrown) {
      this.#replace(design);
      throw thrown;
    }
  }

  /** Takes designs off the screen; they go, into the trash where there is one, when the time for undoing is over. */
  async delete(ids: readonly string[]): Promise<{ deletionId: string; undoForMs: number }> {
    const pending = await backend().delete_items([...ids]);
    leave(ids, pending.deletion_id);
    if (this.total !== null) this.total = Math.max(0, this.total - ids.length);
    this.list = this.list && staying(this.list);
    this.newest = this.newest && staying(this.newest);
    return { deletionId: pending.deletion_id, undoForMs: pending.undo_for_ms };
  }

  async undoDeletion(deletionId: string): Promise<void> {
    await backend().undo_deletion(deletionId);
    left(deletionId);
    await Promise.all([this.load(), this.newest === null ? null : this.loadNewest()]);
  }

  /** A design that a task has made. */
  made(id: string): void {
    this.#mark(id);
    this.loadSoon();
  }

  #arrived(design: DesignView): void {
    this.#mark(design.id);
    // Where there is no gallery to see it in, it is said.
    if (!["designs", "home"].includes(route.place.screen)) {
      toasts.say(text.designs.remixReady(design.name), {
        label: text.designs.open,
        testId: "toast-open",
        run: () => route.go({ screen: "design", designId: design.id }),
      });
    }
    const first = (list: DesignView[]) => [design, ...list.filter((each) => each.id !== design.id)];
    if (this.newest) this.newest = first(this.newest);
    if (this.list && this.sort !== "name" && this.query.trim() === "" && !this.onlyStarred) {
      this.list = first(this.list);
      if (this.total !== null) this.total += 1;
    }
    this.loadSoon();
  }

  #mark(id: string): void {
    this.fresh = new Set([...this.fresh, id]);
    setTimeout(() => (this.fresh = new Set([...this.fresh].filter((each) => each !== id))), FRESH_MS);
  }

  #replace(design: DesignView): void {
    const swap = (list: DesignView[] | null) => list?.map((each) => (each.id === design.id ? design : each)) ?? null;
    this.list = swap(this.list);
    this.newest = swap(this.newest);
  }

  async #anew(): Promise<void> {
    this.list = this.list?.slice(0, PAGE) ?? null;
    await this.load();
  }
}

function watch() {
  return { label: text.designs.watch, testId: "toast-watch", run: () => route.go({ screen: "activity", tab: "tasks" }) };
}

export const designs = new Designs();
tasks.onMade((id) => designs.made(id));
