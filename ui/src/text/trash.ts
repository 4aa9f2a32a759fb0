/** Words of the trash: what was deleted, its way back, and its end. */
import { plural } from "./phrases";

export const trash = {
  title: "Trash",
  back: "Back to the drive",
  lead: "What was deleted, until its time is over.",
  label: "Deleted items",
  columns: { name: "Name", deleted: "Deleted", left: "Time left", size: "Size" },
  lay: (place: string) => (place === "" ? "From the drive" : `From ${place}`),
  layNowhere: "From a folder that is gone",
  left: (days: number) => (days < 1 ? "Goes today" : plural(days, "# day left", "# days left")),
  contains: (count: number) => plural(count, "# item", "# items"),
  choose: (name: string) => `Select ${name}`,
  chooseAll: "Select all",
  selected: (count: number) => plural(count, "1 selected", "# selected"),
  restore: "Restore",
  restoreNamed: (name: string) => `Restore ${name}`,
  restored: (name: string, count: number) => (count === 1 ? `${name} is back` : plural(count, "1 item is back", "# items are back")),
  show: "Show",
  removeForGood: "Delete forever",
  removeTitle: (name: string, count: number) =>
    count === 1 ? `Delete “${name}” forever?` : plural(count, "Delete 1 item forever?", "Delete # items forever?"),
  removeLead: "It cannot be brought back after that.",
  removed: (name: string, count: number) =>
    count === 1 ? `${name} deleted forever` : plural(count, "1 item deleted forever", "# items deleted forever"),
  empty: "Empty trash",
  emptyTitle: "Empty the trash?",
  emptyLead: "Everything in it that you may remove is deleted forever. It cannot be brought back after that.",
  emptied: (count: number) => plural(count, "1 item deleted forever", "# items deleted forever"),
  nothingTitle: "The trash is empty",
  nothingText: "What you delete from the drive waits here, and can be brought back.",
  more: "Show more",
};
