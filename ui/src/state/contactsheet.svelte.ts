/**
 * The variations of one design, or its other sizes, each in a place of its own from the moment it is asked for: first what is made, then the design.
 *
 * A place never moves and never goes while the sheet is looked at, so that a person who walks through it is not led astray. Not
 * here: what is starred (marks.svelte.ts), and how a task is worked on.
 */
import { backend, problemFrom, type DesignView, type Problem, type TaskView } from "../backend";
import { taskTitle } from "../designwords";
import { attempt } from "./remedies.svelte";
import { isOver, tasks } from "./tasks.svelte";

/** A design as the sheet shows it. */
export type Shown = Pick<DesignView, "id" | "name" | "thumbnail" | "width" | "height">;

/** A place of the sheet. */
export interface Slot {
  key: string;
  /** What makes it, where that was asked for since the page was opened. */
  task: TaskView | null;
  /** Once it is there. */
  design: Shown | null;
}

class ContactSheet {
  sourceId = $state<string | null>(null);
  sourceName = $state("");
  /** What the places are to the design. */
  holds = $state<"variations" | "sizes">("variations");
  slots = $state.raw<Slot[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  #asked = 0;

  designs = $derived((this.slots ?? []).flatMap((slot) => (slot.design ? [slot.design] : [])));
  making = $derived((this.slots ?? []).filter((slot) => slot.task !== null && !isOver(slot.task)).length);

  /** A new sheet, for variations or sizes that were just asked for. */
  begin(source: { id: string; name: string }, begun: readonly TaskView[], holds: "variations" | "sizes" = "variations"): void {
    this.forget();
    this.holds = holds;
    this.sourceId = source.id;
    this.sourceName = source.name;
    // Some may have moved on before the answer came.
    this.slots = begun.map((task) => slotOf(tasks.find(task.id) ?? task));
  }

  /** The sheet of a design: the one that is there, else all that was remixed from it and what is being made of it. */
  async open(designId: string): Promise<void> {
    if (this.sourceId === designId && this.slots !== null) return;
    this.forget();
    this.sourceId = designId;
    await this.load();
  }

  async load(): Promise<void> {
    const designId = this.sourceId;
    if (designId === null) return;
    const asked = (this.#asked += 1);
    this.problem = null;
    try {
      const { design, remixes } = await backend().get_design(designId);
      if (asked !== this.#asked) return;
      this.sourceName = design.name;
      const making = tasks.making.filter((task) => task.source_id === designId);
      this.slots = [...making.map(slotOf), ...remixes.map((remix) => ({ key: remix.id, task: null, design: remix }))];
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** News of tasks; those of other sheets are left alone. */
  apply(changed: readonly TaskView[]): void {
    const news = new Map(changed.map((task) => [task.id, task]));
    this.slots =
      this.slots?.map((slot) => {
        const task = slot.task && news.get(slot.task.id);
        return task ? { ...slotOf(task), key: slot.key } : slot;
      }) ?? null;
  }

  /** Asks once more for one that could not be made, in its place. */
  async retry(slot: Slot): Promise<void> {
    const before = slot.task;
    if (!before) return;
    await attempt(async () => {
      const again = await backend().retry_task(before.id);
      tasks.apply([again]);
      this.slots = this.slots?.map((each) => (each.key === slot.key ? { ...slotOf(again), key: slot.key } : each)) ?? null;
    });
  }

  forget(): void {
    this.#asked += 1;
    this.sourceId = null;
    this.sourceName = "";
    this.holds = "variations";
    this.slots = null;
    this.problem = null;
  }
}

function slotOf(task: TaskView): Slot {
  const { design_id: id, thumbnail } = task;
  const isMade = task.state === "succeeded" && id !== null;
  const design = isMade ? { id, name: task.design_name ?? taskTitle(task), thumbnail, width: null, height: null } : null;
  return { key: task.id, task, design };
}

export const contactSheet = new ContactSheet();
