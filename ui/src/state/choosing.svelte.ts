/**
 * Designs that a person has chosen in the gallery, to do one thing with all of them.
 *
 * In the order in which they were chosen, because that is the order in which files are numbered. Not here: what is done.
 */
import type { DesignView } from "../backend";

/** As many as one export takes. */
export const MOST_CHOSEN = 200;

export class Choosing {
  list = $state.raw<readonly DesignView[]>([]);
  /** From where a choice with Shift reaches. */
  #from: string | null = null;

  count = $derived(this.list.length);

  has(id: string): boolean {
    return this.list.some((each) => each.id === id);
  }

  /** Chooses a design, or no longer; with Shift, all from the last one on in the order of `shown`. */
  toggle(design: DesignView, shown: readonly DesignView[], withShift = false): void {
    const from = shown.findIndex((each) => each.id === this.#from);
    const to = shown.findIndex((each) => each.id === design.id);
    if (withShift && from >= 0 && to >= 0) {
      const between = from <= to ? shown.slice(from, to + 1) : shown.slice(to, from + 1).reverse();
      this.#add(between);
    } else if (this.has(design.id)) {
      this.list = this.list.filter((each) => each.id !== design.id);
    } else {
      this.#add([design]);
    }
    this.#from = design.id;
  }

  all(shown: readonly DesignView[]): void {
    this.#add(shown);
  }

  clear(): void {
    this.list = [];
    this.#from = null;
  }

  #add(designs: readonly DesignView[]): void {
    this.list = [...this.list, ...designs.filter((each) => !this.has(each.id))].slice(0, MOST_CHOSEN);
  }
}
