/** The API keys of the built-in studio. The text of a new key is never kept here: the dialog that shows it holds it. */
import { backend, problemFrom, type ApiKeyView, type NewApiKey, type Problem } from "../backend";

class Keys {
  list = $state.raw<ApiKeyView[] | null>(null);
  problem = $state.raw<Problem | null>(null);

  async load(): Promise<void> {
    this.problem = null;
    try {
      this.list = await backend().list_api_keys();
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  async create(name: string): Promise<NewApiKey> {
    const created = await backend().create_api_key(name);
    await this.load();
    return created;
  }

  async delete(id: string): Promise<void> {
    await backend().delete_api_key(id);
    await this.load();
  }
}

export const keys = new Keys();
