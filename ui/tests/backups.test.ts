/** Settings › Backup on the fake backend: what a person sees before, while and after, and what the app is asked. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, serviceConnection } from "./fake-backend";
import { sampleBackups } from "./fake-backups";
import { all, at, called, openAt, press, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

const here = { screen: "settings", section: "backup" } as const;
const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ");
const given = () => ({ backups: sampleBackups() });

describe("a backup", () => {
  it("goes into a folder that is chosen first, and is listed with what is in it", async () => {
    const fake = await openAt(here);
    await screen.findByText("A second copy of your studio");
    await press("backup-choose");
    expect(plain(await at("backup-place"))).toBe("/media/ada/Archive/Easel backup");
    expect(plain(await at("backup-now"))).toBe("1,284 files · 36 designs · 6.2 GB");
    expect(called(fake, "back_up_studio"), "choosing copies nothing").toEqual([]);
    await press("backup-now-button");
    expect(plain(await at("backup"))).toContain("1,284 files · 36 designs · 6.2 GB");
    expect(called(fake, "back_up_studio")).toEqual([[]]);
  });

  it("shows how far it has come, and that nothing else can be begun meanwhile", async () => {
    const fake = await openAt(here, given());
    await at("backup-place");
    fake.emit("backup_moved", { under_way: { stage: "backing_up", done: 412, total: 1_290, bytes: 2_100_000_000 } });
    expect(plain(await at("backup-progress")).trim()).toBe("Backing up: 412 of 1,290 · 2.1 GB");
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("31");
    for (const button of [await at("backup-now-button"), await at("backup-choose"), ...(await all("backup-restore"))]) {
      expect((button as HTMLButtonElement).disabled, button.textContent ?? "").toBe(true);
    }
    fake.emit("backup_moved", { under_way: null });
    await waitFor(() => expect(screen.queryByTestId("backup-progress")).toBeNull());
  });

  it("that fails says so at its place, and what helps does it again", async () => {
    const failed = problem({ code: "backup_failed", title: "The backup was not taken" });
    const fake = await openAt(here, { ...given(), failing: { back_up_studio: failed } });
    await press("backup-now-button");
    expect(plain(await at("backup-failed"))).toContain("The backup was not taken");
    fake.state.failing = {};
    await fireEvent.click(screen.getByText("Try again"));
    await waitFor(() => expect(screen.queryByTestId("backup-failed")).toBeNull());
    expect(called(fake, "back_up_studio")).toHaveLength(2);
  });

  it("cannot be taken where its disk is away, and the list says why it is empty", async () => {
    const away = { path: "/media/ada/Archive/Easel backup", is_reachable: false, backups: [] };
    await openAt(here, { backups: sampleBackups({ place: away }) });
    await screen.findByText("The folder cannot be looked into");
    expect((await at("backup-now-button") as HTMLButtonElement).disabled).toBe(true);
    expect(screen.queryByText("Not backed up yet."), "nobody knows").toBeNull();
  });
});

describe("restoring", () => {
  it("shows both in numbers first, does nothing before it is confirmed, and says where the rest is", async () => {
    const fake = await openAt(here, given());
    await fireEvent.click((await all("backup-restore"))[1] as HTMLElement);
    const rows = within(await at("restore-dialog")).getAllByRole("row").map((row) => [...row.children].map((cell) => plain(cell as HTMLElement)));
    expect(rows.slice(1)).toEqual([["Now", "1,284", "36", "6.2 GB"], ["In the backup", "1,101", "21", "5.4 GB"]]);
    expect(called(fake, "restore_studio")).toEqual([]);
    await press("restore-confirm");
    expect(plain(await at("backup-restored"))).toContain("studio.before-2026-11-26");
    expect(called(fake, "restore_studio")).toEqual([["b.db", false]]);
    expect(plain(await at("backup-now"))).toContain("1,101 files");
  });

  it("has every list of the window read anew", async () => {
    const fake = await openAt(here, given());
    await at("backup-place");
    const before = called(fake, "list_synced_folders").length;
    await fireEvent.click((await all("backup-restore"))[0] as HTMLElement);
    await press("restore-confirm");
    await waitFor(() => expect(called(fake, "list_synced_folders").length).toBe(before + 1));
  });

  it("of a backup that lacks something asks once more, with how much", async () => {
    const gaps = problem({ code: "backup_has_gaps", title: "This backup is not whole", detail: "Missing from it: 3 items." });
    const fake = await openAt(here, { ...given(), failing: { restore_studio: gaps } });
    await fireEvent.click((await all("backup-restore"))[0] as HTMLElement);
    await press("restore-confirm");
    expect(plain(await at("backup-failed"))).toContain("3 items");
    fake.state.failing = {};
    await press("backup-restore-rest");
    await at("backup-restored");
    expect(called(fake, "restore_studio")).toEqual([["c.db", false], ["c.db", true]]);
  });

  it("says where it is not known what a backup holds", async () => {
    await openAt(here, given());
    await fireEvent.click((await all("backup-restore"))[2] as HTMLElement);
    expect(plain(await at("restore-dialog"))).toContain("What is in it was not noted");
  });
});

it("is for the studio of this computer alone, and offers to start it", async () => {
  const fake = await openAt(here, { connections: [serviceConnection()], selected: "service" });
  await screen.findByText("Only the studio on this computer is backed up here");
  expect(called(fake, "get_backups")).toEqual([]);
});

it("keeps nobody out", async () => {
  await openAt(here, given());
  await at("backup-place");
  expect(await violations()).toEqual([]);
  await fireEvent.click((await all("backup-restore"))[0] as HTMLElement);
  await at("restore-dialog");
  expect(await violations()).toEqual([]);
});
