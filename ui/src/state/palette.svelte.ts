/**
 * The command palette: what is found by its name first, then every screen and action, by a few letters.
 *
 * What fits is a pure question (`rank`). Things that were opened from here stand first while nothing is typed; they are those of
 * the connection in view and are forgotten with the window. Not here: how it looks (components/Palette.svelte).
 */
import Swatches from "@lucide/svelte/icons/palette";
import Webhook from "@lucide/svelte/icons/webhook";
import { eventName } from "../eventwords";
import { text } from "../text";
import { when } from "../when";
import { commands, GROUPS, type Command } from "./commands";
import { connections } from "./connection.svelte";
import { deliveries } from "./deliveries.svelte";
import { finding } from "./finding.svelte";
import { recent } from "./recent.svelte";
import { route } from "./route.svelte";

const MOST_RECENT = 5;
/** Kinds of things that are found, and so can be recent. */
const THINGS: readonly string[] = GROUPS.slice(1, 5);

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

/** What is needed of a file or folder to go to it. */
interface Lies {
  kind: string;
  id: string;
  name: string;
  folder_id: string | null;
  thumbnail: string | null;
}

const ofItem = (item: Lies, place?: string): Command => ({
  id: item.id,
  label: item.name,
  group: "drive",
  item: { name: item.name, folder: item.kind === "folder", picture: item.thumbnail },
  ...(place === undefined ? {} : { detail: place === "" ? text.drive.root : place }),
  // A folder is opened; a file is shown where it lies, as it may be large or far away.
  run: () => route.go(item.kind === "folder" ? { screen: "drive", folderId: item.id } : { screen: "drive", folderId: item.folder_id, selectId: item.id }),
});

/** What was found by its name. */
function things(): Command[] {
  return [
    ...finding.items.map((item) => ofItem(item, item.place)),
    ...finding.designs.map((design): Command => ({ id: design.id, label: design.name, group: "designs", item: { name: design.name, design: true, picture: design.thumbnail }, run: () => route.go({ screen: "design", designId: design.id }) })),
    ...finding.kits.map((kit): Command => ({ id: kit.id, label: kit.title, group: "kits", icon: Swatches, run: () => route.go({ screen: "kits", kitId: kit.id }) })),
    ...finding.deliveries.map(
      (delivery): Command => ({
        id: delivery.id,
        label: eventName(delivery.event_type),
        group: "deliveries",
        icon: Webhook,
        detail: when(delivery.created_at),
        run: () => {
          route.go({ screen: "developer", tab: "webhooks" });
          void deliveries.open(delivery.id);
        },
      }),
    ),
  ];
}

class Palette {
  open = $state(false);
  query = $state("");
  #opened = $state.raw<{ connectionId: string | null; things: Command[] }>({ connectionId: null, things: [] });

  /** What was opened from here last, then what came into the drive last. */
  #recent = $derived.by<Command[]>(() => {
    const opened = this.#opened.connectionId === connections.selectedId ? this.#opened.things : [];
    const latest = (recent.files ?? []).map((file) => ofItem(file)).filter((file) => !opened.some((each) => each.id === file.id));
    return [...opened, ...latest].slice(0, MOST_RECENT).map((each) => ({ ...each, group: "recent" }));
  });

  found = $derived.by<Command[]>(() => {
    if (!this.open) return [];
    const query = this.query.trim();
    if (query === "") return [...this.#recent, ...commands()];
    const fitting = commands()
      .map((command) => ({ command, rank: rank(query, command.label) }))
      .filter((each) => each.rank > 0);
    // Equal ones keep their order, which is that of the screens.
    const ranked = fitting.sort((one, other) => other.rank - one.rank).map((each) => each.command);
    return [...things(), ...GROUPS.flatMap((group) => ranked.filter((each) => each.group === group))];
  });

  show(): void {
    this.search("");
    this.open = true;
    if ((recent.files === null || recent.isOutdated) && connections.selectedId !== null) void recent.load();
  }

  search(query: string): void {
    this.query = query;
    finding.search(query);
  }

  run(command: Command): void {
    this.open = false;
    const at = connections.selectedId;
    if (THINGS.includes(command.group)) {
      const before = this.#opened.connectionId === at ? this.#opened.things : [];
      this.#opened = { connectionId: at, things: [command, ...before.filter((each) => each.id !== command.id)].slice(0, MOST_RECENT) };
    }
    command.run();
  }
}

export const palette = new Palette();
