import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useBackend } from "../src/backend";
import { driveSearch } from "../src/state/drivesearch.svelte";
import { fakeBackend, type FakeBackend, file, folder, problem } from "./fake-backend";

const brand = folder("Brand", 1, 0);
const names = () => driveSearch.found?.items.map((item) => item.name);
const asked = () => fake.calls.filter(([name]) => name === "search_drive").map((call) => call[1]);
let fake: FakeBackend;

beforeEach(() => {
  vi.useFakeTimers();
  fake = fakeBackend({ items: [brand, file("launch plan.txt", 1, 0), file("logo.svg", 5, 0, { folder_id: brand.id })] });
  useBackend(fake);
});

afterEach(() => {
  driveSearch.close();
  vi.useRealTimers();
});

describe("looking for something in the whole drive", () => {
  it("asks once for what was typed, and tells where it is", async () => {
    for (const typed of ["l", "lo", "log"]) driveSearch.search(typed);
    await vi.runAllTimersAsync();
    expect(asked()).toEqual(["log"]);
    expect(names()).toEqual(["logo.svg"]);
    expect(driveSearch.found?.items[0]?.place).toBe("Brand");
  });

  it("shows the folder again when the words are gone", async () => {
    driveSearch.search("plan");
    await vi.runAllTimersAsync();
    expect(driveSearch.open).toBe(true);
    driveSearch.search("  ");
    expect(driveSearch.open).toBe(false);
    expect(driveSearch.found).toBeNull();
  });

  it("asks again as long as the drive is being read", async () => {
    fake.state.readingDrive = true;
    driveSearch.search("plan");
    await vi.advanceTimersByTimeAsync(5_000);
    const before = asked().length;
    expect(before).toBeGreaterThan(2);
    fake.state.readingDrive = false;
    await vi.advanceTimersByTimeAsync(2_000);
    const last = asked().length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked().length).toBe(last);
    expect(driveSearch.found?.is_complete).toBe(true);
  });

  it("does not show an answer that comes after a newer question", async () => {
    driveSearch.search("plan");
    await vi.advanceTimersByTimeAsync(150);
    const late = driveSearch.ask();
    driveSearch.search("");
    await late;
    expect(driveSearch.found).toBeNull();
  });

  it("says what went wrong, and searches when it is asked again", async () => {
    fake.state.failing = { search_drive: problem({ title: "Not reachable" }) };
    driveSearch.search("plan");
    await vi.runAllTimersAsync();
    expect(driveSearch.problem?.title).toBe("Not reachable");
    fake.state.failing = {};
    await driveSearch.ask();
    expect(driveSearch.problem).toBeNull();
    expect(names()).toEqual(["launch plan.txt"]);
  });
});
