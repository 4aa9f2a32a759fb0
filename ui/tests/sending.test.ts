/** What a person sees of files on their way and in the drive: the drop, Home, the shelf, a connection in trouble. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { connections } from "../src/state/connection.svelte";
import { drive } from "../src/state/drive.svelte";
import { recent } from "../src/state/recent.svelte";
import { route } from "../src/state/route.svelte";
import { toasts } from "../src/state/toasts.svelte";
import { transfers } from "../src/state/transfers.svelte";
import { text } from "../src/text";
import { type FakeBackend, type FakeState, file, localConnection, problem, sampleDrive, summaryOf, transfer } from "./fake-backend";
import { at, called as calledOf, firstStart, openAt, press, type } from "./stage";

let fake: FakeBackend;

async function open(state: Partial<FakeState> = {}) {
  fake = await openAt(route.place, state);
}

const called = (name: string) => calledOf(fake, name);

beforeEach(() => {
  drive.rows = [];
  route.reset({ screen: "home" });
});

describe("where dropped files land", () => {
  const last = () => called("set_drop_target").at(-1)?.[0];

  it("begins with the studio of this computer, is nowhere in the form, then the top, then the open folder", async () => {
    await open({ ...firstStart, items: sampleDrive() });
    expect(last()).toEqual({ folder_id: null, label: "the drive" });
    await press("welcome-connect");
    await waitFor(() => expect(last()).toBeNull());
    await press("connect-back");
    await waitFor(() => expect(last()).toEqual({ folder_id: null, label: "the drive" }));
    await press("welcome-start");
    await at("home");
    expect(last()).toEqual({ folder_id: null, label: "the drive" });
    const brand = fake.state.items.find((item) => item.name === "Brand");
    route.go({ screen: "drive", folderId: brand?.id ?? null });
    await waitFor(() => expect(last()).toEqual({ folder_id: brand?.id, label: "Brand" }));
    route.go({ screen: "settings", section: "about" });
    await waitFor(() => expect(last()).toEqual({ folder_id: null, label: "the drive" }));
  });

  it("starts the studio of this computer for what is dropped first, once more where that failed", async () => {
    await open({ ...firstStart, failing: { start_local_studio: problem({ title: "Not now" }) } });
    fake.emit("drop_entered", { count: 2, target_label: "the drive" });
    expect((await at("drop-overlay")).textContent).toContain(text.welcome.dropLabel);
    fake.emit("drop_left", {});
    fake.emit("drop_awaits_studio", { count: 2 });
    await screen.findByText("Not now");
    fake.state.failing = {};
    fake.emit("drop_awaits_studio", { count: 2 });
    await at("home");
    expect(called("start_local_studio")).toEqual([[false], [false]]);
  });

  it("is written over the window while files are dragged", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open();
    fake.emit("drop_entered", { count: 3, target_label: "Brand / Photos" });
    const overlay = await at("drop-overlay");
    expect(overlay.textContent).toContain("Put in Brand / Photos");
    expect(overlay.textContent).toContain("3 items");
    fake.emit("drop_left", {});
    await waitFor(() => expect(screen.queryByTestId("drop-overlay")).toBeNull());
  });

  it("names what was skipped, and why", async () => {
    await open();
    fake.emit("files_dropped", {
      taken: { accepted: 2, skipped: [{ name: "core.sock", reason: "It is a socket, not a file." }] },
      problem: null,
    });
    const toast = await at("toast");
    expect(toast.textContent).toContain("core.sock was skipped: It is a socket, not a file.");
    await press("toast-action");
    expect((await at("skipped-file")).dataset.name).toBe("core.sock");
    expect(screen.getByText("1 item was left out. Everything else is on its way.")).toBeTruthy();
  });

  it("offers the cure where nothing of a drop could be taken, and not to drop it again by itself", async () => {
    await open();
    const missing = problem({
      code: "key_missing",
      title: "The key is not on this computer",
      action: { kind: "enter_key", label: "Enter a key", target: null },
    });
    fake.emit("files_dropped", { taken: null, problem: missing });
    await press("toast-action");
    await at("key-prompt");
    const full = problem({ title: "The disk is full", action: { kind: "try_again", label: "Try again", target: null } });
    for (const toast of toasts.list) toasts.dismiss(toast.id);
    fake.emit("files_dropped", { taken: null, problem: full });
    expect(await screen.findByText("The disk is full")).toBeTruthy();
    expect(screen.queryByTestId("toast-action")).toBeNull();
  });

  it("does not say that the rest is on its way where there is no rest", async () => {
    await open();
    const skipped = [{ name: "core.sock", reason: "It is a socket, not a file." }];
    fake.emit("files_dropped", { taken: { accepted: 0, skipped }, problem: null });
    await press("toast-action");
    expect(await screen.findByText("1 item was left out. There was nothing else to send.")).toBeTruthy();
  });
});

describe("Home", () => {
  it("chooses files from the zone, a folder and the clipboard from its buttons", async () => {
    await open();
    await press("home-dropzone");
    await press("home-choose-folder");
    await press("home-paste");
    expect(called("choose_files")).toEqual([[null]]);
    expect(called("choose_folder")).toEqual([[null]]);
    expect(called("paste_files")).toEqual([[null]]);
  });

  it("does not choose twice when the button in the zone is pressed", async () => {
    await open();
    await press("home-choose-files");
    expect(called("choose_files")).toHaveLength(1);
  });

  it("pastes with the keyboard, but not into a field", async () => {
    await open();
    await at("home");
    await fireEvent.keyDown(document.body, { key: "v", ctrlKey: true });
    await waitFor(() => expect(called("paste_files")).toEqual([[null]]));
  });

  it("shows the latest files and leads to where each lies", async () => {
    await open({ items: sampleDrive() });
    const cards = await screen.findAllByTestId("home-recent-file");
    expect(cards.map((card) => card.dataset.name).slice(0, 2)).toEqual(["handover.zip", "storefront-night.png"]);
    await fireEvent.click(cards[1] as HTMLElement);
    await waitFor(() => expect(drive.selectedItems.map((item) => item.name)).toEqual(["storefront-night.png"]));
  });

  it("says what needs the person", async () => {
    const failed = transfer("a.psd", { state: "failed", problem: problem({ title: "a.psd was not sent" }) });
    await open({ transfers: [failed] });
    expect((await at("need")).textContent).toContain("a.psd was not sent");
    await fireEvent.click(within(await at("need")).getByText("Try again"));
    expect(called("retry_transfer")).toEqual([[failed.id]]);
  });

  it("does for one failed file what its problem says, and tries several again", async () => {
    const gone = problem({ action: { kind: "remove", label: "Take it off the list", target: null } });
    const failed = transfer("a.psd", { state: "failed", problem: gone });
    await open({ transfers: [failed] });
    await fireEvent.click(within(await at("need")).getByText("Take it off the list"));
    expect(called("cancel_transfer")).toEqual([[failed.id]]);
    cleanup();
    await open({ transfers: [failed, transfer("b.psd", { state: "failed", problem: gone })] });
    await fireEvent.click(within(await at("need")).getByText("Try again"));
    expect(called("retry_failed_transfers")).toHaveLength(1);
  });
});

describe("a connection in trouble", () => {
  it("is told once, and everything comes when it works again", async () => {
    const stopped = problem({ code: "local_studio_stopped", title: "The studio on this computer stopped" });
    await open({
      connections: [localConnection({ state: "offline", problem: stopped })],
      items: sampleDrive(),
      transfers: [transfer("a.png", { state: "sending" })],
      failing: { list_recent_files: stopped, list_transfers: stopped },
    });
    await at("needs-you");
    await waitFor(() => expect(recent.problem).not.toBeNull());
    // In the rail it is a word and a dot; as a problem it stands here only.
    expect(screen.getAllByText("The studio on this computer stopped")).toHaveLength(1);
    expect(screen.queryByTestId("toast")).toBeNull();
    fake.state.failing = {};
    fake.emit("connection_changed", { connection: localConnection() });
    await at("shelf");
    await waitFor(() => expect(screen.queryByTestId("needs-you")).toBeNull());
    await screen.findAllByTestId("home-recent-file", {}, { timeout: 3_000 });
  });

  it("does not show an empty drive for one that cannot be looked at, and names its cause once", async () => {
    await open({ items: [] });
    await screen.findByLabelText(text.home.hintsLabel);
    const refused = problem({ code: "authentication", title: "The key is not accepted" });
    const waiting = problem({ code: "waiting_key_refused", title: "Waiting for a key that works" });
    fake.emit("connection_changed", { connection: localConnection({ state: "needs_attention", problem: refused }) });
    const queued = [transfer("a.png", { state: "queued" })];
    fake.emit("transfers_changed", { connection_id: "local", summary: summaryOf(queued, { waiting }), changed: queued, list_again: false });
    await waitFor(() => expect(transfers.summary.waiting?.code).toBe(waiting.code));
    expect((await screen.findAllByTestId("need")).map((need) => need.dataset.need)).toEqual(["connection"]);
    expect(screen.queryByLabelText(text.home.hintsLabel)).toBeNull();
  });
});

describe("the shelf", () => {
  const sending = transfer("deck.pptx", { state: "sending", sent_bytes: 61_400_000, bytes_per_second: 48_000_000 });

  it("shows what was told while the list was under way, which is older", async () => {
    await open({ transfers: [sending] });
    await at("shelf");
    const list = fake.list_transfers.bind(fake);
    vi.spyOn(fake, "list_transfers").mockImplementationOnce(async (...asked) => {
      const older = await list(...asked);
      const changed = [{ ...sending, state: "sent" as const }];
      fake.emit("transfers_changed", { connection_id: "local", summary: summaryOf(changed), changed, list_again: false });
      return older;
    });
    await transfers.load();
    expect(transfers.list.map((each) => each.state)).toEqual(["sent"]);
    expect(transfers.summary.finished).toBe(1);
  });

  it("is not there while there is nothing to tell", async () => {
    await open();
    await at("home");
    expect(screen.queryByTestId("shelf")).toBeNull();
  });

  it("says in one line how it goes", async () => {
    await open({ transfers: [sending] });
    const shelf = await at("shelf");
    expect(shelf.textContent).toContain("Sending 1 of 1");
    expect(shelf.textContent?.replace(/\u00a0/gu, " ")).toContain("48 MB/s · 1 s left");
    await press("shelf-pause-all");
    await waitFor(() => expect(shelf.textContent).toContain("1 file paused"));
  });

  it("follows what the app tells about the connection in view, and nothing else", async () => {
    await open({ transfers: [sending] });
    await at("shelf");
    const done = { ...sending, state: "sent" as const, sent_bytes: sending.size_bytes, bytes_per_second: 0 };
    const nothing = { summary: summaryOf([]), changed: [], list_again: false };
    fake.emit("transfers_changed", { connection_id: "another", ...nothing });
    expect(screen.getByTestId("shelf")).toBeTruthy();
    const change = { summary: summaryOf([done]), changed: [done], list_again: false };
    fake.emit("transfers_changed", { connection_id: "local", ...change });
    await waitFor(() => expect(screen.getByTestId("shelf").textContent).toContain("1 file in the drive"));
    expect(transfers.shown.map((each) => each.state)).toEqual(["sent"]);
  });

  it("sets apart what was over before, which its headline does not count", async () => {
    const over = (name: string, minute: number) =>
      transfer(name, { state: "sent", finished_at: `2026-11-24T09:0${minute}:00Z` });
    const [before, now] = [over("before.png", 1), over("now.png", 2)];
    await open({ transfers: [before, now], summary: summaryOf([now]) });
    expect((await at("shelf")).textContent).toContain("1 file in the drive");
    expect(transfers.shown.slice(transfers.earlierFrom).map((each) => each.name)).toEqual(["before.png"]);
    const late = transfer("late.png");
    const change = { summary: summaryOf([now, late]), changed: [late], list_again: false };
    fake.emit("transfers_changed", { connection_id: "local", ...change });
    await waitFor(() => expect(transfers.shown).toHaveLength(3));
    expect(transfers.shown.slice(transfers.earlierFrom).map((each) => each.name)).toEqual(["before.png"]);
  });

  it("lists again when the app says that more changed than it tells", async () => {
    await open({ transfers: [sending] });
    await at("shelf");
    const more = transfer("late.png");
    fake.state.transfers = [sending, more];
    const change = { summary: summaryOf([sending, more]), changed: [], list_again: true };
    fake.emit("transfers_changed", { connection_id: "local", ...change });
    await waitFor(() => expect(transfers.list.map((each) => each.name)).toEqual(["deck.pptx", "late.png"]));
  });

  it("says what the whole queue waits for", async () => {
    await open({ transfers: [sending], summary: { waiting: problem({ title: "The drive is full" }) } });
    expect((await at("shelf")).textContent, "Home has said it, with what helps").toContain("1 file is waiting");
    expect((await at("needs-you")).textContent).toContain("The drive is full");
    route.go({ screen: "drive", folderId: null });
    await waitFor(() => expect(screen.getByTestId("shelf").textContent).toContain("The drive is full"));
  });
});

describe("the drive screen", () => {
  it("shows at once what it showed when it is opened again, and then what is new; of another connection nothing", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ items: sampleDrive() });
    await waitFor(() => expect(drive.loading).toBe(false));
    await press("rail-home");
    await at("home");
    fake.state.items = fake.state.items.filter((item) => item.name !== "Clients");
    fake.state.silent = ["list_drive"];
    await press("rail-drive");
    await at("drive");
    expect(drive.loading).toBe(false);
    expect(drive.rows.map((row) => row?.name)).toContain("Clients");
    fake.state.silent = [];
    drive.refreshSoon();
    await waitFor(() => expect(drive.rows.map((row) => row?.name)).not.toContain("Clients"));
    connections.selectedId = "another";
    void drive.open(null);
    expect(drive.rows).toEqual([]);
    expect(drive.loading).toBe(true);
  });

  it("shows its items as pictures and as rows again, the selection kept", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ items: sampleDrive() });
    await waitFor(() => expect(drive.loading).toBe(false));
    await drive.select(1);
    await press("drive-view");
    await waitFor(() => expect(drive.view).toBe("cards"));
    expect((await at("drive-view")).getAttribute("aria-label")).toBe("Show as a list");
    expect(drive.selected.size).toBe(1);
    await press("drive-view");
    expect(drive.view).toBe("rows");
  });

  it("tells an empty folder from one that could not be listed", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ failing: { list_drive: problem({ title: "Not reachable" }) } });
    await screen.findByText("Not reachable");
    expect(screen.queryByTestId("empty")).toBeNull();
    fake.state.failing = {};
    await press("problem-action");
    await at("empty");
  });

  it("says at once why nothing comes where nobody answers", async () => {
    route.reset({ screen: "drive", folderId: null });
    const stopped = problem({ code: "local_studio_stopped", title: "The studio on this computer stopped" });
    await open({ connections: [localConnection({ state: "offline", problem: stopped })], silent: ["list_drive"] });
    expect(within(await at("drive-list").then((list) => list.parentElement as HTMLElement)).getByTestId("problem").textContent).toContain(stopped.title);
    fake.state.silent = [];
    fake.emit("connection_changed", { connection: localConnection() });
    await at("empty");
  });

  it("makes a folder, and says at the field what is wrong with its name", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ items: sampleDrive() });
    await press("drive-new-folder");
    await type("folder-name", "brand");
    await press("folder-create");
    await screen.findByText("Names are compared without regard to capital letters. Choose another one.");
    await type("folder-name", "Posters");
    await press("folder-create");
    await waitFor(() => expect(drive.selectedItems.map((item) => item.name)).toEqual(["Posters"]));
    expect(called("create_folder").at(-1)).toEqual([null, "Posters"]);
  });

  it("counts what goes before it deletes, and undoes it in time", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ items: sampleDrive() });
    await waitFor(() => expect(drive.loading).toBe(false));
    await drive.select(0);
    drive.active = 0;
    await fireEvent.keyDown(await at("drive-list"), { key: "Delete" });
    await waitFor(() => expect(screen.getByTestId("delete-count").textContent).toContain("5 folders and 14 files"));
    expect(called("delete_items")).toEqual([]);
    await press("delete-confirm");
    await waitFor(() => expect(drive.rows.some((row) => row?.name === "Brand")).toBe(false));
    await press("toast-undo");
    await waitFor(() => expect(drive.rows.some((row) => row?.name === "Brand")).toBe(true));
    expect(called("undo_deletion")).toHaveLength(1);
  });

  it("asks about a file that could run a program, and downloads it instead of opening it", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ items: [file("setup.exe", 10, 1_000), file("deck.pdf", 10, 1_000)] });
    await waitFor(() => expect(drive.loading).toBe(false));
    const openNamed = async (name: string) => {
      drive.active = drive.rows.findIndex((row) => row?.name === name);
      await drive.select(drive.active);
      await fireEvent.keyDown(await at("drive-list"), { key: "Enter" });
    };
    await openNamed("setup.exe");
    const asked = await at("program-dialog");
    expect(asked.textContent).toContain("setup.exe");
    expect(asked.textContent).toContain("could run a program");
    expect(screen.queryByText("Opening setup.exe")).toBeNull();
    await press("program-leave");
    await waitFor(() => expect(screen.queryByTestId("program-dialog")).toBeNull());
    expect(called("download_file")).toEqual([]);
    await openNamed("setup.exe");
    await press("program-download");
    await waitFor(() => expect(called("download_file")).toEqual([[drive.rows.find((row) => row?.name === "setup.exe")?.id, "downloads"]]));
    await openNamed("deck.pdf");
    expect(screen.queryByTestId("program-dialog")).toBeNull();
  });
});
