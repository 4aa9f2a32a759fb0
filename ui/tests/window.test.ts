/** The whole page on the fake backend: what a person does, what the app is asked, and what stands on the screen. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import axe from "axe-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import App from "../src/App.svelte";
import { useBackend } from "../src/backend";
import { connections } from "../src/state/connection.svelte";
import { drive } from "../src/state/drive.svelte";
import { recent } from "../src/state/recent.svelte";
import { addressPrompt, keyPrompt } from "../src/state/remedies.svelte";
import { route } from "../src/state/route.svelte";
import { settings } from "../src/state/settings.svelte";
import { toasts } from "../src/state/toasts.svelte";
import { transfers } from "../src/state/transfers.svelte";
import {
  fakeBackend,
  type FakeBackend,
  localConnection,
  problem,
  sampleDrive,
  serviceConnection,
  SETTINGS,
  summaryOf,
  transfer,
} from "./fake-backend";

let fake: FakeBackend;

async function open(state: Parameters<typeof fakeBackend>[0] = {}) {
  fake = fakeBackend(state);
  useBackend(fake);
  render(App);
  await waitFor(() => expect(connections.loaded).toBe(true));
}

const firstStart = { connections: [], selected: null };
const at = (testId: string) => screen.findByTestId(testId);
const press = async (testId: string) => fireEvent.click(await at(testId));
const type = async (testId: string, value: string) => fireEvent.input(await at(testId), { target: { value } });
const called = (name: string) => fake.calls.filter((call) => call[0] === name).map((call) => call.slice(1));

beforeEach(() => {
  connections.loaded = false;
  connections.all = [];
  connections.selectedId = null;
  connections.keyStoreProblem = null;
  keyPrompt.connectionId = null;
  addressPrompt.connectionId = null;
  transfers.forget();
  transfers.expanded = false;
  transfers.showSkipped = false;
  recent.forget();
  drive.rows = [];
  route.reset({ screen: "home" });
  for (const toast of toasts.list) toasts.dismiss(toast.id);
});
afterEach(cleanup);

/** What axe finds; colours need a real window. */
async function violations() {
  const found = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  return found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

describe("the first start", () => {
  it("is on Home after one click", async () => {
    await open(firstStart);
    await press("welcome-start");
    await at("home");
    expect(called("start_local_studio")).toEqual([[false]]);
  });

  it("offers to keep the key for this session where the keychain is locked", async () => {
    const locked = problem({
      code: "key_store_locked",
      title: "The keychain is locked",
      action: { kind: "keep_for_session", label: "Keep it until I close Easel", target: null },
    });
    await open({ ...firstStart, failing: { start_local_studio: locked } });
    await press("welcome-start");
    expect(await screen.findByText("The keychain is locked")).toBeTruthy();
    fake.state.failing = {};
    await press("problem-action");
    await at("home");
    expect(called("start_local_studio")).toEqual([[false], [true]]);
  });

  it("says that it could not ask the app, and asks again", async () => {
    fake = fakeBackend({ failing: { get_overview: problem({ title: "Not now" }) } });
    useBackend(fake);
    render(App);
    await screen.findByText("Not now");
    fake.state.failing = {};
    await press("problem-action");
    await at("home");
  });
});

describe("connecting to a service", () => {
  const fill = async (address: string, key: string) => {
    await press("welcome-connect");
    await type("connect-address", address);
    await type("connect-key", key);
  };

  it("gives the address, the key and the header name to the app", async () => {
    await open(firstStart);
    await fill(" https://studio.rye.example ", " svc_live_x ");
    await press("connect-advanced");
    await type("connect-header", "X-Version");
    await press("connect-submit");
    await at("home");
    expect(called("connect_service")).toEqual([
      [
        {
          address: "https://studio.rye.example",
          key: "svc_live_x",
          version_header: "X-Version",
          confirm_plain_http: false,
          keep_for_session: false,
          corrects: null,
        },
      ],
    ]);
  });

  it("asks for what is missing before it asks the service", async () => {
    await open(firstStart);
    await fill("", "");
    await press("connect-submit");
    expect(await screen.findByText("Enter the address of the service.")).toBeTruthy();
    expect(called("connect_service")).toEqual([]);
  });

  it("makes going on without encryption a step of its own", async () => {
    await open(firstStart);
    await fill("http://studio.rye.example", "svc_live_x");
    await press("connect-submit");
    const step = await at("connect-plain");
    expect(step.textContent).toContain("studio.rye.example");
    await press("connect-plain-confirm");
    await at("home");
    expect(called("connect_service").map(([draft]) => (draft as { confirm_plain_http: boolean }).confirm_plain_http)).toEqual([
      false,
      true,
    ]);
  });

  it("holds a yes to one host for no other, however the address is changed", async () => {
    await open(firstStart);
    await fill("http://studio.rye.example", "svc_live_x");
    await press("connect-submit");
    await at("connect-plain");
    const away = problem({ code: "unreachable", action: { kind: "try_again", label: "Try again", target: null } });
    fake.state.failing = { connect_service: away };
    await press("connect-plain-confirm");
    await at("problem-action");
    fake.state.failing = {};
    await type("connect-address", "http://elsewhere.example");
    await press("problem-action");
    expect((await at("connect-plain")).textContent).toContain("elsewhere.example");
    const given = called("connect_service").map(([draft]) => draft as { address: string; confirm_plain_http: boolean });
    expect(given.map((draft) => draft.confirm_plain_http)).toEqual([false, true, false]);
  });

  it("shows each failure in the words that come with it, and its button leads to the cure", async () => {
    const refused = problem({
      code: "authentication",
      title: "The key is not accepted",
      action: { kind: "enter_key", label: "Enter another key", target: null },
      request_id: "req_1",
    });
    await open({ ...firstStart, failing: { connect_service: refused } });
    await fill("https://studio.rye.example", "svc_live_wrong");
    await press("connect-submit");
    expect((await at("problem")).dataset.code).toBe("authentication");
    expect(screen.getByText("req_1")).toBeTruthy();
    await press("problem-action");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("connect-key")));
  });

  it("hides the key until the person wants to see it", async () => {
    await open(firstStart);
    await press("welcome-connect");
    const field = (await at("connect-key")) as HTMLInputElement;
    expect(field.type).toBe("password");
    await fireEvent.click(screen.getByLabelText("Show the key"));
    expect(field.type).toBe("text");
  });

  it("asks for another key where the service refuses the one that it has", async () => {
    const refused = problem({
      title: "The key is not accepted",
      action: { kind: "enter_key", label: "Enter another key", target: "service" },
    });
    await open({
      connections: [serviceConnection({ state: "needs_attention", problem: refused })],
      selected: "service",
    });
    await fireEvent.click(await screen.findByRole("button", { name: "Enter another key" }));
    await type("replace-key", "svc_live_new");
    await press("replace-key-submit");
    await waitFor(() => expect(screen.queryByTestId("key-prompt")).toBeNull());
    expect(called("replace_key")).toEqual([["service", "svc_live_new", false]]);
    expect(screen.queryByTestId("needs-you")).toBeNull();
  });

  it("shows the form with the address where that is what has to change, from any screen", async () => {
    const moved = problem({
      code: "redirect_refused",
      title: "This address points on to new.example",
      action: { kind: "edit_address", label: "Change the address", target: null },
    });
    const service = serviceConnection({ state: "needs_attention", problem: moved });
    await open({ connections: [service], selected: "service" });
    await fireEvent.click(await screen.findByRole("button", { name: "Change the address" }));
    expect(((await at("connect-address")) as HTMLInputElement).value).toBe(service.address);
    await press("connect-back");
    await waitFor(() => expect(screen.queryByTestId("connect-address")).toBeNull());
    await press("connection-action");
    await at("connect-address");
  });

  it("goes on without a keychain that does not give the key", async () => {
    const locked = problem({
      code: "key_locked_away",
      title: "The keychain is locked",
      action: { kind: "refresh", label: "Look again", target: null },
    });
    await open({ connections: [localConnection({ state: "needs_attention", problem: locked })] });
    await fireEvent.click(await screen.findByRole("button", { name: "Go on without the keychain" }));
    await waitFor(() => expect(called("start_local_studio")).toEqual([[true]]));
    cleanup();
    const service = serviceConnection({ state: "needs_attention", problem: locked });
    await open({ connections: [service], selected: "service" });
    await fireEvent.click(await screen.findByRole("button", { name: "Go on without the keychain" }));
    await at("key-prompt");
  });
});

