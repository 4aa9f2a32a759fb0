/**
 * Files that are being dragged over the window, and where they would land.
 *
 * The page never sees the files themselves. Some screens have two places, or another one than the drive; the screen
 * measures it and tells the app, which knows where the pointer is.
 */
import { backend, problemFrom, type DropArea, type DropOver } from "../backend";
import { toasts } from "./toasts.svelte";

/** Farther than any window reaches, in pixels. */
const EVERYWHERE = 100_000;

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
  /** All of this screen is one place other than the drive. */
  whole = $state<DropOver | null>(null);
  #told = new Map<DropOver, string>();

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

  /** Where this screen's second place is; none where `null`. */
  async setArea(of: DropOver, area: DropArea | null): Promise<void> {
    this.hasTwo = area !== null;
    await this.#tell(of, area);
  }

  /** Makes all of the window one place, or no longer. */
  async setWhole(of: DropOver, is: boolean): Promise<void> {
    this.whole = is ? of : null;
    await this.#tell(of, is ? { left: 0, top: 0, right: EVERYWHERE, bottom: EVERYWHERE } : null);
  }

  /** Told to the app only when it changes. */
  async #tell(of: DropOver, area: DropArea | null): Promise<void> {
    const telling = JSON.stringify(area);
    if (telling === (this.#told.get(of) ?? "null")) return;
    this.#told.set(of, telling);
    try {
      await backend().set_drop_area(of, area);
    } catch (thrown) {
      this.#told.delete(of);
      toasts.problem(problemFrom(thrown));
    }
  }
}

export const dropping = new Dropping();
