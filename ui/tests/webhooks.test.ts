/** Developer › Webhooks as a developer receives them: the signature doctor and the receiver on this computer. */
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import type { SignatureFault, SignatureFinding } from "../src/backend";
import { findingWords } from "../src/signaturewords";
import { doctor } from "../src/state/doctor.svelte";
import { doctor as german } from "../src/text/de/doctor";
import { doctor as english } from "../src/text/doctor";
import { all, at, called, openAt, press, type, violations } from "./stage";
import { serviceConnection } from "./fake-backend";
import { delivery } from "./fake-designs";
import { LISTENING_AT, noWebhooks, received } from "./fake-webhooks";
import bindings from "../src/backend/bindings.ts?raw";

const webhooks = { screen: "developer", tab: "webhooks" } as const;
const listen = { screen: "developer", tab: "listen" } as const;
const finding = (fault: SignatureFault, part: SignatureFinding["part"], given: Partial<SignatureFinding> = {}): SignatureFinding => ({
  part,
  fault,
  amount: null,
  quoted: null,
  ...given,
});

beforeEach(() => doctor.close());

describe("the signature doctor", () => {
  it("says which part is wrong and how, and forgets what was pasted", async () => {
    const diagnosis = { verdict: "mendable", findings: [finding("body_with_more_lines", "body")], event_id: null } as const;
    const fake = await openAt(webhooks, { diagnosis: { ...diagnosis, findings: [...diagnosis.findings] } });
    await press("doctor-open");
    await type("doctor-headers", "X-Webhook-Timestamp: 1");
    await type("doctor-body", "{}\n");
    await type("doctor-secret", "whsec_planted");
    await press("doctor-examine");
    await screen.findByText("The body matches without the blanks around it");
    expect(screen.getByTestId("doctor-verdict").dataset.verdict).toBe("mendable");
    expect(within(screen.getByTestId("doctor-part-timestamp")).getByText("Nothing to say")).toBeTruthy();
    expect(called(fake, "examine_signature")).toEqual([
      [{ headers: "X-Webhook-Timestamp: 1", body: "{}\n", secret: "whsec_planted", is_from_log: false }],
    ]);
    await press("doctor-close");
    await waitFor(() => expect(screen.queryByTestId("doctor")).toBeNull());
    await press("doctor-open");
    expect((await at("doctor-secret") as HTMLInputElement).value).toBe("");
    expect(screen.queryByTestId("doctor-verdict")).toBeNull();
  });

  it("says nothing good of what it could not compare", async () => {
    const findings = [finding("secret_missing", "secret")];
    await openAt(webhooks, { diagnosis: { verdict: "incomplete", findings, event_id: null } });
    await press("doctor-open");
    await press("doctor-examine");
    await at("doctor-secret");
    await screen.findByText("The secret is missing");
    expect(screen.queryByText("Nothing to say")).toBeNull();
  });

  it("takes headers and body of an open delivery with one click, and knows them until they are changed", async () => {
    const fake = await openAt(webhooks, { deliveries: [delivery({ id: "whd_one", event_id: "evt_one" })] });
    await press("delivery-open");
    await press("delivery-doctor");
    expect((await at("doctor-headers") as HTMLTextAreaElement).value).toContain("X-Webhook-Signature: v1=7c0b52f1d9");
    expect((await at("doctor-body") as HTMLTextAreaElement).value).toContain("evt_one");
    await press("doctor-examine");
    await waitFor(() => expect(called(fake, "examine_signature")).toHaveLength(1));
    await type("doctor-body", "{}");
    await press("doctor-examine");
    await waitFor(() => expect(called(fake, "examine_signature")).toHaveLength(2));
    const from = called(fake, "examine_signature").map(([pasted]) => (pasted as { is_from_log: boolean }).is_from_log);
    expect(from).toEqual([true, false]);
  });

  it("has a title and a way out for everything that the app can find, in both languages", () => {
    const named = bindings.split("export type SignatureFault =")[1]?.split("export type")[0] ?? "";
    const faults = [...named.matchAll(/"([a-z0-9_]+)"/gu)].map((match) => match[1] ?? "");
    expect(faults.length).toBeGreaterThan(30);
    for (const words of [english, german]) {
      expect(Object.keys(words.faults).toSorted()).toEqual(faults.toSorted());
    }
    for (const fault of faults) {
      const { title, detail } = findingWords({ fault, amount: 400, quoted: "sha256" });
      expect(title).toMatch(/[^.]$/u);
      expect(detail).toMatch(/\.$/u);
    }
    expect(findingWords({ fault: "timestamp_too_old", amount: 400, quoted: null }).title).toContain("7 minutes");
    expect(findingWords({ fault: "moon_landed", amount: null, quoted: null }).title).toBe("moon_landed");
  });
});