describe("where dropped files land", () => {
  const last = () => called("set_drop_target").at(-1)?.[0];

  it("is nowhere before the first connection, then the top, then the open folder", async () => {
    await open({ ...firstStart, items: sampleDrive() });
    expect(last()).toBeNull();
    await press("welcome-start");
    await at("home");
    expect(last()).toEqual({ folder_id: null, label: "the drive" });
    const brand = fake.state.items.find((item) => item.name === "Brand");
    route.go({ screen: "drive", folderId: brand?.id ?? null });
    await waitFor(() => expect(last()).toEqual({ folder_id: brand?.id, label: "Brand" }));
    route.go({ screen: "settings", section: "about" });
    await waitFor(() => expect(last()).toEqual({ folder_id: null, label: "the drive" }));
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
});

describe("the shelf", () => {
  const sending = transfer("deck.pptx", { state: "sending", sent_bytes: 61_400_000, bytes_per_second: 48_000_000 });

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
    expect((await at("shelf")).textContent).toContain("The drive is full");
  });
});

describe("the keys of the built-in studio", () => {
  beforeEach(() => route.reset({ screen: "settings", section: "rest" }));

  it("shows a new key and its secret once", async () => {
    await open();
    await press("key-create");
    await press("key-create-confirm");
    expect(await screen.findByText("Give the key a name.")).toBeTruthy();
    await type("key-name", "Build server");
    await press("key-create-confirm");
    const key = (await at("key-value")).textContent ?? "";
    expect(key).toMatch(/^svc_live_/u);
    expect(screen.getByTestId("key-secret").textContent).toMatch(/^whsec_/u);
    await press("key-value-copy");
    expect(called("copy_text")).toEqual([[key]]);
    await press("key-stored");
    await waitFor(() => expect(screen.queryByTestId("key-value")).toBeNull());
    expect(document.body.innerHTML).not.toContain(key);
    expect(screen.getAllByTestId("key-row").map((row) => row.dataset.name)).toEqual(["Build server"]);
  });

  it("says when each was used last only where the studio notes it", async () => {
    const key = { id: "k1", name: "Old", created_at: null, last_used_at: null, used_by_easel: false };
    await open({ keys: [key] });
    await at("key-row");
    expect(screen.queryByText("Last used")).toBeNull();
    expect(screen.queryByText("never")).toBeNull();
    cleanup();
    await open({ keys: [key, { ...key, id: "k2", name: "New", last_used_at: "2026-11-20T09:00:00Z" }] });
    expect(await screen.findByText("Last used")).toBeTruthy();
    expect(screen.getByText("never")).toBeTruthy();
  });

  it("deletes one after asking", async () => {
    await open({ keys: [{ id: "k1", name: "Old", created_at: null, last_used_at: null, used_by_easel: false }] });
    await press("key-delete");
    expect(called("delete_api_key")).toEqual([]);
    await press("key-delete-confirm");
    await waitFor(() => expect(called("delete_api_key")).toEqual([["k1"]]));
  });

  it("are not offered for a service elsewhere", async () => {
    await open({ connections: [serviceConnection()], selected: "service" });
    expect(await screen.findByText("Keys are made where the studio runs")).toBeTruthy();
    expect(screen.queryByTestId("key-create")).toBeNull();
    expect(called("list_api_keys")).toEqual([]);
  });
});

