/** Die Worte der Suche in der ganzen Ablage. */
import type { Text } from "../en";
import { plural } from "../phrases";

export const driveSearch: Text["driveSearch"] = {
  label: "Ablage durchsuchen",
  results: "Was in der Ablage gefunden wurde",
  count: (shown, total) =>
    shown < total ? `Die ersten ${shown} von ${plural(total, "1 Element", "# Elementen")}` : plural(total, "1 Element", "# Elemente"),
  reading: (found) => `Die ganze Ablage wird gelesen, dieses eine Mal. Bisher ${plural(found, "1 Element", "# Elemente")}`,
  nothingTitle: "Nichts heißt so",
  nothingText: "Gesucht wird in den Namen, in allen Ordnern. Versuche es mit weniger Buchstaben oder einem anderen Wort.",
};
