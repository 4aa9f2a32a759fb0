/**
 * The command palette: everything that can be reached or done from anywhere, found by a few letters.
 *
 * A command is plain: words and what it does. What fits is a pure question (`rank`). Not here: how it looks
 * (components/Palette.svelte).
 */
import { backend, type DesignView } from "../backend";
import { connectionName } from "../connectionwords";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { description } from "./describe.svelte";
import { doctor } from "./doctor.svelte";
import { attempt } from "./remedies.svelte";
import { route, type Place } from "./route.svelte";
import { settings } from "./settings.svelte";
import { synced } from "./synced.svelte";
import { transfers } from "./transfers.svelte";

export interface Command {
  id: string;
  label: string;
  /** Where it belongs, in a few words. */
  group: string;
  keys?: string;
  run: () => void;
}

/** Designs that are offered by their name. */
const MOST_DESIGNS = 6;
const SEARCH_AFTER_MS = 120;

/**
 * How well a query fits words: 0 for not at all, else higher where its parts begin words, and begin the first one. Every part of
 * the query has to be found.
 */
export function rank(query: string, label: string): number {
  const fold = (some: string) => some.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const parts = fold(query).split(/\s+/u).filter((part) => part !== "");
  const said = fold(label);
  const words = said.split(/[^\p{L}\p{N}]+/u);
  let sum = 1;
  for (const part of parts) {
    if (said.startsWith(part)) sum += 4;
    else if (words.some((word) => word.startsWith(part))) sum += 3;
    else if (said.includes(part)) sum += 1;
    else return 0;
  }
  return sum;
}

function everything(): Command[] {
  const words = text.palette;
  const go = (id: string, label: string, to: Place): Command => ({ id, label, group: words.groups.go, run: () => route.go(to) });
  const act = (id: string, label: string, run: () => unknown, keys?: string): Command => ({
    id,
    label,
    group: words.groups.act,
    ...(keys === undefined ? {} : { keys }),
    run: () => void run(),
  });
  const set = (id: string, label: string, run: () => unknown, keys?: string): Command => ({ ...act(id, label, run, keys), group: words.groups.set });
  const here = () => (route.place.screen === "drive" ? route.place.folderId : null);
  const { sections } = text.settings;
  const { tabs } = text.activity;
  return [
    go("home", text.rail.home, { screen: "home" }),
    go("designs", text.rail.designs, { screen: "designs" }),
    go("drive", text.rail.drive, { screen: "drive", folderId: null }),
    go("trash", words.inside(text.rail.drive, text.trash.title), { screen: "trash" }),
    go("synced", text.synced.title, { screen: "synced", tab: "folders" }),
    go("synced-history", words.inside(text.synced.title, text.synced.tabs.history), { screen: "synced", tab: "history" }),
    go("tasks", words.inside(text.activity.title, tabs.tasks), { screen: "activity", tab: "tasks" }),
    go("exports", words.inside(text.activity.title, tabs.exports), { screen: "activity", tab: "exports" }),
    go("uploads", words.inside(text.activity.title, tabs.uploads), { screen: "activity", tab: "uploads" }),
    go("kits", text.designs.kits.title, { screen: "kits" }),
    go("webhooks", words.inside(text.webhooks.title, text.webhooks.tabs.webhooks), { screen: "developer", tab: "webhooks" }),
    go("listen", words.inside(text.webhooks.title, text.receiver.tab), { screen: "developer", tab: "listen" }),
    go("keys", words.inside(text.webhooks.title, text.webhooks.tabs.rest), { screen: "developer", tab: "rest" }),
    ...(["connections", "transfers", "background", "writing", "appearance", "about"] as const).map((section) =>
      go(`settings-${section}`, words.inside(text.settings.title, sections[section]), { screen: "settings", section }),
    ),
    act("describe", text.designs.describe.title, () => description.begin()),
    act("doctor", text.doctor.open, () => {
      route.go({ screen: "developer", tab: "webhooks" });
      doctor.show();
    }),
    act("files", text.home.chooseFiles, () => transfers.choose("files", here())),
    act("folder", text.home.chooseFolder, () => transfers.choose("folder", here())),
    act("paste", words.paste, () => transfers.choose("paste", here()), words.keys("V")),
    act("step", words.step, () => synced.choose()),
    act("pause", words.pauseTransfers, () => attempt(() => backend().pause_all_transfers())),
    act("resume", words.resumeTransfers, () => attempt(() => backend().resume_all_transfers())),
    act("pause-folders", words.pauseFolders, () => attempt(() => backend().pause_all_synced_folders())),
    act("resume-folders", words.resumeFolders, () => attempt(() => backend().resume_all_synced_folders())),
    act("shelf", text.shelf.expand, () => (transfers.expanded = true)),
    set("light", words.theme(text.settings.appearance.themes["light"] ?? ""), () => settings.setTheme("light")),
    set("dark", words.theme(text.settings.appearance.themes["dark"] ?? ""), () => settings.setTheme("dark")),
    set("system", words.theme(text.settings.appearance.themes["system"] ?? ""), () => settings.setTheme("system")),
    set("larger", words.larger, () => settings.enlarge(1), words.keys("+")),
    set("smaller", words.smaller, () => settings.enlarge(-1), words.keys("−")),
    ...connections.all
      .filter((each) => each.id !== connections.selectedId)
      .map((each) => set(`connection-${each.id}`, words.switchTo(connectionName(each)), () => attempt(() => connections.select(each.id)))),
  ];
}

class Palette {
  open = $state(false);
  query = $state("");
  #designs = $state.raw<DesignView[]>([]);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  found = $derived.by<Command[]>(() => {
    if (!this.open) return [];
    const query = this.query.trim();
    const ranked = everything().map((command) => ({ command, rank: rank(query, command.label) }));
    const fitting = ranked.filter((each) => each.rank > 0);
    // Equal ones keep their order, which is that of the screens.
    if (query !== "") fitting.sort((one, other) => other.rank - one.rank);
    const designs = this.#designs.map(
      (design): Command => ({
        id: `design-${design.id}`,
        label: design.name,
        group: text.rail.designs,
        run: () => route.go({ screen: "design", designId: design.id }),
      }),
    );
    return [...fitting.map((each) => each.command), ...(query === "" ? [] : designs)];
  });

  show(): void {
    this.query = "";
    this.#designs = [];
    this.open = true;
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    const asked = (this.#asked += 1);
    if (query.trim().length < 2 || connections.selectedId === null) {
      this.#designs = [];
      return;
    }
    this.#timer = setTimeout(() => {
      backend()
        .list_designs(query.trim(), "newest", null, MOST_DESIGNS)
        .then((list) => {
          if (asked === this.#asked) this.#designs = list.designs;
        })
        // The commands are there all the same.
        .catch(() => undefined);
    }, SEARCH_AFTER_MS);
  }

  run(command: Command): void {
    this.open = false;
    command.run();
  }
}

export const palette = new Palette();
