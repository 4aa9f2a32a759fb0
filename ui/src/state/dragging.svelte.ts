/**
 * Items being dragged inside the window, by pointer events: the system's own drop never reaches the page.
 *
 * A folder that can take them carries `data-drop-folder` with its id, empty for the top of the drive. Not here: what
 * happens to the items; whoever began the drag says so.
 */
class Dragging {
  ids = $state.raw<readonly string[]>([]);
  x = $state(0);
  y = $state(0);
  /** The folder under the pointer; `""` is the top of the drive, `null` none. */
  over = $state<string | null>(null);

  begin(ids: readonly string[]): void {
    this.ids = ids;
    this.over = null;
  }

  moveTo(x: number, y: number): void {
    this.x = x;
    this.y = y;
    const under = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop-folder]");
    const folder = under?.dataset.dropFolder ?? null;
    this.over = folder !== null && !this.ids.includes(folder) ? folder : null;
  }

  /** Ends it and says where it ended. */
  end(): string | null {
    const over = this.over;
    this.ids = [];
    this.over = null;
    return over;
  }
}

export const dragging = new Dragging();
