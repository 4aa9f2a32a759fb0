/** The states of synced folders that are looked at, by name. */
import { type FakeState, problem } from "../fake-backend";
import { NOW_MS } from "../fake-clock";
import { conflict, sampleConflicts } from "../fake-conflicts";
import { syncedFolder } from "../fake-synced";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const here = () => ({ screen: "synced", tab: "folders" }) as const;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();

const away = (): Partial<FakeState> => ({
  synced: [
    syncedFolder({
      last_looked_at: ago(41 * 60_000),
      state: {
        code: "waiting",
        problem: problem({
          code: "waiting_for_service",
          title: "Waiting for the service",
          detail: "It does not answer at the moment. Easel goes on by itself as soon as it does.",
        }),
      },
    }),
    syncedFolder({ id: "2", name: "Client photos", path: "~/Client photos", drive_place: "Clients", skipped_count: 3, last_looked_at: ago(30_000) }),
  ],
});

const many = (): Partial<FakeState> => ({
  synced: [
    syncedFolder({ last_looked_at: ago(120_000) }),
    syncedFolder({
      id: "2",
      name: "Shoot 2026-11",
      path: "~/Pictures/Shoot 2026-11",
      drive_place: "Photos / November",
      choices: { mode: "upload_only", deletions: "keep", ignore: "", left_out: [] },
      state: {
        code: "working",
        stage: "transferring",
        done: 111,
        total: 340,
        bytes_done: 330_000_000,
        bytes_total: 1_000_000_000,
        bytes_per_second: 3_000_000,
        time_left_ms: 240_000,
        limited_by: "requests",
      },
      skipped_count: 2,
    }),
    syncedFolder({
      id: "3",
      name: "Client photos",
      path: "/media/archive/Client photos",
      drive_place: "Clients",
      choices: { mode: "upload_only", deletions: "keep", ignore: "", left_out: [] },
      state: {
        code: "needs_you",
        need: {
          problem: problem({
            code: "need_folder_missing",
            title: "Client photos cannot be found",
            detail: "Nothing was deleted in the drive. Connect the disk that it is on, or put the folder back where it was; Easel goes on by itself.",
            action: { kind: "refresh", label: "Look again", target: null },
          }),
          question: null,
        },
      },
    }),
    syncedFolder({
      id: "4",
      name: "Press kit",
      path: "~/Documents/Press kit",
      drive_place: "Press",
      choices: { mode: "upload_only", deletions: "delete", ignore: "", left_out: [] },
      state: {
        code: "needs_you",
        need: {
          problem: problem({
            code: "need_many_deletions_there",
            title: "61 items would be deleted in the drive",
            detail: "They are no longer in Press kit on this computer. Nothing is deleted before you say so.",
            action: { kind: "refresh", label: "Look again", target: null },
          }),
          question: { go_on: "Delete 61 items in the drive", keep: "Keep them in the drive" },
        },
      },
    }),
    syncedFolder({ id: "5", name: "Archive", path: "~/Archive", drive_place: "Archive", state: { code: "paused" } }),
    syncedFolder({
      id: "6",
      name: "Network share",
      path: "/mnt/share/Brand",
      drive_place: "Share",
      polling_reason: "this file system does not tell of changes",
      last_looked_at: ago(30_000),
    }),
  ],
});

/** Two folders with files of two versions. */
const conflicting = (): Partial<FakeState> => ({
  synced: [
    syncedFolder({ last_looked_at: ago(120_000), conflicts: 3 }),
    syncedFolder({ id: "2", name: "Client photos", path: "~/Client photos", drive_place: "Clients", skipped_count: 3, last_looked_at: ago(30_000), conflicts: 1 }),
  ],
  conflicts: [...sampleConflicts(), conflict("Contracts/Harbour Lane.docx", { folder_id: "2", folder_name: "Client photos", newest: null, stays_in_drive: true })],
});
const compare = () => press("synced-compare");
const onward = (times: number) => async () => {
  await compare();
  for (let time = 0; time < times; time += 1) await press("conflict-next");
};

