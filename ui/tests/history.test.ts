/** The way back in the history of synced folders on the fake backend: what is shown before it is done, and what the app is asked. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reverting } from "../src/state/history.svelte";
import { synced } from "../src/state/synced.svelte";
import { problem } from "./fake-backend";
import { NOW_MS } from "./fake-clock";
import { NOTHING_TO_UNDO, syncedEvent } from "./fake-history";
import { syncedFolder } from "./fake-synced";
import { at, called, openAt, press, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  reverting.close();
  synced.forget();
});

const history = { screen: "synced", tab: "history" } as const;
const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ").replace(/\s+/gu, " ").trim();
const deleted = [7, 6, 5].map((id) => syncedEvent(id, `Photos/${id}.jpg`, { change: { code: "deleted_there" }, run: 3 }));
const one = () => ({ synced: [syncedFolder()], syncedHistory: [syncedEvent(9, "brief.md", { change: { code: "replaced" } }), ...deleted] });
const dialogs = () => screen.queryAllByTestId("revert-dialog");

describe("the lines", () => {
  it("say from which side a change is and who made it, and stand together by runs", async () => {
    await openAt(history, {
      synced: [syncedFolder()],
      syncedHistory: [
        ...deleted,
        syncedEvent(4, "Offer.docx", { change: { code: "trashed" }, is_from_here: false, by: { name: "Ada Rye", is_you: false } }),
        syncedEvent(3, "Plan.pdf", { change: { code: "fetched" }, is_from_here: false, by: { name: "Me", is_you: true } }),
        syncedEvent(2, "x.md", { change: { code: "fetched" }, is_from_here: false }),
        syncedEvent(1, "old.md", { run: null, can_undo: false }),
      ],
    });
    const rows = (await screen.findAllByTestId("synced-event")).map(plain);
    expect(rows[0]).toContain("Deleted in the drive · this computer");
    expect(rows[3]).toContain("drive, Ada Rye");
    expect(rows[4]).toContain("drive, you");
    expect(rows[5]).toContain("Fetched · drive");
    expect(screen.getAllByTestId("synced-run").map(plain).join()).toContain("3 changes");
    expect(screen.getAllByTestId("synced-run")).toHaveLength(1);
    expect(screen.getAllByTestId("synced-undo"), "what nobody wrote down cannot be undone").toHaveLength(6);
    expect(await violations()).toEqual([]);
  });

  it("are those of one folder where one is chosen", async () => {
    const fake = await openAt(history, { synced: [syncedFolder(), syncedFolder({ id: "2", name: "Photos" })], syncedHistory: one().syncedHistory });
    expect(screen.queryByTestId("history-go-back"), "of all folders there is no one moment").toBeNull();
    await fireEvent.change(await at("history-folder"), { target: { value: "2" } });
    await waitFor(() => expect(called(fake, "list_synced_history").at(-1)).toEqual(["2", "", 0, 200]));
    await at("history-go-back");
    expect(screen.queryAllByTestId("synced-event")).toHaveLength(0);
  });
});

describe("undoing", () => {
  it("shows of one change what would happen, and does that", async () => {
    const fake = await openAt(history, one());
    await fireEvent.click((await screen.findAllByTestId("synced-undo"))[0] as HTMLElement);
    expect(plain(await at("revert-earlier"))).toBe("1 file gets its earlier content");
    expect(called(fake, "preview_history_revert")).toEqual([["1", { kind: "one", id: 9 }]]);
    expect(called(fake, "revert_history")).toEqual([]);
    expect(await violations()).toEqual([]);
    await press("revert-confirm");
    await waitFor(() => expect(dialogs()).toHaveLength(0));
    expect(called(fake, "revert_history")).toEqual([["1", { kind: "one", id: 9 }, "seen_1"]]);
    expect(await screen.findByText(/^Undone in 1 step/u)).toBeTruthy();
  });

  it("shows of a run how much comes back, and counts what nothing holds", async () => {
    const fake = await openAt(history, {
      ...one(),
      historyPreview: { ...NOTHING_TO_UNDO, changes: 3, back_files: 2, lost_files: 1, lost: ["Photos/6.jpg"], left: [{ path: "Photos/5.jpg", reason: "It is no longer at its place." }], left_count: 1 },
    });
    await press("synced-undo-run");
    expect(plain(await at("revert-back"))).toBe("2 files come back");
    expect(plain(await at("revert-lost"))).toBe("1 file cannot come back: neither trash nor versions hold it Photos/6.jpg");
    expect(plain(await at("revert-left"))).toContain("It is no longer at its place.");
    expect(called(fake, "preview_history_revert")).toEqual([["1", { kind: "run", run: 3 }]]);
  });

  it("offers nothing where there is nothing to undo", async () => {
    await openAt(history, { ...one(), historyPreview: NOTHING_TO_UNDO });
    await fireEvent.click((await screen.findAllByTestId("synced-undo"))[0] as HTMLElement);
    expect(plain(await at("revert-numbers"))).toContain("everything is as it was");
    expect(screen.queryByTestId("revert-confirm")).toBeNull();
    await press("revert-close");
    expect(dialogs()).toHaveLength(0);
  });

  it("does nothing where the folder has changed since, and shows it anew", async () => {
    const changed = problem({ title: "Brand assets changed since it was shown", action: { kind: "refresh", label: "Look again", target: null } });
    const fake = await openAt(history, { ...one(), failing: { revert_history: changed } });
    await fireEvent.click((await screen.findAllByTestId("synced-undo"))[0] as HTMLElement);
    await press("revert-confirm");
    await screen.findByText("Brand assets changed since it was shown");
    expect(screen.queryByTestId("revert-confirm"), "what was shown holds no more").toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Look again" }));
    await at("revert-earlier");
    expect(called(fake, "preview_history_revert")).toHaveLength(2);
  });

  it("tells of what was not done", async () => {
    const refused = { path: "Photos/7.jpg", problem: problem({ title: "This part was not undone", detail: "The disk is full." }) };
    await openAt(history, { ...one(), historyReverted: { done: 2, refused: [refused], refused_count: 1 } });
    await press("synced-undo-run");
    await press("revert-confirm");
    expect(plain(await at("revert-refused"))).toBe("Photos/7.jpg The disk is full.");
    expect(screen.getByRole("heading", { name: "1 step was not done" })).toBeTruthy();
  });
});

describe("while it is done", () => {
  const undoing = (done: number, refused: number, total: number) => ({ undoing: { done, refused, total } });

  it("counts the steps in the dialog and, once that is closed, in the history and on the card", async () => {
    const fake = await openAt(history, { ...one(), silent: ["revert_history"] });
    await press("synced-undo-run");
    await press("revert-confirm");
    const moved = { connection_id: fake.state.selected ?? "", changed: [syncedFolder(undoing(12, 0, 300))], removed: [], has_history: false };
    fake.emit("synced_folders_changed", moved);
    expect(plain(await at("revert-progress"))).toBe("Undoing… 12 of 300");
    expect(await violations()).toEqual([]);
    await press("revert-cancel");
    expect(plain(await at("undoing"))).toContain("Undoing… 12 of 300");
  });

  it("can be stopped, and tells how one ended that a restart carried on", async () => {
    const fake = await openAt(history, { ...one(), synced: [syncedFolder(undoing(12, 1, 300))] });
    expect(plain(await at("undoing"))).toContain("Undoing… 13 of 300 · 1 step was refused");
    await press("undoing-stop");
    expect(called(fake, "give_up_undoing")).toEqual([["1"]]);
    cleanup();
    const over = await openAt({ screen: "synced", tab: "folders" }, { ...one(), synced: [syncedFolder(undoing(297, 3, 300))] });
    expect(plain(await at("undoing"))).toContain("carried on after a restart; 3 steps of 300 could not be done.");
    expect(await violations()).toEqual([]);
    await press("undoing-dismiss");
    expect(called(over, "give_up_undoing")).toEqual([["1"]]);
  });
});

describe("a moment", () => {
  it("is chosen within what the history tells, and shown in numbers before the folder goes back", async () => {
    const reach = new Date(NOW_MS - 3 * 86_400_000).toISOString();
    const fake = await openAt(history, { ...one(), historyReach: reach, historyPreview: { ...NOTHING_TO_UNDO, changes: 4, back_files: 3, trashed_files: 1 } });
    await press("history-go-back");
    const field = (await at("revert-moment")) as HTMLInputElement;
    await fireEvent.input(field, { target: { value: "2020-01-01T09:40" } });
    expect(plain(await at("revert-reach"))).toContain("which is as far as the history goes back");
    expect(((await at("revert-look")) as HTMLButtonElement).disabled).toBe(true);
    const wanted = new Date(NOW_MS - 86_400_000);
    const local = new Date(wanted.getTime() - wanted.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    await fireEvent.input(field, { target: { value: local } });
    await press("revert-look");
    expect(plain(await at("revert-numbers"))).toContain("3 files come back 1 file goes to the trash");
    const moment = new Date(local).toISOString();
    expect(called(fake, "preview_history_revert")).toEqual([["1", { kind: "since", at: moment }]]);
    expect(await violations()).toEqual([]);
    // Another moment has to be looked at anew.
    await fireEvent.input(field, { target: { value: local.replace(/..$/u, "00") } });
    expect(screen.queryByTestId("revert-confirm")).toBeNull();
    await press("revert-look");
    await press("revert-confirm");
    await waitFor(() => expect(called(fake, "revert_history")).toHaveLength(1));
  });

  it("cannot be chosen where nothing has changed", async () => {
    await openAt(history, { ...one(), historyReach: null });
    await press("history-go-back");
    expect(plain(await at("revert-reach"))).toContain("nothing to go back to");
    expect(screen.queryByTestId("revert-look")).toBeNull();
  });

  it("is reached from the folder's card", async () => {
    await openAt({ screen: "synced", tab: "folders" }, { ...one(), historyReach: new Date(NOW_MS - 86_400_000).toISOString() });
    await press("synced-menu");
    await press("synced-go-back");
    await at("revert-moment");
  });
});
