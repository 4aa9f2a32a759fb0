/** Die Worte über Sicherungen des Studios auf diesem Computer. */
import { formatCount, formatSize } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const backups: Text["backups"] = {
  section: "Sicherung",
  lead: "Alles, was das Studio auf diesem Computer hat: Dateien mit ihren Versionen, Designs, den Papierkorb, Schlüssel.",
  place: "Ordner",
  secret: "Wer ihn lesen kann, kann deine Ablage lesen. Am besten auf einem anderen Datenträger.",
  choose: "Ordner wählen",
  chooseAnother: "Einen anderen wählen",
  emptyTitle: "Dein Studio ein zweites Mal",
  emptyText: "Wähle einen Ordner auf einem anderen Datenträger, oder einen, in dem schon Sicherungen liegen. Kopiert wird nur, was seit dem letzten Mal neu ist.",
  backUp: "Jetzt sichern",
  now: "Jetzt",
  figures: (files, designs, bytes) => `${plural(files, "1 Datei", "# Dateien")} · ${plural(designs, "1 Design", "# Designs")} · ${formatSize(bytes)}`,
  notCounted: "Was es hat, lässt sich gerade nicht zählen.",
  notNoted: "Was darin ist, wurde nicht aufgeschrieben",
  never: "Noch nicht gesichert.",
  last: (when) => `Letzte Sicherung: ${when}`,
  listTitle: "Sicherungen",
  none: "In diesem Ordner liegt noch keine Sicherung.",
  awayTitle: "In den Ordner lässt sich nicht hineinsehen",
  away: "Schließe den Datenträger an, auf dem er liegt, und sieh noch einmal nach.",
  lookAgain: "Noch einmal nachsehen",
  stages: { backing_up: "Wird gesichert", restoring: "Die Sicherung wird kopiert", verifying: "Jede Datei davon wird geprüft" },
  progress: (stage, done, total, bytes) => `${stage}: ${formatCount(done)} von ${formatCount(total)} · ${formatSize(bytes)}`,
  restore: "Wiederherstellen…",
  restoreNamed: (moment) => `Die Sicherung vom ${moment} wiederherstellen`,
  restoreTitle: (moment) => `Zurück zum ${moment}?`,
  restoreText:
    "Erst wird die ganze Sicherung kopiert und geprüft; bis dahin läuft das Studio weiter, wie es ist. Was es jetzt hat, bleibt daneben auf diesem Computer liegen, und nichts wird gelöscht. Sync-Ordner fragen, bevor sie etwas ändern.",
  columns: { what: "Was", files: "Dateien", designs: "Designs", bytes: "Größe" },
  then: "In der Sicherung",
  sizeHint: "Größe: mit Papierkorb und früheren Versionen.",
  restoreConfirm: "Wiederherstellen",
  restoreRest: "Den Rest wiederherstellen",
  restored: (moment) => `Das Studio ist, wie es am ${moment} war`,
  keptAt: (path) => `Was es vorher hatte, liegt in ${path}. Entferne den Ordner selbst, wenn du sicher bist.`,
  onlyLocal: "Hier wird nur das Studio auf diesem Computer gesichert",
  onlyLocalText: "Ein Dienst sichert sich selbst. Beginne das Studio auf diesem Computer, um es zu sichern oder eine Sicherung zurückzuholen.",
  onlyLocalStart: "Auf diesem Computer beginnen",
};
