/** Words of changing the texts of a design where they stand. */
export const editText = {
  /** On the button that outlines every text. */
  edit: "Edit text",
  hint: "Click a text to change it",
  named: (words: string) => `Edit: ${words}`,
  field: (words: string) => `New words for “${words}”`,
  keys: "Enter saves, Esc cancels",
  keysOfLines: "Ctrl+Enter saves, Esc cancels",
  empty: "A text needs at least one letter",
  none: "This page has no text that can be changed",
  undo: "Undo text change",
  redo: "Redo text change",
  notSaved: "What you wrote is not saved yet",
  /** On the button that goes back to words that were kept. */
  reopen: "Open again",
  /** Before the words themselves. */
  gone: "The text that you wrote for is gone. You wrote:",
  stepGone: "The text of this step is not in the design any more",
  stepOther: "This text was changed since, so this step is left out",
};
