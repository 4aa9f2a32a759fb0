/** The quick look: Space on an item wherever items stand, arrows to the next, pages, sizes, and the way out. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { drive } from "../src/state/drive.svelte";
import { marks } from "../src/state/marks.svelte";
import { quickLook } from "../src/state/quicklook.svelte";
import { file, folder, problem } from "./fake-backend";
import { design, sampleDesigns } from "./fake-designs";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(async () => {
  quickLook.forget();
  cleanup();
});

const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
const brand = folder("Brand", 1, 0);
const items = () => [
  brand,
  file("launch.txt", 120, 0),
  file("logo.png", 5_000, 0, { thumbnail: PICTURE, mime_type: "image/png" }),
  file("menu.pdf", 9_000, 0),
];

/** A key where the keyboard is. */
const key = (name: string, given: KeyboardEventInit = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...given });
const looked = async () => (await at("look-stage")).dataset.name;

/** The drive with an item selected, and the keyboard in its list. */
async function openDrive(name: string) {
  const fake = await openAt({ screen: "drive", folderId: null }, { items: items() });
  const index = () => drive.rows.findIndex((row) => row?.name === name);
  await waitFor(() => expect(index()).toBeGreaterThanOrEqual(0));
  await drive.select(index());
  (await at("drive-list")).focus();
  return fake;
}

describe("in the drive's list", () => {
  it("shows what is selected, and its arrows select the next one", async () => {
    const fake = await openDrive("launch.txt");
    await key(" ");
    expect((await at("look-text")).textContent).toContain("The oven is lit at four");
    expect((await at("look-place")).textContent).toBe("2 of 4");
    await key("ArrowRight");
    await waitFor(async () => expect(await looked()).toBe("logo.png"));
    expect((await at("look-picture")).getAttribute("src")).toBe(PICTURE);
    expect(drive.selectedItems.map((each) => each.name)).toEqual(["logo.png"]);
    await key("End");
    await key("ArrowRight");
    await key("ArrowRight");
    expect(await looked(), "it ends with the list").toBe("menu.pdf");
    expect(await screen.findByText("There is no preview of this file.")).toBeTruthy();
    expect(called(fake, "look_at_file").map(([id]) => fake.state.items.find((each) => each.id === id)?.name)).toEqual(["launch.txt", "menu.pdf"]);
    await key(" ");
    await waitFor(() => expect(screen.queryByTestId("quick-look")).toBeNull());
    expect(document.activeElement).toBe(await at("drive-list"));
  });

  it("asks nothing about those that are only passed by", async () => {
    const fake = await openDrive("Brand");
    await key(" ");
    await at("look-stage");
    for (const _ of [1, 2, 3]) await key("ArrowDown");
    expect(await screen.findByText("There is no preview of this file.")).toBeTruthy();
    expect(called(fake, "look_at_file")).toHaveLength(1);
  });

  it("turns the pages of a document, and begins with the first page of the next one", async () => {
    const pdf = (name: string) => file(name, 9_000, 0, { thumbnail: `${PICTURE}#${name}`, mime_type: "application/pdf" });
    await openAt({ screen: "drive", folderId: null }, { items: [pdf("a.pdf"), pdf("b.pdf")] });
    await waitFor(() => expect(drive.rows[0]?.name).toBe("a.pdf"));
    await drive.select(0);
    (await at("drive-list")).focus();
    await key(" ");
    const shown = async () => (await at("look-picture")).getAttribute("src");
    expect(await shown()).toBe(`${PICTURE}#a.pdf`);
    expect(await screen.findByText(/3 pages/u)).toBeTruthy();
    await key("PageDown");
    expect(await shown()).toBe(`${PICTURE}#a.pdf/2`);
    for (const _ of [1, 2, 3]) await key("PageDown");
    expect(await shown(), "it ends with the last page").toBe(`${PICTURE}#a.pdf/3`);
    await key("PageUp");
    expect(await shown()).toBe(`${PICTURE}#a.pdf/2`);
    await key("ArrowRight");
    expect(await shown()).toBe(`${PICTURE}#b.pdf`);
  });

  it("keeps the focus in it, has names and roles, and Escape leaves what is selected", async () => {
    await openDrive("logo.png");
    await key(" ");
    expect(document.activeElement).toBe(await at("look-stage"));
    expect(await violations()).toEqual([]);
    (await at("look-close")).focus();
    await key(" ");
    expect(screen.queryByTestId("quick-look"), "Space on a button is the button's").toBeTruthy();
    await key("Escape");
    await waitFor(() => expect(screen.queryByTestId("quick-look")).toBeNull());
    expect(drive.selectedItems.map((each) => each.name)).toEqual(["logo.png"]);
  });

  it("says why nothing can be seen, and looks again", async () => {
    const fake = await openDrive("launch.txt");
    fake.state.failing = { look_at_file: problem({ title: "Not reachable" }) };
    await key(" ");
    expect(await screen.findByText("Not reachable")).toBeTruthy();
    fake.state.failing = {};
    await press("problem-action");
    expect(await at("look-text")).toBeTruthy();
  });

  it("is offered by the menu, and leads on to opening", async () => {
    const fake = await openDrive("menu.pdf");
    await key("ContextMenu");
    await press("menu-look");
    await at("look-stage");
    await key("Enter");
    await waitFor(() => expect(called(fake, "open_file")).toHaveLength(1));
    expect(screen.queryByTestId("quick-look")).toBeNull();
  });
});

