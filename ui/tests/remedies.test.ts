/**
 * Every kind of button that a problem can have, pressed where it stands, until its cause is gone.
 *
 * That each error has words and one of these buttons is tested where the words are (`causes.rs`, `messages.rs`). A kind that is
 * added there does not pass the types here before it has a cure.
 */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import type { ActionKind, Problem } from "../src/backend";
import { drive } from "../src/state/drive.svelte";
import { route } from "../src/state/route.svelte";
import { type FakeBackend, problem, sampleDrive, serviceConnection, transfer } from "./fake-backend";
import { syncedFolder } from "./fake-synced";
import { at, called, firstStart, openAt, press, type } from "./stage";

afterEach(cleanup);

const LABEL = "Do what helps";
const needing = (kind: ActionKind, target: string | null = null): Problem => problem({ title: "Something is wrong", action: { kind, label: LABEL, target } });
const button = () => screen.findByRole("button", { name: LABEL });
const isGone = () => waitFor(() => expect(screen.queryByText("Something is wrong")).toBeNull());

/** The cause is gone as soon as the app is told this. */
function curedBy(fake: FakeBackend, command: "start_local_studio"): void {
  const before = fake[command].bind(fake);
  fake[command] = (...given) => {
    fake.state.failing = {};
    return before(...given);
  };
}

/** The drive cannot be listed. */
async function openDrive(kind: ActionKind): Promise<FakeBackend> {
  return openAt({ screen: "drive", folderId: null }, { failing: { list_drive: needing(kind) } });
}

/** The cause went by itself; the list comes when it is asked for again. */
async function listAgain(kind: ActionKind): Promise<void> {
  const fake = await openDrive(kind);
  const again = await button();
  fake.state.failing = {};
  await fireEvent.click(again);
  await at("empty");
}

/** A service whose address or header name is wrong. */
async function correct(kind: ActionKind, field: string, value: string): Promise<void> {
  const wrong = serviceConnection({ state: "needs_attention", problem: needing(kind) });
  const fake = await openAt({ screen: "home" }, { connections: [wrong], selected: wrong.id });
  await fireEvent.click(await button());
  await type(field, value);
  await type("connect-key", "svc_live_x");
  await press("connect-submit");
  await waitFor(() => expect(called(fake, "connect_service")).toMatchObject([[{ corrects: wrong.id }]]));
  expect(JSON.stringify(called(fake, "connect_service"))).toContain(value);
  await isGone();
}

const CURES: Record<ActionKind, () => Promise<void>> = {
  try_again: () => listAgain("try_again"),
  refresh: () => listAgain("refresh"),
  async start_local_studio() {
    const fake = await openDrive("start_local_studio");
    curedBy(fake, "start_local_studio");
    await fireEvent.click(await button());
    await at("empty");
  },
  async open_connections() {
    await openDrive("open_connections");
    await fireEvent.click(await button());
    expect(route.place).toEqual({ screen: "settings", section: "connections" });
    await at("connections");
  },
  edit_address: () => correct("edit_address", "connect-address", "https://new.example"),
  edit_version_header: () => correct("edit_version_header", "connect-header", "X-Service-Version"),
  async enter_key() {
    const refused = serviceConnection({ state: "needs_attention", problem: needing("enter_key") });
    await openAt({ screen: "home" }, { connections: [refused], selected: refused.id });
    await fireEvent.click(await button());
    await type("replace-key", "svc_live_new");
    await press("replace-key-submit");
    await isGone();
  },
  async keep_for_session() {
    const fake = await openAt({ screen: "home" }, { ...firstStart, failing: { start_local_studio: needing("keep_for_session") } });
    await press("welcome-start");
    const keep = await button();
    fake.state.failing = {};
    await fireEvent.click(keep);
    await at("home");
    expect(called(fake, "start_local_studio")).toEqual([[false], [true]]);
  },
  async confirm_plain_http() {
    await openAt({ screen: "home" }, firstStart);
    await press("welcome-connect");
    await type("connect-address", "http://studio.rye.example");
    await type("connect-key", "svc_live_x");
    await press("connect-submit");
    await press("connect-plain-confirm");
    await at("home");
  },
  async edit_name() {
    const fake = await openAt({ screen: "drive", folderId: null }, { items: sampleDrive(), failing: { rename_item: needing("edit_name") } });
    await waitFor(() => expect(drive.rows[0]?.name).toBe("Brand"));
    const rename = async (name: string) => {
      const field = await at("drive-rename");
      await fireEvent.input(field, { target: { value: name } });
      await fireEvent.keyDown(field, { key: "Enter" });
    };
    await drive.select(0);
    drive.renamingId = drive.rows[0]?.id ?? null;
    await rename("Taken");
    const again = await button();
    fake.state.failing = {};
    await fireEvent.click(again);
    await rename("Free");
    await waitFor(() => expect(fake.state.items.map((item) => item.name)).toContain("Free"));
  },
  async choose_again() {
    const fake = await openAt({ screen: "home" }, { failing: { choose_files: needing("choose_again") } });
    await press("home-choose-files");
    const again = await button();
    fake.state.failing = {};
    await fireEvent.click(again);
    await waitFor(() => expect(called(fake, "choose_files")).toHaveLength(2));
    await isGone();
  },
  async show_item() {
    const items = sampleDrive();
    const shown = items.find((item) => item.folder_id === null);
    await openAt({ screen: "home" }, { items, failing: { choose_files: needing("show_item", shown?.id ?? null) } });
    await press("home-choose-files");
    await fireEvent.click(await button());
    await waitFor(() => expect([...drive.selected]).toEqual([shown?.id]));
  },
  async remove() {
    const failed = transfer("a.psd", { state: "failed", problem: needing("remove") });
    const fake = await openAt({ screen: "home" }, { transfers: [failed] });
    await fireEvent.click(await within(await at("need")).findByText(LABEL));
    expect(called(fake, "cancel_transfer")).toEqual([[failed.id]]);
    await waitFor(() => expect(screen.queryByTestId("need")).toBeNull());
  },
  async find_folder() {
    const missing = syncedFolder({ state: { code: "needs_you", need: { problem: needing("find_folder"), question: null } } });
    const fake = await openAt({ screen: "synced", tab: "folders" }, { synced: [missing] });
    await press("synced-need-action");
    await waitFor(() => expect(called(fake, "relocate_synced_folder")).toEqual([[missing.id]]));
    await isGone();
  },
  async dismiss() {
    await openAt({ screen: "home" }, { failing: { choose_files: needing("dismiss") } });
    await press("home-choose-files");
    await screen.findByText("Something is wrong");
    expect(screen.queryByRole("button", { name: LABEL })).toBeNull();
    await fireEvent.click(await screen.findByRole("button", { name: "Dismiss" }));
    await isGone();
  },
};

describe("the button of a problem cures its cause:", () => {
  it.each(Object.entries(CURES))("%s", (_, cure) => cure());
});
