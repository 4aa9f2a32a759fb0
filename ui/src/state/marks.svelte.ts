/**
 * What a person thinks of the designs of the connection in view: starred, rejected, or neither.
 *
 * Shown at once, and put back where it could not be kept. Not here: where it is kept (the app), and what is done with starred designs.
 */
import { backend, type DesignMark, type DesignMarks } from "../backend";
import { attempt } from "./remedies.svelte";

const KEYS: Readonly<Record<string, DesignMark>> = { s: "starred", x: "rejected" };

/** The mark that a key gives to the design that one is on. */
export function markOfKey(key: string): DesignMark | undefined {
  return KEYS[key.toLowerCase()];
}

class Marks {
  starred = $state.raw<ReadonlySet<string>>(new Set());
  rejected = $state.raw<ReadonlySet<string>>(new Set());
  #changes = 0;

  async load(): Promise<void> {
    const changes = this.#changes;
    try {
      const marks = await backend().list_design_marks();
      if (changes === this.#changes) this.#take(marks);
    } catch {
      // Without them everything else goes on, and the next mark brings them along.
    }
  }

  forget(): void {
    this.#changes += 1;
    this.starred = new Set();
    this.rejected = new Set();
  }

  of(id: string): DesignMark | null {
    if (this.starred.has(id)) return "starred";
    return this.rejected.has(id) ? "rejected" : null;
  }

  /** Gives designs a mark in place of what they had; `null` takes it away. Says whether it is kept. */
  async set(ids: readonly string[], mark: DesignMark | null): Promise<boolean> {
    const before = { starred: this.starred, rejected: this.rejected };
    const without = (marked: ReadonlySet<string>) => [...marked].filter((id) => !ids.includes(id));
    this.starred = new Set(mark === "starred" ? [...this.starred, ...ids] : without(this.starred));
    this.rejected = new Set(mark === "rejected" ? [...without(this.rejected), ...ids] : without(this.rejected));
    const change = (this.#changes += 1);
    const kept = await attempt(async () => {
      const marks = await backend().mark_designs([...ids], mark);
      if (change === this.#changes) this.#take(marks);
    });
    if (!kept && change === this.#changes) Object.assign(this, before);
    return kept;
  }

  /** Gives designs a mark, or takes it away where all of them have it. */
  async toggle(ids: readonly string[], mark: DesignMark): Promise<boolean> {
    return this.set(ids, ids.every((id) => this.of(id) === mark) ? null : mark);
  }

  #take(marks: DesignMarks): void {
    this.starred = new Set(marks.starred);
    this.rejected = new Set(marks.rejected);
  }
}

export const marks = new Marks();
