/** Die Worte des Wegs zurück im Verlauf von Sync-Ordnern: eine Änderung, ein Durchgang, ein Zeitpunkt. */
import { formatCount } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const history: Text["history"] = {
  folder: "Ordner",
  allFolders: "Alle Ordner",
  here: "Dieser Computer",
  drive: "Ablage",
  fromHere: "dieser Computer",
  fromDrive: "Ablage",
  fromDriveBy: (name) => `Ablage, ${name}`,
  fromDriveByYou: "Ablage, du",
  changes: (count) => plural(count, "1 Änderung", "# Änderungen"),
  goBack: "Zu einem Zeitpunkt zurück",
  open: "Verlauf",
  undo: "Rückgängig",
  undoNamed: (path) => `Die Änderung von ${path} rückgängig machen`,
  undoRun: "Alles rückgängig",
  undoRunNamed: (count) => plural(count, "1 Änderung dieses Durchgangs rückgängig machen", "Alle # Änderungen dieses Durchgangs rückgängig machen"),

  titleOne: (path) => `Die Änderung von „${path}“ rückgängig machen?`,
  titleRun: (folder) => `Einen Durchgang in „${folder}“ rückgängig machen?`,
  titleMoment: (folder) => `„${folder}“, wie es war`,
  leadMoment: "Alles, was sich seitdem geändert hat, hier und in der Ablage, wird rückgängig gemacht.",
  moment: "Wie am",
  reach: (when) => `Der Verlauf reicht bis ${when} zurück.`,
  reachNone: "Seit dem ersten Durchgang hat sich nichts geändert, also gibt es nichts, wohin es zurückginge.",
  tooEarly: (when) => `Wähle einen Zeitpunkt nach ${when}; so weit reicht der Verlauf zurück.`,
  inFuture: "Wähle einen Zeitpunkt, der vergangen ist.",
  looking: "Ordner, Papierkorb und Fassungen werden angesehen…",
  look: "Ansehen, was geschieht",
  numbers: "Was das Rückgängigmachen tut",
  nothing: "Es gibt nichts rückgängig zu machen: Alles ist, wie es war.",
  nothingCan: "Nichts davon lässt sich rückgängig machen.",
  back: (files) => plural(files, "1 Datei kommt zurück", "# Dateien kommen zurück"),
  earlier: (files) => plural(files, "1 Datei bekommt ihren früheren Inhalt", "# Dateien bekommen ihren früheren Inhalt"),
  beside: (files) =>
    plural(files, "1 davon wurde seitdem geändert: Der frühere Inhalt kommt daneben", "# davon wurden seitdem geändert: Der frühere Inhalt kommt daneben"),
  later: (files) =>
    plural(files, "1 davon mit ihrem letzten Inhalt: Den früheren hat nichts mehr", "# davon mit ihrem letzten Inhalt: Den früheren hat nichts mehr"),
  trashed: (files) => plural(files, "1 Datei geht in den Papierkorb", "# Dateien gehen in den Papierkorb"),
  moved: (items) => plural(items, "1 Element bekommt seinen früheren Namen oder Platz", "# Elemente bekommen ihren früheren Namen oder Platz"),
  foldersBack: (folders) => plural(folders, "1 Ordner kommt zurück", "# Ordner kommen zurück"),
  foldersRemoved: (folders) => plural(folders, "1 leerer Ordner wird entfernt", "# leere Ordner werden entfernt"),
  lost: (files) =>
    plural(files, "1 Datei kann nicht zurückkommen: Weder Papierkorb noch Fassungen haben sie", "# Dateien können nicht zurückkommen: Weder Papierkorb noch Fassungen haben sie"),
  left: (count) => plural(count, "1 Änderung bleibt, wie sie ist", "# Änderungen bleiben, wie sie sind"),
  more: (count) => `und ${formatCount(count)} mehr`,
  safe: "Was Dateien jetzt enthalten, bleibt erhalten: im Papierkorb und als Fassung. Auch das hier lässt sich im Verlauf rückgängig machen.",
  confirm: "Rückgängig machen",
  confirmMoment: "Zurückgehen",
  working: "Wird rückgängig gemacht…",
  goesOn: "Es geht weiter, wenn du das hier schließt.",
  done: (count) => plural(count, "In 1 Schritt rückgängig gemacht. Der Rest folgt beim nächsten Abgleich.", "In # Schritten rückgängig gemacht. Der Rest folgt beim nächsten Abgleich."),
  refusedTitle: (count) => plural(count, "1 Schritt wurde nicht getan", "# Schritte wurden nicht getan"),
};
