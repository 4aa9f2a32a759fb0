/**
 * What was deleted and can still be brought back: no list shows it meanwhile, whichever side lists it.
 *
 * By the item's id, with the deletion that it goes with. Not here: what asks for the deletion, and the lists.
 */
const leaving = new Map<string, string>();

/** From now on these are not shown. */
export function leave(ids: readonly string[], deletionId: string): void {
  for (const id of ids) leaving.set(id, deletionId);
}

/** The deletion was sent, refused or undone: from now on the service's lists are right again. */
export function left(deletionId: string): void {
  for (const [id, deletion] of leaving) if (deletion === deletionId) leaving.delete(id);
}

/** The list without what is leaving; the list itself where nothing is. */
export function staying<Item extends { id: string } | undefined>(list: Item[]): Item[] {
  return leaving.size === 0 ? list : list.filter((each) => !each || !leaving.has(each.id));
}
