/** Words of versions: what a file held and what was drawn on a design before, and the way back to it. */
export const versions = {
  title: (name: string) => `Versions of ${name}`,
  lead: "Restoring a version keeps the current one as a version too.",
  /** On a button and in a menu: opens them. */
  show: "Versions",
  /** The name of a link that says “Show” beside the word for versions. */
  showNamed: (name: string) => `Show versions of ${name}`,
  menu: "Versions…",
  label: "Versions, the newest first",
  current: "Current version",
  unknownTime: "At an unknown time",
  caption: (parts: string[]) => parts.join(" · "),
  until: (moment: string) => `Replaced ${moment}`,
  nothingTitle: "No earlier versions",
  nothingFile: "When this file gets new content, what it holds now stays here as a version.",
  nothingDesign: "When this design is changed, what it is now stays here as a version.",
  noPreview: "There is no preview of this kind of file.",
  cut: "Only the beginning is shown.",
  textOf: (name: string, moment: string) => `Text of ${name}, ${moment}`,
  restore: "Restore",
  save: "Save a copy…",
  restored: (name: string, moment: string) => (moment === "" ? `${name} restored to an earlier version` : `${name} restored to the version of ${moment}`),
  undone: (name: string) => `${name} is as it was before`,
};
