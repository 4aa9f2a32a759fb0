/** Die Worte des Signaturdoktors. */
import { formatCount } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";
import { spelledOut } from "./phrases";

interface Found {
  amount: number | null;
  quoted: string | null;
}

const seconds = ({ amount }: Found) => spelledOut((amount ?? 0) * 1000);

export const doctor: Text["doctor"] = {
  open: "Signatur prüfen",
  openFilled: "Ihre Signatur prüfen",
  title: "Signaturdoktor",
  lead: "Füge ein, was dein Programm empfing. Es wird auf diesem Computer geprüft und nicht behalten.",
  headers: "Kopfzeilen",
  headersHint: "Zeilen, JSON oder ein curl-Befehl",
  body: "Inhalt, genau wie er ankam",
  secret: "Signaturgeheimnis",
  secretHint: "whsec_…, einmal gezeigt, als der API-Schlüssel entstand",
  examine: "Untersuchen",
  close: "Fertig",
  fromLog: "Kopfzeilen und Inhalt sind die der Zustellung im Verzeichnis. Gib das Geheimnis ein, das dein Programm benutzt.",
  parts: { timestamp: "Zeitstempel", signature: "Signatur", body: "Inhalt", secret: "Geheimnis", delivery: "Zustellung" },
  fine: "Nichts zu sagen",
  verdicts: {
    good: "Die Signatur ist gut",
    out_of_time: "Die Signatur stimmt, die Zeit nicht",
    mendable: "Es passt, sobald das berichtigt ist",
    no_match: "Die Signatur passt nicht",
    incomplete: "Etwas fehlt",
  },
  verdictDetails: {
    good: "Ein Empfänger, der sich an die Regeln hält, nimmt diesen Webhook an.",
    out_of_time: "Kopfzeilen, Inhalt und Geheimnis gehören zusammen, doch ein Empfänger weist einen Webhook aus anderer Zeit ab.",
    mendable: "Mit der Änderung unten gehören Kopfzeilen, Inhalt und Geheimnis zusammen.",
    no_match: "Alles, was gewöhnlich schiefgeht, wurde versucht. Unten steht das Wahrscheinlichste.",
    incomplete: "Ohne das gibt es nichts zu vergleichen.",
  },
  faults: {
    timestamp_missing: { title: "X-Webhook-Timestamp fehlt", detail: "Füge alle Kopfzeilen ein. Hat dein Programm sie nie gesehen, nimmt sie vielleicht ein Proxy dazwischen weg." },
    timestamp_unreadable: { title: "Der Zeitstempel ist keine Zahl", detail: ({ quoted }: Found) => `Da steht „${quoted ?? ""}“. Es muss die Unix-Zeit in Sekunden sein, signiert, wie sie in der Kopfzeile steht.` },
    timestamp_in_milliseconds: { title: "Der Zeitstempel zählt Millisekunden", detail: "Dort gehören Unix-Sekunden hin. Nimm die Kopfzeile, wie sie kam, und bilde keine eigene." },
    timestamp_too_old: { title: (found: Found) => `Der Zeitstempel ist ${seconds(found)} alt`, detail: "Ein Empfänger nimmt höchstens fünf Minuten hin. Prüfe eine alte Anfrage gegen die Zeit, zu der sie kam; sonst vergleiche die Uhren." },
    timestamp_in_future: { title: (found: Found) => `Der Zeitstempel ist ${seconds(found)} voraus`, detail: "Ein Empfänger nimmt höchstens fünf Minuten hin. Die Uhr eines der beiden Computer geht falsch." },
    signature_missing: { title: "X-Webhook-Signature fehlt", detail: "Füge alle Kopfzeilen ein. Hat dein Programm sie nie gesehen, nimmt sie vielleicht ein Proxy dazwischen weg." },
    signature_of_another_sender: { title: "Das ist die Signatur eines anderen Absenders", detail: ({ quoted }: Found) => `Dort steht ${quoted ?? ""}. Dieser Dienst signiert in X-Webhook-Signature.` },
    signature_of_another_scheme: { title: "Die Signatur folgt einem anderen Verfahren", detail: ({ quoted }: Found) => `Da steht „${quoted ?? ""}=“. Dieser Dienst schreibt v1= und 64 Hexziffern.` },
    signature_without_scheme: { title: "Vor der Signatur fehlt v1=", detail: "Vergleiche mit dem ganzen Wert der Kopfzeile, mit v1=." },
    signature_in_capitals: { title: "Die Signatur steht in Großbuchstaben", detail: "Die Hexziffern kommen in Kleinbuchstaben. Vergleiche Bytes, oder schreib deine auch klein." },
    signature_not_hex: { title: "Die Signatur ist nicht hexadezimal", detail: "Nach v1= kommen 64 Ziffern von 0 bis f. Base64 etwa ist eine andere Schreibweise." },
    signature_cut: { title: ({ amount }: Found) => `Die Signatur hat ${formatCount(amount ?? 0)} Ziffern statt 64`, detail: "Ein Teil ging verloren. Kopiere die Kopfzeile noch einmal ganz." },
    secret_missing: { title: "Das Geheimnis fehlt", detail: "Es wurde gezeigt, als der API-Schlüssel entstand, der die Aufgabe begann. Ist es verloren, leg einen anderen an." },
    secret_is_api_key: { title: "Das ist ein API-Schlüssel", detail: "Webhooks sind mit dem Geheimnis des Schlüssels signiert; es beginnt mit whsec_." },
    secret_with_spaces: { title: "Im Geheimnis stehen Leerzeichen", detail: "Ohne sie passt es. Sieh nach einem Zeilenumbruch, wo dein Programm es liest." },
    secret_in_quotes: { title: "Um das Geheimnis stehen Anführungszeichen", detail: "Ohne sie passt es. Sie blieben wohl in einer Einstellungsdatei stehen." },
    secret_without_prefix: { title: "Dem Geheimnis fehlt sein whsec_", detail: "Der ganze Text ist der Schlüssel, mit whsec_." },
    secret_with_foreign_prefix: { title: "Vor dem Geheimnis steht etwas, das nicht dazugehört", detail: "Ohne das passt es. Nimm es ab whsec_, oder ohne eine Vorsilbe, die doppelt davorsteht." },
    secret_misshapen: { title: "Das Geheimnis sieht nicht wie eines aus", detail: "Ein Geheimnis ist whsec_ und 64 Hexziffern in Kleinbuchstaben." },
    secret_wrong: { title: "Es ist das Geheimnis eines anderen Schlüssels", detail: "Der Inhalt sieht unberührt aus. Es muss das Geheimnis des API-Schlüssels sein, der die Aufgabe begann, bei diesem Dienst." },
    body_missing: { title: "Der Inhalt fehlt", detail: "Füge ihn ein, wie dein Programm ihn empfing, bevor ihn etwas als JSON liest." },
    body_too_large: { title: "Der Inhalt ist zu groß zum Ansehen", detail: "Ein Ereignis hat einige Kilobyte; das hier ist mehr als ein Megabyte." },
    body_with_more_lines: { title: "Der Inhalt passt ohne die Leerzeichen ringsum", detail: "Meist ist es ein letzter Zeilenumbruch. Signiere die Bytes, wie sie kamen, bevor eine Datei oder ein Editor sie mit einer Zeile beendet." },
    body_without_last_line: { title: "Der Inhalt passt mit einem letzten Zeilenumbruch", detail: "Etwas nahm ihn weg. Kürze den Inhalt nicht, bevor er signiert wird." },
    body_with_unix_lines: { title: "Der Inhalt passt mit Windows-Zeilenenden", detail: "Unterwegs wurde aus CR LF ein LF. Lies den Inhalt als Bytes." },
    body_with_windows_lines: { title: "Der Inhalt passt mit einfachen Zeilenenden", detail: "Unterwegs wurde aus LF ein CR LF. Lies den Inhalt als Bytes." },
    body_laid_out: { title: "Der Inhalt passt ohne die Leerzeichen zwischen seinen Teilen", detail: "Er wurde als JSON gelesen und neu geschrieben, oder zum Lesen gesetzt. Signiere den rohen Inhalt." },
    body_escaped: { title: "Der Inhalt passt mit den Zeichen, wie sie sind", detail: "Etwas schrieb / oder Buchstaben wie ü verschlüsselt (\\/ oder \\u00fc): Er wurde als JSON gelesen und neu geschrieben. Signiere den rohen Inhalt." },
    body_unescaped: { title: "Der Inhalt passt mit verschlüsselten Buchstaben", detail: "Buchstaben wie ü kamen als \\u00fc: Der Inhalt wurde als JSON gelesen und neu geschrieben. Signiere den rohen Inhalt." },
    body_reordered: { title: "Der Inhalt passt in der Reihenfolge des Dienstes", detail: "Er wurde als JSON gelesen und in anderer Reihenfolge neu geschrieben. Signiere den rohen Inhalt." },
    body_in_quotes: { title: "Der Inhalt ist ein Text in Anführungszeichen", detail: "Er wurde ein zweites Mal zu JSON. Er passt, sobald das zurückgenommen ist." },
    body_in_base64: { title: "Der Inhalt ist als Base64 geschrieben", detail: "Manche Gateways geben ihn so weiter. Entschlüsselt passt er." },
    body_with_mark: { title: "Der Inhalt beginnt mit einer Bytereihenfolge-Marke", detail: "Ohne sie passt er. Ein Editor fügte sie an." },
    body_cut: { title: "Der Inhalt hört mittendrin auf", detail: "Es ist JSON, das nicht schließt. Kopiere ihn ganz; ein Protokoll hat ihn vielleicht gekürzt." },
    body_or_secret_wrong: { title: "Der Inhalt wurde verändert, oder das Geheimnis gehört zu einem anderen Schlüssel", detail: "Der Inhalt sieht nicht aus, wie der Dienst ihn sendet. Öffne die Zustellung im Verzeichnis und vergleiche, dann prüfe das Geheimnis." },
    delivery_repeated: { title: ({ amount, quoted }: Found) => plural(amount ?? 0, "Dieses Ereignis wurde einmal zugestellt", "Dieses Ereignis wurde #-mal zugestellt"), detail: ({ amount, quoted }: Found) => `Wiederholungen tragen dieselbe Ereignisnummer (${quoted ?? ""}). Ein Empfänger, der sie kennt, darf sie auslassen.` },
  },
};
