/**
 * The typefaces that come with Easel, for samples of them: listed once, and each loaded when it is first shown.
 *
 * Not here: which family a person chooses; it may be any, also one that Easel does not have.
 */
import { backend, type TypefaceView } from "../backend";

class Typefaces {
  list = $state.raw<TypefaceView[]>([]);
  #loaded = new Set<string>();
  #asked = false;

  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      this.list = await backend().list_typefaces();
    } catch {
      // Without samples, a family is written instead of chosen.
      this.#asked = false;
    }
  }

  /** How CSS names a family: as it is shown in samples where Easel has it, else a plain one. */
  css(family: string): string {
    const known = this.list.find((each) => each.family.toLowerCase() === family.trim().toLowerCase());
    if (!known) return "var(--font)";
    this.#add(known);
    return `"Easel ${known.family}", var(--font)`;
  }

  #add({ family, regular, bold }: TypefaceView): void {
    if (this.#loaded.has(family) || typeof FontFace === "undefined") return;
    this.#loaded.add(family);
    for (const [address, weight] of [
      [regular, "400"],
      [bold, "700"],
    ] as const) {
      document.fonts.add(new FontFace(`Easel ${family}`, `url("${address}")`, { weight, display: "swap" }));
    }
  }
}

export const typefaces = new Typefaces();
