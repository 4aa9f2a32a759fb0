/**
 * Two versions of one file that were both kept, while a person compares them and chooses.
 *
 * Always true: what is settled is what was shown; where that has changed since, nothing is done, the person is told, and it is
 * shown anew. An answer about something that is not looked at any more is dropped, but for what it tells; what goes to the trash of
 * several at once is asked for first. Not here: how many there are, which every
 * folder tells (`synced`), and what becomes of the files.
 */
import { SvelteSet } from "svelte/reactivity";
import { backend, problemFrom, type ConflictChoice, type ConflictComparison, type ConflictKeep, type Problem, type SyncedConflict } from "../backend";
import { text } from "../text";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** How long the way back is offered. */
const UNDO_MS = 10_000;

class Conflicts {
  isOpen = $state(false);
  /** `null` until the app has answered. */
  list = $state.raw<SyncedConflict[] | null>(null);
  /** Why there is nothing to show. */
  problem = $state.raw<Problem | null>(null);
  /** Why nothing was done with what is shown. */
  refused = $state.raw<Problem | null>(null);
  /** The one that is compared. */
  openId = $state<string | null>(null);
  comparison = $state.raw<ConflictComparison | null>(null);
  /** Several at once are chosen for, instead of one. */
  isSeveral = $state(false);
  chosen = new SvelteSet<string>();
  /** How two pictures are shown; it stays so from one to the next. */
  way = $state<"over" | "beside">("over");
  busy = $state(false);
  /** The newest of those that were chosen are to be kept, which is asked once more. */
  isAsking = $state(false);
  #folderId: string | null = null;
  #asked = 0;
  /** Counts how often it was opened and left, so that an answer knows whether it is still for what is shown. */
  #epoch = 0;

  index = $derived(this.list?.findIndex((each) => each.id === this.openId) ?? -1);
  now = $derived(this.list?.[this.index] ?? null);
  /** Those chosen of which a newest one is known: of each, the other version would go to the trash. */
  decided = $derived((this.list ?? []).filter((each) => each.newest !== null && this.chosen.has(each.id)));

  /** Opens those of one folder, or of all. */
  open(folderId: string | null): void {
    this.forget();
    this.isOpen = true;
    this.#folderId = folderId;
    void this.load();
  }

  forget(): void {
    this.#asked += 1;
    this.#epoch += 1;
    this.isOpen = false;
    this.list = null;
    this.problem = null;
    this.refused = null;
    this.openId = null;
    this.comparison = null;
    this.isSeveral = false;
    this.chosen.clear();
    this.way = "over";
    this.busy = false;
    this.isAsking = false;
  }

