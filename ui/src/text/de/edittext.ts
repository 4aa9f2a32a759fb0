/** Die Worte beim Ändern der Texte eines Designs an ihrem Platz. */
import type { Text } from "../en";

export const editText: Text["editText"] = {
  edit: "Text bearbeiten",
  hint: "Klicke auf einen Text, um ihn zu ändern",
  named: (words) => `Bearbeiten: ${words}`,
  field: (words) => `Neue Worte für „${words}“`,
  keys: "Enter speichert, Esc bricht ab",
  keysOfLines: "Strg+Enter speichert, Esc bricht ab",
  empty: "Ein Text braucht mindestens ein Zeichen",
  none: "Auf dieser Seite ist kein Text, der sich ändern lässt",
  undo: "Textänderung rückgängig machen",
  redo: "Textänderung wiederholen",
  notSaved: "Was du geschrieben hast, ist noch nicht gespeichert",
  reopen: "Wieder öffnen",
  gone: "Den Text, für den du geschrieben hast, gibt es nicht mehr. Du hast geschrieben:",
  stepGone: "Der Text dieses Schritts ist nicht mehr im Design",
  stepOther: "Dieser Text wurde seitdem geändert, also entfällt dieser Schritt",
};
