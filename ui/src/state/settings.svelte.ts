/**
 * What the person has set. Theme and size of text are applied to the page at once; everything is kept by the app, whole,
 * so that what one screen sets never undoes what another did.
 */
import { backend, default_settings, problemFrom, type Language, type Settings } from "../backend";
import { useLanguage, type LanguageTag } from "../text";
import { toasts } from "./toasts.svelte";

export const SMALLEST_PERCENT = 80;
export const LARGEST_PERCENT = 200;
const STEP_PERCENT = 10;

class SettingsState {
  /** As the app told; before it does, what a first start has. */
  kept = $state.raw<Settings>(default_settings);
  /** The language that is spoken: all that shows words is made anew when it changes. */
  spoken = $state<LanguageTag>("en");
  #systemLanguage: LanguageTag = "en";
  #wasTold = false;
  #systemDark: MediaQueryList | null = null;

  /** Takes what the app has kept and which language the system speaks, and follows the system's theme from now on. */
  start(kept: Settings, systemLanguage: Language): void {
    this.kept = kept;
    this.#systemLanguage = systemLanguage === "de" ? "de" : "en";
    this.#wasTold = true;
    if (!this.#systemDark && typeof matchMedia === "function") {
      this.#systemDark = matchMedia("(prefers-color-scheme: dark)");
      this.#systemDark.addEventListener("change", () => this.#apply());
    }
    this.#apply();
  }

  /** Larger by a step, or smaller by a negative one. */
  enlarge(steps: number): void {
    this.setTextScale(this.kept.text_scale_percent + steps * STEP_PERCENT);
  }

  setTextScale(percent: number): void {
    void this.keep({ text_scale_percent: Math.min(LARGEST_PERCENT, Math.max(SMALLEST_PERCENT, Math.round(percent))) });
  }

  /** Changes some of the settings, at once and in the app. Before the app has told, nothing is kept of it. */
  async keep(news: Partial<Settings>): Promise<void> {
    this.kept = { ...this.kept, ...news };
    this.#apply();
    if (!this.#wasTold) return;
    try {
      await backend().set_settings(this.kept);
    } catch (thrown) {
      toasts.problem(problemFrom(thrown), () => void this.keep(news));
    }
  }

  #apply(): void {
    const { theme, language, text_scale_percent } = this.kept;
    const spoken = language === "system" ? this.#systemLanguage : language;
    useLanguage(spoken);
    this.spoken = spoken;
    const dark = theme === "dark" || (theme === "system" && (this.#systemDark?.matches ?? false));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.setProperty("--zoom", String(text_scale_percent / 100));
  }
}

export const settings = new SettingsState();