  async load(): Promise<void> {
    const asked = (this.#asked += 1);
    this.problem = null;
    try {
      const list = await backend().list_synced_conflicts(this.#folderId);
      if (asked !== this.#asked) return;
      this.list = list;
      for (const id of [...this.chosen]) if (!list.some((each) => each.id === id)) this.chosen.delete(id);
      const still = list.some((each) => each.id === this.openId);
      await this.#compare(still ? this.openId : (list[0]?.id ?? null), asked);
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** Shows the next one, or the one before. */
  go(by: number): void {
    const to = this.list?.[this.index + by];
    if (to) this.show(to.id);
  }

  show(id: string): void {
    this.isSeveral = false;
    this.isAsking = false;
    this.refused = null;
    void this.#compare(id, (this.#asked += 1));
  }

  async #compare(id: string | null, asked: number): Promise<void> {
    if (id !== this.openId) this.comparison = null;
    this.openId = id;
    this.problem = null;
    const of = this.list?.find((each) => each.id === id);
    if (!of) return;
    try {
      const comparison = await backend().compare_synced_conflict(of.folder_id, of.id);
      if (asked === this.#asked) this.comparison = comparison;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** Keeps what was chosen of the one that is compared, and goes on to the next. */
  async keep(keep: ConflictKeep): Promise<void> {
    const of = this.comparison?.conflict;
    if (!of || this.busy) return;
    const epoch = this.#epoch;
    const [refused] = (await this.#settle([choice(of, keep)])) ?? [];
    if (refused === undefined) return;
    if (refused !== null) {
      // Nobody looks at what it is about: it is told where they are.
      if (epoch !== this.#epoch) return void toasts.problem(refused);
      this.refused = refused;
      await this.load();
      return;
    }
    if (keep === "both") sayKeptBoth([of]);
    else toasts.say(text.conflicts.kept[keep](of.original.name));
    if (epoch === this.#epoch) this.#goOn([of.id]);
  }

  /** Asks whether the newest of all that were chosen are to be kept; where no newest one is known, there is nothing to ask. */
  askNewest(): void {
    if (this.busy) return;
    if (this.decided.length > 0) this.isAsking = true;
    else void this.keepChosen("newest");
  }

  /** Keeps the newest, or both, of all that were chosen. */
  async keepChosen(keep: "newest" | "both"): Promise<void> {
    if (this.busy) return;
    this.isAsking = false;
    const epoch = this.#epoch;
    const of = (this.list ?? []).filter((each) => this.chosen.has(each.id));
    const choices = of.flatMap((each) => (keep === "both" ? [choice(each, "both")] : each.newest ? [choice(each, each.newest)] : []));
    const undecided = of.length - choices.length;
    const outcomes = await this.#settle(choices);
    if (!outcomes) return;
    const done = choices.filter((_, index) => outcomes[index] === null).map((each) => each.conflict_id);
    const [refused] = outcomes.filter((each) => each !== null);
    if (done.length > 0) {
      if (keep === "both") sayKeptBoth(of.filter((each) => done.includes(each.id)));
      else toasts.say(text.conflicts.keptNewest(done.length));
    }
    if (undecided > 0) toasts.say(text.conflicts.undecided(undecided));
    if (epoch !== this.#epoch) {
      if (refused) toasts.problem(refused);
      return;
    }
    this.refused = refused ?? null;
    if (refused) await this.load();
    else this.#goOn(done);
  }

  async #settle(choices: ConflictChoice[]): Promise<(Problem | null)[] | null> {
    if (choices.length === 0) return [];
    const epoch = this.#epoch;
    this.busy = true;
    this.refused = null;
    try {
      return await backend().settle_synced_conflicts(choices);
    } catch (thrown) {
      const problem = problemFrom(thrown);
      if (epoch === this.#epoch) this.refused = problem;
      else toasts.problem(problem);
      return null;
    } finally {
      // What was opened meanwhile is busy with something of its own.
      if (epoch === this.#epoch) this.busy = false;
    }
  }

  /** Takes what is settled off the list; with nothing left, it is over. */
  #goOn(settled: string[]): void {
    const at = this.index;
    const left = (this.list ?? []).filter((each) => !settled.includes(each.id));
    for (const id of settled) this.chosen.delete(id);
    if (left.length === 0) return this.forget();
    this.list = left;
    // Whoever looks at another one goes on looking at it.
    if (this.openId === null || !settled.includes(this.openId)) return;
    const next = left[Math.min(Math.max(at, 0), left.length - 1)];
    if (!next) return;
    // The list of several stays open; only what it leads back to is another one.
    if (this.isSeveral) void this.#compare(next.id, (this.#asked += 1));
    else this.show(next.id);
  }
}

const choice = (of: SyncedConflict, keep: ConflictKeep): ConflictChoice => ({
  folder_id: of.folder_id,
  conflict_id: of.id,
  keep,
  original_seen: of.original.seen,
  copy_seen: of.copy.seen,
});

function sayKeptBoth(of: SyncedConflict[]): void {
  const undo = () =>
    void attempt(() => Promise.all(of.map(({ folder_id, id }) => backend().reopen_synced_conflict(folder_id, id))));
  toasts.say(text.conflicts.keptBoth(of.length), { label: text.common.undo, testId: "toast-undo-both", run: undo }, UNDO_MS);
}

export const conflicts = new Conflicts();
