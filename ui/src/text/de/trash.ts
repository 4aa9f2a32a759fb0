/** Die Worte des Papierkorbs: was gelöscht wurde, sein Weg zurück und sein Ende. */
import type { Text } from "../en";
import { plural } from "../phrases";

export const trash: Text["trash"] = {
  title: "Papierkorb",
  back: "Zurück zur Ablage",
  lead: "Was gelöscht wurde, bis seine Zeit um ist.",
  label: "Gelöschte Elemente",
  columns: { name: "Name", deleted: "Gelöscht", left: "Noch da", size: "Größe" },
  lay: (place) => (place === "" ? "Aus der Ablage" : `Aus ${place}`),
  layNowhere: "Aus einem Ordner, den es nicht mehr gibt",
  left: (days) => (days < 1 ? "Geht heute" : plural(days, "Noch # Tag", "Noch # Tage")),
  contains: (count) => plural(count, "# Element", "# Elemente"),
  choose: (name) => `${name} auswählen`,
  chooseAll: "Alle auswählen",
  selected: (count) => plural(count, "1 ausgewählt", "# ausgewählt"),
  restore: "Wiederherstellen",
  restoreNamed: (name) => `${name} wiederherstellen`,
  restored: (name, count) => (count === 1 ? `${name} ist wieder da` : plural(count, "1 Element ist wieder da", "# Elemente sind wieder da")),
  show: "Zeigen",
  removeForGood: "Endgültig löschen",
  removeTitle: (name, count) =>
    count === 1 ? `„${name}“ endgültig löschen?` : plural(count, "1 Element endgültig löschen?", "# Elemente endgültig löschen?"),
  removeLead: "Danach lässt es sich nicht mehr zurückholen.",
  removed: (name, count) =>
    count === 1 ? `${name} endgültig gelöscht` : plural(count, "1 Element endgültig gelöscht", "# Elemente endgültig gelöscht"),
  empty: "Papierkorb leeren",
  emptyTitle: "Den Papierkorb leeren?",
  emptyLead: "Alles darin, was du entfernen darfst, wird endgültig gelöscht. Danach lässt es sich nicht mehr zurückholen.",
  emptied: (count) => plural(count, "1 Element endgültig gelöscht", "# Elemente endgültig gelöscht"),
  nothingTitle: "Der Papierkorb ist leer",
  nothingText: "Was du aus der Ablage löschst, wartet hier und lässt sich zurückholen.",
  more: "Mehr zeigen",
};
