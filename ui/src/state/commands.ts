/**
 * Every screen that can be gone to and everything that can be done from anywhere, each as plain data: words, a picture, what it does.
 *
 * Not here: what is found by its name (`finding`), and which of these fits a few letters (`palette`).
 */
import Letters from "@lucide/svelte/icons/a-large-small";
import Left from "@lucide/svelte/icons/arrow-left";
import ChevronsUp from "@lucide/svelte/icons/chevrons-up";
import Clipboard from "@lucide/svelte/icons/clipboard-paste";
import Download from "@lucide/svelte/icons/download";
import FileUp from "@lucide/svelte/icons/file-up";
import FolderSync from "@lucide/svelte/icons/folder-sync";
import FolderUp from "@lucide/svelte/icons/folder-up";
import HardDrive from "@lucide/svelte/icons/hard-drive";
import House from "@lucide/svelte/icons/house";
import Key from "@lucide/svelte/icons/key-round";
import Keyboard from "@lucide/svelte/icons/keyboard";
import ListChecks from "@lucide/svelte/icons/list-checks";
import Monitor from "@lucide/svelte/icons/monitor";
import Moon from "@lucide/svelte/icons/moon";
import Swatches from "@lucide/svelte/icons/palette";
import Pause from "@lucide/svelte/icons/pause";
import Play from "@lucide/svelte/icons/play";
import Plug from "@lucide/svelte/icons/plug";
import Radio from "@lucide/svelte/icons/radio";
import Rows from "@lucide/svelte/icons/rows-3";
import Cog from "@lucide/svelte/icons/settings";
import Shapes from "@lucide/svelte/icons/shapes";
import Sparkles from "@lucide/svelte/icons/sparkles";
import Stethoscope from "@lucide/svelte/icons/stethoscope";
import Sun from "@lucide/svelte/icons/sun";
import Trash from "@lucide/svelte/icons/trash-2";
import Upload from "@lucide/svelte/icons/upload";
import Webhook from "@lucide/svelte/icons/webhook";
import type { Component } from "svelte";
import { backend } from "../backend";
import { connectionName } from "../connectionwords";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { description } from "./describe.svelte";
import { doctor } from "./doctor.svelte";
import { attempt } from "./remedies.svelte";
import { route, type Place } from "./route.svelte";
import { settings } from "./settings.svelte";
import { shortcuts } from "./shortcuts.svelte";
import { synced } from "./synced.svelte";
import { transfers } from "./transfers.svelte";

export type Picture = Component<{ size?: string | number; strokeWidth?: number }>;
/** What stands together in the list, in this order. */
export const GROUPS = ["recent", "drive", "designs", "kits", "deliveries", "go", "act", "set"] as const;
export type Group = (typeof GROUPS)[number];

export interface Command {
  id: string;
  label: string;
  group: Group;
  /** A file, a folder or a design has what it looks like, or the picture of its kind, in place of this one. */
  icon?: Picture;
  item?: { name: string; folder?: boolean; design?: boolean; picture: string | null };
  /** Where it is, or what else tells it from others of its name. */
  detail?: string;
  keys?: string;
  run: () => void;
}

