/** The screen of synced folders on the fake backend: what a person does, what the app is asked, what stands there. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { route } from "../src/state/route.svelte";
import { synced } from "../src/state/synced.svelte";
import { problem } from "./fake-backend";
import { NOW_MS } from "./fake-clock";
import { syncedEvent } from "./fake-history";
import { PREVIEW, syncedFolder } from "./fake-synced";
import { at, called, openAt, press, type, violations } from "./stage";

// A screen with two dialogs takes its time where much else is going on.
vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  synced.forget();
});

const here = { screen: "synced", tab: "folders" } as const;
const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ");
const needing = (question: { go_on: string; keep: string | null } | null, title = "61 items would be deleted in the drive") =>
  syncedFolder({
    state: {
      code: "needs_you",
      need: { problem: problem({ title, detail: "Nothing is deleted before you say so.", action: { kind: "refresh", label: "Look again", target: null } }), question },
    },
  });

describe("adding a folder", () => {
  it("shows in numbers what will happen before anything does, and begins only then", async () => {
    const fake = await openAt(here);
    await press("synced-add");
    await at("synced-sheet");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("synced-name")));
    expect((await at("synced-name") as HTMLInputElement).value).toBe("Brand assets");
    await fireEvent.click(within(await at("synced-mode-both_ways")).getByRole("radio"));
    await press("synced-look");
    expect(plain(await at("synced-preview-up"))).toBe("214 files, 3 GB go up");
    expect(document.activeElement, "the numbers are read first").toBe(screen.getByTestId("synced-preview"));
    expect(plain(await at("synced-preview"))).toContain("14 files, 61 MB come down");
    expect(plain(await at("synced-preview-deleted"))).toBe("Nothing is deleted");
    expect(plain(await at("synced-preview"))).toContain("about 4 minutes: this service takes small files slowly");
    expect(plain(await at("synced-preview"))).toContain("raw/session.psd");
    expect(called(fake, "add_synced_folder")).toEqual([]);
    await press("synced-begin");
    const draft = { source_id: "source_1", drive_folder_id: null, new_in: null, new_name: "Brand assets" };
    const choices = { mode: "both_ways", deletions: "keep", ignore: "", left_out: [] };
    await waitFor(() => expect(called(fake, "add_synced_folder")).toEqual([[{ ...draft, choices }]]));
    expect((await at("synced-folder")).dataset.name).toBe("Brand assets");
    expect(screen.queryByTestId("synced-sheet")).toBeNull();
  });

  it("starts with upload only and a drive that keeps everything, and speaks of no downloads then", async () => {
    const fake = await openAt(here, { syncedPreview: { ...PREVIEW, down_files: 0, down_bytes: 0, skipped: [], skipped_count: 0 } });
    await press("synced-add");
    await press("synced-look");
    await at("synced-preview");
    expect(called(fake, "preview_synced_folder")[0]).toMatchObject([{ choices: { mode: "upload_only", deletions: "keep" } }]);
    expect(plain(await at("synced-preview"))).not.toContain("come down");
  });

  it("takes two steps, and folds what few need, with a word about what holds", async () => {
    const fake = await openAt(here, { syncedPreview: PREVIEW });
    await press("synced-add");
    expect(plain(await at("synced-sheet"))).toContain("Step 1 of 2");
    expect(screen.queryByTestId("synced-ignore")).toBeNull();
    expect(plain(await at("synced-more"))).toContain("The drive keeps what you delete here · nothing more is left out");
    await press("synced-more");
    await fireEvent.click(within(await at("synced-deletions-delete")).getByRole("radio"));
    await type("synced-ignore", "*.tmp\n# a remark\nraw/");
    await press("synced-more");
    expect(plain(await at("synced-more"))).toContain("What you delete here is deleted in the drive · 2 patterns are left out");
    await press("synced-look");
    expect(plain(await at("synced-sheet"))).toContain("Step 2 of 2");
    expect(plain(await at("synced-preview"))).toContain("Drive / Brand assets");
    expect(called(fake, "preview_synced_folder")[0]).toMatchObject([{ choices: { deletions: "delete", ignore: "*.tmp\n# a remark\nraw/" } }]);
    await press("synced-back");
    expect(plain(await at("synced-sheet"))).toContain("Step 1 of 2");
  });

  it("opens the sheet for a folder that was dropped, and says why another drop is none", async () => {
    const fake = await openAt(here);
    await at("synced");
    fake.emit("synced_source_dropped", { source: { source_id: "s", name: "Shoot", path: "~/Shoot" }, problem: null });
    expect(((await at("synced-name")) as HTMLInputElement).value).toBe("Shoot");
    fake.emit("synced_source_dropped", { source: null, problem: problem({ title: "One folder at a time" }) });
    expect((await at("toast")).textContent).toContain("One folder at a time");
  });

  it("names a pattern that cannot be understood at its field, and a name that is missing at its own", async () => {
    const refused = problem({ code: "sync_pattern_refused", title: "Line 2 is no pattern", detail: "A bracket is open." });
    await openAt(here, { failing: { preview_synced_folder: refused } });
    await press("synced-add");
    await type("synced-name", " ");
    await press("synced-look");
    expect(await screen.findByText("Give the folder a name.")).toBeTruthy();
    await type("synced-name", "Brand");
    await press("synced-look");
    expect(await screen.findByText("Line 2 is no pattern: A bracket is open.")).toBeTruthy();
  });

  it("shows both places while something is dragged, and tells the app where the first is", async () => {
    const fake = await openAt(here, { synced: [syncedFolder()] });
    await at("synced-folder");
    await waitFor(() => expect(called(fake, "set_drop_area").length).toBeGreaterThan(0));
    fake.emit("drop_entered", { count: 1, target_label: "the drive" });
    fake.emit("drop_moved", { over: "step" });
    expect((await at("drop-step")).dataset.over).toBe("true");
    expect((await at("drop-drive")).dataset.over).toBe("false");
    expect(screen.queryByTestId("drop-overlay")).toBeNull();
  });
});

describe("a card", () => {
  it.each([
    [syncedFolder(), "Up to date", "1,284 files · 6.2 GB"],
    [syncedFolder({ state: { code: "paused" } }), "Paused", "1,284 files"],
    [
      syncedFolder({
        state: { code: "working", stage: "transferring", done: 111, total: 340, bytes_done: 1, bytes_total: 2, bytes_per_second: 3, time_left_ms: 240_000, limited_by: "requests" },
      }),
      "Syncing 112 of 340",
      "about 4 minutes: this service takes small files slowly",
    ],
    [syncedFolder({ skipped_count: 2 }), "Up to date, except 2 files", "1,284 files"],
    [
      syncedFolder({ last_looked_at: new Date(NOW_MS - 600_000).toISOString(), state: { code: "waiting", problem: problem({ title: "Waiting for the connection" }) } }),
      "Waiting for the connection",
      "Not checked since ",
    ],
    [
      syncedFolder({ last_looked_at: new Date(NOW_MS - 2_000).toISOString(), state: { code: "waiting", problem: problem({ title: "Waiting for the connection" }) } }),
      "Waiting for the connection",
      "",
    ],
    [needing(null, "Brand cannot be found"), "Needs you: Brand cannot be found", "Nothing is deleted before you say so."],
  ])("says in words how the folder is", async (folder, headline, detail) => {
    await openAt(here, { synced: [folder] });
    const card = plain(await at("synced-folder"));
    expect(card).toContain(headline);
    expect(card).toContain(detail);
    expect(card).toContain("Drive / Brand · Both ways");
  });

  it("pauses, goes on and looks again", async () => {
    const fake = await openAt(here, { synced: [syncedFolder()] });
    await press("synced-pause");
    await press("synced-resume");
    await waitFor(async () => expect((await at("synced-folder")).dataset.state).toBe("looking"));
    expect(called(fake, "pause_synced_folder")).toEqual([["1"]]);
    expect(called(fake, "resume_synced_folder")).toEqual([["1"]]);
  });

  it("asks before many deletions with the number in both answers, keeping first", async () => {
    const question = { go_on: "Delete 61 items in the drive", keep: "Keep them in the drive" };
    const fake = await openAt(here, { synced: [needing(question)] });
    const buttons = within(await at("synced-question")).getAllByRole("button");
    expect(buttons.map((button) => button.textContent?.trim())).toEqual(["Keep them in the drive", "Delete 61 items in the drive"]);
    await press("synced-go-on");
    expect(called(fake, "answer_synced_folder")).toEqual([["1", true]]);
    cleanup();
    const again = await openAt(here, { synced: [needing(question)] });
    await press("synced-keep");
    expect(called(again, "answer_synced_folder")).toEqual([["1", false]]);
  });

  it("is told of in the rail and on Home while it needs the person", async () => {
    await openAt({ screen: "home" }, { synced: [needing(null, "Brand cannot be found")] });
    expect((await at("rail-synced")).getAttribute("aria-label")).toBe("Synced folders, 1 needs you");
    expect((await at("need")).textContent).toContain("Brand cannot be found");
  });

  it("lists what differs with its reason, and sends again what was deleted in the drive", async () => {
    const skips = [
      { path: "a.psd", reason: "It is larger than your workspace takes.", can_send_again: false },
      { path: "b.txt", reason: "It was deleted in the drive.", can_send_again: true },
    ];
    const fake = await openAt(here, { synced: [syncedFolder({ skipped_count: 2 })], syncedSkips: skips });
    await press("synced-show-skipped");
    await waitFor(() => expect(screen.getAllByTestId("synced-skip").map((row) => row.dataset.path)).toEqual(["a.psd", "b.txt"]));
    await fireEvent.click(screen.getByText("Send again"));
    expect(called(fake, "send_synced_file_again")).toEqual([["1", "b.txt"]]);
  });

  it("says how many copies are on this computer alone", async () => {
    await openAt(here, { synced: [syncedFolder({ skipped_count: 3, copies_here_alone: 2 })] });
    expect((await at("synced-copies")).textContent).toContain("2 of them are copies on this computer alone");
  });

  it("says why it is looked at every so often instead of at once", async () => {
    await openAt(here, { synced: [syncedFolder({ polling_reason: "the system’s limit of watches is reached" })] });
    expect((await at("synced-polling")).textContent).toContain("the system’s limit of watches is reached");
  });
});

describe("the history", () => {
  it("lists what happened and searches in it", async () => {
    const event = (id: number, path: string) => syncedEvent(id, path, { change: { code: "moved_there", from: "old.png" }, bytes: 2_000 });
    const fake = await openAt({ screen: "synced", tab: "history" }, { synced: [syncedFolder()], syncedHistory: [event(2, "b.png"), event(1, "a.png")] });
    expect((await screen.findAllByTestId("synced-event")).map((row) => row.dataset.path)).toEqual(["b.png", "a.png"]);
    expect(plain((await screen.findAllByTestId("synced-event"))[0] as HTMLElement)).toContain("this computer · from old.png · 2 KB");
    await type("synced-search", "a.p");
    await waitFor(() => expect(screen.getAllByTestId("synced-event")).toHaveLength(1));
    await type("synced-search", "zebra");
    expect(await screen.findByText("Nothing in the history has “zebra” in its name.")).toBeTruthy();
    expect(called(fake, "list_synced_history").at(-1)).toEqual([null, "zebra", 0, 200]);
  });
});

describe("beside the screen", () => {
  it("goes to what a clicked message is about", async () => {
    const fake = await openAt({ screen: "home" });
    fake.emit("place_requested", { connection_id: "local", kind: "folder_needs_you" });
    await waitFor(() => expect(route.place).toEqual({ screen: "synced", tab: "folders" }));
  });

  it("keeps the settings of transfers and messages, all others as they were", async () => {
    const fake = await openAt({ screen: "settings", section: "transfers" });
    await press("transfers-more");
    await fireEvent.change(await at("transfers-bandwidth"), { target: { value: "1000000" } });
    await press("transfers-metered");
    expect(called(fake, "set_settings").at(-1)).toMatchObject([
      { theme: "system", transfers: { bytes_per_second: 1_000_000, at_once: 4, pause_on_metered: false }, keeps_running: true },
    ]);
    route.go({ screen: "settings", section: "background" });
    await press("background-keeps-running");
    await press("background-finished");
    expect(called(fake, "set_settings").at(-1)).toMatchObject([
      { keeps_running: false, notifications: { folder_needs_you: true, finished: false, failed: true } },
    ]);
  });

  it("keeps nobody out", async () => {
    const question = { go_on: "Delete 61 items in the drive", keep: "Keep them in the drive" };
    await openAt(here, { synced: [syncedFolder({ skipped_count: 2 }), { ...needing(question), id: "2" }] });
    await screen.findAllByTestId("synced-folder");
    expect(await violations()).toEqual([]);
    await press("synced-add");
    await at("synced-sheet");
    expect(await violations()).toEqual([]);
  });
});
