/** Texts of an opened design on the fake backend: written with a click, saved, undone, refused, and where a service has none of it. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { route } from "../src/state/route.svelte";
import { texts } from "../src/state/texts.svelte";
import type { FakeState } from "./fake-backend";
import { localConnection, problem } from "./fake-backend";
import { sampleDesigns } from "./fake-designs";
import { foreign, LACKS } from "./fake-service";
import { designText, textPage } from "./fake-texts";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(cleanup);

const opened = async (given: Partial<FakeState> = {}) => {
  const designs = sampleDesigns();
  const id = designs[1]?.id ?? "";
  const cover = [designText("0", "Autumn lunch", [100, 800, 900, 120]), designText("1.2", "From six\nto noon", [100, 940, 600, 60])];
  const pages = [textPage(1, cover, { picture: "data:image/svg+xml,one" }), textPage(2, [designText("0", "Why rye", [100, 100, 700, 90])])];
  const fake = await openAt({ screen: "design", designId: id }, { designs, designTexts: { [id]: pages }, ...given });
  return { fake, id };
};
const boxes = async () => all("design-text");
const field = async () => (await at("design-text-field")) as HTMLTextAreaElement;
/** Clicks the text of this name and writes other words. */
const write = async (index: number, words: string) => {
  await fireEvent.click((await boxes())[index] as HTMLElement);
  await type("design-text-field", words);
};
const enter = async (given: KeyboardEventInit = {}) => fireEvent.keyDown(await field(), { key: "Enter", ...given });
const saved = (fake: Awaited<ReturnType<typeof openAt>>) => called(fake, "change_design_texts").map((given) => (given[2] as { text: string }[])[0]?.text);

