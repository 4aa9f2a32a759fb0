/** What the person has set about the window itself: theme and size of text. Applied to the page at once, kept by the app. */
import { backend, problemFrom, type Settings, type Theme } from "../backend";
import { toasts } from "./toasts.svelte";

export const SMALLEST_PERCENT = 80;
export const LARGEST_PERCENT = 200;
const STEP_PERCENT = 10;

class SettingsState {
  theme = $state<Theme>("system");
  textScalePercent = $state(100);
  #systemDark: MediaQueryList | null = null;

  /** Takes what the app has kept, and follows the system's theme from now on. */
  start(kept: Settings): void {
    this.theme = kept.theme;
    this.textScalePercent = kept.text_scale_percent;
    if (!this.#systemDark && typeof matchMedia === "function") {
      this.#systemDark = matchMedia("(prefers-color-scheme: dark)");
      this.#systemDark.addEventListener("change", () => this.#apply());
    }
    this.#apply();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    void this.#keep();
  }

  /** Larger by a step, or smaller by a negative one. */
  enlarge(steps: number): void {
    this.setTextScale(this.textScalePercent + steps * STEP_PERCENT);
  }

  setTextScale(percent: number): void {
    this.textScalePercent = Math.min(LARGEST_PERCENT, Math.max(SMALLEST_PERCENT, Math.round(percent)));
    void this.#keep();
  }

  #apply(): void {
    const dark = this.theme === "dark" || (this.theme === "system" && (this.#systemDark?.matches ?? false));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.setProperty("--zoom", String(this.textScalePercent / 100));
  }

  async #keep(): Promise<void> {
    this.#apply();
    try {
      await backend().set_settings({ theme: this.theme, text_scale_percent: this.textScalePercent });
    } catch (thrown) {
      toasts.problem(problemFrom(thrown), () => void this.#keep());
    }
  }
}

export const settings = new SettingsState();
