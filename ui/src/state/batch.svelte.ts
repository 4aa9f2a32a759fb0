/**
 * How several designs are exported at once, and the plans that are kept for the next time.
 *
 * A folder is known by its id and its name; its path stays in the app. Not here: the exports themselves (state/exports.svelte.ts).
 */
import { backend, type DesignView, type ExportFolder, type ExportPlan, type ExportPreset } from "../backend";
import { text } from "../text";
import { exports } from "./exports.svelte";
import { attempt } from "./remedies.svelte";
import { route } from "./route.svelte";
import { toasts } from "./toasts.svelte";

const USUAL: ExportPlan = { format: "pdf", pages: "all", scale: 2, flatten: true, name_pattern: "{name}", folder_id: null };

class Batch {
  plan = $state.raw<ExportPlan>(USUAL);
  /** Where the files go; `null` for Downloads. */
  folder = $state.raw<ExportFolder | null>(null);
  presets = $state.raw<ExportPreset[]>([]);

  /** The preset that the plan is just as it says, where there is one. */
  preset = $derived(this.presets.find((each) => JSON.stringify(each.plan) === JSON.stringify(this.plan)) ?? null);

  async load(): Promise<void> {
    await attempt(async () => {
      this.presets = await backend().list_export_presets();
    });
  }

  set(news: Partial<ExportPlan>): void {
    // In one order, so that two plans can be compared.
    this.plan = { ...this.plan, ...news };
  }

  take(preset: ExportPreset): void {
    this.plan = preset.plan;
    this.folder = preset.folder;
  }

  async chooseFolder(): Promise<void> {
    await attempt(async () => {
      const chosen = await backend().choose_export_folder();
      if (!chosen) return;
      this.folder = chosen;
      this.set({ folder_id: chosen.id });
    });
  }

  useDownloads(): void {
    this.folder = null;
    this.set({ folder_id: null });
  }

  /** Rejects where the name cannot be used, for the field that asked. */
  async save(name: string): Promise<void> {
    this.presets = await backend().save_export_preset(name, this.plan);
    const kept = this.presets.find((each) => each.name === name.trim());
    if (kept) this.take(kept);
  }

  async forget(preset: ExportPreset): Promise<void> {
    await attempt(async () => {
      this.presets = await backend().delete_export_preset(preset.id);
    });
  }

  /** Begins, and says whether it has. */
  async start(designs: readonly Pick<DesignView, "id">[]): Promise<boolean> {
    return attempt(async () => {
      const started = await backend().export_designs(
        designs.map((each) => each.id),
        this.plan,
      );
      if (started.length === 0) return;
      await exports.load();
      toasts.say(text.designs.batch.started(started.length), {
        label: text.designs.watch,
        testId: "toast-watch",
        run: () => route.go({ screen: "activity", tab: "exports" }),
      });
    });
  }
}

export const batch = new Batch();
