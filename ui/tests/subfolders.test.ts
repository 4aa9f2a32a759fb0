/** The tree in which subfolders of a synced folder are chosen: what a tick does, and what the page shows and sends. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FolderNode } from "../src/backend";
import { choiceOf, leftOutHere, pathsInDrive, rowsOf, toggled } from "../src/screens/synced/subfolders";
import { synced } from "../src/state/synced.svelte";
import { problem } from "./fake-backend";
import { SUBFOLDERS, syncedFolder } from "./fake-synced";
import { all, at, called, openAt, press, violations } from "./stage";

vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  synced.forget();
});

const here = { screen: "synced", tab: "folders" } as const;
const plain = (element: HTMLElement) => (element.textContent ?? "").replace(/[\u00a0\u202f]/gu, " ");
const node = (id: string, name: string, ...children: FolderNode[]): FolderNode => ({ id, name, children });
const row = async (path: string) => {
  const found = (await all("subfolder")).find((each) => each.dataset.path === path);
  if (!found) throw new Error(`no row ${path}`);
  return found;
};

describe("a tick", () => {
  it.each([
    ["leaves a folder out", "raw", [], ["raw"]],
    ["takes it in again", "raw", ["raw", "b"], ["b"]],
    ["leaves out with it what was left out in it", "a", ["a/b", "ab"], ["ab"]],
    ["does nothing to one in a folder that is left out", "a/b", ["a"], ["a"]],
  ])("%s", (_, path, before, after) => {
    expect(toggled(path, before)).toEqual(after);
  });

  it("leaves a folder whole out after it was taken whole", () => {
    expect(toggled("a", toggled("a", ["a/b"]))).toEqual(["a"]);
  });

  it.each([
    ["a", "in"],
    ["raw", "out"],
    ["raw/day", "above"],
    ["Photos", "partly"],
    ["rawer", "in"],
  ] as const)("says of %s that it is %s", (path, choice) => {
    expect(choiceOf(path, ["raw", "Photos/old"])).toBe(choice);
  });

  it("counts what is left out once", () => {
    expect(leftOutHere(SUBFOLDERS.folders, ["Logos", "Photos/raw", "Not here"])).toEqual({ files: 1_288, bytes: 3_961_000_000 });
  });
});

describe("the rows", () => {
  it("have each folder before those in it, by numbers as people count, and those of the drive among them", () => {
    const local = ["day 10", "day 2", "day 2/raw"].map((path) => ({ path, name: path, files: 1, bytes: 1, at_least: false }));
    const rows = rowsOf(local, ["DAY 2/RAW", "day 2/sent", "x/y"]);
    expect(rows.map(({ path, depth, hasChildren, holds }) => [path, depth, hasChildren, holds !== null])).toEqual([
      ["day 2", 0, true, true],
      ["day 2/raw", 1, false, true],
      ["day 2/sent", 1, false, false],
      ["day 10", 0, false, true],
      ["x", 0, true, false],
      ["x/y", 1, false, false],
    ]);
  });

  it("name what lies below the chosen folder of the drive, and offer nothing that no pattern can name", () => {
    const tree = [node("1", "Brand", node("2", "Logos", node("3", "Old")), node("4", "two\nlines", node("5", "in it")))];
    expect(pathsInDrive(tree, "1")).toEqual(["Logos", "Logos/Old"]);
    expect(pathsInDrive(tree, "2")).toEqual(["Old"]);
    expect(pathsInDrive(tree, "gone")).toEqual([]);
  });
});

describe("More options", () => {
  it("show the subfolders with their sizes, and send what is unticked to the preview", async () => {
    const fake = await openAt(here);
    await press("synced-add");
    await at("synced-sheet");
    expect(called(fake, "list_synced_subfolders"), "nothing is read before it is asked for").toEqual([]);
    await press("synced-more");
    expect(plain(await row("Archive"))).toContain("at least 48,112 files · 210 GB");
    expect(plain(await row("Templates"))).toContain("empty");
    expect(called(fake, "list_synced_subfolders")).toEqual([[{ of: "source", source_id: "source_1" }]]);
    expect(screen.queryByText("raw"), "what is in a folder is folded").toBeNull();
    await fireEvent.click(await row("Archive"));
    await fireEvent.click((await row("Photos")).querySelector(".fold") as Element);
    await fireEvent.click(await row("Photos/raw"));
    expect((await row("Archive")).getAttribute("aria-checked")).toBe("false");
    expect((await row("Photos")).getAttribute("aria-checked")).toBe("mixed");
    expect(plain(await at("subfolders-taken"))).toBe("Synced: at least 644 files · 500 MB");
    await press("synced-more");
    expect(plain(await at("synced-more"))).toContain("2 subfolders are left out");
    expect(plain(await at("synced-more"))).not.toContain("nothing more");
    await press("synced-look");
    await at("synced-preview");
    expect(called(fake, "preview_synced_folder")[0]).toMatchObject([{ choices: { ignore: "", left_out: ["Archive", "Photos/raw"] } }]);
  });

  it("go by keyboard", async () => {
    await openAt(here);
    await press("synced-add");
    await press("synced-more");
    const tree = await at("subfolders");
    const key = (name: string) => fireEvent.keyDown(tree, { key: name });
    const current = () => tree.querySelector('[aria-selected="true"]')?.getAttribute("data-path");
    for (const [name, path] of [
      ["ArrowDown", "Logos"],
      ["p", "Photos"],
      ["ArrowRight", "Photos"],
      ["ArrowRight", "Photos/raw"],
      ["ArrowLeft", "Photos"],
      ["End", "Templates"],
      ["Home", "Archive"],
    ] as const) {
      await key(name);
      expect(current(), name).toBe(path);
    }
    await key(" ");
    expect((await row("Archive")).getAttribute("aria-checked")).toBe("false");
    expect(document.getElementById(tree.getAttribute("aria-activedescendant") ?? "")).toBe(await row("Archive"));
    expect(await violations()).toEqual([]);
  });

  it("begin anew for another folder", async () => {
    const fake = await openAt(here);
    await press("synced-add");
    await press("synced-more");
    await fireEvent.click(await row("Logos"));
    fake.emit("synced_source_dropped", { source: { source_id: "s", name: "Shoot", path: "~/Shoot" }, problem: null });
    await waitFor(() => expect(called(fake, "list_synced_subfolders").at(-1)).toEqual([{ of: "source", source_id: "s" }]));
    expect((await row("Logos")).getAttribute("aria-checked")).toBe("true");
  });

  it("say why the subfolders cannot be looked at, and look again", async () => {
    const failed = problem({ code: "sync_folder_unreadable", title: "~/Brand cannot be read", action: { kind: "try_again", label: "Try again", target: null } });
    const fake = await openAt(here, { failing: { list_synced_subfolders: failed } });
    await press("synced-add");
    await press("synced-more");
    await screen.findByText("~/Brand cannot be read");
    fake.state.failing = {};
    await fireEvent.click(screen.getByText("Try again"));
    await row("Logos");
  });

  it.each([
    [false, "It has no subfolders."],
    [true, "It could not be looked at in time."],
  ])("say that there are none, or that none was seen", async (at_least, words) => {
    await openAt(here, { subfolders: { folders: [], files: 0, bytes: 0, at_least, has_more: at_least } });
    await press("synced-add");
    await press("synced-more");
    await screen.findByText(words, { exact: false });
  });
});

describe("the settings of a synced folder", () => {
  it("are unfolded where a subfolder is left out, show it though it is not here, and take it in again", async () => {
    const choices = { mode: "both_ways", deletions: "keep", ignore: "", left_out: ["Sent by others"] } as const;
    const fake = await openAt(here, { synced: [syncedFolder({ choices: { ...choices, left_out: [...choices.left_out] } })] });
    await press("synced-menu");
    await press("synced-settings");
    expect(plain(await row("Sent by others"))).toContain("not on this computer");
    expect(called(fake, "list_synced_subfolders")).toEqual([[{ of: "synced", folder_id: "1" }]]);
    await fireEvent.click(await row("Sent by others"));
    expect((await row("Sent by others")).getAttribute("aria-checked")).toBe("true");
    await press("synced-save");
    expect(called(fake, "change_synced_folder")).toEqual([["1", { ...choices, left_out: [] }]]);
  });
});
