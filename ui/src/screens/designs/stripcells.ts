/** How large the small pages of a strip are, so that none of them is cut where the strip ends. Pure: numbers in, numbers out. */

export interface Strip {
  /** Along the strip, in pixels of the screen. */
  room: number;
  count: number;
  /** Of a page's side along the strip to the one across it. */
  ratio: number;
  /** What a page measures across the strip, at least and at most. */
  least: number;
  most: number;
  /** What a cell has around its page, along the strip. */
  around: number;
  /** Between two cells. */
  gap: number;
}

export interface Cells {
  /** Of each cell along the strip. */
  along: number;
  /** Of the page in it across the strip. */
  across: number;
  /** There are more than there is room for. */
  scrolls: boolean;
}

/**
 * All cells in the room where that leaves them large enough; else as many whole ones as there is room for, with the others reached by
 * scrolling.
 */
export function stripCells({ room, count, ratio, least, most, around, gap }: Strip): Cells {
  const cell = (across: number): Cells => ({ along: across * ratio + around, across, scrolls: false });
  if (room <= 0 || count <= 0) return cell(most);
  const all = ((room + gap) / count - gap - around) / ratio;
  if (all >= least) return cell(Math.min(all, most));
  const whole = Math.max(1, Math.floor((room + gap) / (least * ratio + around + gap)));
  const along = (room + gap) / whole - gap;
  return { along, across: Math.min(most, Math.max(1, (along - around) / ratio)), scrolls: true };
}
