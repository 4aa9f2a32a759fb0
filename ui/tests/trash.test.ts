import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { file, fakeBackend, NOW_MS, problem, sampleTrash, trashed } from "./fake-backend";
import { all, at, called, openAt, press, violations } from "./stage";
import { clock } from "../src/state/clock.svelte";
import { drive } from "../src/state/drive.svelte";
import { trash } from "../src/state/trash.svelte";
import { useBackend } from "../src/backend";

const names = () => screen.queryAllByTestId("trash-row").map((row) => row.dataset.name);
const row = async (name: string) => {
  const found = (await all("trash-row")).find((each) => each.dataset.name === name);
  if (!found) throw new Error(`${name} is not in the trash`);
  return found;
};

describe("the trash", () => {
  it("is reached from the drive, and says what lay where, who deleted it, and how long it stays", async () => {
    await openAt({ screen: "drive", folderId: null }, { trash: sampleTrash() });
    clock.now_ms = NOW_MS;
    await press("drive-trash");
    const deck = await row("Summer campaign");
    expect(deck.textContent).toContain("From the drive");
    expect(deck.textContent).toContain("Teammate");
    expect(deck.textContent).toContain("48 items");
    expect((await row("menu-print.pdf")).textContent).toContain("29 days left");
    expect((await row("sales-2025.csv")).textContent).toContain("Goes today");
  });

  it("keeps nobody out", async () => {
    await openAt({ screen: "trash" }, { trash: sampleTrash() });
    await row("menu-print.pdf");
    expect(await violations()).toEqual([]);
  });

  it("gives one item back at once, and shows the way to it", async () => {
    const fake = await openAt({ screen: "trash" }, { trash: sampleTrash() });
    await fireEvent.click(within(await row("menu-print.pdf")).getByTestId("trash-restore-one"));
    await waitFor(() => expect(names()).not.toContain("menu-print.pdf"));
    expect(fake.state.items.map((item) => item.name)).toEqual(["menu-print.pdf"]);
    await press("toast-show");
    expect(await screen.findByTestId("drive")).toBeTruthy();
  });

  it("gives many back together", async () => {
    const fake = await openAt({ screen: "trash" }, { trash: sampleTrash() });
    await fireEvent.click(await at("trash-choose-all"));
    expect((await at("trash-chosen")).textContent).toContain("5");
    await press("trash-restore");
    await waitFor(() => expect(screen.getByTestId("empty")).toBeTruthy());
    expect(called(fake, "restore_items")).toHaveLength(1);
  });

  it("deletes nothing forever without a question", async () => {
    const fake = await openAt({ screen: "trash" }, { trash: sampleTrash() });
    await press("trash-empty");
    await screen.findByTestId("trash-dialog");
    expect(called(fake, "empty_trash")).toHaveLength(0);
    await press("trash-confirm");
    await waitFor(() => expect(fake.state.trash).toEqual([]));
  });

  it("tells of what could not come back, and keeps it chosen", async () => {
    const fake = await openAt({ screen: "trash" }, { trash: sampleTrash(), failing: { restore_items: problem({ title: "Not now" }) } });
    const box = within(await row("sales-2025.csv")).getByRole("checkbox");
    await fireEvent.click(box);
    await press("trash-restore");
    expect(await screen.findByText("Not now")).toBeTruthy();
    expect(names()).toContain("sales-2025.csv");
    expect((await at("trash-chosen")).textContent).toContain("1");
    expect(called(fake, "restore_items")).toHaveLength(1);
  });

  it("comes a page at a time", async () => {
    const many = Array.from({ length: 130 }, (_, index) => trashed(`${index}.txt`, index));
    await openAt({ screen: "trash" }, { trash: many });
    await waitFor(() => expect(names()).toHaveLength(100));
    await press("trash-more");
    await waitFor(() => expect(names()).toHaveLength(130));
    expect(screen.queryByTestId("trash-more")).toBeNull();
  });

  it("is said calmly not to be there", async () => {
    await openAt({ screen: "trash" });
    expect((await at("not-offered")).textContent).toContain("This service has no trash");
    expect(screen.queryByTestId("trash-empty")).toBeNull();
  });
});

describe("deleting one file", () => {
  const here = { screen: "drive", folderId: null } as const;

  async function pressDelete() {
    await waitFor(() => expect(drive.rows).toHaveLength(1));
    await drive.select(0);
    await fireEvent.keyDown(await at("drive-list"), { key: "Delete" });
  }

  it("needs no question where it can be brought back", async () => {
    const fake = await openAt(here, { items: [file("a.txt", 1, 0)], trash: [] });
    await waitFor(() => expect(trash.offered).toBe(true));
    await pressDelete();
    await waitFor(() => expect(called(fake, "delete_items")).toHaveLength(1));
    expect(screen.queryByTestId("delete-dialog")).toBeNull();
    expect(await at("toast-undo")).toBeTruthy();
  });

  it("is asked about where it cannot", async () => {
    const fake = await openAt(here, { items: [file("a.txt", 1, 0)] });
    await pressDelete();
    expect(await at("delete-dialog")).toBeTruthy();
    expect(called(fake, "delete_items")).toHaveLength(0);
  });
});

describe("a trash that is not in view any more", () => {
  it("does not show what came too late", async () => {
    useBackend(fakeBackend({ trash: sampleTrash() }));
    const late = trash.load();
    trash.forget();
    await late;
    expect(trash.list).toBeNull();
  });
});
