/** Die Worte beim Wählen der Farben eines Designs. */
import type { Text } from "../en";

export const editColors: Text["editColors"] = {
  edit: "Farben",
  hint: "Andere Farben für dieses Design wählen",
  title: "Farben dieses Designs",
  roles: { ground: "Hintergrund", accent: "Hauptfarbe", second: "Zweite Farbe" },
  pick: (name) => `Wählen: ${name}`,
  own: (name) => `Zurück zur eigenen Farbe des Designs: ${name}`,
  drawnAs: (color) => `gezeichnet als ${color}`,
  near: (color) => `Gezeichnet als ${color}, damit sie sich abhebt`,
  drawing: "Wird gezeichnet …",
  undo: "Farbänderung rückgängig machen",
  redo: "Farbänderung wiederholen",
  stepOther: "Diese Farbe wurde seitdem geändert, also entfällt dieser Schritt",
  close: "Schließen",
};
