/** Every shortcut of the window, by where it holds: for the list that ? opens and for Settings, About. */
export const shortcuts = {
  title: "Keyboard shortcuts",
  groups: [
    {
      title: "Everywhere",
      keys: [
        { keys: ["Ctrl", "K"], text: "Search, go anywhere, do anything" },
        { keys: ["?"], text: "Show all shortcuts" },
        { keys: ["Ctrl", "V"], text: "Put what is on the clipboard in the drive" },
        { keys: ["Alt", "←"], text: "Back" },
        { keys: ["Alt", "→"], text: "Forward" },
        { keys: ["Ctrl", "+"], text: "Larger text" },
        { keys: ["Ctrl", "−"], text: "Smaller text" },
        { keys: ["Ctrl", "0"], text: "Normal size of text" },
      ],
    },
    {
      title: "Lists and cards",
      keys: [
        { keys: ["↑", "↓", "Home", "End"], text: "Move" },
        { keys: ["Shift", "Ctrl"], text: "With the arrows or a click: select more" },
        { keys: ["Ctrl", "A"], text: "Select all" },
        { keys: ["Esc"], text: "Clear the selection" },
        { keys: ["Enter"], text: "Open" },
        { keys: ["Space"], text: "Quick look: arrows lead to the next, Space closes" },
        { keys: ["Shift", "F10"], text: "Actions" },
      ],
    },
    {
      title: "Designs",
      keys: [
        { keys: ["S"], text: "Star" },
        { keys: ["X"], text: "Reject" },
        { keys: ["E"], text: "On a contact sheet: export what is starred" },
        { keys: ["F2"], text: "Rename" },
      ],
    },
    {
      title: "Drive",
      keys: [
        { keys: ["F2"], text: "Rename" },
        { keys: ["Delete"], text: "Delete" },
        { keys: ["Backspace"], text: "To the folder above" },
        { keys: ["F5"], text: "Look again" },
      ],
    },
    {
      title: "An opened design",
      keys: [
        { keys: ["PageUp", "PageDown"], text: "Turn the pages" },
        { keys: ["+", "−", "0"], text: "Larger, smaller, fit" },
        { keys: ["S", "X"], text: "Star, reject" },
        { keys: ["Ctrl", "Z"], text: "Undo a text change; with Shift, redo it" },
        { keys: ["F2"], text: "Rename" },
        { keys: ["Esc"], text: "Back to the designs" },
      ],
    },
  ],
};
