/**
 * Looking for something in the whole drive: what is looked for, and what was found so far.
 *
 * Asked a moment after the last key, and again while the drive is still being read for the first time. An answer that
 * comes after a newer question is not shown. Not here: the open folder (`drive`).
 */
import { backend, problemFrom, type DriveFound, type Problem } from "../backend";

/** So long after the last key, in milliseconds. */
const AFTER_TYPING_MS = 150;
/** As long as the drive is being read, it is asked again: soon at first, as a small one is read at once, then this often, in milliseconds. */
const AGAIN_MS = 2_000;
const SOON_MS = 200;
/** Items at most: who has more of them types another word. */
export const MOST_FOUND = 200;

class DriveSearch {
  query = $state("");
  found = $state.raw<DriveFound | null>(null);
  problem = $state.raw<Problem | null>(null);

  #asked = 0;
  #again_ms = SOON_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Something is looked for, and not the open folder shown. */
  open = $derived(this.query.trim() !== "");

  search(query: string): void {
    const before = this.query.trim();
    this.query = query;
    if (query.trim() === before) return;
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.problem = null;
    this.#again_ms = SOON_MS;
    if (!this.open) this.found = null;
    else this.#timer = setTimeout(() => void this.ask(), AFTER_TYPING_MS);
  }

  close(): void {
    this.search("");
  }

  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const found = await backend().search_drive(this.query, MOST_FOUND);
      if (asked !== this.#asked) return;
      this.found = found;
      this.problem = null;
      if (found.is_complete) return;
      this.#timer = setTimeout(() => void this.ask(), this.#again_ms);
      this.#again_ms = Math.min(this.#again_ms * 2, AGAIN_MS);
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }
}

export const driveSearch = new DriveSearch();
