/** The whole page on the fake backend, for the tests of one screen or one corner of it. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import axe from "axe-core";
import { expect } from "vitest";
import App from "../src/App.svelte";
import { useBackend } from "../src/backend";
import { backups } from "../src/state/backups.svelte";
import { migration } from "../src/state/migration.svelte";
import { brandKits } from "../src/state/brandkits.svelte";
import { conflicts } from "../src/state/conflicts.svelte";
import { connections } from "../src/state/connection.svelte";
import { deliveries } from "../src/state/deliveries.svelte";
import { description } from "../src/state/describe.svelte";
import { contactSheet } from "../src/state/contactsheet.svelte";
import { design } from "../src/state/design.svelte";
import { designs } from "../src/state/designs.svelte";
import { dropping } from "../src/state/dropping.svelte";
import { exports } from "../src/state/exports.svelte";
import { marks } from "../src/state/marks.svelte";
import { receiver } from "../src/state/receiver.svelte";
import { addressPrompt, keyPrompt } from "../src/state/remedies.svelte";
import { recent } from "../src/state/recent.svelte";
import { route, type Place } from "../src/state/route.svelte";
import { tasks } from "../src/state/tasks.svelte";
import { team } from "../src/state/team.svelte";
import { colors } from "../src/state/colors.svelte";
import { pictures } from "../src/state/pictures.svelte";
import { texts } from "../src/state/texts.svelte";
import { toasts } from "../src/state/toasts.svelte";
import { transfers } from "../src/state/transfers.svelte";
import { trash } from "../src/state/trash.svelte";
import { versions } from "../src/state/versions.svelte";
import { fakeBackend, type FakeBackend, type FakeState } from "./fake-backend";

/** Nothing was ever connected. */
export const firstStart: Partial<FakeState> = { connections: [], selected: null };

/** Opens the page at a place, with nothing left of the test before. */
export async function openAt(place: Place, state: Partial<FakeState> = {}): Promise<FakeBackend> {
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
  const kept = [backups, migration, designs, tasks, exports, deliveries, receiver, brandKits, description, trash, versions, conflicts, marks, contactSheet, texts, colors, pictures, team];
  for (const each of kept) each.forget();
  description.clear();
  description.format = null;
  dropping.leave();
  design.showDetails(false);
  route.reset(place);
  for (const toast of toasts.list) toasts.dismiss(toast.id);
  const fake = fakeBackend(state);
  useBackend(fake);
  render(App);
  await waitFor(() => expect(connections.loaded).toBe(true));
  return fake;
}

export const at = (testId: string): Promise<HTMLElement> => screen.findByTestId(testId);
export const all = (testId: string): Promise<HTMLElement[]> => screen.findAllByTestId(testId);
export const press = async (testId: string): Promise<boolean> => fireEvent.click(await at(testId));
export const type = async (testId: string, value: string): Promise<boolean> =>
  fireEvent.input(await at(testId), { target: { value } });
/** What the app was asked by a command, each time. */
export const called = (fake: FakeBackend, name: string): unknown[][] =>
  fake.calls.filter((call) => call[0] === name).map((call) => call.slice(1));

/** What axe finds; colours need a real window. */
export async function violations(): Promise<string[]> {
  const found = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  return found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).join(", ")}`);
}
