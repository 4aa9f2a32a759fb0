/** What a person thinks of designs: starred and rejected by key, chosen and acted on together, varied on a contact sheet, compared. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { marks } from "../src/state/marks.svelte";
import { route } from "../src/state/route.svelte";
import { problem } from "./fake-backend";
import { design, sampleDesigns } from "./fake-designs";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(cleanup);

const gallery = { screen: "designs" } as const;
const names = () => screen.getAllByTestId("design-card").map((card) => card.dataset.name);

async function focusCard(index: number): Promise<HTMLElement> {
  const name = (await all("design-open"))[index] as HTMLElement;
  name.focus();
  return name;
}

describe("in the gallery", () => {
  it("S stars and X rejects the card that the keyboard is on, and takes it back", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    const name = await focusCard(2);
    const id = fake.state.designs[2]?.id ?? "";
    for (const [key, mark] of [["s", "starred"], ["x", "rejected"], ["X", null]] as const) {
      await fireEvent.keyDown(name, { key });
      expect(marks.of(id)).toBe(mark);
    }
    await waitFor(() => expect(called(fake, "mark_designs")).toEqual([[[id], "starred"], [[id], "rejected"], [[id], null]]));
  });

  it("letters that are typed after another one look for a name", async () => {
    await openAt(gallery, { designs: [design("Exquisite", 0), design("Mask", 0)] });
    const name = await focusCard(1);
    await fireEvent.keyDown(name, { key: "e" });
    await fireEvent.keyDown(document.activeElement as HTMLElement, { key: "x" });
    expect(document.activeElement?.textContent?.trim()).toBe("Exquisite");
    expect(marks.rejected.size).toBe(0);
  });

  it("only the starred ones are shown where that is wanted, until their star is taken away", async () => {
    const designs = sampleDesigns();
    await openAt(gallery, { designs, marks: { [designs[3]?.id ?? ""]: "starred", [designs[5]?.id ?? ""]: "starred" } });
    await all("design-card");
    await press("designs-starred");
    await waitFor(() => expect(names()).toEqual([designs[3]?.name, designs[5]?.name]));
    await fireEvent.click((await all("design-star"))[0] as HTMLElement);
    await waitFor(() => expect(names()).toEqual([designs[5]?.name]));
    await fireEvent.click((await all("design-star"))[0] as HTMLElement);
    expect((await at("empty")).textContent).toContain("No starred designs");
    await press("designs-show-all");
    await waitFor(() => expect(names()).toHaveLength(designs.length));
  });

  it("a star that cannot be kept is put back, with the reason", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns(), failing: { mark_designs: problem({ title: "The disk is full" }) } });
    const name = await focusCard(0);
    await fireEvent.keyDown(name, { key: "s" });
    expect(await screen.findByText("The disk is full")).toBeTruthy();
    expect(marks.of(fake.state.designs[0]?.id ?? "")).toBeNull();
  });

  it("many are starred, rejected and remixed together, and one is renamed, by a bar that moves nothing", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    const ids = fake.state.designs.map((each) => each.id);
    await fireEvent.click((await all("design-choose"))[0] as HTMLElement);
    expect((await at("designs")).contains(await at("designs-chosen"))).toBe(false);
    expect(await violations()).toEqual([]);
    await press("designs-rename");
    await type("rename-name", "Spring launch");
    await press("rename-confirm");
    await waitFor(() => expect(called(fake, "rename_design")).toEqual([[ids[0], "Spring launch"]]));
    await fireEvent.click((await all("design-choose"))[2] as HTMLElement);
    await press("designs-star");
    expect([...marks.starred]).toEqual([ids[0], ids[2]]);
    await press("designs-reject");
    expect([[...marks.starred], [...marks.rejected]]).toEqual([[], [ids[0], ids[2]]]);
    await press("designs-remix");
    await waitFor(() => expect(called(fake, "remix_design").map(([id]) => id)).toEqual([ids[0], ids[2]]));
    expect(screen.queryByTestId("designs-chosen")).toBeNull();
  });
});

describe("the contact sheet", () => {
  /** Asks for eight variations of a design, of which the first so many are made. */
  async function vary(made: number) {
    const designs = sampleDesigns();
    const fake = await openAt(gallery, { designs });
    await fireEvent.click((await all("design-menu"))[2] as HTMLElement);
    await press("design-menu-vary-8");
    await waitFor(() => expect(screen.getAllByTestId("contact-place")).toHaveLength(8));
    // The newest stands first on the list of tasks; the first of the sheet is the one that was asked for first.
    const begun = [...fake.state.tasks].reverse();
    const changed = begun.slice(0, made).map((each, index) => {
      const copy = design(`Take ${index + 1}`, 0, { source_id: designs[2]?.id ?? null });
      fake.state.designs.push(copy);
      return { ...each, state: "succeeded" as const, design_id: copy.id, design_name: copy.name, thumbnail: copy.thumbnail };
    });
    fake.emit("tasks_changed", { connection_id: "local", changed, list_again: false });
    await waitFor(() => expect(screen.queryAllByTestId("sheet-card")).toHaveLength(made));
    return { fake, ids: changed.map((each) => each.design_id) };
  }

  it("has a place for each variation that was asked for, and each design comes into its own", async () => {
    const { fake } = await vary(2);
    expect(called(fake, "vary_design")[0]?.[1]).toBe(8);
    expect((await at("contact-line")).textContent).toBe("2 of 8 made");
    const states = (await all("contact-place")).map((each) => each.dataset.state);
    expect(states).toEqual(["made", "made", ...Array.from({ length: 6 }, () => "queued")]);
    expect(await violations()).toEqual([]);
  });

  it("is walked by arrows, starred by S, rejected by X, and exported by E", async () => {
    const { fake, ids } = await vary(8);
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    await press("e");
    expect(screen.queryByTestId("batch-dialog")).toBeNull();
    await press("s");
    await press("ArrowRight");
    await press("x");
    await press("End");
    await press("s");
    expect([[...marks.starred], [...marks.rejected]]).toEqual([[ids[0], ids[7]], [ids[1]]]);
    expect((await at("contact-line")).textContent).toContain("2 starred");
    await press("e");
    await fireEvent.click(await at("batch-confirm"));
    await waitFor(() => expect(called(fake, "export_designs").map(([chosen]) => chosen)).toEqual([[ids[0], ids[7]]]));
  });

  it("exports one by itself as its card says, as one file or as the two that a deck is handed over in", async () => {
    const { fake, ids } = await vary(8);
    const button = (await all("design-export"))[5] as HTMLElement;
    const exported = () => called(fake, "export_design").map(([id, choice]) => [id, (choice as { format: string }).format]);
    await fireEvent.click(button);
    await press("export-pdf-pptx");
    await waitFor(() => expect(exported()).toEqual([[ids[5], "pdf"], [ids[5], "pptx"]]));
    expect(await screen.findByText("Exporting Take 6 as PDF and PowerPoint")).toBeTruthy();
    await fireEvent.click(button);
    await press("export-svg");
    await waitFor(() => expect(exported()[2]).toEqual([ids[5], "svg"]));
    await fireEvent.click(button);
    await press("export-more");
    expect((await at("export-dialog")).textContent).toContain("Take 6");
    await press("export-confirm");
    await waitFor(() => expect(exported()).toHaveLength(4));
    expect(screen.queryByTestId("contact-sheet"), "the sheet stays").toBeTruthy();
  });

  it("has the keyboard from the start, and leaves it in its place when a design comes there", async () => {
    const { fake } = await vary(0);
    const places = await all("contact-place");
    expect(document.activeElement?.closest("li")).toBe(places[0]);
    await fireEvent.keyDown(document.activeElement as HTMLElement, { key: "ArrowRight" });
    const second = [...fake.state.tasks].reverse()[1];
    if (!second) throw new Error("there are eight");
    fake.emit("tasks_changed", { connection_id: "local", changed: [{ ...second, state: "succeeded", design_id: "made", design_name: "Take 2" }], list_again: false });
    await at("sheet-card");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("2: Take 2");
  });

  it("says of one that could not be made why, and tries it again in its place", async () => {
    const { fake } = await vary(1);
    const failed = [...fake.state.tasks].reverse()[3];
    if (!failed) throw new Error("there are eight");
    fake.emit("tasks_changed", { connection_id: "local", changed: [{ ...failed, state: "failed", retryable: true, problem: problem({ title: "No room left" }) }], list_again: false });
    const place = within((await all("contact-place"))[3] as HTMLElement);
    expect(await place.findByText("No room left")).toBeTruthy();
    await fireEvent.click(place.getByTestId("contact-retry"));
    await waitFor(() => expect((screen.getAllByTestId("contact-place")[3] as HTMLElement).dataset.state).toBe("queued"));
    expect(called(fake, "retry_task")).toEqual([[failed.id]]);
  });

  it("is there again for what was remixed from a design before", async () => {
    const designs = sampleDesigns();
    await openAt({ screen: "design", designId: designs[1]?.id ?? "" }, { designs });
    await press("design-details");
    await press("design-sheet");
    expect((await at("sheet-card")).dataset.name).toBe("Autumn launch, take 2");
    await press("contact-sheet-back");
    expect(route.place.screen).toBe("design");
  });
});

