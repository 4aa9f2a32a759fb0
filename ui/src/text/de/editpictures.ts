/** Die Worte beim Austauschen eines Bildes an seinem Platz. */
import type { Text } from "../en";

export const editPictures: Text["editPictures"] = {
  replace: "Bild ersetzen",
  named: (description) => (description === "" ? "Bild ersetzen" : `Bild ersetzen: ${description}`),
  replacing: "Wird ersetzt …",
  replaced: "Bild ersetzt",
  undone: "Das frühere Bild ist wieder da",
  later: "Das Design wurde seitdem geändert. Unter Versionen ist es, wie es war.",
};