/** Every screen and action, in the order in which they are offered. */
export function commands(): Command[] {
  const words = text.palette;
  const go = (id: string, icon: Picture, label: string, to: Place): Command => ({ id, icon, label, group: "go", run: () => route.go(to) });
  const act = (id: string, icon: Picture, label: string, run: () => unknown, keys?: string): Command => ({
    id,
    icon,
    label,
    group: "act",
    ...(keys === undefined ? {} : { keys }),
    run: () => void run(),
  });
  const set = (id: string, icon: Picture, label: string, run: () => unknown, keys?: string): Command => ({ ...act(id, icon, label, run, keys), group: "set" });
  const here = () => (route.place.screen === "drive" ? route.place.folderId : null);
  const { sections } = text.settings;
  const { tabs } = text.activity;
  const examine = () => {
    route.go({ screen: "developer", tab: "webhooks" });
    doctor.show();
  };
  // What the rail does not lead to is not offered here either.
  const developer = settings.kept.shows_developer
    ? {
        screens: [
          go("webhooks", Webhook, words.inside(text.webhooks.title, text.webhooks.tabs.webhooks), { screen: "developer", tab: "webhooks" }),
          go("listen", Radio, words.inside(text.webhooks.title, text.receiver.tab), { screen: "developer", tab: "listen" }),
        ],
        actions: [act("doctor", Stethoscope, text.doctor.open, examine)],
      }
    : { screens: [], actions: [] };
  return [
    go("home", House, text.rail.home, { screen: "home" }),
    go("designs", Shapes, text.rail.designs, { screen: "designs" }),
    go("drive", HardDrive, text.rail.drive, { screen: "drive", folderId: null }),
    go("trash", Trash, words.inside(text.rail.drive, text.trash.title), { screen: "trash" }),
    go("synced", FolderSync, text.synced.title, { screen: "synced", tab: "folders" }),
    go("synced-history", Rows, words.inside(text.synced.title, text.synced.tabs.history), { screen: "synced", tab: "history" }),
    go("tasks", ListChecks, words.inside(text.activity.title, tabs.tasks), { screen: "activity", tab: "tasks" }),
    go("exports", Download, words.inside(text.activity.title, tabs.exports), { screen: "activity", tab: "exports" }),
    go("uploads", Upload, words.inside(text.activity.title, tabs.uploads), { screen: "activity", tab: "uploads" }),
    go("kits", Swatches, text.designs.kits.title, { screen: "kits" }),
    ...developer.screens,
    go("keys", Key, words.inside(words.inside(text.settings.title, sections.developer), text.settings.rest.title), { screen: "settings", section: "developer" }),
    ...(["connections", "transfers", "background", "team", "writing", "backup", "appearance", "about"] as const).map((section) =>
      go(`settings-${section}`, Cog, words.inside(text.settings.title, sections[section]), { screen: "settings", section }),
    ),
    act("describe", Sparkles, text.designs.describe.title, () => description.begin()),
    ...developer.actions,
    act("files", FileUp, text.home.chooseFiles, () => transfers.choose("files", here())),
    act("folder", FolderUp, text.home.chooseFolder, () => transfers.choose("folder", here())),
    act("paste", Clipboard, words.paste, () => transfers.choose("paste", here()), words.keys("V")),
    act("step", FolderSync, words.step, () => synced.choose()),
    act("pause", Pause, words.pauseTransfers, () => attempt(() => backend().pause_all_transfers())),
    act("resume", Play, words.resumeTransfers, () => attempt(() => backend().resume_all_transfers())),
    act("pause-folders", Pause, words.pauseFolders, () => attempt(() => backend().pause_all_synced_folders())),
    act("resume-folders", Play, words.resumeFolders, () => attempt(() => backend().resume_all_synced_folders())),
    act("shelf", ChevronsUp, text.shelf.expand, () => (transfers.expanded = true)),
    act("shortcuts", Keyboard, text.shortcuts.title, () => (shortcuts.open = true), "?"),
    act("back", Left, words.back, () => route.back(), words.altKeys("←")),
    set("light", Sun, words.theme(text.settings.appearance.themes["light"] ?? ""), () => settings.keep({ theme: "light" })),
    set("dark", Moon, words.theme(text.settings.appearance.themes["dark"] ?? ""), () => settings.keep({ theme: "dark" })),
    set("system", Monitor, words.theme(text.settings.appearance.themes["system"] ?? ""), () => settings.keep({ theme: "system" })),
    set("larger", Letters, words.larger, () => settings.enlarge(1), words.keys("+")),
    set("smaller", Letters, words.smaller, () => settings.enlarge(-1), words.keys("−")),
    set("normal", Letters, words.normal, () => settings.setTextScale(100), words.keys("0")),
    ...connections.all
      .filter((each) => each.id !== connections.selectedId)
      .map((each) => set(`connection-${each.id}`, Plug, words.switchTo(connectionName(each)), () => attempt(() => connections.select(each.id)))),
  ];
}
