/** Faults of the page's own code: what the app is told of them, and what the window does. */
import { screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { report, watchFaults } from "../src/faults";
import { route } from "../src/state/route.svelte";
import { deliveries } from "../src/state/deliveries.svelte";
import { synced } from "../src/state/synced.svelte";
import { problem, type FakeBackend } from "./fake-backend";
import { at, called, openAt, press } from "./stage";

let fake: FakeBackend;
const reported = () => called(fake, "report_page_fault").map(([words]) => String(words).split("\n")[0]);

beforeEach(async () => {
  fake = await openAt({ screen: "home" });
});

it("are told to the app, and what a web view says without meaning harm is not", () => {
  report(new Error("one"));
  report("ResizeObserver loop completed with undelivered notifications.");
  report("two");
  report(problem({ code: "clipboard_unavailable", detail: "Rye.pdf" }));
  expect(reported()).toEqual(["one", "two", "not caught: clipboard_unavailable"]);
});

it("are told where nobody caught them", () => {
  watchFaults();
  dispatchEvent(new ErrorEvent("error", { error: new Error("thrown"), message: "thrown" }));
  dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason: new Error("rejected") }));
  expect(reported()).toEqual(["thrown", "rejected"]);
});

it("break one screen and no other, and it can be shown again", async () => {
  await at("home");
  // What the app would never send.
  deliveries.list = [null] as never;
  route.go({ screen: "developer", tab: "webhooks" });
  expect((await at("problem")).dataset.code).toBe("page_at_fault");
  expect(reported()).toHaveLength(1);
  await press("rail-home");
  await at("home");
  deliveries.list = [null] as never;
  route.go({ screen: "developer", tab: "webhooks" });
  await at("problem");
  deliveries.list = [];
  await press("problem-action");
  await at("developer");
  await waitFor(() => expect(screen.queryByTestId("problem")).toBeNull());
});

it("break the frame at worst, which is drawn anew", async () => {
  await at("home");
  synced.list = [null] as never;
  expect((await at("problem")).dataset.code).toBe("page_at_fault");
  synced.list = [];
  await press("problem-action");
  await press("rail-synced");
  await at("empty");
});
