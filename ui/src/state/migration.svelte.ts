/**
 * Copies of the studio on this computer to other connections: what one would do, and the one that is under way.
 *
 * Always true: a copy goes on when the screen is left, and is there again when it is come back to. Not here: words.
 */
import { backend, problemFrom, type MigrationMoved, type MigrationPreview, type MigrationView, type Problem } from "../backend";

class Migration {
  /** The copy that is under way, or how the last one ended. */
  view = $state.raw<MigrationView | null>(null);
  preview = $state.raw<MigrationPreview | null>(null);
  /** Why there is no preview, or why no copy begins. */
  problem = $state.raw<Problem | null>(null);
  /** A copy is about to begin. */
  beginning = $state(false);
  /** Which preview was asked for last: an earlier answer may come later. */
  #asked = 0;

  async load(): Promise<void> {
    this.view = await backend().get_migration();
  }

  forget(): void {
    this.view = null;
    this.preview = null;
    this.problem = null;
    this.beginning = false;
  }

  apply({ view }: MigrationMoved): void {
    this.view = view;
  }

  async look(connectionId: string): Promise<void> {
    const asked = ++this.#asked;
    this.preview = null;
    this.problem = null;
    try {
      const preview = await backend().preview_migration(connectionId);
      if (asked === this.#asked) this.preview = preview;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  /** Whether a copy began. */
  async start(connectionId: string): Promise<boolean> {
    this.beginning = true;
    this.problem = null;
    try {
      await backend().start_migration(connectionId);
      return true;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
      return false;
    } finally {
      this.beginning = false;
    }
  }

  async stop(): Promise<void> {
    await backend().stop_migration();
  }
}

export const migration = new Migration();
