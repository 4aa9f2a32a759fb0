/** Die Worte über Kopien des Studios dieses Computers in eine andere Verbindung. */
import { formatCount, formatSize } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const migration: Text["migration"] = {
  title: "In eine andere Verbindung kopieren",
  lead: "Dateien, Ordner, Markenpakete und jedes Design als Präsentation. Hier ändert sich nichts.",
  noneTitle: "Geht zu einem Dienst oder dem Studio eines Teams, mit dem Easel verbunden ist.",
  connect: "Verbinden…",
  open: "Kopieren…",
  goOn: "Weitermachen…",
  dialogTitle: "Dieses Studio in eine andere Verbindung kopieren",
  dialogLead: (folder) =>
    `Alles kommt dort in den Ordner „${folder}“. Was schon darin liegt, wird nicht noch einmal gesendet, und nichts darin wird geändert oder gelöscht.`,
  dialogLeadUnknown: "Alles kommt dort in einen eigenen Ordner.",
  to: "Verbindung",
  counting: "Auf beiden Seiten wird gezählt…",
  files: "Dateien",
  designs: "Designs, als Präsentationen",
  kits: "Markenpakete",
  there: "Schon dort",
  size: "Größe der Dateien",
  stays: "Frühere Versionen, der Papierkorb und Schlüssel bleiben hier. Eine Sicherung hat sie.",
  confirm: "Kopieren",
  copying: (name) => `Wird zu ${name} kopiert`,
  progress: (done, total, bytes) => `${formatCount(done)} von ${formatCount(total)} dort · ${formatSize(bytes)} gesendet`,
  beginning: "Auf beiden Seiten wird nachgesehen…",
  stop: "Anhalten",
  stopped: (name) => `Die Kopie zu ${name} wurde angehalten`,
  stoppedText: "Was dort ist, bleibt. Die nächste Kopie macht da weiter.",
  broken: (name) => `Die Kopie zu ${name} brach ab`,
  done: (name, folder) => `Das Studio ist zu ${name} kopiert, in „${folder}“`,
  counts: (done) => plural(done, "1 Datei ist dort", "# Dateien sind dort"),
  failed: (count, name) =>
    `${plural(count, "1 Datei ließ sich nicht senden.", "# Dateien ließen sich nicht senden.")} Die Aktivität von ${name} sagt, warum.`,
  left: (names) => `Ließ sich nicht kopieren: ${names.join(", ")}`,
};
