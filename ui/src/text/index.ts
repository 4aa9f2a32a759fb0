/**
 * The catalogue in use. Components read words from here only.
 *
 * Always true: `text` is the language that was chosen last; whoever shows words is made anew when that changes (App.svelte), so
 * that a component may keep a part of the catalogue for as long as it lives. Not here: the words of errors, which come with the
 * problem in the same language from the app.
 */
import { setLocale } from "../format";
import { de } from "./de";
import { en, type Text } from "./en";

export type { Text };

/** The languages that there is a catalogue of. */
export const LANGUAGES = ["en", "de"] as const;
export type LanguageTag = (typeof LANGUAGES)[number];

const CATALOGUES: Record<LanguageTag, Text> = { en, de };

let inUse: LanguageTag = "en";

/** Chooses the language of every word and number from now on. */
export function useLanguage(tag: LanguageTag): void {
  inUse = tag;
  // The system's own form of it where it is one, such as English as in Canada.
  const own = globalThis.navigator?.language;
  setLocale(own?.toLowerCase().startsWith(tag) ? own : tag);
  if (typeof document !== "undefined") document.documentElement.lang = tag;
}

export const text: Text = new Proxy(en, { get: (_, name) => Reflect.get(CATALOGUES[inUse], name) as unknown });
