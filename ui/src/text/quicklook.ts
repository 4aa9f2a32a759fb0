/** Words of the quick look: what is looked at without being opened. */
import { formatCount } from "../format";

export const quickLook = {
  look: "Quick look",
  key: "Space",
  stage: (name: string) => `Quick look: ${name}`,
  /** Where it stands in the list that is looked through. */
  place: (number: number, total: number) => `${formatCount(number)} of ${formatCount(total)}`,
  previous: "Previous item",
  next: "Next item",
  close: "Close the quick look",
  picture: (name: string) => `Picture: ${name}`,
  textOf: (name: string) => `What ${name} says`,
  cut: "This is only its beginning.",
  /** Of a document, of which no more is shown. */
  firstPage: "First page",
  nothing: "There is no preview of this file.",
};
