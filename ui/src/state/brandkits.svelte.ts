/** The brand kits of the connection in view: for choosing one, and for their own page. */
import { backend, problemFrom, type BrandKitDraft, type BrandKitView, type Problem } from "../backend";
import { onceEach } from "./once";

class BrandKits {
  list = $state.raw<BrandKitView[] | null>(null);
  problem = $state.raw<Problem | null>(null);

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

  /** Asks for a picture and puts it into the kit as its logo. */
  async addLogo(id: string): Promise<void> {
    if (await backend().add_brand_kit_logo(id)) await this.load();
  }
}

export const brandKits = new BrandKits();