describe("comparing", () => {
  async function compare() {
    const designs = sampleDesigns();
    const [one, other] = [designs[1]?.id ?? "", designs[0]?.id ?? ""];
    const fake = await openAt({ screen: "compare", one, other }, { designs });
    await at("compare-slider");
    return { fake, one, other };
  }

  it("has the names on the pictures, and a line that is moved by keyboard and pointer", async () => {
    await compare();
    expect((await all("compare-name")).map((each) => each.textContent?.trim())).toEqual(["Autumn launch", "Autumn launch, take 2"]);
    const line = await at("compare-slider");
    await waitFor(() => expect(document.activeElement, "the arrows move it from the start").toBe(line));
    const now = () => line.getAttribute("aria-valuenow");
    for (const [key, expected] of [["ArrowRight", "51"], ["Home", "0"], ["ArrowLeft", "0"], ["End", "100"]] as const) {
      await fireEvent.keyDown(line, { key });
      expect(now(), key).toBe(expected);
    }
    await fireEvent.keyDown(line, { key: "ArrowLeft", shiftKey: true });
    expect(now()).toBe("90");
    const page = await at("compare-over");
    page.getBoundingClientRect = () => ({ left: 100, width: 400 }) as DOMRect;
    const point = (type: string, clientX: number) => fireEvent(page, new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, clientX }));
    await point("pointerdown", 200);
    expect(now()).toBe("25");
    await point("pointermove", 400);
    expect(now()).toBe("75");
    await point("pointerup", 400);
    await point("pointermove", 100);
    expect(now(), "let go").toBe("75");
    expect(document.activeElement).toBe(line);
  });

  it("keeps one and rejects the other, which can be undone", async () => {
    const { one, other } = await compare();
    await fireEvent.click((await all("compare-keep"))[1] as HTMLElement);
    await waitFor(() => expect([marks.of(one), marks.of(other)]).toEqual(["rejected", "starred"]));
    expect((await all("compare-name")).map((each) => each.dataset.mark)).toEqual(["rejected", "starred"]);
    await press("toast-undo");
    await waitFor(() => expect([marks.of(one), marks.of(other)]).toEqual([null, null]));
  });
});
