/** The whole page on the fake backend: the first start, connecting, keys, and what is the window's own. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import App from "../src/App.svelte";
import { useBackend } from "../src/backend";
import { connections } from "../src/state/connection.svelte";
import { drive } from "../src/state/drive.svelte";
import { route } from "../src/state/route.svelte";
import { settings } from "../src/state/settings.svelte";
import { type FakeBackend, fakeBackend, type FakeState, localConnection, problem, sampleDrive, serviceConnection, SETTINGS, summaryOf, transfer } from "./fake-backend";
import { text } from "../src/text";
import { design } from "./fake-designs";
import { at, called as calledOf, firstStart, openAt, press, type, violations } from "./stage";

let fake: FakeBackend;

async function open(state: Partial<FakeState> = {}) {
  fake = await openAt(route.place, state);
}

const called = (name: string) => calledOf(fake, name);

beforeEach(() => {
  drive.rows = [];
  route.reset({ screen: "home" });
});

describe("the first start", () => {
  it("is on Home after one click", async () => {
    await open(firstStart);
    await press("welcome-start");
    await at("home");
    expect(called("start_local_studio")).toEqual([[false]]);
  });

  it("has its hints until the first upload, whatever samples there are, and one of them offers to sync a folder", async () => {
    await open({ items: [], designs: [design("Welcome to the studio", 60_000)] });
    await at("design-card");
    await screen.findByLabelText(text.home.hintsLabel);
    await press("home-sync-folder");
    expect(called("choose_synced_source")).toEqual([[]]);
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
    connections.loaded = false;
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
    await fireEvent.click(await screen.findByRole("button", { name: "Continue without the keychain" }));
    await waitFor(() => expect(called("start_local_studio")).toEqual([[true]]));
    cleanup();
    const service = serviceConnection({ state: "needs_attention", problem: locked });
    await open({ connections: [service], selected: "service" });
    await fireEvent.click(await screen.findByRole("button", { name: "Continue without the keychain" }));
    await at("key-prompt");
  });
});

describe("the keys of the built-in studio", () => {
  beforeEach(() => route.reset({ screen: "settings", section: "developer" }));

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
    expect(called("copy_secret")).toEqual([[key]]);
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
    expect(screen.queryByText("Never")).toBeNull();
    cleanup();
    await open({ keys: [key, { ...key, id: "k2", name: "New", last_used_at: "2026-11-20T09:00:00Z" }] });
    expect(await screen.findByText("Last used")).toBeTruthy();
    expect(screen.getByText("Never")).toBeTruthy();
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

  it("keeps the entries of the rail while what they count comes and goes, so that no click is lost", async () => {
    await open();
    const entry = await at("rail-activity");
    expect(entry.querySelector(".count")).toBeNull();
    const sending = transfer("a.png", { state: "sending" });
    fake.emit("transfers_changed", { connection_id: "local", summary: summaryOf([sending]), changed: [sending], list_again: false });
    await waitFor(() => expect(entry.querySelector(".count")?.textContent).toBe("1"));
    expect(screen.getByTestId("rail-activity")).toBe(entry);
    await fireEvent.click(entry);
    expect(route.place.screen).toBe("activity");
  });

  it("copies diagnostics with one click", async () => {
    route.reset({ screen: "settings", section: "about" });
    await open();
    await press("diagnostics-copy");
    await waitFor(() => expect(called("copy_text")).toEqual([[expect.stringContaining("The last lines of the log")]]));
  });

  it("changes its theme at once", async () => {
    await open();
    settings.keep({ theme: "dark" });
    expect(document.documentElement.dataset.theme).toBe("dark");
    settings.keep({ theme: "light" });
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
    expect((await at("close-dialog")).textContent).toContain("2 files are still being sent");
    await press("close-confirm");
    expect(called("confirm_close")).toHaveLength(1);
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
    ...(["connections", "developer", "appearance", "about"] as const).map((section): [string, () => Promise<unknown>] => [
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
