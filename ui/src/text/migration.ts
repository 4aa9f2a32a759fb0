/** The words of copies of the studio on this computer to another connection. */
import { formatCount, formatSize } from "../format";
import { plural } from "./phrases";

export const migration = {
  title: "Copy to another connection",
  lead: "Files, folders, brand kits, and each design as a presentation. Nothing here changes.",
  noneTitle: "Goes to a service or a team's studio that Easel is connected to.",
  connect: "Connect…",
  open: "Copy…",
  goOn: "Go on…",
  dialogTitle: "Copy this studio to another connection",
  dialogLead: (folder: string) =>
    `Everything goes into the folder “${folder}” there. What that folder has already is not sent again, and nothing in it is changed or deleted.`,
  dialogLeadUnknown: "Everything goes into a folder of its own there.",
  to: "Connection",
  counting: "Counting what there is on both sides…",
  files: "Files",
  designs: "Designs, as presentations",
  kits: "Brand kits",
  there: "There already",
  size: "Size of the files",
  stays: "Earlier versions, the trash and keys stay here. A backup has them.",
  confirm: "Copy",
  copying: (name: string) => `Copying to ${name}`,
  progress: (done: number, total: number, bytes: number) => `${formatCount(done)} of ${formatCount(total)} there · ${formatSize(bytes)} sent`,
  beginning: "Looking at both sides…",
  stop: "Stop",
  stopped: (name: string) => `The copy to ${name} was stopped`,
  stoppedText: "What is there stays. The next copy goes on from there.",
  broken: (name: string) => `The copy to ${name} broke off`,
  done: (name: string, folder: string) => `The studio is copied to ${name}, into “${folder}”`,
  counts: (done: number) => plural(done, "1 file is there", "# files are there"),
  failed: (count: number, name: string) =>
    `${plural(count, "1 file could not be sent.", "# files could not be sent.")} The activity of ${name} says why.`,
  left: (names: string[]) => `Could not be copied: ${names.join(", ")}`,
};
