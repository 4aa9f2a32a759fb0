/** Die Worte darüber, was vorgeht und was war: Aufgaben, Exporte, Hochgeladenes. */
import { formatCount, formatPercent, formatSize, formatSizePair } from "../../format";
import type { Text } from "../en";
import { duration, plural } from "../phrases";
import { spelledOut } from "./phrases";

export const activity: Text["activity"] = {
  title: "Aktivität",
  tabs: { tasks: "Aufgaben", exports: "Exporte", uploads: "Hochgeladen" },
  running: (count) => plural(count, "1 läuft", "# laufen"),

  tasks: {
    label: "Aufgaben",
    filter: "Welche Aufgaben",
    filters: { all: "Alle", running: "Laufend", failed: "Fehlgeschlagen", finished: "Fertig" },
    emptyTitle: "Noch keine Aufgaben",
    emptyText: "Was du beschreibst, entsteht hier, Schritt für Schritt.",
    emptyDo: "Ein Design beschreiben",
    emptyFiltered: "Keine davon",
    emptyFilteredText: "Es gibt andere Aufgaben.",
    showAll: "Alle Aufgaben zeigen",
    kinds: { design: "Entwurf", remix: "Variante", export: "Ausgabe", brand_kit_extract: "Markenpaket" },
    untitled: "Ohne Beschreibung",
    states: {
      queued: "In der Warteschlange",
      running: "Läuft",
      succeeded: "Fertig",
      failed: "Fehlgeschlagen",
      canceled: "Abgebrochen",
      expired: "Abgelaufen",
      unknown: "Unbekannt",
    },
    waits: {
      files: "Wartet auf ihre Dateien",
      room: "In der Warteschlange: dein Team lässt schon so viele machen, wie es gleichzeitig darf",
      connection: "Wartet auf den Dienst",
    },
    canceling: "Wird gestoppt…",
    line: (parts) => parts.join(" · "),
    percent: (percent) => formatPercent(percent, 100),
    elapsed: (ms) => duration(ms),
    took: (ms) => `dauerte ${spelledOut(ms)}`,
    attempt: (attempt) => `Versuch ${formatCount(attempt)}`,
    canHelp: "Ein neuer Versuch kann helfen.",
    cannotHelp: "Ein neuer Versuch würde genauso scheitern. Ändere, wovon sie ausgeht.",
    expiredHelp: "Sie wurde nicht rechtzeitig begonnen. Ein neuer Versuch kann helfen.",
    retry: "Noch einmal versuchen",
    cancel: "Abbrechen",
    open: "Öffnen",
    openDesigns: "Liste der Designs öffnen",
    canceled: (title) => `${title} wurde abgebrochen`,
    retried: "Es wird noch einmal versucht",
    actionOn: (action, title) => `${action}: ${title}`,
    progressLabel: (title) => `${title} entsteht`,
    more: "Mehr zeigen",
  },

  exports: {
    label: "Exporte",
    emptyTitle: "Noch keine Exporte",
    emptyText: "Öffne ein Design und exportiere es als PDF, PowerPoint, PNG, JPEG oder SVG.",
    emptyDo: "Zu den Designs",
    states: {
      queued: "In der Warteschlange",
      waiting: "Wartet",
      preparing: "Der Dienst macht die Datei",
      finished: "Fertig",
      failed: "Konnte nicht exportiert werden",
      canceled: "Abgebrochen",
    },
    waits: {
      rate: "In der Warteschlange: der Dienst macht nur so viele in der Minute",
      task: "Am Design wird noch gearbeitet",
      connection: "Wartet auf den Dienst",
    },
    amount: (part, whole) => {
      if (whole === null) return `${formatSize(part)} bisher`;
      const [received, all] = formatSizePair(part, whole);
      return `${received} von ${all}`;
    },
    left: (words, ms) => `${words} · noch ${duration(ms)}`,
    savedIn: (place, bytes) => (bytes === null ? `In ${place}` : `In ${place} · ${formatSize(bytes)}`),
    rate: (waiting, perMinute, ms) => {
      const said = plural(waiting, "1 Export in der Warteschlange", "# Exporte in der Warteschlange");
      const why = `dieser Dienst macht ${formatCount(perMinute)} in der Minute`;
      return ms === null ? `${said}: ${why}` : `${said}, etwa ${spelledOut(ms)}: ${why}`;
    },
    cancel: "Abbrechen",
    reveal: "Auf diesem Computer zeigen",
    open: "Öffnen",
    openDesign: "Das Design öffnen",
    again: "Noch einmal exportieren",
    clear: "Fertige wegräumen",
    finished: (name, place) => `${name} liegt in ${place}`,
    finishedMany: (count) => `${count} Exporte sind fertig`,
    show: "Zeigen",
    progressLabel: (name, format) => `${name} wird als ${format} exportiert`,
    named: (name, format) => `${name} · ${format}`,
    actionOn: (action, name) => `${action}: ${name}`,
  },

  uploads: {
    label: "Hochgeladen",
    search: "In Hochgeladenem suchen",
    filter: "Welche Dateien",
    filters: { all: "Alle", unfinished: "Laufend", failed: "Fehlgeschlagen", finished: "In der Ablage" },
    emptyTitle: "Noch nichts gesendet",
    emptyText: "Lege Dateien oder Ordner irgendwo im Fenster ab.",
    emptyDo: "Dateien wählen",
    noneFound: "Nichts dergleichen wurde gesendet",
    noneFoundText: "Gesucht wird in den Namen der Dateien und ihrer Ordner.",
    showAll: "Alles zeigen",
    clearFinished: "Fertige wegräumen",
  },
};
