/** Words of looking for something in the whole drive. */
import { plural } from "./phrases";

export const driveSearch = {
  label: "Search the drive",
  results: "What was found in the drive",
  count: (shown: number, total: number) =>
    shown < total ? `The first ${shown} of ${plural(total, "1 item", "# items")}` : plural(total, "1 item", "# items"),
  reading: (found: number) => `Reading the whole drive, this once. ${plural(found, "1 item so far", "# items so far")}`,
  nothingTitle: "Nothing has this name",
  nothingText: "Names are searched, in all folders. Try fewer letters, or another word.",
};
