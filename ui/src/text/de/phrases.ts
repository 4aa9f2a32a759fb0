/** What the German phrases are made with: lengths of time and places as they stand in a sentence. */
import { roughTime } from "../../format";
import { plural } from "../phrases";

/** A length of time as it stands in a sentence. */
export function spelledOut(ms: number): string {
  const { unit, count } = roughTime(ms);
  return {
    second: plural(count, "# Sekunde", "# Sekunden"),
    minute: plural(count, "# Minute", "# Minuten"),
    hour: plural(count, "# Stunde", "# Stunden"),
    day: plural(count, "# Tag", "# Tage"),
  }[unit];
}

/** After a preposition that asks for the dative: „in 2 Tagen“. */
export function spelledOutDative(ms: number): string {
  const { unit, count } = roughTime(ms);
  return unit === "day" ? plural(count, "# Tag", "# Tagen") : spelledOut(ms);
}

/** A place in the drive, or the drive's own name at its top. */
export const place = (path: readonly string[]) => (path.length > 0 ? path.join(" / ") : "Ablage");

export const counted = (folders: number, files: number) => {
  if (folders === 0) return plural(files, "1 Datei", "# Dateien");
  if (files === 0) return plural(folders, "1 Ordner", "# Ordner");
  return `${plural(folders, "1 Ordner", "# Ordner")} und ${plural(files, "1 Datei", "# Dateien")}`;
};
