/** Who writes what the designs of the built-in studio say. A key is never held here: the form that it is typed into has it. */
import { backend, problemFrom, type Problem, type WriterPlace, type WritingChoice, type WritingView } from "../backend";

class Writing {
  view = $state.raw<WritingView | null>(null);
  problem = $state.raw<Problem | null>(null);

  async load(): Promise<void> {
    this.problem = null;
    try {
      this.view = await backend().get_writing();
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  async choose(choice: WritingChoice): Promise<void> {
    this.view = await backend().set_writing(choice);
  }

  async lookForModels(place: WriterPlace, key: string | null): Promise<string[]> {
    return backend().list_writing_models(place, key);
  }
}

export const writing = new Writing();

/** The host of an address, as a person reads it. */
export function hostOf(address: string): string {
  return address.trim().replace(/^[a-z]+:\/\//iu, "").replace(/[/?#].*$/u, "");
}

/** Whether an address is one of this computer. */
export function isHere(address: string): boolean {
  const host = hostOf(address).replace(/:\d+$/u, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/u.test(host);
}
