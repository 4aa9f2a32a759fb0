/** What stays reachable when its message is gone, and what is mended in its place. */
import { cleanup, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { connections } from "../src/state/connection.svelte";
import { toasts } from "../src/state/toasts.svelte";
import { localConnection, problem, serviceConnection } from "./fake-backend";
import { at, called, openAt, press, type } from "./stage";

afterEach(cleanup);

describe("what a drop left out", () => {
  it("can be looked at after its message is gone, until the list is cleared", async () => {
    const fake = await openAt({ screen: "home" });
    const skipped = [{ name: "core.sock", reason: "It is a socket, not a file." }];
    fake.emit("files_dropped", { taken: { accepted: 0, skipped }, problem: null });
    await at("toast");
    for (const toast of toasts.list) toasts.dismiss(toast.id);
    expect((await at("shelf-skipped")).textContent).toContain("1 item was left out");
    await press("shelf-skipped-why");
    expect((await at("skipped-file")).dataset.name).toBe("core.sock");
    await press("shelf-clear");
    await waitFor(() => expect(screen.queryByTestId("shelf")).toBeNull());
  });
});

describe("an address that is corrected", () => {
  it("names the connection that it corrects, and the other one goes where it was there already", async () => {
    const gone = problem({ code: "tls_failed", action: { kind: "edit_address", label: "Change the address", target: null } });
    const old = serviceConnection({ id: "old", state: "needs_attention", problem: gone });
    const fake = await openAt({ screen: "settings", section: "connections" }, { connections: [localConnection(), old], selected: "old" });
    await press("connection-action");
    await type("connect-key", "svc_live_x");
    await press("connect-submit");
    await waitFor(() => expect(called(fake, "connect_service")).toHaveLength(1));
    expect(called(fake, "connect_service")[0]).toMatchObject([{ corrects: "old" }]);
    await waitFor(() => expect(connections.all.map((each) => each.id)).toEqual(["local", "service"]));
  });
});

describe("a start that fails", () => {
  it("is said in the window with the one button that helps, which tries again", async () => {
    const unreadable = problem({ code: "data_unreadable", title: "Easel cannot open its own folder" });
    const opened = openAt({ screen: "home" }, { failing: { get_overview: unreadable } });
    void opened.catch(() => {});
    expect((await at("problem")).textContent).toContain("Easel cannot open its own folder");
    await press("problem-action");
    await at("problem");
  });
});
