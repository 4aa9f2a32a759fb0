/** The words of backups of the studio on this computer. */
import { formatCount, formatSize } from "../format";
import { plural } from "./phrases";

export const backups = {
  section: "Backup",
  lead: "Everything that the studio on this computer has: files with their versions, designs, the trash, keys.",
  place: "Folder",
  secret: "Whoever can read it can read your drive. Best on another disk.",
  choose: "Choose a folder",
  chooseAnother: "Choose another",
  emptyTitle: "A second copy of your studio",
  emptyText: "Choose a folder on another disk, or one that already has backups. What is new since the last time is all that is copied.",
  backUp: "Back up now",
  now: "Now",
  figures: (files: number, designs: number, bytes: number) =>
    `${plural(files, "1 file", "# files")} · ${plural(designs, "1 design", "# designs")} · ${formatSize(bytes)}`,
  notCounted: "What it has cannot be counted at the moment.",
  notNoted: "What is in it was not noted",
  never: "Not backed up yet.",
  last: (when: string) => `Last backup: ${when}`,
  listTitle: "Backups",
  none: "There is no backup in this folder yet.",
  awayTitle: "The folder cannot be looked into",
  away: "Connect the disk that it is on, then look again.",
  lookAgain: "Look again",
  stages: { backing_up: "Backing up", restoring: "Copying the backup", verifying: "Checking every file of it" },
  progress: (stage: string, done: number, total: number, bytes: number) =>
    `${stage}: ${formatCount(done)} of ${formatCount(total)} · ${formatSize(bytes)}`,
  restore: "Restore…",
  restoreNamed: (moment: string) => `Restore the backup of ${moment}`,
  restoreTitle: (moment: string) => `Go back to ${moment}?`,
  restoreText:
    "The whole backup is copied and checked first; until then the studio goes on as it is. What it has now is kept beside it on this computer, and nothing is deleted. Synced folders ask before they change anything.",
  columns: { what: "What", files: "Files", designs: "Designs", bytes: "Size" },
  then: "In the backup",
  sizeHint: "Size: with the trash and earlier versions.",
  restoreConfirm: "Restore",
  restoreRest: "Restore the rest",
  restored: (moment: string) => `The studio is as it was on ${moment}`,
  keptAt: (path: string) => `What it had before is kept in ${path}. Remove that folder yourself when you are sure.`,
  onlyLocal: "Only the studio on this computer is backed up here",
  onlyLocalText: "A service keeps its own backups. Start the studio on this computer to back it up, or to bring one back.",
  onlyLocalStart: "Start on this computer",
};
