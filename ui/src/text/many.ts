/** Words of what is done to many at once: the bar over the gallery and the drive, and its dialogs. */
import { formatCount } from "../format";
import { plural } from "./phrases";

export const many = {
  move: "Move…",
  rename: "Rename…",
  delete: "Delete",
  renameTitle: (count: number) => plural(count, "Rename 1 item", "Rename # items"),
  pattern: "New names",
  patternHint: "{name} is the name so far, {number} counts up.",
  patternMissing: "Write a name.",
  patternTwice: "Two of them would be called the same. Put {number} in.",
  preview: "What they will be called",
  becomes: (before: string, after: string) => `${before} becomes ${after}`,
  others: (count: number) => plural(count, "and 1 more", "and # more"),
  renameConfirm: (count: number) => plural(count, "Rename 1", "Rename #"),
  renaming: (done: number, count: number) => `${formatCount(done)} of ${formatCount(count)}`,
  renamed: (count: number) => plural(count, "1 item renamed", "# items renamed"),
  moreFolders: "The drive has more folders than are listed here.",
  deleteDesigns: (name: string, count: number) => (count === 1 ? `Delete “${name}”?` : plural(count, "Delete 1 design?", "Delete # designs?")),
};
