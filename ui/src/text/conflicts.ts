/** Words of two versions of one file that were both kept: told of, compared, and settled. */
import { formatCount } from "../format";
import { plural } from "./phrases";

export const conflicts = {
  needs: (count: number) => plural(count, "1 file has two versions", "# files have two versions"),
  needsDetail: (folders: string) => `Changed on both sides, in ${folders}. Nothing is lost: both versions are kept until you choose.`,
  folders: (names: readonly string[]) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join()),
  compare: "Compare",
  compareFile: (path: string) => `Compare the versions of ${path}`,
  compareNamed: (folder: string) => `Compare the versions in ${folder}`,

  title: (name: string) => `Two versions of “${name}”`,
  titleBare: "Two versions",
  lead: "The version that you keep gets the name. The other one goes to this computer’s trash.",
  staysInDrive: "The drive keeps what you delete in this folder, so the file with the other name stays there.",
  place: (at: number, count: number) => `${formatCount(at)} of ${formatCount(count)}`,
  previous: "Previous file",
  next: "Next file",

  sides: { copy: "On this computer", original: "From the drive" },
  newest: "Newest",
  changed: (moment: string) => `Changed ${moment}`,
  changedBy: (moment: string, name: string) => `Changed ${moment} by ${name}`,
  changedByYou: (moment: string) => `Changed ${moment} by you`,
  joined: (parts: readonly string[]) => parts.filter((part) => part !== "").join(" · "),
  keep: "Keep this one",
  keepNamed: { copy: "Keep this one: the version on this computer", original: "Keep this one: the version from the drive" },
  keepBoth: "Keep both",
  picture: { copy: "The version on this computer", original: "The version from the drive" },
  noPreview: "There is no preview of this kind of file.",
  firstPages: "Only the first pages are compared.",
  differ: (count: number) => plural(count, "1 line differs", "# lines differ"),
  same: "Both say the same.",
  sameBeginning: "The beginning is the same; only the first part is compared.",
  /** Before the number of a line that differs, for who does not see its colour. */
  changedLine: "Differs:",
  cut: "Only the beginning is compared.",
  leftOut: "Lines that are the same are left out here",
  lines: (name: string) => `Where the two versions of ${name} differ`,
  line: "Line",

  several: "Choose for several…",
  severalTitle: (count: number) => plural(count, "1 file has two versions", "# files have two versions"),
  severalLead: "Both versions of each are kept until you choose. Those that are not kept go to this computer’s trash.",
  list: "Files with two versions",
  all: "Select all",
  selected: (count: number) => `${formatCount(count)} selected`,
  select: (name: string) => `Select ${name}`,
  keepNewest: "Keep newest",
  askNewest: (count: number) =>
    plural(count, "The newest version of 1 file is kept. Its other version goes to this computer’s trash.", "The newest version of each of # files is kept. The other versions go to this computer’s trash."),
  confirmNewest: (count: number) => plural(count, "Move 1 file to the trash", "Move # files to the trash"),
  back: "Back",
  found: (moment: string) => `since ${moment}`,

  kept: { copy: (name: string) => `${name}: the version on this computer is kept`, original: (name: string) => `${name}: the version from the drive is kept` },
  keptBoth: (count: number) => plural(count, "Both versions are kept", "Both versions of # files are kept"),
  keptNewest: (count: number) => plural(count, "The newest version is kept", "The newest versions of # files are kept"),
  undecided: (count: number) => plural(count, "1 file was left as it is: which version is newer is not known", "# files were left as they are: which version is newer is not known"),
  nothing: "There is nothing left to choose.",
};
