/**
 * What the window keeps of its own looks for the next start, such as a pane that is open.
 *
 * Always in this window's own storage, a word for each; where that may not be used, nothing is kept and nobody is told. Not here: what
 * a person sets (state/settings.svelte.ts), and anything that somebody would miss.
 */
const PREFIX = "easel.looks.";

export function keepOpen(pane: string, open: boolean): void {
  try {
    if (open) localStorage.setItem(PREFIX + pane, "open");
    else localStorage.removeItem(PREFIX + pane);
  } catch {
    // It is open now in any case.
  }
}

/** Whether this pane was left open. */
export function wasOpen(pane: string): boolean {
  try {
    return localStorage.getItem(PREFIX + pane) === "open";
  } catch {
    return false;
  }
}
