import { beforeEach, describe, expect, it, vi } from "vitest";
import { useBackend } from "../src/backend";
import { drive, PAGE } from "../src/state/drive.svelte";
import { fakeBackend, type FakeBackend, file, folder, problem } from "./fake-backend";

const names = () => drive.rows.map((row) => row?.name);
let fake: FakeBackend;

function begin(state: Parameters<typeof fakeBackend>[0]) {
  fake = fakeBackend(state);
  useBackend(fake);
}

beforeEach(() => {
  drive.sortBy = "name";
  drive.descending = false;
});

describe("the open folder", () => {
  const brand = folder("Brand", 2, 0);
  const items = () => [
    brand,
    file("b.png", 20, 3_000),
    file("a.png", 30, 2_000),
    file("c.png", 10, 1_000),
    file("logo.svg", 5, 0, { folder_id: brand.id }),
  ];

  beforeEach(async () => {
    begin({ items: items() });
    await drive.open(null);
  });

  it("lists folders first, then files by name", () => {
    expect(names()).toEqual(["Brand", "a.png", "b.png", "c.png"]);
  });

  it("sorts by a column, the largest first, and turns round when asked again", async () => {
    await drive.sort("size");
    expect(names()).toEqual(["Brand", "a.png", "b.png", "c.png"]);
    await drive.sort("size");
    expect(names()).toEqual(["Brand", "c.png", "b.png", "a.png"]);
  });

  it("shows the way into a folder before the service has answered", () => {
    fake.state.silent = ["list_drive"];
    void drive.open(brand.id);
    expect(drive.breadcrumbs.map((crumb) => crumb.name)).toEqual(["Brand"]);
    expect(drive.loading).toBe(true);
    expect(names()).toEqual([]);
  });

  it("selects what it was opened for, where news had it listed once more meanwhile", async () => {
    const logo = fake.state.items.find((item) => item.name === "logo.svg");
    const opened = drive.open(brand.id, logo?.id);
    const list = fake.list_drive.bind(fake);
    vi.spyOn(fake, "list_drive").mockImplementationOnce(async (...asked) => {
      await new Promise((wait) => setTimeout(wait, 20));
      return list(...asked);
    });
    void drive.refresh();
    await opened;
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["logo.svg"]);
    // And nothing of the folder before, once another is open.
    const gone = drive.open(brand.id, logo?.id);
    await Promise.all([drive.open(null), gone]);
    expect(drive.selectedItems).toEqual([]);
  });

  it("leaves a person on the row that they went to while the list was under way", async () => {
    await drive.select(0);
    const listed = drive.refresh();
    await drive.select(2);
    await listed;
    expect(drive.rows[drive.active]?.name).toBe("b.png");
    await drive.select(3, "range");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["b.png", "c.png"]);
  });

  it("selects a new folder only where nothing else was selected meanwhile", async () => {
    await drive.createFolder("New");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["New"]);
    const created = drive.createFolder("Newer");
    await drive.select(2);
    const chosen = drive.selectedItems.map((item) => item.name);
    await created;
    expect(drive.selectedItems.map((item) => item.name)).toEqual(chosen);
    expect(drive.rows[drive.active]?.name).toBe(chosen[0]);
  });

  it("selects a range from where the selection began", async () => {
    await drive.select(1);
    await drive.select(3, "range");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["a.png", "b.png", "c.png"]);
    await drive.select(0, "range");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["Brand", "a.png"]);
  });

  it("adds and removes single rows", async () => {
    await drive.select(1);
    await drive.select(3, "toggle");
    await drive.select(1, "toggle");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["c.png"]);
  });

  it("keeps the selection on its items when the order changes", async () => {
    await drive.select(1);
    await drive.sort("updated_at");
    expect(drive.selectedItems.map((item) => item.name)).toEqual(["a.png"]);
  });

  it("puts the old name back when the service refuses the new one", async () => {
    const refusal = problem({ code: "file_name_conflict" });
    fake.state.failing = { rename_item: refusal };
    const id = drive.rows[1]?.id ?? "";
    await expect(drive.rename(id, "b.png")).rejects.toBe(refusal);
    expect(names()).toEqual(["Brand", "a.png", "b.png", "c.png"]);
  });

  it("is listed once after a change, though the app tells of it as well", async () => {
    const asked = () => fake.calls.filter(([name]) => name === "list_drive").length;
    const before = asked();
    // The app tells what changed before it answers.
    drive.refreshSoon();
    await drive.rename(drive.rows[1]?.id ?? "", "z.png");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked() - before).toBe(1);
    expect(names()).toEqual(["Brand", "b.png", "c.png", "z.png"]);
  });

  it("hides deleted items at once, also when listed again, and brings them back on undo", async () => {
    const { deletionId } = await drive.delete([drive.rows[1]?.id ?? ""]);
    expect(names()).toEqual(["Brand", "b.png", "c.png"]);
    await drive.refresh();
    expect(names()).toEqual(["Brand", "b.png", "c.png"]);
    await drive.undoDeletion(deletionId);
    expect(names()).toEqual(["Brand", "a.png", "b.png", "c.png"]);
  });

  it("forgets a selected item that is gone", async () => {
    await drive.select(1);
    fake.state.items = fake.state.items.filter((item) => item.name !== "a.png");
    await drive.refresh();
    expect(drive.selected.size).toBe(0);
  });

  it("says why it could not be listed, and keeps what it shows", async () => {
    fake.state.failing = { list_drive: problem() };
    await drive.refresh();
    expect(drive.problem?.code).toBe("unreachable");
    expect(names()).toHaveLength(4);
  });

  it("finds names by their beginning, going round", () => {
    expect(drive.findByName("b", 0)).toBe(0);
    expect(drive.findByName("b", 1)).toBe(2);
    expect(drive.findByName("B.P", 3)).toBe(2);
    expect(drive.findByName("z", 0)).toBe(-1);
  });

  it("takes the answer of the folder that is open, not of one that was", async () => {
    const slow = drive.open(null);
    await drive.open(brand.id);
    await slow;
    expect(names()).toEqual(["logo.svg"]);
  });
});

