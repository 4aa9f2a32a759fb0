/** What a person does to many at once, wherever they were chosen, with the messages that follow. */
import { backend, problemFrom, type DesignView, type Problem } from "../backend";
import type { Named } from "../renaming";
import { text } from "../text";
import { designs } from "./designs.svelte";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** Takes designs away and offers to bring them back while that is still possible. */
export async function deleteDesigns(list: readonly Pick<DesignView, "id" | "name">[]): Promise<boolean> {
  return attempt(async () => {
    const { deletionId, undoForMs } = await designs.delete(list.map((each) => each.id));
    const undo = () =>
      attempt(async () => {
        await designs.undoDeletion(deletionId);
        toasts.say(text.drive.restored);
      });
    const message = text.drive.deleted(list[0]?.name ?? "", list.length);
    toasts.say(message, { label: text.common.undo, testId: "toast-undo", run: () => void undo() }, undoForMs, true);
  });
}

export async function moveDesigns(ids: readonly string[], folderId: string | null, folderName: string): Promise<boolean> {
  return attempt(async () => {
    const { moved, failed } = await backend().move_items([...ids], folderId);
    if (moved > 0) toasts.say(text.drive.moved(moved, folderName));
    const [first] = failed;
    if (first) toasts.problem(first.problem);
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
