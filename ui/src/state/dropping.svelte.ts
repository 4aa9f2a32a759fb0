/**
 * Files that are being dragged over the window, and where they would land.
 *
 * The page never sees the files themselves. On Home there are two places; the screen measures the second one and tells
 * the app, which knows where the pointer is.
 */
import { backend, problemFrom, type DropArea, type DropOver } from "../backend";
import { toasts } from "./toasts.svelte";

class Dropping {
  /** `null` while nothing is dragged, or where this screen takes nothing. */
  now = $state.raw<{ count: number; target: string } | null>(null);
  /** Which of two places the pointer is over. */
  over = $state<DropOver>("drive");
  /** This screen has a second place. */
  hasTwo = $state(false);
  /** Nothing is there yet, and a drop would start the studio of this computer. */
  begins = $state(false);
  /** What was dropped then, and follows as soon as it runs. */
  awaitingStudio = $state.raw<{ count: number } | null>(null);
  #told = { attach: "null", step: "null" };

  enter(count: number, target: string | null): void {
    this.over = "drive";
    this.now = target === null ? null : { count, target };
  }

  leave(): void {
    this.now = null;
  }

  waitForStudio(count: number): void {
    this.now = null;
    this.awaitingStudio = { count };
  }

  /** Where the place for attachments is; none where `null`. */
  async setArea(area: DropArea | null): Promise<void> {
    await this.#tell("attach", area);
  }

  /** Where the place is that keeps a folder in step; none where `null`. */
  async setStepArea(area: DropArea | null): Promise<void> {
    await this.#tell("step", area);
  }

  /** Told to the app only when it changes. */
  async #tell(which: "attach" | "step", area: DropArea | null): Promise<void> {
    this.hasTwo = area !== null;
    const telling = JSON.stringify(area);
    if (telling === this.#told[which]) return;
    this.#told[which] = telling;
    try {
      await (which === "attach" ? backend().set_attach_area(area) : backend().set_step_area(area));
    } catch (thrown) {
      this.#told[which] = "";
      toasts.problem(problemFrom(thrown));
    }
  }
}

export const dropping = new Dropping();
