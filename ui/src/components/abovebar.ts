/** Where messages stand while something at the end of the window has buttons: above it (`Toasts.svelte`). */
const FREE_BELOW_PX = 24;
const GAP_PX = 12;

/** Keeps messages above a bar that ends where messages else begin and is so high. The answer undoes that. */
export function keepMessagesAbove(height_px: number): () => void {
  const { style } = document.documentElement;
  style.setProperty("--bar-height", `${height_px + GAP_PX}px`);
  return () => style.removeProperty("--bar-height");
}

/** Keeps messages above an element of the screen, wherever that is. The answer undoes that. */
export function keepMessagesAboveElement(element: HTMLElement): () => void {
  let undo = () => {};
  const measure = () => {
    undo = keepMessagesAbove(Math.max(0, window.innerHeight - element.getBoundingClientRect().top - FREE_BELOW_PX));
  };
  const watch = new ResizeObserver(measure);
  // Its own place changes with what stands around it, and with the window.
  for (const each of [element, element.parentElement, document.documentElement]) if (each) watch.observe(each);
  measure();
  return () => {
    watch.disconnect();
    undo();
  };
}
