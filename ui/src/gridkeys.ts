/** Where a key leads in a grid of cards that is laid out in rows of `columns`, and what such a grid says of itself. */
export interface GridPlace {
  active: number;
  count: number;
  columns: number;
}

/** The card that the key leads to, or `null` where it is not a key of the grid. */
export function gridKey(key: string, { active, count, columns }: GridPlace): number | null {
  if (count === 0) return null;
  const last = count - 1;
  const to = {
    ArrowRight: active + 1,
    ArrowLeft: active - 1,
    // From the row above a short last row, down leads to its end.
    ArrowDown: active + columns > last && Math.floor(active / columns) < Math.floor(last / columns) ? last : active + columns,
    ArrowUp: active - columns,
    Home: 0,
    End: last,
  }[key];
  if (to === undefined) return null;
  return to < 0 || to > last ? active : to;
}

/** How many items of a grid stand beside each other now, at least one. What is still being made counts as well. */
export function countColumns(grid: HTMLElement | null | undefined): number {
  const tops = [...(grid?.children ?? [])].map((each) => (each as HTMLElement).offsetTop);
  return Math.max(1, tops.filter((top) => top === tops[0]).length);
}

/** The place of the item that an event came from, by its `data-index`; -1 where it came from none. */
export function indexOfItem(target: EventTarget | null): number {
  const item = (target as Element | null)?.closest<HTMLElement>("[data-index]");
  return item ? Number(item.dataset.index) : -1;
}
