/** What a person does to many at once, wherever they were chosen, with the messages that follow. */
import { backend, problemFrom, type DesignView, type Problem } from "../backend";
import type { Named } from "../renaming";
import { text } from "../text";
import { designs } from "./designs.svelte";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** A list that things can be deleted from. */
interface Deleting {
  delete(ids: string[]): Promise<{ deletionId: string; undoForMs: number }>;
  undoDeletion(deletionId: string): Promise<void>;
}

/** Takes things away from where they are listed, and offers to bring them back while that is still possible. `first` is the first one's name. */
export async function takeAway(from: Deleting, ids: string[], first: string): Promise<boolean> {
  return attempt(async () => {
    const { deletionId, undoForMs } = await from.delete(ids);
    const undo = () =>
      attempt(async () => {
        await from.undoDeletion(deletionId);
        toasts.say(text.drive.restored);
      });
    const message = text.drive.deleted(first, ids.length);
    toasts.say(message, { label: text.common.undo, testId: "toast-undo", run: () => void undo() }, undoForMs, true);
  });
}

export async function deleteDesigns(list: readonly Pick<DesignView, "id" | "name">[]): Promise<boolean> {
  const ids = list.map((each) => each.id);
  return takeAway(designs, ids, list[0]?.name ?? "");
}

/** Says how many were moved, and why the first of the others was not. */
export function sayMoved(moved: number, folderName: string, problem: Problem | null): void {
  if (moved > 0) toasts.say(text.drive.moved(moved, folderName));
  if (problem) toasts.problem(problem);
}

export async function moveDesigns(ids: readonly string[], folderId: string | null, folderName: string): Promise<boolean> {
  return attempt(async () => {
    const { moved, failed } = await backend().move_items([...ids], folderId);
    sayMoved(moved, folderName, failed[0]?.problem ?? null);
    await designs.load();
  });
}

/** Another name for a design, seen at once where it is listed. */
export async function renameDesign(id: string, name: string): Promise<void> {
  const listed = designs.list?.find((each) => each.id === id);
  if (listed) await designs.rename(listed, name);
  else await backend().rename_design(id, name);
}

/**
 * Gives each its new name, one after the other, and says how many have it; `ondone` is told after each. One that is refused does not hold
 * up the others, and the first reason is said.
 */
export async function renameAll(
  items: readonly Named[],
  names: readonly string[],
  rename: (item: Named, name: string) => Promise<unknown>,
  ondone: (done: number) => void = () => {},
): Promise<void> {
  const before: Named[] = [];
  let refused: Problem | null = null;
  for (const [index, item] of items.entries()) {
    const name = names[index] ?? item.name;
    try {
      if (name !== item.name) {
        await rename(item, name);
        before.push({ ...item, name });
      }
    } catch (thrown) {
      refused ??= problemFrom(thrown);
    }
    ondone(index + 1);
  }
  if (before.length > 0) {
    const old = before.map(({ id }) => items.find((each) => each.id === id)?.name ?? "");
    const undo = () => void renameAll(before, old, rename);
    toasts.say(text.many.renamed(before.length), { label: text.common.undo, testId: "toast-undo", run: undo });
  }
  if (refused) toasts.problem(refused);
}
