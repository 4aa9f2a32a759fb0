/** Downloads of this run, as they move. The file itself never passes through the page. */
import { backend, type DownloadPlace, type DownloadView } from "../backend";
import { text } from "../text";
import { toasts } from "./toasts.svelte";
import { attempt, cure } from "./remedies.svelte";

class Downloads {
  list = $state.raw<DownloadView[]>([]);
  running = $derived(this.list.filter((each) => each.state === "running"));

  of(fileId: string): DownloadView | null {
    return this.running.find((each) => each.file_id === fileId && each.version_id === null) ?? null;
  }

  async start(fileIds: string[], place: DownloadPlace = "downloads"): Promise<void> {
    for (const id of fileIds) {
      await attempt(async () => {
        const download = await backend().download_file(id, place);
        if (download) this.apply(download);
      });
    }
  }

  /** What a file held as a version, where the person says. */
  async saveVersion(fileId: string, versionId: string): Promise<void> {
    await attempt(async () => {
      const download = await backend().save_file_version(fileId, versionId);
      if (download) this.apply(download);
    });
  }

  apply(download: DownloadView): void {
    const before = this.list.find((each) => each.download_id === download.download_id);
    // The answer of the command may come after the event that already ended it.
    if (before && before.state !== "running") return;
    this.list = before
      ? this.list.map((each) => (each.download_id === download.download_id ? download : each))
      : [...this.list, download];
    if (download.state === "finished") {
      toasts.say(
        text.drive.downloaded(download.name, download.place),
        {
          label: text.drive.revealDownload,
          run: () => void attempt(() => backend().reveal_download(download.download_id)),
        },
        8_000,
      );
    }
    if (download.state === "failed" && download.problem) {
      const { problem, file_id, version_id } = download;
      const place = problem.action.kind === "choose_again" ? "ask" : "downloads";
      const again = () => (version_id === null ? this.start([file_id], place) : this.saveVersion(file_id, version_id));
      toasts.problem(problem, () => void cure(problem, again));
    }
  }
}

export const downloads = new Downloads();
