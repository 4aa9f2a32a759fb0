/** What a key means in a list of rows. Pure: it reads the event and the place, and says what to do. */

export type RowAction =
  | { do: "go"; index: number; how: "only" | "range" | "move" }
  | { do: "toggle" | "all" | "clear" | "open" | "look" | "rename" | "delete" | "menu" | "up" }
  | { do: "type"; text: string };

export interface RowPlace {
  /** The active row, -1 for none. */
  active: number;
  count: number;
  /** Items side by side: 1 in a list of rows. */
  across?: number;
  /** Rows in a screenful. */
  page: number;
  /** A name is being typed, so that a space belongs to it. */
  typing: boolean;
}

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

export function rowKey(event: Key, place: RowPlace): RowAction | null {
  const { active, count, page, across = 1 } = place;
  const command = event.ctrlKey || event.metaKey;
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index));
  const go = (index: number): RowAction | null =>
    count === 0
      ? null
      : { do: "go", index: clamp(index), how: event.shiftKey ? "range" : command ? "move" : "only" };

  if (event.altKey) return event.key === "ArrowUp" ? { do: "up" } : null;
  switch (event.key) {
    case "ArrowDown":
      return go(active < 0 ? 0 : active + across);
    case "ArrowUp":
      return go(active < 0 ? count - 1 : active - across);
    case "ArrowRight":
      return across > 1 ? go(active + 1) : null;
    case "ArrowLeft":
      return across > 1 ? go(active < 0 ? count - 1 : active - 1) : null;
    case "Home":
      return go(0);
    case "End":
      return go(count - 1);
    case "PageDown":
      return go(active + page);
    case "PageUp":
      return go(active - page);
    case "Enter":
      return active >= 0 && !command ? { do: "open" } : null;
    case "F2":
      return active >= 0 ? { do: "rename" } : null;
    case "Delete":
      return active >= 0 ? { do: "delete" } : null;
    case "Escape":
      return { do: "clear" };
    case "Backspace":
      return { do: "up" };
    case "ContextMenu":
      return { do: "menu" };
    case "F10":
      return event.shiftKey ? { do: "menu" } : null;
    case " ":
      if (place.typing && !command) return { do: "type", text: " " };
      if (active < 0) return null;
      return { do: command || event.shiftKey ? "toggle" : "look" };
    default:
      if (command) return event.key.toLowerCase() === "a" ? { do: "all" } : null;
      return [...event.key].length === 1 ? { do: "type", text: event.key } : null;
  }
}
