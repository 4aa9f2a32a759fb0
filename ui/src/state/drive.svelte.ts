/**
 * The open folder of the drive: its rows as far as they were asked for, what is selected, and what a person does to it.
 *
 * Rows come in pages of 200 as they are scrolled to; a row that has not come yet is `undefined`. Selection is by id, so
 * it survives sorting and news. An item under a deletion that can still be undone is not shown, whichever side lists it.
 */
import { backend, problemFrom, type Breadcrumb, type DriveItem, type DriveSortColumn, type Problem } from "../backend";
import { connections } from "./connection.svelte";
import { leave, left, staying } from "./leaving";

export const PAGE = 200;

type Rows = (DriveItem | undefined)[];

/** Rows that have not come yet: without holes, which the list can count on. */
const toCome = (count: number): Rows => new Array<DriveItem | undefined>(Math.max(0, count)).fill(undefined);

class Drive {
  folderId = $state<string | null>(null);
  breadcrumbs = $state.raw<Breadcrumb[]>([]);
  rows = $state.raw<Rows>([]);
  sortBy = $state<DriveSortColumn>("name");
  descending = $state(false);
  /** As rows with what is known of them, or as cards with their pictures. */
  view = $state<"rows" | "cards">("rows");
  /** Nothing of this folder has come yet. */
  loading = $state(true);
  problem = $state.raw<Problem | null>(null);
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** The row that the keyboard is on; -1 for none. */
  active = $state(-1);
  renamingId = $state<string | null>(null);

  #anchor = -1;
  /** Whose rows these are. */
  #connectionId: string | null = null;
  /** Counts what a person selects, so that what was to be selected after a wait does not undo it. */
  #choice = 0;
  #opening = 0;
  #newest: Promise<void> = Promise.resolve();
  #pages = new Set<number>();
  #visible: [number, number] = [0, PAGE - 1];
  #reloadTimer: ReturnType<typeof setTimeout> | undefined;

  // Of a hundred thousand rows, those are looked through only while something is selected.
  selectedItems = $derived(
    this.selected.size === 0 ? [] : this.rows.filter((row): row is DriveItem => row !== undefined && this.selected.has(row.id)),
  );

