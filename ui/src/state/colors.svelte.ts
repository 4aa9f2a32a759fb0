/**
 * The colours of the open design while a person chooses others: which there are, what is being drawn, and the way back.
 *
 * Always true: a change is of the drawing that was seen, or of a later one in which the same colour stands; an answer about one design
 * changes nothing of another; Undo goes to the colour of before, which is a change like any other, and never over what somebody else
 * chose. Not here: which colours words can be read on, which the service sees to.
 */
import { backend, problemFrom, type DesignColor, type DesignColorRole, type DesignColors, type Problem } from "../backend";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { design } from "./design.svelte";
import { toasts } from "./toasts.svelte";

/** A colour that was chosen in place of another; `null` is the design's own. */
interface Step {
  role: DesignColorRole;
  before: string | null;
  after: string | null;
}

class Colors {
  of = $state<string | null>(null);
  now = $state.raw<DesignColors | null>(null);
  problem = $state.raw<Problem | null>(null);
  isOpen = $state(false);
  /** The colour that is being drawn. */
  coming = $state.raw<Step | null>(null);
  done = $state.raw<Step[]>([]);
  undone = $state.raw<Step[]>([]);

  #asked = 0;
  /** Changes are made one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Reads the colours of a design, where they are wanted and not of its present drawing already. */
  async follow(id: string, updated_at: string | null): Promise<void> {
    if (id !== this.of) this.#clear(id);
    const isThere = this.now !== null && this.now.design.updated_at === updated_at;
    if (!this.isOpen || isThere || this.coming !== null || connections.lack("canvas_colors")) return;
    await this.load();
  }

  toggle(): void {
    this.isOpen = !this.isOpen;
    if (this.isOpen && this.coming === null) void this.load();
  }

  async load(): Promise<void> {
    const id = this.of;
    if (id === null) return;
    const asked = (this.#asked += 1);
    try {
      const now = await backend().list_design_colors(id);
      if (asked === this.#asked) this.#take(now);
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** What was chosen for a colour, or is being drawn for it; `null` while it is the design's own. */
  chosen(role: DesignColorRole): string | null {
    if (this.coming?.role === role) return this.coming.after;
    return this.#find(role)?.chosen ?? null;
  }

  async choose(role: DesignColorRole, color: string | null): Promise<void> {
    const id = this.of;
    const step = await this.#make(role, color);
    if (step === null || id !== this.of) return;
    this.done = [...this.done, step];
    this.undone = [];
  }

  undo(): Promise<void> {
    return this.#step("done");
  }

  redo(): Promise<void> {
    return this.#step("undone");
  }

  async #step(from: "done" | "undone"): Promise<void> {
    const step = this[from].at(-1);
    if (!step || this.coming !== null) return;
    this[from] = this[from].slice(0, -1);
    const [here, to] = from === "done" ? [step.after, step.before] : [step.before, step.after];
    if (this.chosen(step.role) !== here) {
      toasts.say(text.editColors.stepOther);
      return;
    }
    const id = this.of;
    const made = await this.#make(step.role, to);
    if (id !== this.of) return;
    // What was not made can be tried again.
    if (made === null) this[from] = [...this[from], step];
    else if (from === "done") this.undone = [...this.undone, step];
    else this.done = [...this.done, step];
  }

  /** Has a colour drawn, after those before it. Returns the step; `null` where there is none, or it was not made. */
  #make(role: DesignColorRole, color: string | null): Promise<Step | null> {
    const id = this.of;
    const made = this.#turn.then(async () => {
      const before = this.#find(role)?.chosen ?? null;
      if (id === null || id !== this.of || this.now === null || before === color) return null;
      this.coming = { role, before, after: color };
      try {
        const now = await this.#change(id, this.coming);
        if (id !== this.of) return null;
        this.#asked += 1;
        this.#take(now);
        await design.load();
        return { role, before, after: color };
      } catch (thrown) {
        if (id === this.of) toasts.problem(problemFrom(thrown));
        return null;
      } finally {
        if (id === this.of) this.coming = null;
      }
    });
    this.#turn = made.catch(() => undefined);
    return made;
  }

  /** Asks once more where the design was drawn anew meanwhile and this colour is what it was. */
  async #change(id: string, { role, before, after }: Step): Promise<DesignColors> {
    const ask = () => backend().change_design_colors(id, this.now?.revision ?? "", [{ role, color: after }]);
    try {
      return await ask();
    } catch (thrown) {
      if (problemFrom(thrown).code !== "canvas_changed") throw thrown;
      const now = await backend().list_design_colors(id);
      if (id !== this.of) throw thrown;
      this.#take(now);
      if ((this.#find(role)?.chosen ?? null) !== before) throw thrown;
      return ask();
    }
  }

  #find(role: DesignColorRole): DesignColor | null {
    return this.now?.colors.find((color) => color.role === role) ?? null;
  }

  #take(now: DesignColors): void {
    this.now = now;
    this.problem = null;
  }

  #clear(id: string): void {
    this.#asked += 1;
    this.of = id;
    this.now = null;
    this.problem = null;
    this.coming = null;
    this.done = [];
    this.undone = [];
  }

  /** Forgets everything, as at a start. */
  forget(): void {
    this.#clear("");
    this.of = null;
    this.isOpen = false;
  }
}

export const colors = new Colors();
