/**
 * A row whose file can be dragged out of the window, into a file manager or another program.
 *
 * The system takes over the drag once it has begun, so no release of the button is heard of it. Not here: which file; the
 * page knows no paths.
 */
import { attempt } from "./state/remedies.svelte";

const DRAG_FROM_PX = 6;

/** An attachment that begins the system's own drag once the pointer has moved with the button held. */
export function dragOut(begin: (() => Promise<unknown>) | null) {
  return (row: HTMLElement) => {
    if (begin === null) return;
    let from: { x: number; y: number } | null = null;
    const down = (event: PointerEvent) => {
      from = event.button === 0 && !(event.target as Element).closest("button, input, a") ? { x: event.clientX, y: event.clientY } : null;
    };
    const move = (event: PointerEvent) => {
      if (from === null || event.buttons !== 1) return void (from = null);
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_FROM_PX) return;
      from = null;
      void attempt(begin);
    };
    row.addEventListener("pointerdown", down);
    row.addEventListener("pointermove", move);
    return () => {
      row.removeEventListener("pointerdown", down);
      row.removeEventListener("pointermove", move);
    };
  };
}