describe("the window", () => {
  it("makes text larger and smaller by the keyboard, and keeps it", async () => {
    await open();
    await at("home");
    await fireEvent.keyDown(document.body, { key: "+", ctrlKey: true });
    await fireEvent.keyDown(document.body, { key: "+", ctrlKey: true });
    expect(document.documentElement.style.getPropertyValue("--zoom")).toBe("1.2");
    await fireEvent.keyDown(document.body, { key: "0", ctrlKey: true });
    expect(called("set_settings").at(-1)).toEqual([SETTINGS]);
  });

  it("changes its theme at once", async () => {
    await open();
    settings.setTheme("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    settings.setTheme("light");
    expect(document.documentElement.dataset.theme).toBe("light");
  });

  it("goes back the way it came", async () => {
    await open();
    await press("rail-drive");
    await press("rail-settings");
    await fireEvent.keyDown(document.body, { key: "ArrowLeft", altKey: true });
    expect(route.place.screen).toBe("drive");
    await fireEvent.keyDown(document.body, { key: "ArrowRight", altKey: true });
    expect(route.place.screen).toBe("settings");
  });

  it("asks before it closes on something that is being sent", async () => {
    await open();
    fake.emit("close_requested", { unfinished: 2 });
    expect((await at("close-dialog")).textContent).toContain("2 files are still on their way");
    await press("close-confirm");
    expect(called("confirm_close")).toHaveLength(1);
  });
});

describe("the drive screen", () => {
  it("tells an empty folder from one that could not be listed", async () => {
    route.reset({ screen: "drive", folderId: null });
    await open({ failing: { list_drive: problem({ title: "Not reachable" }) } });
    await screen.findByText("Not reachable");
    expect(screen.queryByTestId("empty")).toBeNull();
    fake.state.failing = {};
    await press("problem-action");
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
});

describe("what a screen reader finds", () => {
  const screens: [string, () => Promise<unknown>][] = [
    ["Welcome", () => open(firstStart)],
    [
      "the connection form",
      async () => {
        await open(firstStart);
        await press("welcome-connect");
      },
    ],
    ["Home, empty", () => open()],
    ["Home, full and busy", () => open({ items: sampleDrive(), transfers: [transfer("a.png", { state: "sending" })] })],
    [
      "the drive",
      async () => {
        route.reset({ screen: "drive", folderId: null });
        await open({ items: sampleDrive() });
        await waitFor(() => expect(drive.loading).toBe(false));
      },
    ],
    [
      "the new folder dialog",
      async () => {
        route.reset({ screen: "drive", folderId: null });
        await open({ items: sampleDrive() });
        await press("drive-new-folder");
        await at("folder-name");
      },
    ],
    ...(["connections", "rest", "appearance", "about"] as const).map((section): [string, () => Promise<unknown>] => [
      `Settings, ${section}`,
      async () => {
        route.reset({ screen: "settings", section });
        await open({ connections: [localConnection(), serviceConnection()] });
        await at("settings");
      },
    ]),
  ];
  it.each(screens)("%s has names and roles", async (_, show) => {
    await show();
    expect(await violations()).toEqual([]);
  });
});
