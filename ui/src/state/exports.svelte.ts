/**
 * Exports of this run and those before it, newest first, as they move from the service to a file on this computer.
 *
 * The file never passes through the page. Not here: waiting for the service's rate; the app does, and says how long.
 */
import { backend, problemFrom, type ExportChoice, type ExportFormat, type ExportList, type ExportView, type Problem } from "../backend";
import { text } from "../text";
import { Asking } from "./asking";
import { attempt, cure } from "./remedies.svelte";
import { route } from "./route.svelte";
import { toasts } from "./toasts.svelte";

export const FORMATS: readonly ExportFormat[] = ["pdf", "pptx", "png", "jpeg", "svg"];

const HANDOVER: readonly ExportFormat[] = ["pdf", "pptx"];
const SHOWN_MS = 8_000;
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

  #asking = new Asking<ExportList>();
  /** The message that stands, and the exports it is about. */
  #told: { id: number; ended: readonly ExportView[] } | null = null;

  unfinished = $derived((this.list ?? []).filter((each) => !isOver(each)));

  async load(): Promise<void> {
    try {
      const fresh = await this.#asking.ask(() => backend().list_exports());
      if (!fresh) return;
      this.#take(fresh.told.at(-1) ?? fresh.answer);
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    this.#asking.forget();
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
      const has = await this.#begin(design.id, { format, ...choice }, place);
      if (has) toasts.say(text.designs.export.started(design.name, text.designs.export.formats[format]));
    });
  }

  /** As PDF, to be read, and as PowerPoint, to be gone on with: what a deck is handed over as. */
  async startForHandover(design: { id: string; name: string }): Promise<void> {
    const words = text.designs.export;
    await attempt(async () => {
      for (const format of HANDOVER) await this.#begin(design.id, { format, ...AS_IT_IS }, "downloads");
      toasts.say(words.started(design.name, words.both(words.formats.pdf, words.formats.pptx)));
    });
  }

  apply(news: ExportList): void {
    const before = new Map((this.list ?? []).map((each) => [each.id, each.state]));
    this.#asking.tell(news);
    this.#take(news);
    const ended: ExportView[] = [];
    for (const each of news.exports) {
      const was = before.get(each.id);
      if (was === undefined || was === each.state) continue;
      if (each.state === "finished") ended.push(each);
      if (each.state === "failed" && each.problem) {
        const { problem } = each;
        toasts.problem(problem, () => void cure(problem, () => this.again(each)));
      }
    }
    this.#tell(ended);
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

  /** Says whether it has begun: it does not where the person chose no place. */
  async #begin(designId: string, choice: ExportChoice, place: "downloads" | "ask"): Promise<boolean> {
    const started = await backend().export_design(designId, choice, place);
    if (!started) return false;
    if (!this.list?.some((each) => each.id === started.id)) this.list = [started, ...(this.list ?? [])];
    return true;
  }

  #take({ exports, ...rate }: ExportList): void {
    this.list = exports;
    this.rate = rate;
  }

  /** One message for all that ended while it stands: many exports would cover the window. */
  #tell(ended: readonly ExportView[]): void {
    const words = text.activity.exports;
    const standing = toasts.list.some((toast) => toast.id === this.#told?.id) ? this.#told : null;
    const all = [...(standing?.ended ?? []), ...ended];
    const [first] = all;
    if (!first || ended.length === 0) return;
    if (standing) toasts.dismiss(standing.id);
    const id =
      all.length === 1
        ? toasts.say(words.finished(first.file_name ?? first.design_name, first.place ?? ""), { label: words.show, testId: "toast-reveal", run: () => void this.reveal(first) }, SHOWN_MS)
        : toasts.say(words.finishedMany(all.length), { label: words.show, testId: "toast-exports", run: () => route.go({ screen: "activity", tab: "exports" }) }, SHOWN_MS);
    this.#told = { id, ended: all };
  }
}

export const exports = new Exports();
