/** Die Worte der Versionen: was eine Datei enthielt und was auf einem Design gezeichnet war, und der Weg zurück. */
import type { Text } from "../en";

export const versions: Text["versions"] = {
  title: (name) => `Versionen von ${name}`,
  lead: "Wird eine Version wiederhergestellt, bleibt auch die jetzige als Version erhalten.",
  show: "Versionen",
  showNamed: (name) => `Zeigen: Versionen von ${name}`,
  menu: "Versionen…",
  label: "Versionen, die neueste zuerst",
  current: "Jetzige Version",
  unknownTime: "Zu unbekannter Zeit",
  caption: (parts) => parts.join(" · "),
  until: (moment) => `Ersetzt ${moment}`,
  nothingTitle: "Keine früheren Versionen",
  nothingFile: "Bekommt diese Datei neuen Inhalt, bleibt ihr jetziger hier als Version.",
  nothingDesign: "Wird dieses Design geändert, bleibt sein jetziger Stand hier als Version.",
  noPreview: "Von dieser Art Datei gibt es keine Vorschau.",
  cut: "Nur der Anfang ist zu sehen.",
  textOf: (name, moment) => `Text von ${name}, ${moment}`,
  restore: "Wiederherstellen",
  save: "Kopie speichern…",
  restored: (name, moment) => (moment === "" ? `${name} auf eine frühere Version zurückgesetzt` : `${name} auf die Version vom ${moment} zurückgesetzt`),
  undone: (name) => `${name} ist wieder wie zuvor`,
};