  /**
   * Opens a folder; what the last one showed is gone at once, so that nothing is done to the wrong place. Where it is the same
   * one, what it showed stays until the news has come.
   */
  async open(folderId: string | null, selectId?: string): Promise<void> {
    const again = folderId === this.folderId && this.#connectionId === connections.selectedId && this.problem === null;
    this.folderId = folderId;
    if (!again || this.rows.length === 0) {
      this.breadcrumbs = this.#breadcrumbsTo(folderId);
      this.rows = [];
      this.loading = true;
    }
    this.problem = null;
    this.renamingId = null;
    this.#visible = [0, PAGE - 1];
    this.clearSelection();
    const choice = this.#choice;
    await this.refresh();
    if (selectId !== undefined && choice === this.#choice) await this.selectById(selectId);
  }

  /** Lists again what is on the screen; called for news, so several at once become one. */
  refreshSoon(): void {
    clearTimeout(this.#reloadTimer);
    this.#reloadTimer = setTimeout(() => void this.refresh(), 150);
  }

  async sort(by: DriveSortColumn): Promise<void> {
    if (this.sortBy === by) this.descending = !this.descending;
    else {
      this.sortBy = by;
      // What a person asks a date or a size for is the newest and the largest.
      this.descending = by !== "name";
    }
    this.#visible = [0, PAGE - 1];
    this.active = -1;
    await this.refresh();
  }

  /** The screen shows these rows: fetch what is missing. */
  async show(first: number, last: number): Promise<void> {
    this.#visible = [first, last];
    await this.#fetchMissing(first, last);
  }

  indexOf(id: string): number {
    return this.rows.findIndex((row) => row?.id === id);
  }

  clearSelection(): void {
    this.#choice += 1;
    this.selected = new Set();
    this.active = -1;
    this.#anchor = -1;
  }

  /** A click or an arrow: one row; with Ctrl one more or less; with Shift all from where the selection began. */
  async select(index: number, how: "only" | "toggle" | "range" | "move" = "only"): Promise<void> {
    const row = this.rows[index];
    this.#choice += 1;
    this.active = index;
    if (how === "move") return;
    if (how === "range" && this.#anchor >= 0) {
      const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
      await this.#fetchMissing(from, to);
      this.selected = new Set(this.rows.slice(from, to + 1).flatMap((each) => (each ? [each.id] : [])));
      return;
    }
    if (!row) {
      await this.#fetchMissing(index, index);
      if (this.active === index && this.rows[index]) await this.select(index, how);
      return;
    }
    this.#anchor = index;
    if (how === "toggle") {
      const next = new Set(this.selected);
      if (!next.delete(row.id)) next.add(row.id);
      this.selected = next;
    } else {
      this.selected = new Set([row.id]);
    }
  }

  async selectAll(): Promise<void> {
    this.#choice += 1;
    await this.#fetchMissing(0, this.rows.length - 1);
    this.selected = new Set(this.rows.flatMap((row) => (row ? [row.id] : [])));
  }

  /** Selects an item wherever it stands in the folder, looking page by page. */
  async selectById(id: string): Promise<void> {
    const [opening, choice] = [this.#opening, this.#choice];
    for (let first = 0; first === 0 || first < this.rows.length; first += PAGE) {
      await this.#fetchMissing(first, Math.min(first + PAGE, this.rows.length) - 1);
      if (choice !== this.#choice) return;
      if (opening !== this.#opening) {
        await this.#newest;
        if (choice === this.#choice) await this.selectById(id);
        return;
      }
      const index = this.indexOf(id);
      if (index >= 0) {
        await this.select(index);
        return;
      }
    }
  }

  /** The first item after the active one whose name begins with `typed`, going round; only among rows that have come. */
  findByName(typed: string, from: number): number {
    const wanted = typed.toLocaleLowerCase();
    for (let step = 0; step < this.rows.length; step += 1) {
      const index = (from + step + this.rows.length) % this.rows.length;
      if (this.rows[index]?.name.toLocaleLowerCase().startsWith(wanted)) return index;
    }
    return -1;
  }

  async createFolder(name: string): Promise<void> {
    const choice = this.#choice;
    const folder = await backend().create_folder(this.folderId, name);
    await this.refresh();
    if (choice === this.#choice) await this.selectById(folder.id);
  }

  async rename(id: string, name: string): Promise<void> {
    const index = this.indexOf(id);
    const before = this.rows[index];
    if (!before || before.name === name) return;
    const choice = this.#choice;
    // Shown at once; put back if the service says no.
    this.#replace(index, { ...before, name });
    try {
      await backend().rename_item(id, name);
      await this.refresh();
      if (choice === this.#choice) await this.selectById(id);
    } catch (thrown) {
      const now = this.indexOf(id);
      if (now >= 0) this.#replace(now, before);
      throw thrown;
    }
  }

  async move(ids: string[], folderId: string | null): Promise<{ moved: number; problem: Problem | null }> {
    const { moved, failed } = await backend().move_items(ids, folderId);
    this.clearSelection();
    await this.refresh();
    return { moved, problem: failed[0]?.problem ?? null };
  }

  /** Takes the items off the screen; they go, into the trash where there is one, when the time for undoing is over. */
  async delete(ids: string[]): Promise<{ deletionId: string; undoForMs: number }> {
    const pending = await backend().delete_items(ids);
    leave(ids, pending.deletion_id);
    this.rows = staying(this.rows);
    this.clearSelection();
    return { deletionId: pending.deletion_id, undoForMs: pending.undo_for_ms };
  }

  async undoDeletion(deletionId: string): Promise<void> {
    await backend().undo_deletion(deletionId);
    await this.deletionSettled(deletionId);
  }

  /** The deletion was sent, refused or undone: from now on the service's list is right again. */
  async deletionSettled(deletionId: string): Promise<void> {
    left(deletionId);
    await this.refresh();
  }

  #replace(index: number, item: DriveItem): void {
    this.rows = this.rows.with(index, item);
  }

  /** Until the service has said: the way that is already on the screen, cut where the person went up. */
  #breadcrumbsTo(folderId: string | null): Breadcrumb[] {
    if (folderId === null) return [];
    const known = this.breadcrumbs.findIndex((crumb) => crumb.id === folderId);
    if (known >= 0) return this.breadcrumbs.slice(0, known + 1);
    const row = this.rows[this.indexOf(folderId)];
    return row ? [...this.breadcrumbs, { id: row.id, name: row.name }] : this.breadcrumbs;
  }

  /**
   * Ends when the newest list has come, which may be one that was asked for meanwhile. It has whatever was news until now, such
   * as what the app tells of the change after which a list is asked for: nobody asks for that once more.
   */
  refresh(): Promise<void> {
    clearTimeout(this.#reloadTimer);
    this.#newest = this.#readRows();
    return this.#newest;
  }

  async #readRows(): Promise<void> {
    this.#opening += 1;
    const opening = this.#opening;
    this.#pages.clear();
    const firstPage = Math.floor(this.#visible[0] / PAGE);
    const lastPage = Math.floor(this.#visible[1] / PAGE);
    try {
      let rows: Rows | null = null;
      for (let page = firstPage; page <= lastPage; page += 1) {
        const listing = await this.#list(page);
        if (opening !== this.#opening) return await this.#newest;
        rows ??= toCome(listing.total);
        this.#place(rows, listing.offset, listing.items);
        this.breadcrumbs = listing.breadcrumbs;
        this.#connectionId = listing.connection_id;
        this.#pages.add(page);
        if (listing.total <= (page + 1) * PAGE) break;
      }
      // Only now: while the list was under way, a person may have gone to another row.
      const [activeId, anchorId] = [this.rows[this.active]?.id, this.rows[this.#anchor]?.id];
      this.rows = staying(rows ?? []);
      this.problem = null;
      if (this.selected.size > 0 && this.rows.every((row) => row !== undefined)) {
        const ids = new Set(this.rows.map((row) => row?.id));
        this.selected = new Set([...this.selected].filter((id) => ids.has(id)));
      }
      if (activeId !== undefined) this.active = this.indexOf(activeId);
      if (anchorId !== undefined) this.#anchor = this.indexOf(anchorId);
      if (this.active >= this.rows.length) this.active = this.rows.length - 1;
    } catch (thrown) {
      if (opening !== this.#opening) return await this.#newest;
      this.problem = problemFrom(thrown);
    } finally {
      if (opening === this.#opening) this.loading = false;
    }
  }

  async #fetchMissing(first: number, last: number): Promise<void> {
    const opening = this.#opening;
    const from = Math.max(0, Math.floor(first / PAGE));
    const to = Math.floor(Math.min(last, this.rows.length - 1) / PAGE);
    for (let page = from; page <= to; page += 1) {
      if (this.#pages.has(page)) continue;
      this.#pages.add(page);
      try {
        const listing = await this.#list(page);
        if (opening !== this.#opening) return;
        const rows = this.rows.concat(toCome(listing.total - this.rows.length));
        this.#place(rows, listing.offset, listing.items);
        this.rows = staying(rows);
      } catch (thrown) {
        if (opening !== this.#opening) return;
        this.#pages.delete(page);
        this.problem = problemFrom(thrown);
        return;
      }
    }
  }

  #list(page: number) {
    return backend().list_drive(this.folderId, page * PAGE, PAGE, { by: this.sortBy, descending: this.descending });
  }

  /** Where the folder moved on between two pages, a row of the one stands in the other as well: it goes, and the list is asked for anew. */
  #place(rows: Rows, offset: number, items: DriveItem[]): void {
    const arrived = new Set(items.map((item) => item.id));
    let moved = false;
    rows.forEach((row, index) => {
      if (row === undefined || !arrived.has(row.id)) return;
      rows[index] = undefined;
      moved ||= index < offset || index >= offset + items.length;
    });
    items.forEach((item, index) => (rows[offset + index] = item));
    if (moved) this.refreshSoon();
  }
}

export const drive = new Drive();
