/** Die Worte von zwei Fassungen einer Datei, die beide behalten wurden: gesagt, verglichen und entschieden. */
import { formatCount } from "../../format";
import type { Text } from "../en";
import { plural } from "../phrases";

export const conflicts: Text["conflicts"] = {
  needs: (count) => plural(count, "1 Datei hat zwei Fassungen", "# Dateien haben zwei Fassungen"),
  needsDetail: (folders) => `Auf beiden Seiten geändert, in ${folders}. Nichts ist verloren: beide Fassungen bleiben, bis du wählst.`,
  folders: (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} und ${names.at(-1)}` : names.join()),
  compare: "Vergleichen",
  compareFile: (path) => `Fassungen von ${path} vergleichen`,
  compareNamed: (folder) => `Fassungen in ${folder} vergleichen`,

  title: (name) => `Zwei Fassungen von „${name}“`,
  titleBare: "Zwei Fassungen",
  lead: "Die Fassung, die du behältst, bekommt den Namen. Die andere kommt in den Papierkorb dieses Computers.",
  staysInDrive: "Die Ablage behält, was du in diesem Ordner löschst, also bleibt dort die Datei mit dem anderen Namen.",
  place: (at, count) => `${formatCount(at)} von ${formatCount(count)}`,
  previous: "Vorige Datei",
  next: "Nächste Datei",

  sides: { copy: "Auf diesem Computer", original: "Aus der Ablage" },
  newest: "Neueste",
  changed: (moment) => `Geändert ${moment}`,
  changedBy: (moment, name) => `Geändert ${moment} von ${name}`,
  changedByYou: (moment) => `Geändert ${moment} von dir`,
  joined: (parts) => parts.filter((part) => part !== "").join(" · "),
  keep: "Diese behalten",
  keepNamed: { copy: "Diese behalten: die Fassung auf diesem Computer", original: "Diese behalten: die Fassung aus der Ablage" },
  keepBoth: "Beide behalten",
  picture: { copy: "Die Fassung auf diesem Computer", original: "Die Fassung aus der Ablage" },
  noPreview: "Von dieser Art Datei gibt es keine Vorschau.",
  firstPages: "Nur die ersten Seiten werden verglichen.",
  differ: (count) => plural(count, "1 Zeile unterscheidet sich", "# Zeilen unterscheiden sich"),
  same: "In beiden steht dasselbe.",
  sameBeginning: "Der Anfang ist gleich; nur der erste Teil wird verglichen.",
  changedLine: "Anders:",
  cut: "Nur der Anfang wird verglichen.",
  leftOut: "Gleiche Zeilen sind hier ausgelassen",
  lines: (name) => `Worin sich die beiden Fassungen von ${name} unterscheiden`,
  line: "Zeile",

  several: "Für mehrere wählen…",
  severalTitle: (count) => plural(count, "1 Datei hat zwei Fassungen", "# Dateien haben zwei Fassungen"),
  severalLead: "Von jeder bleiben beide Fassungen, bis du wählst. Was nicht behalten wird, kommt in den Papierkorb dieses Computers.",
  list: "Dateien mit zwei Fassungen",
  all: "Alle auswählen",
  selected: (count) => `${formatCount(count)} ausgewählt`,
  select: (name) => `${name} auswählen`,
  keepNewest: "Neueste behalten",
  askNewest: (count) =>
    plural(count, "Von 1 Datei wird die neueste Fassung behalten. Die andere kommt in den Papierkorb dieses Computers.", "Von # Dateien wird jeweils die neueste Fassung behalten. Die anderen kommen in den Papierkorb dieses Computers."),
  confirmNewest: (count) => plural(count, "1 Datei in den Papierkorb legen", "# Dateien in den Papierkorb legen"),
  back: "Zurück",
  found: (moment) => `seit ${moment}`,

  kept: { copy: (name) => `${name}: die Fassung auf diesem Computer wurde behalten`, original: (name) => `${name}: die Fassung aus der Ablage wurde behalten` },
  keptBoth: (count) => plural(count, "Beide Fassungen bleiben", "Beide Fassungen von # Dateien bleiben"),
  keptNewest: (count) => plural(count, "Die neueste Fassung wurde behalten", "Die neuesten Fassungen von # Dateien wurden behalten"),
  undecided: (count) => plural(count, "1 Datei blieb, wie sie ist: welche Fassung neuer ist, weiß man nicht", "# Dateien blieben, wie sie sind: welche Fassung neuer ist, weiß man nicht"),
  nothing: "Es gibt nichts mehr zu wählen.",
};
