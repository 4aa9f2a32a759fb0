/** Words of exchanging a picture of a design where it stands. */
export const editPictures = {
  /** On the button that lies on a picture. */
  replace: "Replace picture",
  named: (description: string) => (description === "" ? "Replace picture" : `Replace picture: ${description}`),
  replacing: "Replacing…",
  replaced: "Picture replaced",
  undone: "The picture of before is back",
  /** Where the design was changed after the picture was. */
  later: "The design was changed since. Versions has it as it was.",
};