describe("in the gallery", () => {
  it("shows the pages of a design, turned and sized by keys, and the keyboard comes back to the card it led to", async () => {
    const fake = await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    const names = await all("design-open");
    names[0]?.focus();
    await key(" ");
    await key("ArrowRight");
    await waitFor(async () => expect(await looked()).toBe(fake.state.designs[1]?.name));
    expect((await at("look-page-number")).textContent).toBe("Page 1 of 6");
    await key("PageDown");
    expect((await at("look-page-number")).textContent).toBe("Page 2 of 6");
    await key("+");
    expect((await at("look-fit")).textContent?.trim()).toMatch(/%$/u);
    await key("ArrowRight");
    expect(await looked(), "what is larger than its place is moved about").toBe(fake.state.designs[1]?.name);
    await key("0");
    expect((await at("look-fit")).textContent?.trim()).toBe("Fit");
    await key(" ");
    await waitFor(() => expect(document.activeElement).toBe(names[1]));
    expect(called(fake, "list_design_pages").map(([id]) => id)).toEqual([fake.state.designs[1]?.id]);
  });

  it("stars and rejects what is looked at", async () => {
    const fake = await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    (await all("design-open"))[2]?.focus();
    await key(" ");
    await at("look-stage");
    await key("s");
    expect([...marks.starred]).toEqual([fake.state.designs[2]?.id]);
    await key("ArrowLeft");
    await key("x");
    expect([...marks.rejected]).toEqual([fake.state.designs[1]?.id]);
  });

  it("stays on its design when news put another one before it, and closes when it is gone", async () => {
    const designs = sampleDesigns();
    const fake = await openAt({ screen: "designs" }, { designs });
    (await all("design-open"))[1]?.focus();
    const name = designs[1]?.name;
    await key(" ");
    expect(await looked()).toBe(name);
    fake.state.designs = [design("Just made", 0), ...designs];
    fake.emit("designs_changed", { connection_id: "local", design_ids: [] });
    await waitFor(async () => expect((await at("look-place")).textContent).toContain("3 of"));
    expect(await looked()).toBe(name);
    fake.state.designs = fake.state.designs.filter((each) => each.name !== name);
    fake.emit("designs_changed", { connection_id: "local", design_ids: [] });
    await waitFor(() => expect(screen.queryByTestId("quick-look")).toBeNull());
  });
});

describe("elsewhere", () => {
  it("shows what was found by its name, and where it lies", async () => {
    await openAt({ screen: "drive", folderId: null }, { items: [...items(), file("logo dark.png", 5, 0, { folder_id: brand.id, thumbnail: PICTURE })] });
    await type("drive-search", "logo");
    const found = await all("drive-found-item");
    const inBrand = found.find((each) => each.dataset.name === "logo dark.png") as HTMLElement;
    inBrand.focus();
    await key(" ");
    expect((await at("look-picture")).getAttribute("src")).toBe(PICTURE);
    await press("look-onward");
    await waitFor(() => expect(drive.folderId).toBe(brand.id));
    await waitFor(() => expect(drive.selectedItems.map((each) => each.name)).toEqual(["logo dark.png"]));
  });

  it("shows a file that came last, on Home", async () => {
    await openAt({ screen: "home" }, { items: items() });
    const recent = await all("home-recent-file");
    const logo = recent.find((each) => each.dataset.name === "logo.png") as HTMLElement;
    logo.focus();
    await key(" ");
    expect(await looked()).toBe("logo.png");
    await key("Escape");
    await waitFor(() => expect(document.activeElement).toBe(logo));
  });
});
