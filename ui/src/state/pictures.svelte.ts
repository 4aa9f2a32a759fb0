/**
 * Pictures of the open design that a person exchanges for one of this computer.
 *
 * Always true: one picture is exchanged at a time, after the changes of words before it and of the drawing that those made; the way back
 * is the version of before, and never over what was changed since. Not here: which pictures there are, which comes with the texts.
 */
import { backend, problemFrom } from "../backend";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { design } from "./design.svelte";
import { attempt } from "./remedies.svelte";
import { texts } from "./texts.svelte";
import { toasts } from "./toasts.svelte";

const UNDO_SHOWN_MS = 10_000;

class Pictures {
  /** The picture that is being exchanged, by its design and reference. */
  coming = $state.raw<{ id: string; reference: string } | null>(null);

  isComing(reference: string): boolean {
    return this.coming !== null && this.coming.id === texts.of && this.coming.reference === reference;
  }

  /** Asks for a picture, and has the design drawn with it. */
  async replace(reference: string): Promise<void> {
    const id = texts.of;
    if (id === null || this.coming !== null) return;
    this.coming = { id, reference };
    try {
      const chosen = await backend().choose_picture();
      if (chosen === null) return;
      const revision = await texts.change(id, (seen) => backend().change_design_picture(id, seen, reference, chosen.id));
      const undo = { label: text.common.undo, testId: "toast-undo-picture", run: () => void this.#undo(id, revision) };
      toasts.say(text.editPictures.replaced, connections.lack("canvas_versions") ? undefined : undo, UNDO_SHOWN_MS);
    } catch (thrown) {
      toasts.problem(problemFrom(thrown));
    } finally {
      this.coming = null;
    }
  }

  /** Puts back what was drawn before an exchange, if nothing was changed since. */
  #undo(id: string, revision: string): Promise<unknown> {
    return attempt(async () => {
      const [now, { versions }] = await Promise.all([backend().list_design_texts(id), backend().list_design_versions(id)]);
      const before = versions[0];
      if (now.revision !== revision || before === undefined) return toasts.say(text.editPictures.later);
      await backend().restore_design_version(id, before.id);
      toasts.say(text.editPictures.undone);
      if (id === texts.of) await Promise.all([texts.load(), design.load()]);
    });
  }

  forget(): void {
    this.coming = null;
  }
}

export const pictures = new Pictures();
