/**
 * The webhook deliveries of the connection in view, newest first: filtered, one of them open, some of them chosen.
 *
 * Choosing is by id, so it survives news; what a filter hides is no longer chosen. Not here: who may replay what; the
 * service decides, and says so.
 */
import {
  backend,
  problemFrom,
  type DeliveryDetails,
  type DeliveryState,
  type DeliveryView,
  type Problem,
} from "../backend";
import { text } from "../text";
import { onceEach } from "./once";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

const PAGE = 50;
const SEARCH_AFTER_MS = 250;

export type Since = "hour" | "day" | "week" | "month";
const HOUR_MS = 3_600_000;
const SINCE_MS: Record<Since, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };

class Deliveries {
  list = $state.raw<DeliveryView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  state = $state<DeliveryState | null>(null);
  type = $state<string | null>(null);
  since = $state<Since | null>(null);
  query = $state("");
  chosen = $state.raw<ReadonlySet<string>>(new Set());
  details = $state.raw<DeliveryDetails | null>(null);
  detailsProblem = $state.raw<Problem | null>(null);
  openId = $state<string | null>(null);
  loadingMore = $state(false);
  replaying = $state(false);
  #next: string | null = null;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  filtered = $derived(this.state !== null || this.type !== null || this.since !== null || this.query.trim() !== "");
  hasMore = $derived(this.list !== null && this.#next !== null);

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    const wanted = Math.min(200, Math.max(PAGE, this.list?.length ?? 0));
    try {
      const page = await backend().list_deliveries(this.#filter(), null, wanted);
      if (asked !== this.#asked) return;
      this.#next = page.next;
      this.list = page.deliveries;
      this.problem = null;
      const ids = new Set(page.deliveries.map((each) => each.id));
      this.chosen = new Set([...this.chosen].filter((id) => ids.has(id)));
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.load();
      if (this.openId !== null) void this.open(this.openId);
    }, SEARCH_AFTER_MS);
  }

  async loadMore(): Promise<void> {
    if (this.#next === null || this.loadingMore || this.list === null) return;
    this.loadingMore = true;
    const asked = this.#asked;
    try {
      const page = await backend().list_deliveries(this.#filter(), this.#next, PAGE);
      if (asked !== this.#asked) return;
      this.#next = page.next;
      this.list = onceEach([...this.list, ...page.deliveries]);
    } catch (thrown) {
      if (asked === this.#asked) toasts.problem(problemFrom(thrown), () => void this.loadMore());
    } finally {
      this.loadingMore = false;
    }
  }

  narrow(to: { state?: DeliveryState | null; type?: string | null; since?: Since | null }): void {
    if (to.state !== undefined) this.state = to.state;
    if (to.type !== undefined) this.type = to.type;
    if (to.since !== undefined) this.since = to.since;
    void this.load();
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SEARCH_AFTER_MS);
  }

  showAll(): void {
    this.query = "";
    this.narrow({ state: null, type: null, since: null });
  }

  forget(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.list = null;
    this.problem = null;
    this.chosen = new Set();
    this.#next = null;
    this.close();
  }

  toggle(id: string): void {
    const next = new Set(this.chosen);
    if (!next.delete(id)) next.add(id);
    this.chosen = next;
  }

  toggleAll(): void {
    const all = (this.list ?? []).map((each) => each.id);
    this.chosen = new Set(this.chosen.size < all.length ? all : []);
  }

  selectNone(): void {
    this.chosen = new Set();
  }

  async open(id: string): Promise<void> {
    if (this.openId !== id) this.details = null;
    this.openId = id;
    this.detailsProblem = null;
    try {
      const details = await backend().get_delivery(id);
      if (this.openId === id) this.details = details;
    } catch (thrown) {
      if (this.openId === id) this.detailsProblem = problemFrom(thrown);
    }
  }

  close(): void {
    this.openId = null;
    this.details = null;
    this.detailsProblem = null;
  }

  /** Sends these again, each once. The first replay opens where one was asked for. */
  async replay(ids: readonly string[]): Promise<void> {
    if (this.replaying || ids.length === 0) return;
    this.replaying = true;
    try {
      await attempt(async () => {
        const replays = await backend().redeliver([...ids]);
        const { replayed, replayedSome } = text.webhooks;
        toasts.say(replays.length < ids.length ? replayedSome(replays.length, ids.length) : replayed(replays.length));
        // What the service did not take stays chosen, to be tried again.
        const sent = new Set(replays.map((each) => each.replayed_from_id));
        this.chosen = new Set([...this.chosen].filter((id) => !sent.has(id)));
        await this.load();
        const [only] = ids.length === 1 ? replays : [];
        if (only) await this.open(only.id);
      });
    } finally {
      this.replaying = false;
    }
  }

  #filter() {
    return {
      state: this.state,
      event_type: this.type,
      from: this.since === null ? null : new Date(Date.now() - SINCE_MS[this.since]).toISOString(),
      to: null,
      text: this.query.trim(),
    };
  }
}

export const deliveries = new Deliveries();