describe("replaying many", () => {
  it("says how many were taken, and keeps the others chosen", async () => {
    const fake = await openAt(webhooks, { deliveries: [delivery({ id: "whd_one" }), delivery({ id: "whd_two" })] });
    fake.redeliver = async () => [delivery({ id: "whd_new", replayed_from_id: "whd_one" })];
    await press("deliveries-choose-all");
    await press("deliveries-replay");
    await screen.findByText("1 of 2 deliveries are sent again; the others are still selected");
    expect((await at("deliveries-replay")).textContent).toContain("Replay 1");
  });
});

describe("listening here", () => {
  it("gives an address, shows what comes, and says whether it is verified", async () => {
    const fake = await openAt(listen);
    await press("listen-start");
    expect((await at("listen-address")).textContent).toBe(LISTENING_AT);
    await press("listen-copy");
    expect(called(fake, "copy_text")).toEqual([[LISTENING_AT]]);
    await screen.findByText("Listening");
    fake.state.receiver = {
      ...fake.state.receiver,
      received: [received({ number: 2, state: "not_checked", is_repeat: true }), received({ number: 1, state: "not_checked", event_type: "" })],
    };
    fake.emit("webhooks_received", {});
    expect(await all("received-row")).toHaveLength(2);
    expect((await at("received-repeat")).textContent).toBe("Repeat");
    await screen.findByText("No event");
    await fireEvent.click((await all("received-open"))[0] as HTMLElement);
    await screen.findByText("Enter the signing secret above, and it is verified.");
    await type("listen-secret", "whsec_planted");
    await press("listen-verify");
    await waitFor(() => expect(screen.getAllByTestId("received-state").map((mark) => mark.dataset.state)).toEqual(["verified", "verified", "verified"]));
    expect(document.body.innerHTML).not.toContain("whsec_planted");
    await press("listen-forget");
    expect(called(fake, "set_receiver_secret")).toEqual([["whsec_planted"], [""]]);
  });

  it("says why one is not verified, and hands it to the doctor", async () => {
    await openAt(listen, { receiver: { ...noWebhooks().receiver, address: LISTENING_AT, received: [received({ state: "not_verified" })] } });
    await press("received-open");
    await screen.findByText("It is the secret of another key");
    await press("received-doctor");
    expect((await at("doctor-body") as HTMLTextAreaElement).value).toContain("evt_1");
  });

  it("goes through its list by keys", async () => {
    const three = [3, 2, 1].map((number) => received({ number }));
    await openAt(listen, { receiver: { ...noWebhooks().receiver, address: LISTENING_AT, received: three } });
    const rows = await all("received-open");
    rows[0]?.focus();
    await fireEvent.keyDown(rows[0] as HTMLElement, { key: "End" });
    expect(document.activeElement).toBe(rows[2]);
    await fireEvent.keyDown(rows[2] as HTMLElement, { key: "ArrowUp" });
    expect(document.activeElement).toBe(rows[1]);
  });

  it("lets the window's own tasks report elsewhere, clears its list, and stops", async () => {
    const fake = await openAt(listen, { receiver: { ...noWebhooks().receiver, address: LISTENING_AT, takes_own_tasks: true, received: [received()], dropped: 3 } });
    await press("listen-own-tasks");
    await waitFor(() => expect(called(fake, "set_receiver_takes_own_tasks")).toEqual([[false]]));
    await screen.findByText("3 more came before these");
    await press("received-clear");
    await screen.findByText("Listening");
    await press("listen-stop");
    await at("listen-start");
  });

  it("is not offered where the service cannot reach this computer, and says so", async () => {
    await openAt(listen, { connections: [serviceConnection()], selected: "service", receiver: { ...noWebhooks().receiver, offer: "out_of_reach" } });
    await at("listen-out-of-reach");
    expect(screen.queryByTestId("listen-start")).toBeNull();
  });
});

describe("what a screen reader finds", () => {
  const listening = () => ({ receiver: { ...noWebhooks().receiver, address: LISTENING_AT, received: [received(), received({ number: 2, state: "not_verified" })] } });
  const screens: [string, () => Promise<unknown>][] = [
    ["the doctor's verdict", async () => {
      await openAt(webhooks, { diagnosis: { verdict: "no_match", findings: [finding("timestamp_too_old", "timestamp", { amount: 4000 }), finding("delivery_repeated", "delivery", { amount: 2, quoted: "evt_1" })], event_id: "evt_1" } });
      await press("doctor-open");
      await press("doctor-examine");
      await at("doctor-verdict");
    }],
    ["listening, before", async () => { await openAt(listen); await at("listen-start"); }],
    ["listening, with one open", async () => { await openAt(listen, listening()); await fireEvent.click((await all("received-open"))[1] as HTMLElement); await at("received-body"); }],
  ];
  it.each(screens)("%s has names and roles", { timeout: 30_000 }, async (_, show) => {
    await show();
    expect(await violations()).toEqual([]);
  });
});
