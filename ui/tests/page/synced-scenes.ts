/** The states of synced folders that are looked at, by name. */
import type { HistoryPreview } from "../../src/backend";
import { type FakeState, problem } from "../fake-backend";
import { NOW_MS } from "../fake-clock";
import { conflict, sampleConflicts } from "../fake-conflicts";
import { NOTHING_TO_UNDO, syncedEvent } from "../fake-history";
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

const history = () => ({ screen: "synced", tab: "history" }) as const;

/** A day of changes on both sides, in two folders. */
const lines = () => [
  syncedEvent(41, "Logos/mark.svg", { at: ago(60_000), change: { code: "replaced" }, bytes: 11_000, run: 9 }),
  syncedEvent(40, "Photos", { at: ago(400_000), change: { code: "moved_there", from: "Pictures" }, run: 8 }),
  syncedEvent(39, "raw/0012.cr3", { at: ago(900_000), folder_id: "2", folder_name: "Client photos", bytes: 24_000_000, run: 3 }),
  ...["Spring/one.jpg", "Spring/two.jpg", "Spring/three.jpg", "Spring"].map((path, index) =>
    syncedEvent(38 - index, path, { at: ago(3_000_000), change: { code: "deleted_there" }, run: 7 }),
  ),
  syncedEvent(30, "brief.md", { at: ago(9_000_000), change: { code: "fetched_anew" }, is_from_here: false, bytes: 3_000, run: 6 }),
  syncedEvent(29, "Offer.docx", { at: ago(9_100_000), change: { code: "trashed" }, is_from_here: false, by: { name: "Ada Rye", is_you: false }, run: 5 }),
  syncedEvent(28, "Plan.pdf", { at: ago(9_200_000), change: { code: "fetched" }, is_from_here: false, by: { name: "Robin Vale", is_you: true }, bytes: 812_000, run: 5 }),
  syncedEvent(2, "menu.psd", { at: ago(99_000_000), change: { code: "conflict", kept_as: "menu (conflict, laptop, 2026-11-20).psd" }, is_from_here: false, run: null, can_undo: false }),
];
const oneFolder = (): Partial<FakeState> => ({
  synced: [syncedFolder({ last_looked_at: ago(120_000) })],
  syncedHistory: lines().filter((event) => event.folder_id === "1"),
  historyReach: ago(172_800_000),
});
const mixed = (): HistoryPreview => ({
  ...NOTHING_TO_UNDO,
  changes: 41,
  back_files: 6,
  earlier_files: 3,
  bytes: 4_300_000,
  beside_files: 1,
  later_files: 1,
  trashed_files: 12,
  moved_items: 2,
  back_folders: 1,
  removed_folders: 1,
  lost_files: 2,
  lost: ["Photos/0012.cr3", "Photos/0013.cr3"],
  left: [{ path: "Logos/mark.svg", reason: "It was changed since, and stays as it is." }],
  left_count: 1,
});

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
    state: () => ({ ...many(), syncedHistory: lines() }),
    place: history,
  },
  "synced-history-one": {
    state: oneFolder,
    place: history,
  },
  "synced-history-empty": { state: () => ({ ...many(), syncedHistory: [] }), place: history },
  "synced-history-failed": { state: () => ({ ...many(), failing: { list_synced_history: problem() } }), place: history },
  "revert-one": { state: oneFolder, place: history, after: () => press("synced-undo") },
  "revert-run": {
    state: () => ({ ...oneFolder(), historyPreview: { ...NOTHING_TO_UNDO, changes: 301, back_files: 300, back_folders: 1, bytes: 61_000_000 } }),
    place: history,
    after: () => press("synced-undo-run"),
  },
  "revert-moment": { state: oneFolder, place: history, after: () => press("history-go-back") },
  "revert-moment-none": { state: () => ({ ...oneFolder(), historyReach: null }), place: history, after: () => press("history-go-back") },
  "revert-moment-numbers": {
    state: () => ({ ...oneFolder(), historyPreview: mixed() }),
    place: history,
    after: async () => {
      await press("history-go-back");
      await press("revert-look");
    },
  },
  "revert-nothing": {
    state: () => ({ ...oneFolder(), historyPreview: NOTHING_TO_UNDO }),
    place: history,
    after: () => press("synced-undo"),
  },
  "revert-lost": {
    state: () => ({ ...oneFolder(), historyPreview: { ...NOTHING_TO_UNDO, lost_files: 2, lost: ["Photos/0012.cr3", "Photos/0013.cr3"] } }),
    place: history,
    after: () => press("synced-undo"),
  },
  "revert-failed": {
    state: () => ({ ...oneFolder(), failing: { preview_history_revert: problem() } }),
    place: history,
    after: () => press("synced-undo"),
  },
  "revert-working": {
    state: () => ({
      ...oneFolder(),
      synced: [syncedFolder({ last_looked_at: ago(30_000), undoing: { done: 12, refused: 0, total: 301 } })],
      historyPreview: { ...NOTHING_TO_UNDO, changes: 301, back_files: 300, back_folders: 1, bytes: 61_000_000 },
      silent: ["revert_history"],
    }),
    place: history,
    after: async () => {
      await press("synced-undo-run");
      await press("revert-confirm");
    },
  },
  "synced-undoing": {
    state: () => ({
      synced: [
        syncedFolder({ last_looked_at: ago(30_000), undoing: { done: 140, refused: 1, total: 301 } }),
        syncedFolder({ id: "2", name: "Client photos", path: "~/Client photos", drive_place: "Clients", last_looked_at: ago(30_000), undoing: { done: 297, refused: 4, total: 301 } }),
      ],
    }),
    place: here,
  },
  "history-undoing": {
    state: () => ({ ...oneFolder(), synced: [syncedFolder({ last_looked_at: ago(30_000), undoing: { done: 140, refused: 0, total: 301 } })] }),
    place: history,
  },
  "revert-refused": {
    state: () => ({
      ...oneFolder(),
      historyReverted: {
        done: 299,
        refused: [{ path: "Photos/0007.jpg", problem: problem({ title: "This part was not undone", detail: "The disk is full. Nothing is lost: what is no longer in the folder is in the trash." }) }],
        refused_count: 1,
      },
    }),
    place: history,
    after: async () => {
      await press("synced-undo");
      await press("revert-confirm");
    },
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
