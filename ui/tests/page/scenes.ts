/** The states in which a screen is looked at, by name. */
import type { DriveItem } from "../../src/backend";
import { deliveries } from "../../src/state/deliveries.svelte";
import { drive } from "../../src/state/drive.svelte";
import type { Place } from "../../src/state/route.svelte";
import { synced } from "../../src/state/synced.svelte";
import { transfers } from "../../src/state/transfers.svelte";
import {
  type FakeBackend,
  type FakeState,
  file,
  localConnection,
  problem,
  sampleDrive,
  sampleTrash,
  serviceConnection,
  transfer,
} from "../fake-backend";
import { sampleDesigns } from "../fake-designs";
import { BACKUP_SCENES } from "./backup-scenes";
import { MIGRATION_SCENES } from "./migration-scenes";
import { DESIGN_SCENES } from "./design-scenes";
import { SYNCED_SCENES } from "./synced-scenes";
import { press, settle } from "./hands";
import { LOOK_SCENES } from "./look-scenes";
import { MANY_SCENES } from "./many-scenes";
import { MARK_SCENES } from "./mark-scenes";
import { OPENED_SCENES } from "./opened-scenes";
import { TEAM_SCENES } from "./team-scenes";
import { COLOR_SCENES } from "./color-scenes";
import { TEXT_SCENES } from "./text-scenes";
import { VERSION_SCENES } from "./version-scenes";
import { WEBHOOK_SCENES } from "./webhook-scenes";

export interface Scene {
  state?: () => Partial<FakeState>;
  place?: (fake: FakeBackend) => Place;
  after?: (fake: FakeBackend) => unknown;
}

const folderNamed = (fake: FakeBackend, name: string): string | null =>
  fake.state.items.find((item) => item.kind === "folder" && item.name === name)?.id ?? null;
const inPhotos = (fake: FakeBackend): Place => ({ screen: "drive", folderId: folderNamed(fake, "Photos") });
async function type(testId: string, value: string) {
  const field = document.querySelector<HTMLInputElement>(`[data-testid="${testId}"]`);
  if (!field) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await settle(50);
}
async function selectNamed(...names: string[]) {
  await settle();
  for (const [at, name] of names.entries()) {
    const index = drive.rows.findIndex((row) => row?.name === name);
    await drive.select(index, at === 0 ? "only" : "toggle");
  }
}

const busy = () => [
  transfer("Autumn-launch-deck.pptx", {
    state: "sending",
    sent_bytes: 61_400_000,
    bytes_per_second: 3_200_000,
    time_left_ms: 9_000,
  }),
  transfer("storefront-night.png", {
    state: "already_there",
    size_bytes: 20_000,
    sent_bytes: 20_000,
    result: { file_id: "file_1", folder_id: "fld_x", place: "Brand / Photos", filename: "storefront-night.png" },
  }),
  transfer("menu-print.pdf", {
    state: "sent",
    size_bytes: 2_200_000,
    sent_bytes: 2_200_000,
    result: { file_id: "file_2", folder_id: null, place: null, filename: "menu-print.pdf" },
  }),
];
const states = () => [
  ...busy(),
  transfer("render-4k.mov", { state: "settling", size_bytes: 812_000_000 }),
  transfer("counter-morning.jpg", { state: "queued", size_bytes: 5_100_000 }),
  transfer("loaf-cross-section.tif", { state: "paused", size_bytes: 184_000_000, sent_bytes: 80_000_000, pause_restarts: true }),
  transfer("session.psd", {
    state: "failed",
    size_bytes: 312_000_000,
    problem: problem({
      code: "file_too_large_for_plan",
      title: "session.psd is too large",
      detail: "This file is 312 MB. Your workspace takes files up to 250 MB. A larger plan raises this.",
      action: { kind: "choose_again", label: "Choose again", target: null },
    }),
  }),
];
const offline = problem({
  code: "unreachable",
  title: "studio.rye.example cannot be reached",
  detail: "Nothing answers there. Check whether this computer is online. Easel tries again by itself.",
});
const refused = problem({
  code: "authentication",
  title: "The key is not accepted",
  detail: "It is wrong, or it was deleted in Settings, Developer, REST API. Enter another one.",
  action: { kind: "enter_key", label: "Enter another key", target: null },
  request_id: "req_7c1f0b2a9d",
});
const many = (): DriveItem[] =>
  Array.from({ length: 100_000 }, (_, index) => file(`frame-${String(index).padStart(6, "0")}.png`, 120_000 + index * 31, index * 60_000));
const full = () => ({ items: sampleDrive() });

