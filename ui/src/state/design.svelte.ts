/** The design that is open: its pages, the one that is looked at, and where it comes from. */
import { backend, problemFrom, type DesignDetails, type DesignPage, type DesignView, type Problem } from "../backend";
import { designs } from "./designs.svelte";
import { keepOpen, wasOpen } from "./kept";

export const SMALLEST_ZOOM = 10;
export const LARGEST_ZOOM = 400;
const ZOOM_STEPS = [10, 25, 50, 75, 100, 150, 200, 300, 400];

/** A step larger or smaller, in percent. */
export function zoomStep(at: number, steps: 1 | -1): number {
  const next = steps > 0 ? ZOOM_STEPS.find((step) => step > at + 1) : ZOOM_STEPS.findLast((step) => step < at - 1);
  return next ?? Math.min(LARGEST_ZOOM, Math.max(SMALLEST_ZOOM, Math.round(at)));
}

class Design {
  id = $state<string | null>(null);
  details = $state.raw<DesignDetails | null>(null);
  pages = $state.raw<DesignPage[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  pagesProblem = $state.raw<Problem | null>(null);
  /** Begins at 0. */
  index = $state(0);
  /** In percent of the design's own pixels; `null` fits it to the window. */
  zoom = $state<number | null>(null);
  /** The drawer with the details is open, for whichever design it is. */
  withDetails = $state(wasOpen("design-details"));

  #asked = 0;
  /** What was asked for last has not been answered in full. */
  #isLoading = false;

  page = $derived(this.pages?.[this.index] ?? null);

  async open(id: string): Promise<void> {
    if (id !== this.id) {
      this.id = id;
      this.details = null;
      this.pages = null;
      this.index = 0;
      this.zoom = null;
    }
    await this.load();
  }

  async load(): Promise<void> {
    const id = this.id;
    if (id === null) return;
    this.#asked += 1;
    const asked = this.#asked;
    this.#isLoading = true;
    const settle = async <Answer>(answer: Promise<Answer>, take: (answer: Answer) => void, fail: (problem: Problem) => void) => {
      try {
        const answered = await answer;
        if (asked === this.#asked) take(answered);
      } catch (thrown) {
        if (asked === this.#asked) fail(problemFrom(thrown));
      }
    };
    await Promise.all([
      settle(
        backend().get_design(id),
        (details) => {
          this.details = details;
          this.problem = null;
        },
        (problem) => (this.problem = problem),
      ),
      settle(
        backend().list_design_pages(id),
        (pages) => {
          this.pages = pages;
          this.pagesProblem = null;
          this.index = Math.max(0, Math.min(this.index, pages.length - 1));
        },
        (problem) => (this.pagesProblem = problem),
      ),
    ]);
    if (asked === this.#asked) this.#isLoading = false;
  }

  /** Takes over what was drawn anew while it is open: the design, and the pictures of its pages by their numbers. */
  take(drawn: DesignView, pictures: ReadonlyMap<number, string>): void {
    if (drawn.id !== this.id) return;
    // What was asked for before tells of what was there before.
    this.#asked += 1;
    if (this.details) this.details = { ...this.details, design: drawn };
    this.pages = this.pages?.map((page) => ({ ...page, picture: pictures.get(page.number) ?? page.picture })) ?? null;
    // What was asked for is still wanted, as it is now.
    if (this.#isLoading) void this.load();
  }

  showDetails(open: boolean): void {
    this.withDetails = open;
    keepOpen("design-details", open);
  }

  turn(by: number): void {
    this.index = Math.max(0, Math.min((this.pages?.length ?? 1) - 1, this.index + by));
  }

  /** A step larger or smaller than `shown`, what it has on the screen now, in percent. */
  zoomBy(steps: 1 | -1, shown: number): void {
    this.zoom = zoomStep(this.zoom ?? shown, steps);
  }

  async rename(name: string): Promise<void> {
    const before = this.details;
    if (!before) return;
    this.details = { ...before, design: { ...before.design, name } };
    try {
      await designs.rename(before.design, name);
    } catch (thrown) {
      if (this.details?.design.id === before.design.id) this.details = before;
      throw thrown;
    }
  }
}

export const design = new Design();
