/** Worte dafür, was mit vielen auf einmal geschieht: die Leiste über der Galerie und der Ablage, und ihre Dialoge. */
import { formatCount } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const many: Text["many"] = {
  move: "Verschieben…",
  rename: "Umbenennen…",
  delete: "Löschen",
  renameTitle: (count) => plural(count, "1 Element umbenennen", "# Elemente umbenennen"),
  pattern: "Neue Namen",
  patternHint: "{name} ist der bisherige Name, {number} zählt hoch.",
  patternMissing: "Schreibe einen Namen.",
  patternTwice: "Zwei davon hießen gleich. Setze {number} ein.",
  preview: "Wie sie heißen werden",
  becomes: (before, after) => `${before} wird zu ${after}`,
  others: (count) => plural(count, "und 1 weiteres", "und # weitere"),
  renameConfirm: (count) => plural(count, "1 umbenennen", "# umbenennen"),
  renaming: (done, count) => `${formatCount(done)} von ${formatCount(count)}`,
  renamed: (count) => plural(count, "1 Element umbenannt", "# Elemente umbenannt"),
  moreFolders: "Die Ablage hat mehr Ordner, als hier stehen.",
  deleteDesigns: (name, count) => (count === 1 ? `„${name}“ löschen?` : plural(count, "1 Design löschen?", "# Designs löschen?")),
};