export const SYNCED_SCENES: Record<string, Scene> = {
  synced: { state: many, place: here },
  "synced-away": { state: away, place: here },
  "synced-empty": { place: here },
  "synced-failed": {
    state: () => ({ failing: { list_synced_folders: problem() } }),
    place: here,
  },
  "synced-adding": { state: many, place: here, after: () => press("synced-add") },
  "synced-adding-more": {
    state: many,
    place: here,
    after: async () => {
      await press("synced-add");
      await press("synced-more");
    },
  },
  "synced-adding-subfolders": {
    state: many,
    place: here,
    after: async () => {
      await press("synced-add");
      await press("synced-more");
      for (const path of ["Photos", "Archive"]) document.querySelector<HTMLElement>(`[data-path="${path}"] .fold`)?.click();
      await settle();
      for (const path of ["Archive", "Photos/raw"]) document.querySelector<HTMLElement>(`[data-path="${path}"]`)?.click();
      document.querySelector('[data-testid="subfolders"]')?.scrollIntoView({ block: "center" });
    },
  },
  "synced-preview": {
    place: here,
    after: async () => {
      await press("synced-add");
      document.querySelector<HTMLInputElement>('[data-testid="synced-mode-both_ways"] input')?.click();
      await press("synced-look");
    },
  },
  "synced-drop": {
    state: many,
    place: here,
    after: async (fake) => {
      await settle();
      fake.emit("drop_entered", { count: 1, target_label: "the drive" });
      fake.emit("drop_moved", { over: "step" });
      await settle();
    },
  },
  "synced-settings": {
    state: many,
    place: here,
    after: async () => {
      await press("synced-menu");
      await press("synced-settings");
    },
  },
  "synced-settings-subfolders": {
    state: () => {
      const given = many();
      given.synced = given.synced?.map((folder) => ({ ...folder, choices: { ...folder.choices, left_out: ["Photos/raw", "Sent by others"] } }));
      return given;
    },
    place: here,
    after: async () => {
      await press("synced-menu");
      await press("synced-settings");
    },
  },
  "synced-history": {
    state: () => ({
      ...many(),
      syncedHistory: [
        { id: 5, at: ago(60_000), folder_name: "Brand assets", path: "Logos/mark.svg", deed: { code: "replaced" }, bytes: 11_000, who: null },
        { id: 4, at: ago(400_000), folder_name: "Brand assets", path: "Photos", deed: { code: "moved_there", from: "Pictures" }, bytes: null, who: null },
        { id: 3, at: ago(900_000), folder_name: "Shoot 2026-11", path: "raw/0012.cr3", deed: { code: "sent" }, bytes: 24_000_000, who: null },
        { id: 2, at: ago(9_000_000), folder_name: "Brand assets", path: "brief.md", deed: { code: "fetched" }, bytes: 3_000, who: "Ada Rye" },
        { id: 1, at: ago(99_000_000), folder_name: "Brand assets", path: "menu.psd", deed: { code: "conflict", kept_as: "menu (conflict, laptop, 2026-11-20).psd" }, bytes: null, who: null },
      ],
    }),
    place: () => ({ screen: "synced", tab: "history" }),
  },
  conflicts: { state: conflicting, place: here },
  "conflicts-home": { state: conflicting },
  "conflicts-picture": { state: conflicting, place: here, after: compare },
  "conflicts-beside": {
    state: conflicting,
    place: here,
    after: async () => {
      await compare();
      document.querySelector<HTMLElement>('[data-testid="conflict-way-beside"] input')?.click();
    },
  },
  "conflicts-text": { state: conflicting, place: here, after: onward(1) },
  "conflicts-facts": { state: conflicting, place: here, after: onward(2) },
  "conflicts-several": {
    state: conflicting,
    place: here,
    after: async () => {
      await compare();
      await press("conflicts-several");
      document.querySelector<HTMLElement>('[data-testid="conflict-row"] input')?.click();
    },
  },
  "conflicts-refused": {
    state: () => {
      const given = conflicting();
      const title = "Photos/storefront-night.png changed since it was shown";
      const detail = "Nothing was done. Look at both versions again, then choose.";
      return { ...given, conflictsRefused: { [given.conflicts?.[0]?.conflict.id ?? ""]: problem({ code: "conflict_changed", title, detail }) } };
    },
    place: here,
    after: async () => {
      await compare();
      await press("conflict-keep-copy");
    },
  },
  "conflicts-failed": {
    state: () => ({ ...conflicting(), failing: { list_synced_conflicts: problem({ title: "The versions in Brand assets cannot be looked at", detail: "The folder is not there. Nothing was done." }) } }),
    place: here,
    after: compare,
  },
  "conflicts-loading": { state: () => ({ ...conflicting(), silent: ["compare_synced_conflict"] }), place: here, after: compare },
  "conflicts-none": { state: () => ({ ...conflicting(), conflicts: [] }), place: here, after: compare },
  "settings-transfers": { place: () => ({ screen: "settings", section: "transfers" }) },
  "settings-background": { place: () => ({ screen: "settings", section: "background" }) },
};
