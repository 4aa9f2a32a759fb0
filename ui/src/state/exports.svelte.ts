/**
 * Exports of this run and those before it, newest first, as they move from the service to a file on this computer.
 *
 * The file never passes through the page. Not here: waiting for the service's rate; the app does, and says how long.
 */
import { backend, problemFrom, type ExportChoice, type ExportFormat, type ExportList, type ExportView, type Problem } from "../backend";
import { text } from "../text";
import { attempt, cure } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

export const FORMATS: readonly ExportFormat[] = ["pdf", "pptx", "png", "jpeg", "svg"];

/** All pages, in the size that the service makes by itself. */
const AS_IT_IS: Omit<ExportChoice, "format"> = { page: null, scale: null, flatten: true };

export function isOver(each: ExportView): boolean {
  return each.state === "finished" || each.state === "failed" || each.state === "canceled";
}

class Exports {
  list = $state.raw<ExportView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** How many wait for the service's rate, what that is, and how long it still takes. */
  rate = $state.raw<Pick<ExportList, "waiting" | "per_minute" | "time_left_ms">>({ waiting: 0, per_minute: null, time_left_ms: null });

  unfinished = $derived((this.list ?? []).filter((each) => !isOver(each)));

  async load(): Promise<void> {
    try {
      this.#take(await backend().list_exports());
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    this.list = null;
    this.problem = null;
  }

  async start(
    design: { id: string; name: string },
    format: ExportFormat,
    place: "downloads" | "ask" = "downloads",
    choice: Omit<ExportChoice, "format"> = AS_IT_IS,
  ): Promise<void> {
    await attempt(async () => {
      const started = await backend().export_design(design.id, { format, ...choice }, place);
      // Nothing where the person chose no place.
      if (!started) return;
      if (!this.list?.some((each) => each.id === started.id)) this.list = [started, ...(this.list ?? [])];
      toasts.say(text.designs.export.started(design.name, text.designs.export.formats[format]));
    });
  }

  apply(news: ExportList): void {
    const before = new Map((this.list ?? []).map((each) => [each.id, each.state]));
    this.#take(news);
    for (const each of news.exports) {
      const was = before.get(each.id);
      if (was === undefined || was === each.state) continue;
      if (each.state === "finished") this.#finished(each);
      if (each.state === "failed" && each.problem) {
        const { problem } = each;
        toasts.problem(problem, () => void cure(problem, () => this.again(each)));
      }
    }
  }

  async again(each: ExportView): Promise<void> {
    await attempt(async () => {
      const news = await backend().retry_export(each.id);
      this.list = (this.list ?? []).map((known) => (known.id === each.id ? news : known));
    });
  }

  /** Takes what is over off the list; the files stay where they are. */
  async clear(): Promise<void> {
    await attempt(async () => {
      await backend().clear_exports();
      await this.load();
    });
  }

  async cancel(each: ExportView): Promise<void> {
    await attempt(() => backend().cancel_export(each.id));
  }

  async reveal(each: ExportView): Promise<void> {
    await attempt(() => backend().reveal_export(each.id));
  }

  #take({ exports, ...rate }: ExportList): void {
    this.list = exports;
    this.rate = rate;
  }

  #finished(each: ExportView): void {
    const words = text.activity.exports;
    toasts.say(words.finished(each.file_name ?? each.design_name, each.place ?? ""), { label: words.show, testId: "toast-reveal", run: () => void this.reveal(each) }, 8_000);
  }
}

export const exports = new Exports();
