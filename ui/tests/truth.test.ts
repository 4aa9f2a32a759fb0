/** What the window says about files is true where they are: who sees one, and what can still help one that could not be sent. */
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import TransferRow from "../src/components/TransferRow.svelte";
import { drive } from "../src/state/drive.svelte";
import { file, localConnection, problem, serviceConnection, transfer } from "./fake-backend";
import { at, openAt, press } from "./stage";

vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

it.each([
  ["local", "team", "Only on this computer"],
  ["local", "private", "Only on this computer"],
  ["service", "team", "the whole team"],
  ["service", "private", "only you"],
] as const)("who sees a file of a connection of kind %s that is of kind %s is said as it is", async (kind, visibility, words) => {
  const connection = kind === "local" ? localConnection() : serviceConnection();
  const items = [file("menu.pdf", 2_000, 0, { visibility })];
  await openAt({ screen: "drive", folderId: null }, { items, connections: [connection], selected: connection.id });
  await vi.waitFor(() => expect(drive.rows).toHaveLength(1));
  await drive.select(0);
  await press("drive-details-toggle");
  expect((await at("details-seen")).textContent).toBe(words);
});

describe("a file that could not be sent", () => {
  it.each([
    ["try_again", true],
    ["choose_again", false],
  ] as const)("whose remedy is %s offers to send it again: %s", async (kind, offers) => {
    const failed = transfer("session.psd", { state: "failed", problem: problem({ action: { kind, label: "Remedy", target: null } }) });
    render(TransferRow, { transfer: failed });
    await at("transfer-reveal");
    expect(document.querySelector('[data-testid="transfer-retry"]') !== null).toBe(offers);
    expect(document.querySelector('[data-testid="transfer-cure"]') !== null).toBe(!offers);
  });
});
