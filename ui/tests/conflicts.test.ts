/** Files with two versions on the fake backend: told of, compared, settled one by one and several at once. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { conflicts } from "../src/state/conflicts.svelte";
import { synced } from "../src/state/synced.svelte";
import { problem } from "./fake-backend";
import { type FakeConflicts, conflict, LINES, sampleConflicts } from "./fake-conflicts";
import { syncedFolder } from "./fake-synced";
import { all, at, called, openAt, press, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  synced.forget();
});

const here = { screen: "synced", tab: "folders" } as const;
const home = { screen: "home" } as const;
const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ").replace(/\s+/gu, " ").trim();
const withThese = (conflicts: FakeConflicts["conflicts"]) => ({ synced: [syncedFolder({ conflicts: conflicts.length })], conflicts });
const needs = async () => within(await at("needs-you"));

describe("a file with two versions", () => {
  it("is settled in two clicks, from what needs the person", async () => {
    const [only] = [conflict("Texts/brief.md", { text: LINES })];
    const fake = await openAt(home, withThese([only]));
    expect(plain((await needs()).getByText("1 file has two versions"))).toBeTruthy();
    await fireEvent.click((await needs()).getByRole("button", { name: "Compare" }));
    await press("conflict-keep-copy");
    const { id, folder_id, copy, original } = only.conflict;
    const chosen = { folder_id, conflict_id: id, keep: "copy", original_seen: original.seen, copy_seen: copy.seen };
    await waitFor(() => expect(called(fake, "settle_synced_conflicts")).toEqual([[[chosen]]]));
    await waitFor(() => expect(screen.queryByTestId("conflicts-dialog")).toBeNull());
    expect(plain(await at("toast"))).toContain("brief.md: the version on this computer is kept");
    await waitFor(() => expect(screen.queryByTestId("needs-you")).toBeNull());
  });

  it("stands on the card of its folder, and that opens those of this folder alone", async () => {
    const other = conflict("b.txt", { folder_id: "2" });
    const folders = [syncedFolder({ conflicts: 1 }), syncedFolder({ id: "2", name: "Clients", conflicts: 1 })];
    const fake = await openAt(here, { synced: folders, conflicts: [conflict("a.txt"), other] });
    const lines = await all("synced-conflicts");
    expect(lines.map(plain)).toEqual(["1 file has two versions Compare", "1 file has two versions Compare"]);
    await fireEvent.click(within(lines[1] as HTMLElement).getByRole("button", { name: "Compare the versions in Clients" }));
    expect(plain(await at("conflicts-dialog"))).toContain("Two versions of “b.txt”");
    expect(called(fake, "list_synced_conflicts")).toEqual([["2"]]);
    expect(screen.queryByTestId("conflict-place")).toBeNull();
  });

  it("says of each version where it is from, how large, when and by whom, and which is the newest", async () => {
    await openAt(here, withThese([conflict("deck.pptx", { copy: { size_bytes: 8_100_000 }, original: { size_bytes: 7_900_000 } })]));
    await press("synced-compare");
    const [copy, original] = (await all("conflict-side")).map(plain);
    expect(copy).toContain("On this computer Newest deck (conflict, laptop, 2026-11-20).pptx 8.1 MB · Changed ");
    expect(copy).toContain(" by you");
    expect(original).toContain("From the drive deck.pptx 7.9 MB · Changed ");
    expect(original).toContain(" by Ben Crumb");
    expect(original).not.toContain("Newest");
    expect(plain(await at("conflicts-dialog"))).toContain("There is no preview of this kind of file.");
  });

  it("shows the lines of a text that differ side by side, and how much of it there is", async () => {
    await openAt(here, withThese([conflict("brief.md", { text: { ...LINES, is_cut: true } })]));
    await press("synced-compare");
    const lines = (await all("conflict-line")).map(plain);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe("+Differs: 42 the address, the hours, and that we bake at night.−Differs: 40 the address and the hours.");
    expect(plain(await at("conflict-lines-count"))).toBe("4 lines differ Only the beginning is compared.");
  });

  it("counts the lines of each place that differs, and calls nothing the same that was not compared", async () => {
    const line = (number: number) => ({ number, text: `line ${number}` });
    const rows = [
      { is_same: false, copy: line(1), original: null },
      { is_same: true, copy: line(2), original: line(1) },
      { is_same: false, copy: null, original: line(2) },
    ];
    const given = [
      conflict("a.txt", { text: { rows, copy_lines: 1, original_lines: 1, is_cut: false } }),
      conflict("b.txt", { text: { rows: [], copy_lines: 0, original_lines: 0, is_cut: true } }),
    ];
    await openAt(here, withThese(given));
    await press("synced-compare");
    expect(plain(await at("conflict-lines-count"))).toBe("2 lines differ");
    expect((await at("conflict-keep-copy")).getAttribute("aria-label")).toBe("Keep this one: the version on this computer");
    await press("conflict-next");
    await waitFor(async () => expect(plain(await at("conflict-lines-count"))).toBe("The beginning is the same; only the first part is compared."));
  });

  it("that is settled after it was left changes nothing of what is shown by then", async () => {
    const given = [conflict("a.txt"), conflict("b.txt", { folder_id: "2" }), conflict("c.txt", { folder_id: "2" })];
    const fake = await openAt(here, { synced: [syncedFolder({ conflicts: 1 }), syncedFolder({ id: "2", name: "Clients", conflicts: 2 })], conflicts: given });
    const settle = fake.settle_synced_conflicts;
    let answer = () => {};
    fake.settle_synced_conflicts = async (choices) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return settle(choices);
    };
    await fireEvent.click((await all("synced-compare"))[0] as HTMLElement);
    await press("conflict-keep-copy");
    expect(((await at("conflicts-close")) as HTMLButtonElement).disabled).toBe(true);
    conflicts.open("2");
    await waitFor(async () => expect(plain(await at("conflict-place"))).toBe("1 of 2"));
    await press("conflict-next");
    answer();
    await waitFor(async () => expect(plain(await at("toast"))).toContain("a.txt: the version on this computer is kept"));
    expect(plain(await at("conflict-place"))).toBe("2 of 2");
    expect(plain(await at("conflicts-dialog"))).toContain("Two versions of “c.txt”");
    // A refusal that comes so late is told as well.
    fake.state.conflictsRefused = { [given[2]?.conflict.id ?? ""]: problem({ title: "c.txt changed since" }) };
    await press("conflict-keep-copy");
    conflicts.forget();
    answer();
    await screen.findByText("c.txt changed since");
    expect(conflicts.isOpen).toBe(false);
    expect(conflicts.refused).toBeNull();
  });

  it("shows pictures one over the other, or side by side", async () => {
    await openAt(here, withThese(sampleConflicts().slice(0, 1)));
    await press("synced-compare");
    expect((await at("conflict-slider")).getAttribute("aria-valuenow")).toBe("50");
    await fireEvent.keyDown(await at("conflict-slider"), { key: "End" });
    expect((await at("conflict-slider")).getAttribute("aria-valuenow")).toBe("100");
    await fireEvent.click(within(await at("conflict-way-beside")).getByRole("radio"));
    expect(screen.queryByTestId("conflict-slider")).toBeNull();
    expect((await all("conflict-picture")).map((each) => each.dataset.side)).toEqual(["copy", "original"]);
    for (const each of await all("conflict-picture")) await fireEvent.error(each);
    expect(plain(await at("conflicts-dialog"))).toContain("There is no preview of this kind of file.");
  });

  it("is kept as both, which can be taken back", async () => {
    const only = conflict("a.txt");
    const fake = await openAt(here, withThese([only]));
    await press("synced-compare");
    await press("conflict-keep-both");
    await waitFor(() => expect(screen.queryByTestId("synced-conflicts")).toBeNull());
    expect(called(fake, "settle_synced_conflicts")[0]).toMatchObject([[{ keep: "both" }]]);
    await press("toast-undo-both");
    expect(called(fake, "reopen_synced_conflict")).toEqual([["1", only.conflict.id]]);
    await at("synced-conflicts");
  });

  it("is shown anew where it changed since it was shown, and nothing is done", async () => {
    const only = conflict("a.txt");
    const refused = problem({ code: "conflict_changed", title: "a.txt changed since it was shown" });
    const fake = await openAt(here, { ...withThese([only]), conflictsRefused: { [only.conflict.id]: refused } });
    await press("synced-compare");
    await press("conflict-keep-original");
    expect(plain(await at("problem"))).toContain("a.txt changed since it was shown");
    await waitFor(() => expect(called(fake, "compare_synced_conflict")).toHaveLength(2));
    await press("conflict-keep-original");
    await waitFor(() => expect(screen.queryByTestId("conflicts-dialog")).toBeNull());
    expect(called(fake, "settle_synced_conflicts")).toHaveLength(2);
  });

  it("says what becomes of the other version in the drive where that keeps what is deleted here", async () => {
    await openAt(here, withThese([conflict("a.txt", { stays_in_drive: true })]));
    await press("synced-compare");
    expect(plain(await at("conflicts-dialog"))).toContain("so the file with the other name stays there");
  });

  it("says why nothing can be shown, with the button that helps, and that nothing is left", async () => {
    const fake = await openAt(here, { ...withThese([conflict("a.txt")]), failing: { list_synced_conflicts: problem({ title: "The folder is away" }) } });
    await press("synced-compare");
    expect(plain(await at("problem"))).toContain("The folder is away");
    fake.state.failing = {};
    fake.state.conflicts = [];
    await fireEvent.click(within(await at("problem")).getByRole("button"));
    expect(plain(await at("conflicts-none"))).toBe("There is nothing left to choose.");
  });
});

describe("several files with two versions", () => {
  it("are gone through one after the other", async () => {
    const three = sampleConflicts();
    const fake = await openAt(home, withThese(three));
    expect((await needs()).getByText("3 files have two versions")).toBeTruthy();
    await fireEvent.click((await needs()).getByRole("button", { name: "Compare" }));
    expect(plain(await at("conflict-place"))).toBe("1 of 3");
    await press("conflict-next");
    await waitFor(async () => expect(plain(await at("conflicts-dialog"))).toContain("Two versions of “brief.md”"));
    await at("conflict-lines");
    await press("conflict-keep-original");
    await waitFor(async () => expect(plain(await at("conflict-place"))).toBe("2 of 2"));
    expect(called(fake, "settle_synced_conflicts")[0]).toMatchObject([[{ keep: "original", conflict_id: three[1]?.conflict.id }]]);
  });

  it("are settled at once by the newest of each; what has none is left, and said", async () => {
    const given = [conflict("a.txt"), conflict("b.txt", { newest: "original" }), conflict("c.txt", { newest: null })];
    const fake = await openAt(here, withThese(given));
    await press("synced-compare");
    await press("conflicts-several");
    expect(((await at("conflicts-keep-newest")) as HTMLButtonElement).disabled).toBe(true);
    await fireEvent.click(await at("conflicts-all"));
    await press("conflicts-keep-newest");
    expect(plain(await at("conflicts-ask"))).toContain("The newest version of each of 2 files is kept.");
    expect(called(fake, "settle_synced_conflicts")).toEqual([]);
    await press("conflicts-ask-back");
    await press("conflicts-keep-newest");
    expect(plain(await at("conflicts-ask-confirm"))).toBe("Move 2 files to the trash");
    await press("conflicts-ask-confirm");
    await waitFor(() => expect(called(fake, "settle_synced_conflicts")).toHaveLength(1));
    const keeps = (called(fake, "settle_synced_conflicts")[0]?.[0] as { keep: string }[]).map((each) => each.keep);
    expect(keeps).toEqual(["copy", "original"]);
    await waitFor(async () => expect((await all("conflict-row")).map((row) => row.dataset.path)).toEqual(["c.txt"]));
    const said = (await all("toast")).map(plain).join(" ");
    expect(said).toContain("The newest versions of 2 files are kept");
    expect(said).toContain("1 file was left as it is");
  });

  it("are all kept at once, but for one that is refused, which is said", async () => {
    const given = [conflict("a.txt"), conflict("b.txt")];
    const refused = problem({ code: "conflict_over", title: "There is nothing to choose any more" });
    await openAt(here, { ...withThese(given), conflictsRefused: { [given[0]?.conflict.id ?? ""]: refused } });
    await press("synced-compare");
    await press("conflicts-several");
    await fireEvent.click(await at("conflicts-all"));
    await press("conflicts-keep-both");
    expect(plain(await at("problem"))).toContain("There is nothing to choose any more");
    await waitFor(async () => expect((await all("conflict-row")).map((row) => row.dataset.path)).toEqual(["a.txt"]));
  });

  it("keep nobody out", async () => {
    await openAt(here, withThese(sampleConflicts()));
    await press("synced-compare");
    await at("conflict-slider");
    expect(await violations()).toEqual([]);
    await press("conflict-next");
    await at("conflict-lines");
    expect(await violations()).toEqual([]);
    await press("conflicts-several");
    await at("conflicts-list");
    expect(await violations()).toEqual([]);
  });
});
