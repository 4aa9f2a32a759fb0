/**
 * What the phrases of the catalogue are made with: plurals, lengths of time, places. English, as `en.ts` is.
 *
 * Not here: any phrase that stands on a screen by itself.
 */
import { formatCount, formatRoughTime, roughTime } from "../format";

const plurals = new Intl.PluralRules("en");

/** Picks the form for a count and writes the count into it where `#` stands. */
export function plural(count: number, one: string, other: string): string {
  const form = plurals.select(count) === "one" ? one : other;
  return form.replace("#", formatCount(count));
}

export const duration = (ms: number) => formatRoughTime(roughTime(ms));

/** A length of time as it stands in a sentence. */
export function spelledOut(ms: number): string {
  const { unit, count } = roughTime(ms);
  return {
    second: plural(count, "# second", "# seconds"),
    minute: plural(count, "# minute", "# minutes"),
    hour: plural(count, "# hour", "# hours"),
    day: plural(count, "# day", "# days"),
  }[unit];
}

/** A place in the drive: `Brand / Logos`, or the drive's own name at its top. */
export const place = (path: readonly string[]) => (path.length > 0 ? path.join(" / ") : "Drive");

export const counted = (folders: number, files: number) => {
  if (folders === 0) return plural(files, "1 file", "# files");
  if (files === 0) return plural(folders, "1 folder", "# folders");
  return `${plural(folders, "1 folder", "# folders")} and ${plural(files, "1 file", "# files")}`;
};
