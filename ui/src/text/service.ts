/** The words about what the service of a connection can do. What it lacks is worded by the app, which says it elsewhere too. */
import { formatSize } from "../format";
import { plural } from "./phrases";

export const service = {
  title: "What this service can do",
  lacking: (count: number) => plural(count, "1 thing that it does without", "# things that it does without"),
  complete: "Everything that was tried",
  nothing: "Nothing was tried yet",
  version: (version: string) => `Speaks version ${version}`,
  older: (version: string) => `Speaks the older version ${version}`,
  olderText: "Easel asked for a newer one and continues with this.",
  lacks: "It does without",
  refuses: "It does not take",
  refusedType: (type: string) => `Files of the type ${type}`,
  refusedSize: (bytes: number) => `Files of ${formatSize(bytes)} and above`,
  inItsWords: (words: string) => `In its own words: ${words}`,
  has: "It has",
  untried: "Not tried yet",
  joined: (parts: readonly string[]) => parts.join(" · "),
  since: (when: string) => `Found out by its answers, the first of them ${when}.`,
  forget: "Forget and try again",
  forgetHint: "Easel then tries everything anew, also what was refused.",
  forgotten: (name: string) => `What ${name} can do is found out anew`,
};
