/** Whether the list of all shortcuts is open. */
class Shortcuts {
  open = $state(false);
}

export const shortcuts = new Shortcuts();
