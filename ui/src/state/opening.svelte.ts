/** Opening a file of the drive with its program on this computer. What could run a program is asked about and never opened. */
import { backend, type DriveItem } from "../backend";
import { text } from "../text";
import { downloads } from "./downloads.svelte";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

class Opening {
  /** The file that the person is asked about, under the name that is safe to show. */
  asked = $state.raw<{ fileId: string; name: string } | null>(null);

  async open(item: DriveItem): Promise<void> {
    const toast = toasts.say(text.drive.opening(item.name));
    const done = await attempt(async () => {
      const opened = await backend().open_file(item.id);
      if (opened.code !== "could_run") return;
      toasts.dismiss(toast);
      this.asked = { fileId: item.id, name: opened.name };
    });
    if (!done) toasts.dismiss(toast);
  }

  /** Answers the question: what is wanted all the same comes to the person's downloads, and is opened there or not. */
  answer(download: boolean): void {
    const asked = this.asked;
    this.asked = null;
    if (asked && download) void downloads.start([asked.fileId]);
  }
}

export const opening = new Opening();