describe("a folder of more than a page", () => {
  const count = PAGE * 2 + 50;

  beforeEach(async () => {
    begin({ items: Array.from({ length: count }, (_, index) => file(`f${String(index).padStart(4, "0")}`, 1, 0)) });
    await drive.open(null);
  });

  const pagesAsked = () => fake.calls.filter(([name]) => name === "list_drive").map((call) => call[2]);

  it("asks for the first page only, and knows how long the whole is", () => {
    expect(drive.rows).toHaveLength(count);
    expect(drive.rows[PAGE]).toBeUndefined();
    expect(pagesAsked()).toEqual([0]);
  });

  it("fetches the pages that come into view, each once", async () => {
    await drive.show(PAGE - 10, PAGE + 10);
    await drive.show(PAGE, PAGE + 30);
    expect(drive.rows[PAGE]?.name).toBe(`f0${PAGE}`);
    expect(pagesAsked()).toEqual([0, PAGE]);
  });

  it("holds no row twice where the folder moved on between two pages, and lists it anew", async () => {
    const last = drive.rows[PAGE - 1];
    fake.state.items = [file("a first one", 1, 0), ...fake.state.items];
    await drive.show(PAGE - 10, PAGE + 30);
    expect(drive.rows[PAGE]?.name).toBe(last?.name);
    const ids = drive.rows.flatMap((row) => (row ? [row.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    await vi.waitFor(() => expect(drive.rows[PAGE - 1]).toBeDefined());
    expect(drive.rows[PAGE]?.name).toBe(last?.name);
  });

  it("fetches what lies in a range before it selects it", async () => {
    await drive.select(0);
    await drive.select(count - 1, "range");
    expect(drive.selected.size).toBe(count);
  });

  it("selects everything, fetched or not", async () => {
    await drive.selectAll();
    expect(drive.selected.size).toBe(count);
  });

  it("finds an item on a later page", async () => {
    const wanted = fake.state.items[count - 3];
    await drive.selectById(wanted?.id ?? "");
    expect(drive.active).toBe(count - 3);
  });

  it("lists again only what is in view when news come, several at once as one", async () => {
    vi.useFakeTimers();
    try {
      fake.calls.length = 0;
      drive.refreshSoon();
      drive.refreshSoon();
      drive.refreshSoon();
      await vi.runAllTimersAsync();
      expect(pagesAsked()).toEqual([0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
