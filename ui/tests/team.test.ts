/** Settings › Team and the way in by an invitation on the fake backend: what a person sees, and what the app is asked. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, serviceConnection } from "./fake-backend";
import { CODE, sampleLog, sampleTeam } from "./fake-team";
import { all, at, called, firstStart, openAt, press, type, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

const here = { screen: "settings", section: "team" } as const;
const elsewhere = () => ({ connections: [serviceConnection()], selected: "service", team: sampleTeam(), teamLog: sampleLog() });
const row = async (testId: string, email: string) =>
  within((await all(testId)).find((each) => each.dataset["email"] === email) as HTMLElement);

describe("the team", () => {
  it("shows people, invitations, keys and the log, and no button that the person may not use", async () => {
    await openAt(here, elsewhere());
    expect((await all("team-person")).map((each) => each.dataset["email"])).toEqual(sampleTeam().people.map((each) => each.email));
    for (const email of ["olga@example.org", "ada@example.org"]) {
      const person = await row("team-person", email);
      expect(person.queryByRole("combobox"), email).toBeNull();
      expect(person.queryByTestId("team-remove"), email).toBeNull();
    }
    const roles = (await row("team-person", "mia@example.org")).getAllByRole("option").map((each) => each.textContent);
    expect(roles, "an admin makes no owner").toEqual(["Admin", "Member"]);
    expect((await row("team-invitation", "ben@example.org")).queryByTestId("team-again")).toBeNull();
    expect((await row("team-invitation", "cleo@example.org")).getByText("Past its 72 hours")).toBeTruthy();
    const keys = (await all("team-key")).map((each) => within(each).queryByTestId("team-key-delete") !== null);
    expect(keys).toEqual([false, true, false]);
    const limits = [...(await at("team-limits")).children].map((each) =>
      [...each.children].map((part) => part.textContent).join(": "),
    );
    expect(limits).toEqual([
      "Storage: 12\u00a0GB of 50\u00a0GB",
      "Files: 1,204 · no limit",
      "Designs at once: Up to 4",
      "Exports: 10 a minute",
      "Requests: 120 a minute for each key",
    ]);
    const log = (await all("team-entry")).map((each) =>
      [...each.children].map((cell) => (cell.textContent ?? "").trim().replace(/\s+/gu, " ")).join(" | "),
    );
    expect(log[0]).toContain("| ada@example.org | Invited ben@example.org");
    expect(log[4], "what is not known is told by its name").toContain("| something_newer cvs_1");
    expect(log[5]).toContain("| Operator | Made the key Website");
    expect(await violations()).toEqual([]);
  });

  it("changes a role at once and removes after a question", async () => {
    const fake = await openAt(here, elsewhere());
    await fireEvent.change((await row("team-person", "mia@example.org")).getByTestId("team-role"), { target: { value: "admin" } });
    await screen.findByText("mia@example.org is Admin now");
    expect(called(fake, "change_person_role")).toEqual([["user_mia@example.org", "admin"]]);
    await fireEvent.click((await row("team-person", "mia@example.org")).getByTestId("team-remove"));
    expect(called(fake, "remove_person")).toEqual([]);
    await press("team-remove-confirm");
    await waitFor(() => expect(called(fake, "remove_person")).toEqual([["user_mia@example.org"]]));
    await waitFor(async () => expect((await all("team-person")).length).toBe(3));
  });

  it("invites, shows the code once and does not keep it", async () => {
    const fake = await openAt(here, elsewhere());
    await press("team-invite");
    await press("invite-confirm");
    await screen.findByText("Enter an address.");
    await type("invite-email", " zoe@example.org ");
    expect(screen.queryByTestId("invite-role-owner"), "an admin invites no owner").toBeNull();
    await fireEvent.click(within(await at("invite-role-admin")).getByRole("radio"));
    await press("invite-confirm");
    expect((await at("invite-code")).textContent).toBe(CODE);
    expect(called(fake, "invite_person")).toEqual([["zoe@example.org", "admin"]]);
    expect(await violations()).toEqual([]);
    await press("invite-copy");
    expect(called(fake, "copy_secret"), "it leaves the clipboard as a secret does").toEqual([[CODE]]);
    await press("invite-done");
    await waitFor(() => expect(document.body.textContent).not.toContain(CODE));
    expect((await row("team-invitation", "zoe@example.org")).getByText("Admin")).toBeTruthy();
  });

  it("invites again whose time is over, with what is known of them, and takes back", async () => {
    const fake = await openAt(here, elsewhere());
    await fireEvent.click((await row("team-invitation", "cleo@example.org")).getByTestId("team-again"));
    expect((await at("invite-email") as HTMLInputElement).value).toBe("cleo@example.org");
    await press("invite-confirm");
    await press("invite-done");
    await fireEvent.click((await row("team-invitation", "ben@example.org")).getByTestId("team-revoke"));
    await waitFor(() => expect(called(fake, "revoke_invitation")).toEqual([["inv_ben@example.org"]]));
    await waitFor(async () => expect((await all("team-invitation")).length).toBe(1));
  });

  it("says at its place why somebody was not invited", async () => {
    const taken = problem({ code: "user_exists", title: "This person cannot be invited", action: { kind: "dismiss", label: "OK", target: null } });
    await openAt(here, { ...elsewhere(), failing: { invite_person: taken } });
    await press("team-invite");
    await type("invite-email", "mia@example.org");
    await press("invite-confirm");
    expect(within(await at("invite")).getByText("This person cannot be invited")).toBeTruthy();
    expect(within(await at("invite")).queryByText("OK"), "a button that does nothing").toBeNull();
  });

  it("tells a member and a key without the right so, without a dead button", async () => {
    const action = { kind: "dismiss", label: "OK", target: null } as const;
    await openAt(here, { ...elsewhere(), team: problem({ code: "team_not_allowed", title: "Admins and owners manage the team", action }) });
    await screen.findByText("Admins and owners manage the team");
    for (const absent of ["team-invite", "team-people", "team-log"]) expect(screen.queryByTestId(absent), absent).toBeNull();
    expect(screen.queryByText("OK")).toBeNull();
    cleanup();
    const needs = problem({ code: "team_needs_key", title: "This key may not manage the team", action: { kind: "enter_key", label: "Enter a key", target: "service" } });
    const fake = await openAt(here, { ...elsewhere(), team: needs });
    await fireEvent.click(await screen.findByText("Enter a key"));
    await screen.findByRole("dialog");
    fake.state.team = sampleTeam();
    fake.emit("connection_changed", { connection: serviceConnection() });
    await at("team-people");
  });

  it("says nothing of storage where the service says nothing of it", async () => {
    await openAt(here, { ...elsewhere(), team: sampleTeam({ storage: null }) });
    expect((await at("team-limits")).textContent).not.toContain("Storage");
  });

  it("of the studio on this computer says who can reach it", async () => {
    await openAt(here);
    expect((await at("team-local")).textContent).toContain("from this computer alone");
    expect((await all("team-person")).length).toBe(1);
    expect(screen.queryByTestId("team-invitations")).toBeNull();
  });
});

describe("an invitation", () => {
  it("stands beside the other ways in, and one paste is enough", async () => {
    const fake = await openAt({ screen: "home" }, firstStart);
    await press("welcome-invited");
    expect(await violations()).toEqual([]);
    await press("invited-submit");
    await screen.findByText("Paste the invitation.");
    await type("invited-code", `Hello! ${CODE}`);
    await screen.findByText("It leads to studio.example.org.");
    expect(called(fake, "redeem_invitation"), "nothing is sent before a click").toEqual([]);
    await press("invited-submit");
    await waitFor(() => expect(screen.queryByTestId("welcome")).toBeNull());
    expect(called(fake, "redeem_invitation")).toEqual([
      [{ code: `Hello! ${CODE}`, confirm_plain_http: false, keep_for_session: false }],
    ]);
  });

  it("that is not whole is told at its field, where another one can be pasted", async () => {
    await openAt({ screen: "home" }, firstStart);
    await press("welcome-invited");
    await type("invited-code", CODE.slice(0, 20));
    await press("invited-submit");
    await screen.findByText("This is not a whole invitation");
    expect(screen.queryByText("Choose another name")).toBeNull();
    await press("invited-back");
    await at("welcome-start");
  });

  it("goes on with the same paste where the keychain is locked or the way is not encrypted", async () => {
    const locked = problem({ code: "key_store_locked", title: "The keychain is locked", action: { kind: "keep_for_session", label: "Keep until Easel closes", target: null } });
    const fake = await openAt({ screen: "home" }, { ...firstStart, failing: { redeem_invitation: locked } });
    await press("welcome-invited");
    await type("invited-code", CODE);
    await press("invited-submit");
    const plain = problem({ code: "plain_http_refused", action: { kind: "confirm_plain_http", label: "Connect without encryption", target: null } });
    fake.state.failing = { redeem_invitation: plain };
    await fireEvent.click(await screen.findByText("Keep until Easel closes"));
    await at("connect-plain");
    fake.state.failing = {};
    await press("connect-plain-confirm");
    await waitFor(() => expect(screen.queryByTestId("welcome")).toBeNull());
    expect(called(fake, "redeem_invitation").at(-1)).toEqual([{ code: CODE, confirm_plain_http: true, keep_for_session: true }]);
  });

  it("is taken in Settings as well", async () => {
    await openAt({ screen: "settings", section: "connections" });
    await press("connections-invited");
    await type("invited-code", CODE);
    await press("invited-submit");
    await screen.findByText(/^You are in /u);
  });
});
