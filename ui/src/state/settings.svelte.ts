/**
 * What the person has set. Theme and size of text are applied to the page at once; everything is kept by the app, whole,
 * so that what one screen sets never undoes what another did.
 */
import { backend, problemFrom, type NotificationSettings, type Settings, type Language, type Theme, type TransferSettings } from "../backend";
import { systemLanguage, useLanguage, type LanguageTag } from "../text";
import { toasts } from "./toasts.svelte";

export const SMALLEST_PERCENT = 80;
export const LARGEST_PERCENT = 200;
const STEP_PERCENT = 10;

class SettingsState {
  #kept = $state.raw<Settings>({
    theme: "system",
    language: "system",
    text_scale_percent: 100,
    keeps_running: true,
    told_keeps_running: false,
    starts_at_login: false,
    shows_developer: false,
    transfers: { bytes_per_second: null, at_once: 3, pause_on_metered: true },
    notifications: { folder_needs_you: true, finished: true, failed: true },
  });
  /** The language that is spoken: all that shows words is made anew when it changes. */
  spoken = $state<LanguageTag>("en");
  #systemDark: MediaQueryList | null = null;

  get theme(): Theme {
    return this.#kept.theme;
  }
  get language(): Language {
    return this.#kept.language;
  }
  get startsAtLogin(): boolean {
    return this.#kept.starts_at_login;
  }
  get showsDeveloper(): boolean {
    return this.#kept.shows_developer;
  }
  get textScalePercent(): number {
    return this.#kept.text_scale_percent;
  }
  get transfers(): TransferSettings {
    return this.#kept.transfers;
  }
  get notifications(): NotificationSettings {
    return this.#kept.notifications;
  }
  get keepsRunning(): boolean {
    return this.#kept.keeps_running;
  }

  /** Takes what the app has kept, and follows the system's theme from now on. */
  start(kept: Settings): void {
    this.#kept = kept;
    if (!this.#systemDark && typeof matchMedia === "function") {
      this.#systemDark = matchMedia("(prefers-color-scheme: dark)");
      this.#systemDark.addEventListener("change", () => this.#apply());
    }
    this.#apply();
  }

  setLanguage(language: Language): void {
    void this.#keep({ language });
  }

  setStartsAtLogin(starts_at_login: boolean): void {
    void this.#keep({ starts_at_login });
  }

  setShowsDeveloper(shows_developer: boolean): void {
    void this.#keep({ shows_developer });
  }

  setTheme(theme: Theme): void {
    void this.#keep({ theme });
  }

  /** Larger by a step, or smaller by a negative one. */
  enlarge(steps: number): void {
    this.setTextScale(this.textScalePercent + steps * STEP_PERCENT);
  }

  setTextScale(percent: number): void {
    void this.#keep({ text_scale_percent: Math.min(LARGEST_PERCENT, Math.max(SMALLEST_PERCENT, Math.round(percent))) });
  }

  setTransfers(news: Partial<TransferSettings>): void {
    void this.#keep({ transfers: { ...this.#kept.transfers, ...news } });
  }

  setNotifications(news: Partial<NotificationSettings>): void {
    void this.#keep({ notifications: { ...this.#kept.notifications, ...news } });
  }

  setKeepsRunning(keepsRunning: boolean): void {
    void this.#keep({ keeps_running: keepsRunning });
  }

  /** The app itself noted something in the settings. */
  note(news: Partial<Settings>): void {
    this.#kept = { ...this.#kept, ...news };
  }

  #apply(): void {
    const spoken = this.language === "system" ? systemLanguage() : this.language;
    useLanguage(spoken);
    this.spoken = spoken;
    const dark = this.theme === "dark" || (this.theme === "system" && (this.#systemDark?.matches ?? false));
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.setProperty("--zoom", String(this.textScalePercent / 100));
  }

  async #keep(news: Partial<Settings>): Promise<void> {
    this.#kept = { ...this.#kept, ...news };
    this.#apply();
    try {
      await backend().set_settings(this.#kept);
    } catch (thrown) {
      toasts.problem(problemFrom(thrown), () => void this.#keep(news));
    }
  }
}

export const settings = new SettingsState();
