/** An opened design and the room that it has: details in a drawer, tools with their words, its pages, keys. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { design } from "../src/state/design.svelte";
import { wasOpen } from "../src/state/kept";
import { marks } from "../src/state/marks.svelte";
import { route } from "../src/state/route.svelte";
import { sampleDesigns } from "./fake-designs";
import { all, at, called, openAt, press, violations } from "./stage";

afterEach(cleanup);

/** Opens the design at this place of the samples. */
async function open(index = 1) {
  const designs = sampleDesigns();
  const fake = await openAt({ screen: "design", designId: designs[index]?.id ?? "" }, { designs });
  await at("design-title");
  return { fake, id: designs[index]?.id ?? "" };
}

describe("the details of an opened design", () => {
  it("stand in a drawer that is closed at first, and stays as it was left for the next design and the next start", async () => {
    await open();
    const button = await at("design-details");
    expect(button.textContent?.trim()).toBe("Details");
    expect(button.getAttribute("aria-pressed")).toBe("false");
    expect(screen.queryByTestId("design-drawer")).toBeNull();
    await fireEvent.click(button);
    expect((await at("design-drawer")).id).toBe(button.getAttribute("aria-controls"));
    expect(button.getAttribute("aria-pressed")).toBe("true");
    expect(wasOpen("design-details")).toBe(true);
    await fireEvent.click(await at("design-relative"));
    await waitFor(() => expect(screen.getByTestId("design").dataset.name).toBe("Autumn launch, take 2"));
    await at("design-drawer");
    await press("design-details");
    expect(screen.queryByTestId("design-drawer")).toBeNull();
    expect(wasOpen("design-details")).toBe(false);
  });

  it.each(["Escape", "the button"])("are closed by %s, which leads nowhere else, and the focus goes back", async (how) => {
    await open();
    await press("design-details");
    const close = await at("design-details-close");
    close.focus();
    if (how === "Escape") await fireEvent.keyDown(close, { key: "Escape" });
    else await fireEvent.click(close);
    await waitFor(() => expect(screen.queryByTestId("design-drawer")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("design-details")));
    expect(route.place.screen).toBe("design");
  });

  it("keep nobody out", async () => {
    await open();
    await press("design-details");
    await at("design-source");
    expect(await violations()).toEqual([]);
  });
});

describe("an opened design", () => {
  it("has a name in words on each of its tools", async () => {
    await open();
    const words = ["design-words", "design-vary", "design-export", "design-remix", "design-details", "design-edit-text"];
    const told = await Promise.all(words.map(async (each) => (await at(each)).textContent?.trim()));
    expect(told).toEqual(["Remix with a prompt…", "4 variations", "Export", "Remix", "Details", "Edit text"]);
  });

  it("is starred by S and rejected by X as its menu says, and by the star beside its name", async () => {
    const { fake, id } = await open();
    for (const [key, mark] of [["s", "starred"], ["x", "rejected"], ["x", null]] as const) {
      await fireEvent.keyDown(document.body, { key });
      expect(marks.of(id)).toBe(mark);
    }
    const star = await at("design-star");
    await fireEvent.click(star);
    await waitFor(() => expect(star.getAttribute("aria-pressed")).toBe("true"));
    expect(star.getAttribute("aria-label")).toBe("Remove star");
    await fireEvent.keyDown(document.body, { key: "s", ctrlKey: true });
    expect(called(fake, "mark_designs")).toHaveLength(4);
  });

  it("is deleted from its menu, and the designs are shown without it", async () => {
    const { fake, id } = await open();
    await fireEvent.click(screen.getByTestId("design-menu"));
    await press("design-menu-delete");
    await press("delete-confirm");
    await waitFor(() => expect(called(fake, "delete_items")).toEqual([[[id]]]));
    await waitFor(() => expect(route.place.screen).toBe("designs"));
    const cards = await all("design-card");
    expect(cards.some((card) => card.dataset.id === id)).toBe(false);
  });

  it("is renamed from its menu, in its place", async () => {
    await open();
    await fireEvent.click(screen.getByTestId("design-menu"));
    await press("design-menu-rename");
    const field = await at("design-rename-field");
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it("is renamed with letters that star nothing", async () => {
    const { fake } = await open();
    await fireEvent.keyDown(document.body, { key: "F2" });
    await fireEvent.keyDown(await at("design-rename-field"), { key: "s" });
    expect(called(fake, "mark_designs")).toEqual([]);
  });

  it.each([
    ["wide", 1, "horizontal", "ArrowRight"],
    ["high", 4, "vertical", "ArrowDown"],
  ])("whose pages are %s has them where they take the least from it, walked by the keys that point along them", async (_, index, way, key) => {
    await open(index);
    const strip = await at("design-pages");
    expect(strip.getAttribute("aria-orientation")).toBe(way);
    const [first, second] = await all("design-page-option");
    first?.focus();
    await fireEvent.keyDown(first as HTMLElement, { key });
    await waitFor(() => expect(document.activeElement).toBe(second));
    expect(design.index).toBe(1);
  });
});
