/**
 * The transfers of the connection in view, as the shelf and Home show them.
 *
 * Kept by id and in the order in which they were taken. Events come in batches, at most ten a second, and carry only
 * what changed. Not here: deciding anything about a transfer; the app does.
 */
import {
  backend,
  type FilesTaken,
  type SkippedFile,
  type TransfersChanged,
  type TransfersSummary,
  type TransferView,
} from "../backend";
import { text } from "../text";
import { Asking } from "./asking";
import { connections } from "./connection.svelte";
import { attempt, doProblem } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** How many rows are asked for at the start; later ones come by event. */
const LISTED_AT_ONCE = 500;

const NOTHING: TransfersSummary = {
  total: 0,
  finished: 0,
  active: 0,
  failed: 0,
  paused: 0,
  bytes_total: 0,
  bytes_sent: 0,
  bytes_per_second: 0,
  time_left_ms: null,
  limited_by: "nothing",
  is_counting: false,
  waiting: null,
};

/** Where a transfer stands in the shelf: what moves first, then what needs the person, what waits, and what is done. */
function rank(transfer: TransferView): number {
  switch (transfer.state) {
    case "sending":
    case "registering":
      return 0;
    case "failed":
      return 1;
    case "settling":
      return 2;
    case "paused":
      return 3;
    case "queued":
      return 4;
    default:
      return 5;
  }
}

export function isOver(transfer: TransferView): boolean {
  return transfer.state === "sent" || transfer.state === "already_there" || transfer.state === "canceled";
}

class Transfers {
  summary = $state.raw<TransfersSummary>(NOTHING);
  list = $state.raw<TransferView[]>([]);
  expanded = $state(false);
  /** What the last drop left out; shown in a dialog when the person asks why. */
  skipped = $state.raw<SkippedFile[]>([]);
  /** That drop held nothing that could be taken. */
  skippedAlone = $state(false);
  showSkipped = $state(false);
  /** Someone looks at the whole list, not only at its newest part. */
  #whole = false;
  #loadTimer: ReturnType<typeof setTimeout> | undefined;
  #asking = new Asking<TransfersChanged>();

  /** In the shelf's order; the canceled ones are gone from it. */
  shown = $derived(
    this.list
      .filter((each) => each.state !== "canceled")
      .sort((a, b) => rank(a) - rank(b) || (rank(a) === 5 ? newerFirst(a, b) : a.created_at.localeCompare(b.created_at))),
  );
  /** Where the transfers begin in it that were over before this round: the summary counts none of them. */
  earlierFrom = $derived(this.shown.filter((each) => !isOver(each)).length + this.summary.finished);
  failed = $derived(this.list.filter((each) => each.state === "failed"));
  unfinished = $derived(Math.max(0, this.summary.total - this.summary.finished - this.summary.failed));
  /** Something is going on, if only waiting for the network. */
  running = $derived(this.unfinished > 0 && this.unfinished > this.summary.paused);

  async load(): Promise<void> {
    const read = async () => {
      const fresh = await this.#asking.ask(() => backend().list_transfers("all", 0, LISTED_AT_ONCE));
      if (!fresh) return;
      this.summary = fresh.answer.summary;
      this.list = fresh.answer.transfers;
      for (const change of fresh.told) this.#merge(change);
      if (this.#whole) await this.#readOlder();
    };
    // Where the connection itself is in trouble, that is said once, by what shows the connection; the list comes with it.
    if (connections.current?.problem) await read().catch(() => {});
    else await attempt(read);
  }

  /** Fetches what lies further back than the shelf shows; from then on the list is whole. */
  async loadAll(): Promise<void> {
    this.#whole = true;
    await attempt(() => this.#readOlder());
  }

  forget(): void {
    this.#asking.forget();
    this.summary = NOTHING;
    this.list = [];
    this.skipped = [];
    this.#whole = false;
  }

  apply(change: TransfersChanged): void {
    this.#asking.tell(change);
    this.#merge(change);
    if (change.list_again) this.#loadSoon();
  }

  #merge(change: TransfersChanged): void {
    this.summary = change.summary;
    if (change.changed.length === 0) return;
    const changed = new Map(change.changed.map((each) => [each.id, each]));
    const kept = this.list.map((each) => {
      const news = changed.get(each.id);
      changed.delete(each.id);
      return news ?? each;
    });
    this.list = [...kept, ...changed.values()];
  }

  async #readOlder(): Promise<void> {
    for (let offset = LISTED_AT_ONCE; offset < this.summary.total; offset += LISTED_AT_ONCE) {
      const { transfers } = await backend().list_transfers("all", offset, LISTED_AT_ONCE);
      if (transfers.length === 0 || !this.#whole) return;
      const known = new Set(this.list.map((each) => each.id));
      this.list = [...this.list, ...transfers.filter((each) => !known.has(each.id))];
    }
  }

  /** At most about three times a second, however often the app says that the list has changed as a whole. */
  #loadSoon(): void {
    this.#loadTimer ??= setTimeout(() => {
      this.#loadTimer = undefined;
      void this.load();
    }, 300);
  }

  /** Says what became of files that a person gave. */
  taken(taken: FilesTaken | null): void {
    if (!taken) return;
    if (taken.accepted > 0) this.expanded = true;
    const first = taken.skipped[0];
    if (!first) return;
    this.skipped = taken.skipped;
    this.skippedAlone = taken.accepted === 0;
    toasts.say(
      text.skipped.toast(taken.skipped.length, first.name, first.reason),
      { label: text.skipped.show, run: () => (this.showSkipped = true) },
      10_000,
    );
  }

  async clearFinished(): Promise<void> {
    await attempt(async () => {
      await backend().clear_finished_transfers();
      this.skipped = [];
      await this.load();
    });
  }

  async choose(what: "files" | "folder" | "paste", folderId: string | null): Promise<void> {
    await attempt(async () => {
      const ask = { files: backend().choose_files, folder: backend().choose_folder, paste: backend().paste_files }[what];
      this.taken(await ask.call(backend(), folderId));
    });
  }
}

/** Does what the button of a failed transfer's problem says. */
export async function cureTransfer(transfer: TransferView): Promise<void> {
  const { problem } = transfer;
  if (!problem) return;
  switch (problem.action.kind) {
    case "try_again":
    case "refresh":
      await attempt(() => backend().retry_transfer(transfer.id));
      break;
    case "remove":
    case "dismiss":
      await attempt(() => backend().cancel_transfer(transfer.id));
      break;
    case "choose_again":
      await transfers.choose("files", transfer.folder_id);
      break;
    default:
      await doProblem(problem);
  }
}

function newerFirst(a: TransferView, b: TransferView): number {
  return (b.finished_at ?? b.created_at).localeCompare(a.finished_at ?? a.created_at);
}

export const transfers = new Transfers();
