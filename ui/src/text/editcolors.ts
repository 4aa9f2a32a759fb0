/** Words of choosing the colors of a design. */
export const editColors = {
  /** On the button that opens them. */
  edit: "Colors",
  hint: "Choose other colors for this design",
  title: "Colors of this design",
  roles: { ground: "Background", accent: "Main color", second: "Second color" },
  pick: (name: string) => `Choose: ${name}`,
  own: (name: string) => `Back to the design’s own: ${name}`,
  /** Below the name of a color that is drawn as another. */
  drawnAs: (color: string) => `drawn as ${color}`,
  /** Why, where one looks closer. */
  near: (color: string) => `Drawn as ${color}, so that it stands out`,
  drawing: "Drawing…",
  undo: "Undo color change",
  redo: "Redo color change",
  stepOther: "This color was changed since, so this step is left out",
  close: "Close",
};
