/** Die Worte der Schnellansicht. */
import { formatCount } from "../../format";
import type { Text } from "../en";

export const quickLook: Text["quickLook"] = {
  look: "Schnellansicht",
  key: "Leertaste",
  stage: (name) => `Schnellansicht: ${name}`,
  place: (number, total) => `${formatCount(number)} von ${formatCount(total)}`,
  previous: "Vorheriges Element",
  next: "Nächstes Element",
  close: "Schnellansicht schließen",
  picture: (name) => `Bild: ${name}`,
  textOf: (name) => `Text von ${name}`,
  cut: "Das ist nur der Anfang.",
  firstPage: "Erste Seite",
  nothing: "Für diese Datei gibt es keine Vorschau.",
};
