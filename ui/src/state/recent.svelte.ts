/** The files that came into the drive last, for Home. Kept while other screens are open, so that Home is there at once. */
import { backend, problemFrom, type DriveItem, type Problem } from "../backend";

const SHOWN = 8;

class Recent {
  files = $state.raw<DriveItem[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Something has come or changed since: whoever shows them asks again. */
  isOutdated = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.isOutdated = false;
    try {
      this.files = await backend().list_recent_files(SHOWN);
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  /** For news, which come several at once while files are being sent. Where they are not shown now, nobody asks. */
  outdate(areShown: boolean): void {
    this.isOutdated = true;
    clearTimeout(this.#timer);
    if (areShown) this.#timer = setTimeout(() => void this.load(), 1_000);
  }

  forget(): void {
    this.files = null;
    this.problem = null;
  }
}

export const recent = new Recent();