describe("the texts of an opened design", () => {
  it("are written with a click, saved with Enter, and stay over the picture until it has them", async () => {
    const { fake, id } = await opened();
    expect((await boxes()).map((box) => box.getAttribute("aria-label"))).toEqual(["Edit: Autumn lunch", "Edit: From six\nto noon"]);
    await fireEvent.click((await boxes())[0] as HTMLElement);
    expect(document.activeElement).toBe(await field());
    expect((await field()).value).toBe("Autumn lunch");
    await type("design-text-field", "Autumn launch ");
    await enter();
    expect((await at("design-text-coming")).textContent).toBe("Autumn launch");
    await waitFor(() => expect(texts.underWay).toBe(0));
    expect(called(fake, "change_design_texts")).toEqual([[id, "r0", [{ page: 1, reference: "0", text: "Autumn launch" }]]]);
    expect(screen.getByTestId("design-text-coming")).toBeTruthy();
    const picture = await at("design-page");
    expect(picture.getAttribute("src")).toBe("data:image/svg+xml,one#1");
    await fireEvent.load(picture);
    await waitFor(() => expect(screen.queryByTestId("design-text-coming")).toBeNull());
    expect((await boxes())[0]?.getAttribute("aria-label")).toBe("Edit: Autumn launch");
  });

  it("stay as they are with Escape, and where nothing else was written", async () => {
    const { fake } = await opened();
    await write(0, "Something else");
    await fireEvent.keyDown(await field(), { key: "Escape" });
    expect(screen.queryByTestId("design-text-field")).toBeNull();
    await write(0, " Autumn lunch ");
    await enter();
    expect(screen.queryByTestId("design-text-field")).toBeNull();
    expect(saved(fake)).toEqual([]);
    expect(route.place.screen).toBe("design");
  });

  it("of several lines are saved with Ctrl+Enter, and Enter begins a line", async () => {
    const { fake } = await opened();
    await write(1, "From seven\nto noon");
    await enter();
    expect(saved(fake)).toEqual([]);
    expect((await at("design-text-note")).textContent).toContain("Ctrl+Enter saves");
    await enter({ ctrlKey: true });
    await waitFor(() => expect(saved(fake)).toEqual(["From seven\nto noon"]));
  });

  it("are saved when something else is clicked", async () => {
    const { fake } = await opened();
    await write(0, "Autumn launch");
    await fireEvent.blur(await field());
    await waitFor(() => expect(saved(fake)).toEqual(["Autumn launch"]));
  });

  it("go back and forth with Ctrl+Z and Ctrl+Shift+Z, on the page where they are", async () => {
    const { fake } = await opened();
    await write(0, "Autumn launch");
    await enter();
    await waitFor(() => expect(texts.done).toHaveLength(1));
    await press("design-next");
    await fireEvent.keyDown(document.body, { key: "z", ctrlKey: true });
    await waitFor(() => expect(saved(fake)).toEqual(["Autumn launch", "Autumn lunch"]));
    expect((await at("design-page-number")).textContent).toBe("Page 1 of 6");
    await waitFor(() => expect(texts.undone).toHaveLength(1));
    await fireEvent.keyDown(document.body, { key: "Z", ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(saved(fake)).toHaveLength(3));
    await waitFor(() => expect(texts.done).toHaveLength(1));
    await press("design-text-undo");
    await waitFor(() => expect(saved(fake).at(-1)).toBe("Autumn lunch"));
  });

  it("say while they are typed that they are too long, and are open again where they are sent so", async () => {
    const { fake } = await opened();
    const long = "Autumn launch ".repeat(9);
    await write(0, long);
    await waitFor(async () => expect((await at("design-text-note")).textContent).toContain("Too long for this place 60 of 126 letters fit."));
    expect((await field()).getAttribute("aria-invalid")).toBe("true");
    expect(saved(fake)).toEqual([]);
    await enter();
    await waitFor(async () => expect((await field()).value).toBe(long));
    expect((await at("design-text-note")).textContent).toContain("Too long");
    expect(screen.queryByTestId("design-text-coming")).toBeNull();
    // Nobody is held there.
    await fireEvent.blur(await field());
    expect(saved(fake)).toHaveLength(1);
    await type("design-text-field", "");
    await enter();
    expect((await at("design-text-note")).textContent).toContain("A text needs at least one letter");
  });

  it("of a design that others changed meanwhile are read anew, and said so", async () => {
    const { fake, id } = await opened();
    await write(0, "Autumn launch");
    fake.state.textRevisions = { [id]: 5 };
    await enter();
    await waitFor(async () => expect((await at("design-text-note")).textContent).toContain("changed meanwhile"));
    await enter();
    await waitFor(() => expect(called(fake, "change_design_texts").at(-1)?.[1]).toBe("r5"));
    await waitFor(() => expect(texts.done).toHaveLength(1));
  });

  it("are stops of the Tab key where they are asked for, and Escape goes back", async () => {
    await opened();
    expect((await boxes()).every((box) => box.tabIndex === -1)).toBe(true);
    await press("design-edit-text");
    await waitFor(async () => expect((await boxes()).every((box) => box.tabIndex === 0)).toBe(true));
    const first = (await boxes())[0] as HTMLElement;
    first.focus();
    await fireEvent.click(first);
    await fireEvent.keyDown(await field(), { key: "Escape" });
    await waitFor(async () => expect(document.activeElement).toBe((await boxes())[0]));
    await fireEvent.keyDown((await boxes())[0] as HTMLElement, { key: "Escape" });
    expect((await boxes()).every((box) => box.tabIndex === -1)).toBe(true);
    expect(route.place.screen).toBe("design");
    await press("design-edit-text");
    expect(await violations()).toEqual([]);
  });

  it("say what went wrong when they are asked for and cannot be read", async () => {
    const { fake } = await opened({ failing: { list_design_texts: problem({ title: "Not now" }) } });
    await press("design-edit-text");
    await screen.findByText("Not now");
    fake.state.failing = {};
    await press("design-edit-text");
    expect(await boxes()).toHaveLength(2);
  });

  it("are changed by a prompt where the service has nothing else", async () => {
    const { fake } = await opened({ connections: [localConnection({ service: foreign(LACKS.canvas_texts) })] });
    expect((await at("design-text-remix")).textContent).toContain("Remix with a prompt");
    expect(screen.queryByTestId("design-edit-text")).toBeNull();
    expect(called(fake, "list_design_texts")).toEqual([]);
    await press("design-text-remix");
    await at("words-dialog");
  });
});
