/** Words of the way back in the history of synced folders: one change, a run, a moment. */
import { formatCount } from "../format";
import { plural } from "./phrases";

export const history = {
  folder: "Folder",
  allFolders: "All folders",
  here: "This computer",
  drive: "Drive",
  /** Which side a change is from, and who made it. */
  fromHere: "this computer",
  fromDrive: "drive",
  fromDriveBy: (name: string) => `drive, ${name}`,
  fromDriveByYou: "drive, you",
  changes: (count: number) => plural(count, "1 change", "# changes"),
  goBack: "Go back to a moment",
  open: "History",
  undo: "Undo",
  undoNamed: (path: string) => `Undo the change of ${path}`,
  undoRun: "Undo all",
  undoRunNamed: (count: number) => plural(count, "Undo 1 change of this run", "Undo all # changes of this run"),

  titleOne: (path: string) => `Undo the change of “${path}”?`,
  titleRun: (folder: string) => `Undo a run of changes in “${folder}”?`,
  titleMoment: (folder: string) => `“${folder}” as it was`,
  leadMoment: "Everything that changed since then, here and in the drive, is undone.",
  moment: "As it was at",
  reach: (when: string) => `The history goes back to ${when}.`,
  reachNone: "Nothing has changed since the first run, so there is nothing to go back to.",
  tooEarly: (when: string) => `Choose a moment after ${when}, which is as far as the history goes back.`,
  inFuture: "Choose a moment that has passed.",
  looking: "Looking at the folder, trash and versions…",
  look: "See what will happen",
  numbers: "What undoing will do",
  nothing: "There is nothing to undo: everything is as it was.",
  nothingCan: "Nothing of it can be undone.",
  back: (files: number) => plural(files, "1 file comes back", "# files come back"),
  earlier: (files: number) => plural(files, "1 file gets its earlier content", "# files get their earlier content"),
  beside: (files: number) =>
    plural(files, "1 of them was changed since: the earlier content comes beside it", "# of them were changed since: the earlier content comes beside them"),
  later: (files: number) =>
    plural(files, "1 of them with its last content: nothing holds the earlier one", "# of them with their last content: nothing holds the earlier ones"),
  trashed: (files: number) => plural(files, "1 file goes to the trash", "# files go to the trash"),
  moved: (items: number) => plural(items, "1 item gets its earlier name or place", "# items get their earlier name or place"),
  foldersBack: (folders: number) => plural(folders, "1 folder comes back", "# folders come back"),
  foldersRemoved: (folders: number) => plural(folders, "1 empty folder is removed", "# empty folders are removed"),
  lost: (files: number) =>
    plural(files, "1 file cannot come back: neither trash nor versions hold it", "# files cannot come back: neither trash nor versions hold them"),
  left: (count: number) => plural(count, "1 change stays as it is", "# changes stay as they are"),
  more: (count: number) => `and ${formatCount(count)} more`,
  safe: "What files hold now is kept, in the trash and as versions. This can be undone from the history too.",
  confirm: "Undo",
  confirmMoment: "Go back",
  working: "Undoing…",
  goesOn: "It goes on when you close this.",
  done: (count: number) => plural(count, "Undone in 1 step. The rest follows with the next sync.", "Undone in # steps. The rest follows with the next sync."),
  refusedTitle: (count: number) => plural(count, "1 step was not done", "# steps were not done"),
};
