/**
 * Backups of the built-in studio: where they go, which there are, and what is being done.
 *
 * Always true: what is under way goes on when the screen is left, and is there again when it is come back to; what failed last stays
 * until something else is done. Not here: words.
 */
import { backend, problemFrom, type BackupMoved, type BackupsView, type BackupView, type Problem } from "../backend";
import { connections } from "./connection.svelte";

class Backups {
  /** `null` until the app has answered. */
  view = $state.raw<BackupsView | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What a backup or a restore came to a bad end by, and of which backup it was to be. */
  failed = $state.raw<{ problem: Problem; restoring: BackupView | null } | null>(null);
  /** What was restored last, and where what was there before is. */
  restored = $state.raw<{ backup: BackupView; kept_at: string } | null>(null);
  /** Something was asked for that has not ended. */
  busy = $state(false);

  async load(): Promise<void> {
    try {
      this.view = await backend().get_backups();
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    this.view = null;
    this.problem = null;
    this.failed = null;
    this.restored = null;
  }

  apply({ under_way }: BackupMoved): void {
    if (this.view) this.view = { ...this.view, under_way };
    // Another window of it, or this page before it was made anew, had asked.
    if (under_way === null && !this.busy && this.view) void this.load();
  }

  async choose(): Promise<void> {
    await this.#do(null, async () => {
      await backend().choose_backup_folder();
    });
  }

  async backUp(): Promise<void> {
    await this.#do(null, async () => {
      await backend().back_up_studio();
    });
  }

  /** `withGaps`: also where the backup lacks something. */
  async restore(backup: BackupView, withGaps = false): Promise<void> {
    await this.#do(backup, async () => {
      const { kept_at } = await backend().restore_studio(backup.id, withGaps);
      this.restored = { backup, kept_at };
      if (connections.current?.kind === "local") connections.startAnew();
    });
  }

  async #do(restoring: BackupView | null, action: () => Promise<void>): Promise<void> {
    this.failed = null;
    this.restored = null;
    this.busy = true;
    try {
      await action();
    } catch (thrown) {
      this.failed = { problem: problemFrom(thrown), restoring };
    } finally {
      this.busy = false;
    }
    await this.load();
  }
}

export const backups = new Backups();
