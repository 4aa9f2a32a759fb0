/** The command palette, several designs at once, comparing, and links: what a person does and what the app is asked. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { batch } from "../src/state/batch.svelte";
import { links } from "../src/state/links.svelte";
import { palette, rank } from "../src/state/palette.svelte";
import { route } from "../src/state/route.svelte";
import { settings } from "../src/state/settings.svelte";
import { shortcuts } from "../src/state/shortcuts.svelte";
import { tasks } from "../src/state/tasks.svelte";
import { file as driveFile, folder, problem, SETTINGS } from "./fake-backend";
import { delivery, kit, sampleDesigns } from "./fake-designs";
import { all, at, called, openAt, press, type, violations } from "./stage";

// A whole page takes axe a second or two, more on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  cleanup();
  palette.open = false;
  shortcuts.open = false;
  links.open = null;
  if (settings.kept.language === "de") settings.keep({ language: "en" });
});

describe("what fits a query", () => {
  it.each([
    ["", "Designs", 1],
    ["des", "Designs", 5],
    ["exp act", "Activity: Exports", 8],
    ["dusseldorf", "Düsseldorf", 5],
    ["port", "Activity: Exports", 2],
    ["exports drive", "Activity: Exports", 0],
  ])("%j fits %j as well as %d", (query, label, expected) => expect(rank(query, label)).toBe(expected));
});

describe("the command palette", () => {
  const open = () => fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });

  it("goes to a screen by a few letters and Enter, and leaves by Escape", async () => {
    await openAt({ screen: "home" }, { designs: sampleDesigns() });
    await open();
    await type("palette-query", "act upl");
    await fireEvent.keyDown(await at("palette-query"), { key: "Enter" });
    expect(route.place).toEqual({ screen: "activity", tab: "uploads" });
    await waitFor(() => expect(screen.queryByTestId("palette")).toBeNull());
    await open();
    await at("palette");
    expect(await violations()).toEqual([]);
    await fireEvent.keyDown(await at("palette-query"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByTestId("palette")).toBeNull());
  });

  it("moves by arrows, around the end, and says when nothing fits", async () => {
    await openAt({ screen: "home" });
    await open();
    const field = await at("palette-query");
    await fireEvent.keyDown(field, { key: "ArrowUp" });
    const commands = await all("palette-command");
    expect(commands.at(-1)?.getAttribute("aria-selected")).toBe("true");
    expect(field.getAttribute("aria-activedescendant")).toBe(commands.at(-1)?.id);
    await type("palette-query", "qqqq");
    // Only once everything was asked is that so.
    await waitFor(async () => expect((await at("palette")).textContent).toContain("Nothing is called “qqqq”"));
  });

  it("finds files, folders, kits and deliveries first, with where they are, then screens and actions", async () => {
    const deliveryOf = delivery({ task_id: "task_brand" });
    const items = [folder("Brand", 3, 60_000)];
    await openAt({ screen: "home" }, { items, designs: sampleDesigns(), kits: [kit("Brand of winter")], deliveries: [deliveryOf], settings: { ...SETTINGS, shows_developer: true } });
    await open();
    await type("palette-query", "brand");
    const rows = () => screen.getAllByTestId("palette-command");
    await waitFor(() => expect(rows().some((row) => row.dataset["command"] === deliveryOf.id)).toBe(true));
    const kinds = [...document.querySelectorAll("#palette-list .group")].map((row) => row.textContent);
    expect(kinds).toEqual(["Drive", "Brand kits", "Deliveries", "Screens"]);
    expect(await violations()).toEqual([]);
    await fireEvent.click(rows().find((row) => row.textContent?.includes("Brand of winter")) as HTMLElement);
    expect(route.place).toMatchObject({ screen: "kits" });
    await waitFor(async () => expect(document.activeElement).toBe(await at("kit")));
  });

  it("offers webhooks, the receiver and deliveries only where the rail leads to them", async () => {
    const fake = await openAt({ screen: "settings", section: "developer" }, { deliveries: [delivery({ task_id: "task_brand" })] });
    expect(screen.queryByTestId("rail-developer")).toBeNull();
    await open();
    await type("palette-query", "webhooks");
    await waitFor(async () => expect((await at("palette")).textContent).toContain("Nothing is called “webhooks”"));
    expect(called(fake, "list_deliveries")).toEqual([]);
    await fireEvent.keyDown(await at("palette-query"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByTestId("palette")).toBeNull());
    await fireEvent.click(await at("developer-shown"));
    expect(called(fake, "set_settings").at(-1)?.[0]).toMatchObject({ shows_developer: true });
    await fireEvent.click(await at("rail-developer"));
    expect(route.place).toEqual({ screen: "developer", tab: "webhooks" });
    await open();
    await type("palette-query", "webhooks");
    expect((await all("palette-command")).length).toBeGreaterThan(0);
  });

  it("asks for the kits once while more is typed", async () => {
    const fake = await openAt({ screen: "drive", folderId: null }, { kits: [kit("Brand of winter")] });
    await open();
    const before = called(fake, "list_brand_kits").length;
    for (const words of ["bra", "brand"]) {
      await type("palette-query", words);
      await waitFor(() => expect(called(fake, "list_designs").some((asked) => asked[0] === words)).toBe(true));
    }
    expect(called(fake, "list_brand_kits").length).toBe(before + 1);
  });

  it("shows a file where it lies, and offers it first the next time", async () => {
    await openAt({ screen: "home" }, { items: [driveFile("zebra.png", 3_000, 60_000, { id: "file_x", folder_id: null })] });
    await open();
    await type("palette-query", "zebra");
    const [file] = await all("palette-command");
    await fireEvent.click(file as HTMLElement);
    expect(route.place).toEqual({ screen: "drive", folderId: null, selectId: "file_x" });
    await waitFor(() => expect(screen.queryByTestId("palette")).toBeNull());
    await open();
    const [first] = await all("palette-command");
    expect(first?.dataset["command"]).toBe("file_x");
    expect((await at("palette")).textContent).toContain("Recent");
  });

  it("says why it could not look, and not that nothing has the name", async () => {
    await openAt({ screen: "home" }, { failing: { search_drive: problem({ title: "The service cannot be reached" }) } });
    await open();
    await type("palette-query", "qqqq");
    await waitFor(async () => expect((await at("palette")).textContent).toContain("The service cannot be reached"));
    expect((await at("palette")).textContent).not.toContain("Nothing is called");
  });

  it("keeps what was gone to under the keyboard while more is found", async () => {
    await openAt({ screen: "home" }, { designs: sampleDesigns() });
    await open();
    await type("palette-query", "set");
    const field = await at("palette-query");
    await fireEvent.keyDown(field, { key: "ArrowDown" });
    const gone = (await all("palette-command"))[1]?.dataset["command"];
    await new Promise((resolve) => setTimeout(resolve, 250));
    const selected = (await all("palette-command")).find((row) => row.getAttribute("aria-selected") === "true");
    expect(selected?.dataset["command"]).toBe(gone);
  });

  it("has a list of all shortcuts, by ? from anywhere but a field", async () => {
    await openAt({ screen: "home" });
    await fireEvent.keyDown(await at("describe-prompt"), { key: "?" });
    expect(screen.queryByTestId("shortcuts")).toBeNull();
    await fireEvent.keyDown(document.body, { key: "?" });
    const list = await at("shortcuts");
    expect(list.textContent).toContain("Everywhere");
    expect(list.textContent).toContain("Turn the pages");
    expect(await violations()).toEqual([]);
  });

  it("finds designs by their name", async () => {
    await openAt({ screen: "home" }, { designs: sampleDesigns() });
    await open();
    await type("palette-query", "weekly");
    const found = await waitFor(() => {
      const commands = screen.getAllByTestId("palette-command");
      expect(commands[0]?.textContent).toContain("Weekly numbers");
      return commands[0] as HTMLElement;
    });
    await fireEvent.click(found);
    expect(route.place.screen).toBe("design");
  });
});

describe("several designs at once", () => {
  const boxes = () => all("design-choose");

  it("are chosen one by one or in a row, exported by one plan, and let go", async () => {
    const fake = await openAt({ screen: "designs" }, { designs: sampleDesigns(), exportRate: { waiting: 0, per_minute: 2, time_left_ms: null } });
    await fireEvent.click((await boxes())[0] as HTMLElement);
    await fireEvent.click((await boxes())[3] as HTMLElement, { shiftKey: true });
    expect((await at("designs-chosen")).textContent).toContain("4 selected");
    const ticked = async () => (await boxes()).map((box) => (box as HTMLInputElement).checked).indexOf(false);
    await waitFor(async () => expect(await ticked()).toBe(4));
    await press("designs-export");
    await press("batch-format-png");
    await press("batch-pages-first");
    await type("batch-pattern", "{number} {name}");
    await press("batch-choose");
    await waitFor(() => expect(screen.getByTestId("batch-place").textContent).toBe("For the printer"));
    expect((await at("batch-wait")).textContent).toContain("About 60 seconds: this service makes 2 a minute");
    await press("batch-keep");
    await type("batch-preset-name", "Print");
    await press("batch-preset-save");
    await waitFor(() => expect(batch.preset?.name).toBe("Print"));
    expect(await violations()).toEqual([]);
    await press("batch-confirm");
    await waitFor(() => expect(called(fake, "export_designs")).toHaveLength(1));
    const [ids, plan] = called(fake, "export_designs")[0] ?? [];
    expect(ids).toHaveLength(4);
    expect(plan).toMatchObject({ format: "png", pages: "first", name_pattern: "{number} {name}", folder_id: "print" });
    await waitFor(() => expect(screen.queryByTestId("designs-chosen")).toBeNull());
  });

  it("begins with what was kept before", async () => {
    const kept = { format: "svg", pages: "all", scale: null, flatten: true, name_pattern: "{date}", folder_id: null } as const;
    const fake = await openAt({ screen: "designs" }, { designs: sampleDesigns(), presets: [{ id: "p", name: "Web", plan: kept, folder: null }] });
    await fireEvent.click((await boxes())[0] as HTMLElement);
    await press("designs-export");
    await press("batch-preset");
    await press("batch-confirm");
    await waitFor(() => expect(called(fake, "export_designs")[0]?.[1]).toEqual(kept));
  });

  it("are let go by Escape, and chosen all by Ctrl and A", async () => {
    await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    const names = await all("design-open");
    await fireEvent.keyDown(names[0] as HTMLElement, { key: "a", ctrlKey: true });
    expect((await at("designs-chosen")).textContent).toContain(`${names.length} selected`);
    await fireEvent.keyDown(document.body, { key: "Escape" });
    await waitFor(() => expect(screen.queryByTestId("designs-chosen")).toBeNull());
  });

  it("are compared, two of them, page by page", async () => {
    await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    await fireEvent.click((await boxes())[0] as HTMLElement);
    expect(screen.queryByTestId("designs-compare")).toBeNull();
    await fireEvent.click((await boxes())[2] as HTMLElement);
    await press("designs-compare");
    await at("compare-slider");
    expect(await all("compare-picture")).toHaveLength(2);
    expect(await violations()).toEqual([]);
    await press("compare-next");
    expect((await at("compare")).textContent).toContain("Page 2 of 6");
    await fireEvent.click(within(await at("compare-way-beside")).getByRole("radio"));
    await waitFor(() => expect(screen.queryByTestId("compare-slider")).toBeNull());
    await press("compare-back");
    await at("designs-grid");
  });

  it("become four variations in one click, and a double click makes no more", async () => {
    const designs = sampleDesigns();
    const fake = await openAt({ screen: "design", designId: designs[1]?.id ?? "" }, { designs });
    const vary = await at("design-vary");
    await fireEvent.click(vary);
    await fireEvent.click(vary);
    await waitFor(() => expect(tasks.making).toHaveLength(4));
    expect(called(fake, "vary_design")).toEqual([[designs[1]?.id, 4]]);
  });

  it("are laid out in the sizes that were chosen, but not in the one that they have", async () => {
    const designs = sampleDesigns().map((each) => ({ ...each, width: 1080, height: 1080 }));
    const fake = await openAt({ screen: "designs" }, { designs });
    await fireEvent.click((await all("design-menu"))[0] as HTMLElement);
    await press("design-menu-sizes");
    const own = await at("size-square_post");
    expect((own as HTMLInputElement).disabled).toBe(true);
    expect((await at("sizes-confirm") as HTMLButtonElement).disabled).toBe(true);
    await press("size-banner");
    await press("size-story");
    await press("size-a4");
    await press("size-a4");
    expect(await violations()).toEqual([]);
    fake.state.failing = { resize_design: problem({ title: "Your team is at its limit" }) };
    await press("sizes-confirm");
    await screen.findByText("Your team is at its limit");
    fake.state.failing = {};
    await press("problem-action");
    const name = designs[0]?.name ?? "";
    await waitFor(() => expect(called(fake, "resize_design").at(-1)).toEqual([designs[0]?.id, [
      { size: "story", name: `${name} – Story` },
      { size: "banner", name: `${name} – Banner` },
    ]]));
    expect((await at("contact-sheet")).textContent).toContain(`Sizes of ${name}`);
    expect(await all("contact-place")).toHaveLength(2);
  });
});

describe("a link", () => {
  it("does nothing before it is clicked, then goes there", async () => {
    const designs = sampleDesigns();
    const id = designs[2]?.id ?? "";
    const fake = await openAt({ screen: "home" }, { designs });
    links.open = { target: { code: "design", design_id: id }, service: "studio.example.com", connection_id: fake.state.selected };
    expect((await at("link-dialog")).textContent).toContain("at studio.example.com");
    expect(route.place).toEqual({ screen: "home" });
    await press("link-open");
    await waitFor(() => expect(route.place).toEqual({ screen: "design", designId: id }));
  });

  it("fills in an address and never a key", async () => {
    await openAt({ screen: "home" });
    links.open = { target: { code: "connect", address: "https://studio.example.com" }, service: null, connection_id: null };
    await press("link-connect-open");
    expect((await at("connect-address") as HTMLInputElement).value).toBe("https://studio.example.com");
    expect((await at("connect-key") as HTMLInputElement).value).toBe("");
  });

  it("to a service that Easel does not know says so", async () => {
    await openAt({ screen: "home" });
    links.open = { target: { code: "folder", folder_id: "fld_1" }, service: "other.example.com", connection_id: null };
    expect((await at("link-dialog")).textContent).toContain("not connected to other.example.com");
    expect(screen.queryByTestId("link-open")).toBeNull();
  });
});

describe("the language", () => {
  it("changes every word at once, where the person is", async () => {
    const fake = await openAt({ screen: "settings", section: "appearance" });
    await fireEvent.change(await at("language"), { target: { value: "de" } });
    await screen.findByText("Schriftgröße");
    expect((await at("rail-home")).textContent).toContain("Start");
    expect(called(fake, "set_settings").at(-1)?.[0]).toMatchObject({ language: "de" });
    await fireEvent.change(await at("language"), { target: { value: "en" } });
    await screen.findByText("Size of text");
  });
});
