/**
 * Which screen is open, and the way back.
 *
 * A place is plain data; going somewhere pushes it, Back takes it off again. Not here: what a screen shows.
 */
export type SyncedTab = "folders" | "history";
export type SettingsSection = "connections" | "transfers" | "background" | "writing" | "team" | "backup" | "developer" | "appearance" | "about";

export type ActivityTab = "tasks" | "exports" | "uploads";
export type DeveloperTab = "webhooks" | "listen";

export type Place =
  | { screen: "home" }
  | { screen: "designs" }
  | { screen: "design"; designId: string }
  | { screen: "making"; taskId: string }
  | { screen: "contact"; /** What its variations are of. */ designId: string }
  | { screen: "compare"; one: string; other: string }
  | { screen: "kits"; /** A kit to stand out once it is listed. */ kitId?: string }
  | { screen: "synced"; tab: SyncedTab }
  | { screen: "activity"; tab: ActivityTab }
  | { screen: "developer"; tab: DeveloperTab }
  | { screen: "drive"; folderId: string | null; /** An item to select once it is listed. */ selectId?: string }
  | { screen: "trash" }
  | { screen: "settings"; section: SettingsSection };

const LONGEST_WAY = 50;

class Route {
  place = $state.raw<Place>({ screen: "home" });
  #behind: Place[] = [];
  #ahead: Place[] = [];

  go(to: Place): void {
    if (JSON.stringify(to) === JSON.stringify(this.place)) return;
    this.#behind = [...this.#behind.slice(-LONGEST_WAY), this.place];
    this.#ahead = [];
    this.place = to;
  }

  /** Goes somewhere in place of where the person is, which Back does not lead to again. */
  replace(to: Place): void {
    this.place = to;
  }

  back(): void {
    const last = this.#behind.pop();
    if (!last) return;
    this.#ahead.push(this.place);
    this.place = last;
  }

  forward(): void {
    const next = this.#ahead.pop();
    if (!next) return;
    this.#behind.push(this.place);
    this.place = next;
  }

  /** Starts anew, as after another connection came into view: the old way led through another drive. */
  reset(to: Place): void {
    this.#behind = [];
    this.#ahead = [];
    this.place = to;
  }
}

export const route = new Route();
