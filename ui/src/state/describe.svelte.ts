/**
 * The design that a person is describing on Home: words, format, brand kit, files. Kept while other screens are open.
 *
 * Files are in the drive, or on their way there, before the design is begun; the app waits for them. Not here: paths.
 */
import { backend, type DesignAttachment } from "../backend";
import { text } from "../text";
import { attempt } from "./remedies.svelte";
import { route } from "./route.svelte";
import { tasks } from "./tasks.svelte";
import { toasts } from "./toasts.svelte";

export type FormatName = keyof typeof text.designs.describe.formats;

/** What each chip asks the service for; a poster is a size of its own in the category without one. */
const FORMATS: Record<FormatName, { category: string; width: number | null; height: number | null }> = {
  slides: { category: "slides", width: null, height: null },
  social: { category: "social", width: null, height: null },
  carousel: { category: "carousel", width: null, height: null },
  pdf: { category: "pdf", width: null, height: null },
  poster: { category: "other", width: 1240, height: 1754 },
  diagram: { category: "diagram", width: null, height: null },
};

class Description {
  prompt = $state("");
  format = $state<FormatName | null>(null);
  /** A kit's id; `""` for none at all, `null` for the team's default. */
  kitId = $state<string | null>(null);
  attachments = $state.raw<DesignAttachment[]>([]);
  busy = $state(false);
  /** The person asked for it without a word. */
  asked = $state(false);
  /** How often the field was asked for from elsewhere since it had the focus last. */
  wanted = $state(0);

  /** Brings the person to the field, from any screen. */
  begin(): void {
    route.go({ screen: "home" });
    this.wanted += 1;
  }

  /** Brings the person to the field with files of the drive attached. */
  beginWith(files: readonly { id: string; name: string; size_bytes: number | null }[]): void {
    this.attach(files.map(({ id, name, size_bytes }) => ({ id, name, size_bytes, state: "ready", sent_bytes: size_bytes ?? 0, problem: null })));
    this.begin();
  }

  attach(more: readonly DesignAttachment[]): void {
    const news = new Map(more.map((each) => [each.id, each]));
    const kept = this.attachments.map((each) => {
      const now = news.get(each.id);
      news.delete(each.id);
      return now ?? each;
    });
    this.attachments = [...kept, ...news.values()];
  }

  detach(id: string): void {
    this.attachments = this.attachments.filter((each) => each.id !== id);
  }

  toggle(format: FormatName): void {
    this.format = this.format === format ? null : format;
  }

  async choose(): Promise<void> {
    await attempt(async () => this.attach(await backend().choose_attachments()));
  }

  async make(): Promise<boolean> {
    this.asked = true;
    if (this.prompt.trim() === "" || this.busy) return false;
    this.busy = true;
    try {
      return await attempt(async () => {
        const format = this.format;
        const task = await backend().describe_design({
          prompt: this.prompt.trim(),
          format: format === null ? null : { ...FORMATS[format], label: text.designs.describe.formats[format] },
          page_count: null,
          brand_kit_id: this.kitId === "" ? null : this.kitId,
          skip_brand_kit: this.kitId === "",
          attachment_ids: this.attachments.filter((each) => each.state !== "failed").map((each) => each.id),
          reference_design_ids: [],
        });
        tasks.apply([task]);
        this.clear();
        toasts.say(text.designs.describe.started, {
          label: text.designs.watch,
          testId: "toast-watch",
          run: () => route.go({ screen: "making", taskId: task.id }),
        });
      });
    } finally {
      this.busy = false;
    }
  }

  clear(): void {
    this.prompt = "";
    this.attachments = [];
    this.asked = false;
  }

  /** Another connection has another drive and other kits. */
  forget(): void {
    this.attachments = [];
    this.kitId = null;
  }
}

export const description = new Description();
