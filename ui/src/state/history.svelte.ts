/**
 * Undoing changes of synced folders: what is to be undone, what that would do, and the doing.
 *
 * Always true: what is done is what was shown; where it would be something else by now, nothing is done, and it is shown anew. Whoever
 * closes the dialog while it is done stops nothing and is told how it ended. Not here: the lines of the history (`synced`), and what becomes of files.
 */
import { backend, problemFrom, type HistoryPreview, type HistoryReverted, type HistoryScope, type Problem } from "../backend";
import { text } from "../text";
import { toasts } from "./toasts.svelte";

/** What is to be undone. */
export interface Target {
  folderId: string;
  folderName: string;
  /** `null` while a person has yet to choose the moment. */
  scope: HistoryScope | null;
  /** Of one change. */
  path: string;
}

class Reverting {
  target = $state.raw<Target | null>(null);
  preview = $state.raw<HistoryPreview | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What was not done, once it is over. */
  result = $state.raw<HistoryReverted | null>(null);
  /** How far back the folder can go; `undefined` until the app has answered. */
  reach = $state.raw<string | null | undefined>(undefined);
  isLooking = $state(false);
  isWorking = $state(false);
  /** Counts what was asked, so that an answer knows whether it is still for what is shown. */
  #asked = 0;

  /** Opens what undoing one change or a run would do, or asks for the moment. */
  open(target: Target): void {
    this.close();
    this.target = target;
    if (target.scope) void this.look(target.scope);
    else void this.#learnReach(target.folderId);
  }

  close(): void {
    this.#asked += 1;
    this.target = null;
    this.preview = null;
    this.problem = null;
    this.result = null;
    this.reach = undefined;
    this.isLooking = false;
    this.isWorking = false;
  }

  async #learnReach(folderId: string): Promise<void> {
    const asked = this.#asked;
    try {
      const reach = await backend().get_history_reach(folderId);
      if (asked === this.#asked) this.reach = reach;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** The moment is another: what was shown is not what would happen. */
  reconsider(): void {
    this.#asked += 1;
    this.preview = null;
    this.problem = null;
    this.isLooking = false;
  }

  /** Asks what undoing would do. */
  async look(scope: HistoryScope): Promise<void> {
    const target = this.target;
    if (!target) return;
    const asked = (this.#asked += 1);
    this.target = { ...target, scope };
    this.isLooking = true;
    this.problem = null;
    this.preview = null;
    try {
      const preview = await backend().preview_history_revert(target.folderId, scope);
      if (asked === this.#asked) this.preview = preview;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    } finally {
      if (asked === this.#asked) this.isLooking = false;
    }
  }

  /** Looks again, after something failed. */
  async again(): Promise<void> {
    const target = this.target;
    if (target?.scope) await this.look(target.scope);
    else if (target) {
      this.problem = null;
      await this.#learnReach(target.folderId);
    }
  }

  /** Does what was shown. */
  async revert(): Promise<void> {
    const [target, preview] = [this.target, this.preview];
    if (!target?.scope || !preview || this.isWorking) return;
    const asked = this.#asked;
    this.isWorking = true;
    this.problem = null;
    try {
      const result = await backend().revert_history(target.folderId, target.scope, preview.seen);
      if (result.refused_count === 0) {
        toasts.say(text.history.done(result.done));
        if (asked === this.#asked) this.close();
      } else if (asked === this.#asked) {
        this.result = result;
      } else {
        const first = result.refused[0]?.problem;
        if (first) toasts.fault(text.history.refusedTitle(result.refused_count), first.detail, undefined);
      }
    } catch (thrown) {
      const problem = problemFrom(thrown);
      if (asked !== this.#asked) toasts.fault(problem.title, problem.detail, undefined);
      else {
        this.problem = problem;
        // What was shown is not what would happen any more.
        this.preview = null;
      }
    } finally {
      if (asked === this.#asked) this.isWorking = false;
    }
  }
}

export const reverting = new Reverting();
