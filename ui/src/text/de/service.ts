/** Die Worte darüber, was der Dienst einer Verbindung kann. */
import { formatSize } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const service: Text["service"] = {
  title: "Was dieser Dienst kann",
  lacking: (count) => plural(count, "1 Sache, ohne die er auskommt", "# Sachen, ohne die er auskommt"),
  complete: "Alles, was versucht wurde",
  nothing: "Noch wurde nichts versucht",
  version: (version) => `Spricht Version ${version}`,
  older: (version) => `Spricht die ältere Version ${version}`,
  olderText: "Easel hat nach einer neueren gefragt und macht mit dieser weiter.",
  lacks: "Ohne das kommt er aus",
  refuses: "Das nimmt er nicht",
  refusedType: (type) => `Dateien der Art ${type}`,
  refusedSize: (bytes) => `Dateien ab ${formatSize(bytes)}`,
  inItsWords: (words) => `In seinen Worten: ${words}`,
  has: "Das hat er",
  untried: "Noch nicht versucht",
  joined: (parts) => parts.join(" · "),
  since: (when) => `An seinen Antworten abgelesen, zuerst ${when}.`,
  forget: "Vergessen und neu versuchen",
  forgetHint: "Easel versucht dann alles neu, auch was abgelehnt wurde.",
  forgotten: (name) => `Was ${name} kann, wird neu herausgefunden`,
};
