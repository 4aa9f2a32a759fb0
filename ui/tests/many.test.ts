/** Many at once, in the gallery and in the drive: deleted, moved, renamed, starred, remixed and exported by a bar that moves nothing. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { hasTwice, namesBy, splitName } from "../src/renaming";
import { drive } from "../src/state/drive.svelte";
import { marks } from "../src/state/marks.svelte";
import { problem, sampleDrive } from "./fake-backend";
import { sampleDesigns, shelved } from "./fake-designs";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(cleanup);

const item = (name: string, isFile = true) => ({ id: name, name, isFile });

describe("new names by a pattern", () => {
  it.each([
    ["{name} {number}", ["a.png", "b.png"], ["a 1.png", "b 2.png"]],
    [" Shot {number} ", ["a.png", "b.JPG"], ["Shot 1.png", "Shot 2.JPG"]],
    ["{number}", Array.from({ length: 10 }, (_, at) => `f${at}`), ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]],
    ["x {name}", ["{number}.txt"], ["x {number}.txt"]],
    ["{unknown}", ["a"], ["{unknown}"]],
  ])("%s", (pattern, before, after) => expect(namesBy(pattern, before.map((each) => item(each)))).toEqual(after));

  it("keep the ending of a file and know none of a folder or a design", () => {
    expect(namesBy("New", [item("a.v2", false)])).toEqual(["New"]);
    expect([".env", "a.tar.gz", "notes", "Mr. Smith"].map(splitName)).toEqual([[".env", ""], ["a.tar", ".gz"], ["notes", ""], ["Mr. Smith", ""]]);
  });

  it("are told apart without regard to large and small letters", () => {
    expect([["a", "A"], ["a", "b"]].map(hasTwice)).toEqual([true, false]);
  });
});

describe("in the gallery", () => {
  const names = () => screen.queryAllByTestId("design-card").map((card) => card.dataset.name);

  async function choose(count: number, state: object = {}) {
    const designs = sampleDesigns().slice(0, 5);
    const fake = await openAt({ screen: "designs" }, { designs, ...state });
    const boxes = await all("design-choose");
    for (let index = 0; index < count; index += 1) await fireEvent.click(boxes[index] as HTMLElement);
    return { fake, designs, ids: designs.slice(0, count).map((each) => each.id) };
  }

  it("many are deleted once that is confirmed, are gone at once, and come back with Undo", async () => {
    const { fake, designs, ids } = await choose(3);
    await press("designs-delete");
    expect((await at("delete-dialog")).textContent).toContain("Delete 3 designs?");
    expect(called(fake, "delete_items")).toEqual([]);
    await press("delete-confirm");
    await waitFor(() => expect(names()).toHaveLength(designs.length - 3));
    expect(called(fake, "delete_items")).toEqual([[ids]]);
    expect(screen.queryByTestId("designs-chosen")).toBeNull();
    // News from the service, which has them still, bring none back.
    fake.emit("designs_changed", { connection_id: "local", design_ids: [] } as never);
    await waitFor(() => expect(called(fake, "list_designs").length).toBeGreaterThan(1));
    expect(names()).toHaveLength(designs.length - 3);
    await press("toast-undo");
    await waitFor(() => expect(names()).toHaveLength(designs.length));
    expect(called(fake, "undo_deletion")).toHaveLength(1);
  });

  it("one goes without a question where there is a trash, by the Delete key too, and stays chosen where it could not", async () => {
    const { fake, ids } = await choose(1, { trash: [], failing: { delete_items: problem({ title: "Not now" }) } });
    await waitFor(() => expect(called(fake, "has_trash").length).toBeGreaterThan(0));
    await fireEvent.keyDown(document.body, { key: "Delete" });
    await screen.findByText("Not now");
    expect(await at("designs-chosen")).toBeTruthy();
    fake.state.failing = {};
    await fireEvent.keyDown(document.body, { key: "Delete" });
    await waitFor(() => expect(called(fake, "delete_items")).toEqual([[ids], [ids]]));
    expect(screen.queryByTestId("delete-dialog")).toBeNull();
  });

  it("one is deleted by the Delete key on its card, and the keyboard is on the next", async () => {
    const { fake, designs } = await choose(0, { trash: [] });
    await waitFor(() => expect(called(fake, "has_trash").length).toBeGreaterThan(0));
    const opener = (await all("design-open"))[1] as HTMLElement;
    opener.focus();
    await fireEvent.keyDown(opener, { key: "Delete" });
    await waitFor(() => expect(called(fake, "delete_items")).toEqual([[[designs[1]?.id]]]));
    await waitFor(() => expect(document.activeElement?.textContent?.trim()).toBe(designs[2]?.name));
  });

  it("one is moved and deleted from its menu, which asks first where there is no trash", async () => {
    const { fake, designs } = await choose(0, { trash: null });
    const menu = async (entry: string) => {
      await fireEvent.click((await all("design-menu"))[0] as HTMLElement);
      await press(entry);
    };
    await menu("design-menu-move");
    expect((await at("move-dialog")).textContent).toContain(`Move “${designs[0]?.name}” to`);
    await fireEvent.click(screen.getByText("Cancel"));
    await waitFor(() => expect(screen.queryByTestId("move-dialog")).toBeNull());
    await menu("design-menu-delete");
    await press("delete-confirm");
    await waitFor(() => expect(names()).toHaveLength(designs.length - 1));
    expect(called(fake, "delete_items")).toEqual([[[designs[0]?.id]]]);
  });

  it("many are moved to a folder that is chosen in the tree", async () => {
    const { fake, ids } = await choose(2, { items: sampleDrive() });
    await press("designs-move");
    const tree = within(await at("move-dialog"));
    const target = (await tree.findAllByTestId("tree-folder")).find((each) => each.dataset.name === "Brand");
    await fireEvent.click(target as HTMLElement);
    await press("move-confirm");
    await waitFor(() => expect(called(fake, "move_items")).toEqual([[ids, target?.dataset.treeId]]));
    await screen.findByText("2 items moved to Brand");
  });

  it("many are renamed by a pattern that is seen before, and called as before with Undo", async () => {
    const { fake, designs, ids } = await choose(2);
    await press("designs-rename");
    await type("rename-pattern", "Poster");
    expect(screen.getByTestId("rename-many").textContent).toContain("would be called the same");
    await press("rename-many-confirm");
    expect(called(fake, "rename_design")).toEqual([]);
    await type("rename-pattern", "Poster {number}");
    expect(screen.getByTestId("rename-preview").textContent).toContain(`${designs[1]?.name} becomes Poster 2`);
    await press("rename-many-confirm");
    await waitFor(() => expect(called(fake, "rename_design")).toEqual([[ids[0], "Poster 1"], [ids[1], "Poster 2"]]));
    await waitFor(() => expect(names().slice(0, 2)).toEqual(["Poster 1", "Poster 2"]));
    await press("toast-undo");
    await waitFor(() => expect(names().slice(0, 2)).toEqual([designs[0]?.name, designs[1]?.name]));
  });

  it.each([["designs-delete", "delete-dialog"], ["designs-rename", "rename-many"]])("what %s asks has names and roles", async (button, dialog) => {
    await choose(2);
    await press(button);
    await at(dialog);
    expect(await violations()).toEqual([]);
  });

  it("one name that is refused holds up no other, and is said", async () => {
    const { fake } = await choose(2, { failing: { rename_design: problem({ title: "That name is taken" }) } });
    await press("designs-rename");
    await press("rename-many-confirm");
    await screen.findByText("That name is taken");
    expect(called(fake, "rename_design")).toHaveLength(2);
    expect(screen.queryByText(/renamed/)).toBeNull();
  });
});

describe("in the drive", () => {
  async function select(...wanted: string[]) {
    const designs = sampleDesigns();
    const items = [...sampleDrive(), ...designs.slice(1, 4).map(shelved)];
    const fake = await openAt({ screen: "drive", folderId: null }, { designs, items });
    await waitFor(() => expect(drive.rows.length).toBeGreaterThan(3));
    for (const [at, name] of wanted.entries()) await drive.select(drive.rows.findIndex((row) => row?.name === name), at === 0 ? "only" : "toggle");
    const ids = items.filter((each) => wanted.includes(each.name)).map((each) => each.id);
    return { fake, ids };
  }

  it("a bar comes with the second item, outside of the list, and says what is done with all of them", async () => {
    await select("Brand");
    expect(screen.queryByTestId("drive-chosen")).toBeNull();
    await drive.select(drive.rows.findIndex((row) => row?.name === "handover.zip"), "toggle");
    const bar = await at("drive-chosen");
    expect((await at("drive")).contains(bar)).toBe(false);
    expect(within(bar).getByRole("status").textContent).toBe("2 selected");
    const told = within(bar).getAllByRole("button").map((each) => each.textContent?.trim());
    expect(told).toEqual(["Clear", "Move…", "Rename…", "Delete", "Download"]);
    await press("drive-clear");
    await waitFor(() => expect(screen.queryByTestId("drive-chosen")).toBeNull());
  });

  it("the bar has names and roles", async () => {
    await select("Brand", "handover.zip");
    await at("drive-chosen");
    expect(await violations()).toEqual([]);
  });

  it("designs are starred, remixed and exported together too", async () => {
    const { fake, ids } = await select("Autumn launch", "Weekly numbers");
    await press("drive-star");
    expect([...marks.starred].sort()).toEqual([...ids].sort());
    await press("drive-export");
    await press("batch-confirm");
    await waitFor(() => expect(called(fake, "export_designs")).toHaveLength(1));
    expect(called(fake, "export_designs")[0]?.[0]).toEqual(ids);
    await waitFor(() => expect(screen.queryByTestId("drive-chosen")).toBeNull());
  });

  it("designs are remixed together", async () => {
    const { fake, ids } = await select("Autumn launch", "Weekly numbers");
    await press("drive-remix");
    await waitFor(() => expect(called(fake, "remix_design").map(([id]) => id)).toEqual(ids));
    expect(screen.queryByTestId("drive-chosen")).toBeNull();
  });

  it("many are renamed and keep their endings, and deleted with a count of what goes", async () => {
    const { fake, ids } = await select("Brand", "handover.zip");
    await press("drive-rename-many");
    await type("rename-pattern", "Old {number}");
    await press("rename-many-confirm");
    await waitFor(() => expect(called(fake, "rename_item").map(([, name]) => name)).toEqual(["Old 1", "Old 2.zip"]));
    await waitFor(() => expect(screen.queryByTestId("rename-many")).toBeNull());
    await press("drive-delete");
    await waitFor(() => expect(screen.getByTestId("delete-count").textContent).toContain("folder"));
    await press("delete-confirm");
    await waitFor(() => expect(called(fake, "delete_items")).toEqual([[ids]]));
  });
});