export const SCENES: Record<string, Scene> = {
  welcome: { state: () => ({ connections: [], selected: null }) },
  "welcome-dropping": {
    state: () => ({ connections: [], selected: null }),
    after: async (fake) => {
      await settle();
      fake.emit("drop_entered", { count: 3, target_label: "the drive" });
    },
  },
  "welcome-dropped": {
    state: () => ({ connections: [], selected: null, silent: ["start_local_studio"] }),
    after: async (fake) => {
      await settle();
      fake.emit("drop_awaits_studio", { count: 3 });
    },
  },
  "welcome-failed": {
    state: () => ({
      connections: [],
      selected: null,
      failing: {
        start_local_studio: problem({
          code: "key_store_locked",
          title: "The keychain is locked",
          detail: "Unlock it (the system may be asking for its password right now) and try again, or keep the key only until Easel closes.",
          action: { kind: "keep_for_session", label: "Keep it until I close Easel", target: null },
        }),
      },
    }),
    after: () => press("welcome-start"),
  },
  connect: { state: () => ({ connections: [], selected: null }), after: () => press("welcome-connect") },
  "connect-failed": {
    state: () => ({ connections: [], selected: null, failing: { connect_service: refused } }),
    after: async () => {
      await press("welcome-connect");
      await press("connect-advanced");
      await type("connect-address", "https://studio.rye.example");
      await type("connect-key", "svc_live_wrong");
      await press("connect-submit");
    },
  },
  "connect-plain": {
    state: () => ({ connections: [], selected: null }),
    after: async () => {
      await press("welcome-connect");
      await type("connect-address", "http://studio.rye.example");
      await type("connect-key", "svc_live_x");
      await press("connect-submit");
    },
  },
  home: { state: full },
  "home-empty": {},
  "home-samples": { state: () => ({ designs: sampleDesigns().slice(0, 3) }) },
  "home-loading": { state: () => ({ silent: ["list_recent_files"] }) },
  "home-busy": {
    state: () => ({ ...full(), transfers: busy(), summary: { bytes_per_second: 48_000_000, time_left_ms: 9_000 } }),
    after: () => (transfers.expanded = true),
  },
  "home-failed": {
    state: () => ({
      items: sampleDrive(),
      connections: [serviceConnection({ state: "offline", problem: offline })],
      selected: "service",
      transfers: states(),
      summary: { waiting: offline, bytes_per_second: 0, time_left_ms: null },
    }),
  },
  "home-recent-failed": { state: () => ({ failing: { list_recent_files: offline } }) },
  "shelf-collapsed": {
    state: () => ({ ...full(), transfers: states(), summary: { bytes_per_second: 48_000_000, time_left_ms: 20_000 } }),
  },
  "shelf-states": {
    state: () => ({ ...full(), transfers: states(), summary: { bytes_per_second: 48_000_000, time_left_ms: 20_000 } }),
    after: () => (transfers.expanded = true),
  },
  "shelf-slow": {
    state: () => ({
      ...full(),
      transfers: states(),
      summary: { bytes_per_second: 80_000, time_left_ms: 840_000, limited_by: "requests" },
    }),
  },
  "shelf-done": { state: () => ({ ...full(), transfers: busy().slice(1) }), after: () => (transfers.expanded = true) },
  dropping: {
    state: full,
    place: inPhotos,
    after: async (fake) => {
      await settle();
      fake.emit("drop_entered", { count: 3, target_label: "Brand / Photos" });
    },
  },
  drive: { state: full, place: inPhotos, after: () => selectNamed("storefront-night.png") },
  "drive-top": { state: full, place: () => ({ screen: "drive", folderId: null }) },
  "drive-folder": {
    state: full,
    place: () => ({ screen: "drive", folderId: null }),
    after: () => selectNamed("Brand"),
  },
  "drive-many-selected": {
    state: full,
    place: inPhotos,
    after: () => selectNamed("storefront-night.png", "menu-print.pdf", "brief.md"),
  },
  trash: { state: () => ({ trash: sampleTrash() }), place: () => ({ screen: "trash" }) },
  "trash-chosen": {
    state: () => ({ trash: sampleTrash() }),
    place: () => ({ screen: "trash" }),
    after: async () => {
      await settle();
      for (const box of [...document.querySelectorAll<HTMLElement>('[data-testid="trash-row"] input')].slice(0, 2)) box.click();
    },
  },
  "trash-remove": {
    state: () => ({ trash: sampleTrash() }),
    place: () => ({ screen: "trash" }),
    after: async () => {
      await settle();
      await press("trash-empty");
    },
  },
  "trash-empty": { state: () => ({ trash: [] }), place: () => ({ screen: "trash" }) },
  "trash-failed": { state: () => ({ trash: [], failing: { list_trash: offline } }), place: () => ({ screen: "trash" }) },
  "trash-none": { place: () => ({ screen: "trash" }) },
  "drive-empty": { place: () => ({ screen: "drive", folderId: null }) },
  "drive-loading": { state: () => ({ silent: ["list_drive"] }), place: () => ({ screen: "drive", folderId: null }) },
  "drive-failed": {
    state: () => ({ failing: { list_drive: offline } }),
    place: () => ({ screen: "drive", folderId: null }),
  },
  "drive-100000-sent": {
    state: () => ({ items: many(), transfers: [transfer("deck.pptx", { state: "sent" })] }),
    place: () => ({ screen: "drive", folderId: null }),
    after: () => (transfers.expanded = false),
  },
  "drive-100000": { state: () => ({ items: many() }), place: () => ({ screen: "drive", folderId: null }) },
  "drive-rename": {
    state: full,
    place: inPhotos,
    after: async () => {
      await selectNamed("menu-print.pdf");
      await press("details-rename");
    },
  },
  "drive-menu": {
    state: full,
    place: inPhotos,
    after: async () => {
      await selectNamed("menu-print.pdf");
      document.querySelector<HTMLElement>('[data-name="menu-print.pdf"] [data-menu]')?.click();
      await settle();
    },
  },
  "drive-move": {
    state: full,
    place: inPhotos,
    after: async () => {
      await selectNamed("menu-print.pdf");
      document.querySelector<HTMLElement>('[data-name="menu-print.pdf"] [data-menu]')?.click();
      await press("menu-move");
    },
  },
  "drive-delete": {
    state: full,
    place: () => ({ screen: "drive", folderId: null }),
    after: async () => {
      await selectNamed("Brand");
      await press("details-delete");
    },
  },
  "drive-undo": {
    state: full,
    place: inPhotos,
    after: async () => {
      await selectNamed("menu-print.pdf");
      await press("details-delete");
      await press("delete-confirm");
    },
  },
  "drive-new-folder": { state: full, place: inPhotos, after: () => press("drive-new-folder") },
  connections: {
    state: () => ({
      ...full(),
      connections: [localConnection(), serviceConnection({ state: "needs_attention", problem: refused, key_kept: "missing" })],
    }),
    place: () => ({ screen: "settings", section: "connections" }),
  },
  "connections-add": {
    state: full,
    place: () => ({ screen: "settings", section: "connections" }),
    after: () => press("connections-add"),
  },
  rest: {
    state: () => ({
      keys: [
        { id: "1", name: "Easel on this computer", created_at: new Date(2026, 10, 2).toISOString(), last_used_at: new Date(2026, 10, 20, 9, 11).toISOString(), used_by_easel: true },
        { id: "2", name: "Build server", created_at: new Date(2026, 10, 11).toISOString(), last_used_at: new Date(2026, 10, 19, 17).toISOString(), used_by_easel: false },
        { id: "3", name: "Print shop", created_at: new Date(2026, 10, 18).toISOString(), last_used_at: null, used_by_easel: false },
      ],
    }),
    place: () => ({ screen: "settings", section: "developer" }),
  },
  "rest-empty": { place: () => ({ screen: "settings", section: "developer" }) },
  "rest-service": {
    state: () => ({ connections: [serviceConnection()], selected: "service" }),
    place: () => ({ screen: "settings", section: "developer" }),
  },
  "rest-created": {
    place: () => ({ screen: "settings", section: "developer" }),
    after: async () => {
      await press("key-create");
      await type("key-name", "Build server");
      await press("key-create-confirm");
    },
  },
  appearance: { place: () => ({ screen: "settings", section: "appearance" }) },
  about: { place: () => ({ screen: "settings", section: "about" }) },
  ...BACKUP_SCENES,
  ...MIGRATION_SCENES,
  ...DESIGN_SCENES,
  ...LOOK_SCENES,
  ...MANY_SCENES,
  ...MARK_SCENES,
  ...OPENED_SCENES,
  ...WEBHOOK_SCENES,
  // What the app would never send.
  "screen-fault": {
    place: () => ({ screen: "developer", tab: "webhooks" }),
    after: async () => {
      await settle();
      deliveries.list = [null] as never;
    },
  },
  "frame-fault": {
    after: async () => {
      await settle();
      synced.list = [null] as never;
    },
  },
  "drive-cards": {
    state: full,
    place: inPhotos,
    after: async () => {
      await settle();
      drive.view = "cards";
    },
  },
  ...SYNCED_SCENES,
  ...VERSION_SCENES,
  ...TEAM_SCENES,
  ...COLOR_SCENES,
  ...TEXT_SCENES,
};

