/** The brand kits of the connection in view: for choosing one, and for their own page. */
import { backend, problemFrom, type BrandFileDropped, type BrandKitDraft, type BrandKitView, type FoundBrandView, type Problem } from "../backend";
import { onceEach } from "./once";

class BrandKits {
  list = $state.raw<BrandKitView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What a dropped file showed, until a dialog or the page takes it. */
  dropped = $state.raw<BrandFileDropped | null>(null);

  async load(): Promise<void> {
    try {
      this.list = onceEach(await backend().list_brand_kits());
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    this.list = null;
    this.dropped = null;
    this.problem = null;
  }

  /** Makes a kit, or changes the one of this id. */
  async save(id: string | null, draft: BrandKitDraft): Promise<BrandKitView> {
    const saved = id === null ? await backend().create_brand_kit(draft) : await backend().change_brand_kit(id, draft);
    await this.load();
    return saved;
  }

  async delete(id: string): Promise<void> {
    await backend().delete_brand_kit(id);
    await this.load();
  }

  /** Asks for a file and reads what it shows of a brand; nothing where the person thought better of it. */
  async chooseFile(): Promise<FoundBrandView | null> {
    return await backend().choose_brand_file();
  }

  /** Puts a logo that was found into the kit. */
  async addLogo(id: string, foundId: string): Promise<void> {
    await backend().add_found_logo(id, foundId);
    await this.load();
  }
}

export const brandKits = new BrandKits();
