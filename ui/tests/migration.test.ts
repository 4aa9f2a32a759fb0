/** Copies of the studio on the fake backend: what a person sees before, while and after, and what the app is asked. */
import { cleanup, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { localConnection, problem, serviceConnection } from "./fake-backend";
import { sampleBackups } from "./fake-backups";
import { sampleMigration } from "./fake-migration";
import { all, at, called, openAt, press, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ");
const here = { screen: "settings", section: "backup" } as const;
const both = () => ({ backups: sampleBackups(), connections: [localConnection(), serviceConnection()] });

describe("a copy of the studio to another connection", () => {
  it("is counted first, begins, can be stopped, and goes on later", async () => {
    const fake = await openAt(here, both());
    await press("migration-open");
    const counts = plain(await at("migration-preview"));
    expect(counts).toContain("1,284");
    expect(counts).toContain("6.2 GB");
    expect(counts).toContain("36");
    expect(plain(await at("migration-dialog"))).toContain("Easel – ada-laptop");
    expect(await violations()).toEqual([]);
    await press("migration-confirm");
    expect(called(fake, "start_migration")).toEqual([["service"]]);
    expect(plain(await at("migration-progress"))).toContain("0 of 1,320");
    await waitFor(() => expect(screen.queryByTestId("migration-dialog")).toBeNull());
    fake.emit("migration_moved", { view: sampleMigration() });
    await waitFor(() => expect(plain(screen.getByTestId("migration-progress"))).toContain("412 of 1,320 there · 2.1 GB sent"));
    await press("migration-stop");
    expect(plain(await at("migration-ended"))).toContain("What is there stays.");
    expect(plain(await at("migration-open"))).toContain("Go on");
  });

  it("says at its end where everything is, and what could not be copied", async () => {
    const fake = await openAt(here, { ...both(), migration: sampleMigration({ state: "done", done: 1_318, failed: 2, left: ["Spring menu"] }) });
    const ended = plain(await at("migration-ended"));
    expect(ended).toContain("Easel – ada-laptop");
    expect(ended).toContain("1,318 files are there");
    expect(ended).toContain("2 files could not be sent");
    expect(ended).toContain("Could not be copied: Spring menu");
    await press("migration-show");
    expect(called(fake, "select_connection")).toEqual([["service"]]);
    await at("drive");
  });

  it("names what broke it, and goes on from there with one button", async () => {
    const broken = problem({ code: "service_unreachable", title: "The service cannot be reached", action: { kind: "try_again", label: "Try again", target: null } });
    const fake = await openAt(here, { ...both(), migration: sampleMigration({ state: "failed", problem: broken }) });
    expect(plain(await at("migration-failed"))).toContain("cannot be reached");
    (await at("migration-failed")).querySelector("button")?.click();
    await waitFor(() => expect(called(fake, "start_migration")).toEqual([["service"]]));
  });

  it("leads to the connections where there is no other one", async () => {
    await openAt(here, { backups: sampleBackups() });
    expect(await all("migration-connect")).toHaveLength(1);
    expect(screen.queryByTestId("migration-open")).toBeNull();
  });

  it("does not begin where the other side cannot be counted", async () => {
    const away = problem({ code: "service_unreachable", title: "The service cannot be reached" });
    await openAt(here, { ...both(), failing: { preview_migration: away } });
    await press("migration-open");
    expect(plain(await at("migration-dialog"))).toContain("cannot be reached");
    expect((await at("migration-confirm") as HTMLButtonElement).disabled).toBe(true);
  });
});
