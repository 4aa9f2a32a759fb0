/**
 * The receiver on this computer: whether it listens, and what came, newest first; one of it may be open.
 *
 * Not here: verifying, and the bound of the list; the app does both.
 */
import { backend, problemFrom, type Problem, type ReceivedDetails, type ReceiverView } from "../backend";
import { attempt } from "./remedies.svelte";

class Receiver {
  view = $state.raw<ReceiverView | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  openNumber = $state<number | null>(null);
  details = $state.raw<ReceivedDetails | null>(null);

  async load(): Promise<void> {
    try {
      this.#take(await backend().get_receiver());
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  start = () => this.#change(() => backend().start_receiver());
  stop = () => this.#change(() => backend().stop_receiver());
  clear = () => this.#change(() => backend().clear_receiver());
  setSecret = (secret: string) => this.#change(() => backend().set_receiver_secret(secret));
  setTakesOwnTasks = (takes: boolean) => this.#change(() => backend().set_receiver_takes_own_tasks(takes));

  async open(number: number): Promise<void> {
    this.openNumber = number;
    if (this.details?.received.number !== number) this.details = null;
    await attempt(async () => {
      const details = await backend().get_received(number);
      if (this.openNumber === number) this.details = details;
    });
  }

  close(): void {
    this.openNumber = null;
    this.details = null;
  }

  forget(): void {
    this.view = null;
    this.problem = null;
    this.close();
  }

  async #change(act: () => Promise<ReceiverView>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      return await attempt(async () => this.#take(await act()));
    } finally {
      this.busy = false;
    }
  }

  #take(view: ReceiverView): void {
    this.view = view;
    const opened = view.received.find((each) => each.number === this.openNumber);
    if (!opened) this.close();
    // Another secret judges it anew.
    else if (this.details && opened.state !== this.details.received.state) void this.open(opened.number);
  }
}

export const receiver = new Receiver();
