/**
 * What Ctrl+K finds by its name: files and folders of the drive, designs, brand kits, and deliveries where the rail leads to them.
 *
 * Each of the four is asked by itself, so that one that is slow or fails keeps none of the others back. An answer to an older
 * question is not shown. Not here: screens and actions (`commands`), and how any of it looks.
 */
import { backend, problemFrom, type BrandKitView, type DeliveryView, type DesignView, type DriveFoundItem, type Problem } from "../backend";
import { connections, NOT_OFFERED } from "./connection.svelte";
import { settings } from "./settings.svelte";

const AFTER_TYPING_MS = 120;
/** As long as the drive is being read for the first time, it is asked again after this long, in milliseconds. */
const AGAIN_MS = 1_000;
/** So many of each kind: who has more of them types another word. */
const MOST = 6;
const SHORTEST = 2;

class Finding {
  items = $state.raw<DriveFoundItem[]>([]);
  designs = $state.raw<DesignView[]>([]);
  kits = $state.raw<BrandKitView[]>([]);
  deliveries = $state.raw<DeliveryView[]>([]);
  /** Why something could not be looked for. */
  problem = $state.raw<Problem | null>(null);
  /** Something is still being looked for, so that nothing found does not mean that there is nothing. */
  pending = $state(0);
  #asked = 0;
  /** All kits, which no word narrows: asked for once, until nothing is looked for any more. */
  #kits: Promise<BrandKitView[]> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  forget(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.pending = 0;
    this.problem = null;
    this.#kits = null;
    this.items = [];
    this.designs = [];
    this.kits = [];
    this.deliveries = [];
  }

  search(query: string): void {
    const wanted = query.trim();
    if (wanted.length < SHORTEST || connections.selectedId === null) return this.forget();
    // What was found for the letters before stays until the answer, so that the list does not flicker.
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.pending = 1;
    this.#timer = setTimeout(() => this.#ask(wanted), AFTER_TYPING_MS);
  }

  #ask(query: string): void {
    const asked = this.#asked;
    this.problem = null;
    this.pending = 0;
    this.#askDrive(asked, query);
    this.#one(asked, backend().list_designs(query, "newest", null, MOST), (list) => (this.designs = list.designs));
    this.#one(asked, this.#askKits(), (kits) => {
      const words = query.toLocaleLowerCase().split(/\s+/u);
      this.kits = kits.filter((kit) => words.every((word) => kit.title.toLocaleLowerCase().includes(word))).slice(0, MOST);
    });
    if (!settings.kept.shows_developer) return;
    const filter = { state: null, event_type: null, from: null, to: null, text: query };
    this.#one(asked, backend().list_deliveries(filter, null, MOST), (list) => (this.deliveries = list.deliveries));
  }

  #askKits(): Promise<BrandKitView[]> {
    this.#kits ??= backend()
      .list_brand_kits()
      .catch((thrown: unknown) => {
        this.#kits = null;
        throw thrown;
      });
    return this.#kits;
  }

  #askDrive(asked: number, query: string): void {
    this.#one(asked, backend().search_drive(query, MOST), (found) => {
      // Designs come from the gallery, with their pictures' names as they are there.
      this.items = found.items.filter((item) => item.kind !== "design");
      if (found.is_complete) return;
      this.pending += 1;
      this.#timer = setTimeout(() => {
        this.pending -= 1;
        this.#askDrive(asked, query);
      }, AGAIN_MS);
    });
  }

  #one<T>(asked: number, answer: Promise<T>, take: (answer: T) => void): void {
    this.pending += 1;
    answer
      .then((some) => {
        if (asked === this.#asked) take(some);
      })
      .catch((thrown: unknown) => {
        const problem = problemFrom(thrown);
        // A service without brand kits or deliveries has none to find: that is no fault.
        if (asked === this.#asked && problem.code !== NOT_OFFERED) this.problem = problem;
      })
      .finally(() => {
        if (asked === this.#asked) this.pending -= 1;
      });
  }
}

export const finding = new Finding();
