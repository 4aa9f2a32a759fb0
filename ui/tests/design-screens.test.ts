/** The screens about designs on the fake backend: what a person does, what the app is asked, what stands on the screen. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { brandKits } from "../src/state/brandkits.svelte";
import type { FoundBrandView } from "../src/backend";
import { drive } from "../src/state/drive.svelte";
import { description } from "../src/state/describe.svelte";
import { route, type Place } from "../src/state/route.svelte";
import { tasks } from "../src/state/tasks.svelte";
import { problem, sampleDrive, transfer } from "./fake-backend";
import { delivery, exported, kit, sampleDesigns, shelved, task } from "./fake-designs";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(cleanup);

const value = (field: HTMLElement) => (field as HTMLInputElement).value;

const gallery: Place = { screen: "designs" };
const activity = (tab: "tasks" | "exports" | "uploads"): Place => ({ screen: "activity", tab });
const webhooks: Place = { screen: "developer", tab: "webhooks" };
const cardOf = async (name: string) => {
  const cards = await all("design-card");
  const card = cards.find((each) => each.dataset.name === name);
  if (!card) throw new Error(`there is no card for ${name}`);
  return within(card);
};

describe("the gallery", () => {
  it("remixes in one click, however often it is clicked, and the copy says that it is one", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    const remix = (await cardOf("Weekly numbers")).getByTestId("design-remix");
    await fireEvent.click(remix);
    await fireEvent.click(remix);
    const copy = await cardOf("Weekly numbers (2)");
    expect(copy.getByTestId("design-fresh").textContent).toContain("Remixed");
    expect(called(fake, "remix_design")).toHaveLength(1);
  });

  it("shows the copy before the service has answered", async () => {
    await openAt(gallery, { designs: sampleDesigns(), silent: ["remix_design"] });
    await fireEvent.click((await cardOf("Weekly numbers")).getByTestId("design-remix"));
    expect((await at("design-coming")).dataset.name).toBe("Remixing Weekly numbers");
  });

  it("asks for the words of a remix, and shows what the service says about them", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    await fireEvent.click((await cardOf("Weekly numbers")).getByTestId("design-words"));
    await press("words-confirm");
    expect(called(fake, "remix_design")).toEqual([]);
    fake.state.failing = { remix_design: problem({ title: "Your team is at its limit" }) };
    await type("words-field", "In green");
    await press("words-confirm");
    await screen.findByText("Your team is at its limit");
    fake.state.failing = {};
    await press("problem-action");
    await waitFor(() => expect(screen.queryByTestId("words-dialog")).toBeNull());
    expect(tasks.making.map((each) => each.title)).toEqual(["In green"]);
  });

  it("exports in two clicks", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    await fireEvent.click((await cardOf("Weekly numbers")).getByTestId("design-export"));
    await press("export-pdf");
    await waitFor(() => expect(called(fake, "export_design")).toHaveLength(1));
    expect(called(fake, "export_design")[0]?.[1]).toMatchObject({ format: "pdf", page: null });
  });

  it("exports with more choices from its card", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns() });
    await fireEvent.click((await cardOf("Weekly numbers")).getByTestId("design-export"));
    await press("export-more");
    await press("export-confirm");
    await waitFor(() => expect(called(fake, "export_design")).toHaveLength(1));
  });

  it("is one stop for the Tab key, and moves by arrows and letters", async () => {
    await openAt(gallery, { designs: sampleDesigns() });
    const names = await all("design-open");
    expect(names.map((each) => each.tabIndex)).toEqual([0, ...names.slice(1).map(() => -1)]);
    names[0]?.focus();
    await fireEvent.keyDown(names[0] as HTMLElement, { key: "ArrowRight" });
    expect(document.activeElement).toBe(names[1]);
    await fireEvent.keyDown(names[1] as HTMLElement, { key: "m" });
    expect(document.activeElement?.textContent?.trim()).toBe("Menu, winter");
    await waitFor(() => expect((document.activeElement as HTMLElement).tabIndex).toBe(0));
  });

  it("leads to the description where there is nothing yet", async () => {
    await openAt(gallery);
    await press("designs-empty-new");
    const field = await at("describe-prompt");
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it("shows that it could not be listed, and lists again", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns(), failing: { list_designs: problem({ title: "Not now" }) } });
    await screen.findByText("Not now");
    fake.state.failing = {};
    await press("problem-action");
    await at("designs-grid");
  });
});

describe("an opened design", () => {
  const opened = async () => {
    const designs = sampleDesigns();
    return openAt({ screen: "design", designId: designs[1]?.id ?? "" }, { designs });
  };

  it("shows its pages, its kind and where it leads", async () => {
    await opened();
    expect((await at("design-page-number")).textContent).toBe("Page 1 of 6");
    await press("design-next");
    expect((await at("design-page-number")).textContent).toBe("Page 2 of 6");
    await press("design-details");
    await fireEvent.click(within(await at("design-remixes")).getByTestId("design-relative"));
    await waitFor(() => expect(screen.getByTestId("design").dataset.name).toBe("Autumn launch, take 2"));
    await waitFor(() => expect(screen.getByTestId("design-source").textContent).toContain("Autumn launch"));
  });

  it("is renamed in place, by its key", async () => {
    const fake = await opened();
    await at("design-title");
    await fireEvent.keyDown(document.body, { key: "F2" });
    await type("design-rename-field", "Spring launch");
    await fireEvent.keyDown(await at("design-rename-field"), { key: "Enter" });
    expect((await at("design-title")).textContent).toBe("Spring launch");
    expect(called(fake, "rename_design")).toEqual([[fake.state.designs[1]?.id, "Spring launch"]]);
  });

  it("exports one page as a picture where that is wanted", async () => {
    const fake = await opened();
    await at("design-page-option").catch(() => all("design-page-option"));
    await press("design-next");
    await press("design-export");
    await press("export-more");
    for (const choice of ["export-format-png", "export-pages-one", "export-scale-3"]) {
      await fireEvent.click(within(await at(choice)).getByRole("radio"));
    }
    await press("export-confirm");
    await waitFor(() => expect(called(fake, "export_design")[0]?.[1]).toEqual({ format: "png", page: 2, scale: 3, flatten: true }));
  });
});

describe("a design while it is made", () => {
  const page = (name: string, picture: string | null = null) => ({ name, width: 1920, height: 1080, picture });
  const begun = (given: Partial<Parameters<typeof task>[0]> = {}) => task({ id: "here_1", state: "running", title: "A deck about bread", percent: 40, ...given });
  const outline = ["Cover", "Flour", "Water", "Time", "Salt", "Heat", "Thank you"].map((name) => page(name));

  it("shows on its card which pages it will have, then the one that was drawn last", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns(), tasks: [begun({ pages: outline })] });
    const titles = await at("design-outline");
    expect([...titles.querySelectorAll(".line")].map((line) => line.textContent)).toEqual(["1Cover", "2Flour", "3Water", "4Time", "5Salt", "and 2 more pages"]);
    const drawn = outline.map((each, index) => (index < 2 ? page(each.name, `easel-media://localhost/draft/local/task_1/${index}/${index + 1}`) : each));
    fake.emit("tasks_changed", { connection_id: "local", changed: [begun({ pages: drawn, percent: 60 })], list_again: false });
    await waitFor(() => expect(screen.getByTestId("design-coming").querySelector("img")?.getAttribute("src")).toContain("/draft/local/task_1/1/2"));
    expect(screen.queryByTestId("design-outline")).toBeNull();
  });

  it("is stopped from its card, which says so", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns(), tasks: [begun({ pages: outline })] });
    await press("design-stop");
    await screen.findByText("Stopped: A deck about bread");
    expect(called(fake, "cancel_task")).toEqual([["here_1"]]);
    expect(screen.queryByTestId("design-coming")).toBeNull();
  });

  it("says that it is stopped only once it is", async () => {
    const fake = await openAt(gallery, { designs: sampleDesigns(), tasks: [begun({ pages: outline })], silent: ["cancel_task"] });
    await press("design-stop");
    await screen.findByText("Stopping…");
    expect(screen.getByTestId<HTMLButtonElement>("design-stop").disabled).toBe(true);
    expect(screen.queryByText("Stopped: A deck about bread")).toBeNull();
    fake.emit("tasks_changed", { connection_id: "local", changed: [begun({ state: "canceled" })], list_again: false });
    await screen.findByText("Stopped: A deck about bread");
  });

  it("has a screen of its own, where each page comes as it is drawn, and opens once it is there", async () => {
    const designs = sampleDesigns();
    const fake = await openAt(gallery, { designs, tasks: [begun({ message: "Read 5 sections, 1 chart" })] });
    await press("design-coming-open");
    expect((await at("making-line")).textContent).toBe("Read 5 sections, 1 chart");
    expect(screen.queryByTestId("making-pages")).toBeNull();
    const tell = (given: Parameters<typeof begun>[0]) =>
      fake.emit("tasks_changed", { connection_id: "local", changed: [begun(given)], list_again: false });
    tell({ pages: [page("Cover", "easel-media://localhost/draft/local/task_1/1/1"), page("Flour")] });
    expect((await all("making-page")).map((each) => [each.dataset.name, each.dataset.drawn])).toEqual([
      ["Cover", "true"],
      ["Flour", "false"],
    ]);
    expect((await at("making-pages")).getAttribute("aria-label")).toBe("1 of 2 pages drawn");
    expect(await violations()).toEqual([]);
    const made = designs[0]?.id ?? "";
    tell({ state: "succeeded", percent: 100, design_id: made });
    await waitFor(() => expect(route.place).toEqual({ screen: "design", designId: made }));
    route.back();
    expect(route.place).toEqual(gallery);
  });

  it("says on its screen that it was stopped, and offers its words again", async () => {
    const fake = await openAt({ screen: "making", taskId: "here_1" }, { designs: sampleDesigns(), tasks: [begun({ pages: outline })] });
    await press("making-stop");
    await screen.findByText("Nothing of it was kept.");
    expect(called(fake, "cancel_task")).toEqual([["here_1"]]);
    expect(screen.queryByTestId("making-stop")).toBeNull();
    await press("making-again");
    await waitFor(() => expect(route.place).toEqual({ screen: "home" }));
    expect(description.prompt).toBe("A deck about bread");
  });

  it("leaves a screen of a task that is not there", async () => {
    await openAt({ screen: "making", taskId: "gone" }, { designs: sampleDesigns() });
    await waitFor(() => expect(route.place).toEqual({ screen: "designs" }));
  });
});

describe("Home", () => {
  it("makes a design from a sentence, a chip and a kit, and shows it where it will be", async () => {
    const kits = [kit("Rye & Co.", { is_default: true }), kit("Winter market")];
    const fake = await openAt({ screen: "home" }, { items: sampleDrive(), kits });
    await type("describe-prompt", "Launch deck for a bakery");
    await press("describe-format-slides");
    await press("describe-kit");
    await press(`describe-kit-${kits[1]?.id}`);
    await press("describe-attach");
    expect((await at("describe-attachment")).dataset.name).toBe("brief.md");
    await press("describe-make");
    expect((await at("design-coming")).dataset.name).toBe("Launch deck for a bakery");
    expect(called(fake, "describe_design")[0]?.[0]).toMatchObject({
      prompt: "Launch deck for a bakery",
      format: { category: "slides" },
      brand_kit_id: kits[1]?.id,
      skip_brand_kit: false,
      attachment_ids: [description.attachments[0]?.id ?? expect.any(String)],
    });
  });

  it("names both places while something is dragged, and what is dropped in the second becomes an attachment", async () => {
    const fake = await openAt({ screen: "home" }, { items: sampleDrive() });
    await at("describe");
    fake.emit("drop_entered", { count: 2, target_label: "the drive" });
    expect((await at("drop-drive")).dataset.over).toBe("true");
    fake.emit("drop_moved", { over: "design" });
    await waitFor(() => expect(screen.getByTestId("drop-design").dataset.over).toBe("true"));
    expect(called(fake, "set_drop_area").at(-1)?.[1]).not.toBeNull();
    fake.emit("files_dropped", { taken: null, problem: null });
    fake.emit("attachments_changed", {
      attachments: [{ id: "transfer_9", name: "loaf.png", size_bytes: 10, state: "waiting", sent_bytes: 0, problem: null }],
    });
    expect((await at("describe-attachment")).dataset.state).toBe("waiting");
    expect(screen.queryByTestId("drop-drive")).toBeNull();
    route.go({ screen: "designs" });
    await waitFor(() => expect(called(fake, "set_drop_area").at(-1)).toEqual(["design", null]));
  });

  it("says that a design could not be made, and tries again", async () => {
    const running = task({ id: "task_a", state: "running" });
    const fake = await openAt({ screen: "home" }, { items: sampleDrive(), tasks: [running] });
    await waitFor(() => expect(tasks.list).toHaveLength(1));
    const failed = { ...running, state: "failed" as const, retryable: true, problem: problem({ title: "No ink" }) };
    fake.emit("tasks_changed", { connection_id: "local", changed: [failed], list_again: false });
    const need = await at("need");
    expect(need.textContent).toContain("No ink");
    await fireEvent.click(within(need).getByRole("button", { name: "Try again" }));
    expect(called(fake, "retry_task")).toEqual([["task_a"]]);
  });
});

describe("the drive", () => {
  const top: Place = { screen: "drive", folderId: null };
  const withDesigns = () => {
    const designs = sampleDesigns();
    return { designs, items: [...sampleDrive(), ...designs.slice(1, 3).map(shelved)] };
  };
  const select = async (name: string) => {
    await waitFor(() => expect(drive.rows.some((row) => row?.name === name)).toBe(true));
    await drive.select(drive.rows.findIndex((row) => row?.name === name));
  };

  it("shows designs with their pages, and opens one as a design", async () => {
    await openAt(top, withDesigns());
    await select("Autumn launch");
    const rows = await all("drive-row");
    const row = rows.find((each) => each.dataset.name === "Autumn launch") as HTMLElement;
    expect(row.textContent).toContain("6 pages");
    await fireEvent.keyDown(await at("drive-list"), { key: "Enter" });
    expect((await at("design")).dataset.name).toBe("Autumn launch");
  });

  it("remixes and exports a design from its menu, and offers no download of it", async () => {
    const fake = await openAt(top, withDesigns());
    await select("Weekly numbers");
    await fireEvent.keyDown(await at("drive-list"), { key: "ContextMenu" });
    await at("menu-remix");
    expect(screen.queryByTestId("menu-download")).toBeNull();
    await press("menu-export-pptx");
    await waitFor(() => expect(called(fake, "export_design")).toHaveLength(1));
    await fireEvent.keyDown(await at("drive-list"), { key: "ContextMenu" });
    await press("menu-remix");
    await waitFor(() => expect(called(fake, "remix_design")).toEqual([[fake.state.designs[3]?.id, null]]));
  });

  it("uses its files in a design", async () => {
    const state = withDesigns();
    await openAt(top, state);
    await select("handover.zip");
    await fireEvent.keyDown(await at("drive-list"), { key: "ContextMenu" });
    await press("menu-use-in-design");
    expect((await at("describe-attachment")).dataset.name).toBe("handover.zip");
    expect(description.attachments.map((each) => each.id)).toEqual([state.items.find((each) => each.name === "handover.zip")?.id]);
  });
});

describe("Activity", () => {
  it("shows a task as it moves, and stops it", async () => {
    const running = task({ id: "task_a", state: "running", percent: 42, message: "Setting the pages" });
    const fake = await openAt(activity("tasks"), { tasks: [running] });
    expect((await at("task-percent")).textContent).toBe("42%");
    fake.emit("tasks_changed", { connection_id: "local", changed: [{ ...running, percent: 58 }], list_again: false });
    await waitFor(() => expect(screen.getByTestId("task-percent").textContent).toBe("58%"));
    fake.emit("tasks_changed", { connection_id: "another", changed: [{ ...running, percent: 99 }], list_again: false });
    await press("task-cancel");
    await waitFor(() => expect(screen.getByTestId("task-row").dataset.state).toBe("canceled"));
    expect(called(fake, "cancel_task")).toEqual([["task_a"]]);
  });

  it("offers to try again only where that can help", async () => {
    await openAt(activity("tasks"), {
      tasks: [task({ title: "a", state: "failed", retryable: true }), task({ title: "b", state: "failed", retryable: false })],
    });
    const rows = await all("task-row");
    const of = (name: string) => within(rows.find((row) => row.dataset.name === name) as HTMLElement);
    expect(of("a").getByTestId("task-retry")).toBeTruthy();
    expect(of("b").queryByTestId("task-retry")).toBeNull();
    expect(of("b").getByTestId("task-help").dataset.retryable).toBe("false");
  });

  it("leads from a finished task to its design", async () => {
    const designs = sampleDesigns();
    await openAt(activity("tasks"), { designs, tasks: [task({ state: "succeeded", design_id: designs[0]?.id ?? null })] });
    await at("task-picture");
    await press("task-open");
    expect((await at("design")).dataset.name).toBe("Autumn launch, take 2");
  });

  it("moves between its tabs by arrows", async () => {
    await openAt(activity("tasks"));
    const tab = await at("activity-tasks");
    tab.focus();
    await fireEvent.keyDown(tab, { key: "ArrowRight" });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("activity-exports")));
    expect(route.place).toEqual(activity("exports"));
  });

  it("says how long exports wait, and why", async () => {
    await openAt(activity("exports"), {
      exports: [exported({ state: "queued" })],
      exportRate: { waiting: 4, per_minute: 25, time_left_ms: 12_000 },
    });
    expect((await at("exports-rate")).textContent).toContain("4 exports queued, about 12 seconds: this service makes 25 a minute");
  });

  it("finds an upload by its name or its folder", async () => {
    await openAt(activity("uploads"), {
      transfers: [transfer("a.png", { state: "sent", relative_dir: "Frames" }), transfer("b.png", { state: "failed" })],
    });
    await type("uploads-search", "frames/");
    await waitFor(() => expect(screen.queryByText("No upload like this")).toBeNull());
    await type("uploads-search", "zebra");
    await screen.findByText("No upload like this");
  });
});

describe("Developer, Webhooks", () => {
  const some = () => [
    delivery({ id: "whd_ok" }),
    delivery({ id: "whd_bad", state: "failed", attempts: 3, response_status: 503, event_type: "task.failed" }),
  ];

  it("shows the request, the response and every try", async () => {
    await openAt(webhooks, { deliveries: some() });
    await fireEvent.click((await all("delivery-open"))[1] as HTMLElement);
    await waitFor(() => expect(screen.getByTestId("delivery").dataset.id).toBe("whd_bad"));
    expect(within(screen.getByTestId("delivery-attempts")).getAllByText("Answered 503")).toHaveLength(3);
    expect(screen.getByTestId("delivery-body").textContent).toContain('"type": "task.failed"');
    expect(screen.getByTestId("delivery-response").textContent).toBe("upstream is away");
  });

  it("replays one, opens the replay, and links both", async () => {
    const fake = await openAt(webhooks, { deliveries: some() });
    await fireEvent.click((await all("delivery-open"))[1] as HTMLElement);
    await press("delivery-replay");
    await at("delivery-original");
    expect(called(fake, "redeliver")).toEqual([[["whd_bad"]]]);
    expect((await at("delivery-replay-mark")).textContent).toBe("Replay");
    await press("delivery-original");
    await at("delivery-replayed-as");
  });

  it("replays many, each once", async () => {
    const fake = await openAt(webhooks, { deliveries: some() });
    await press("deliveries-choose-all");
    await press("deliveries-replay");
    await waitFor(() => expect(called(fake, "redeliver")).toEqual([[["whd_ok", "whd_bad"]]]));
    await waitFor(() => expect(screen.queryByTestId("deliveries-replay")).toBeNull());
  });

  it("narrows down by state and by text, and shows all again", async () => {
    const fake = await openAt(webhooks, { deliveries: some() });
    await at("deliveries");
    await press("deliveries-state");
    await press("delivery-state-failed");
    await waitFor(() => expect(screen.getAllByTestId("delivery-row")).toHaveLength(1));
    await type("deliveries-search", "nothing like it");
    await fireEvent.click(await screen.findByRole("button", { name: "Show all deliveries" }));
    await waitFor(() => expect(screen.getAllByTestId("delivery-row")).toHaveLength(2));
    expect(called(fake, "list_deliveries").at(-1)?.[0]).toMatchObject({ state: null, text: "" });
  });
});

describe("brand kits", () => {
  it("are made, changed and deleted", async () => {
    const fake = await openAt({ screen: "kits" });
    await press("kit-create");
    await press("kit-save");
    await screen.findByText("Give the kit a name.");
    await type("kit-name", "Rye & Co.");
    await type("kit-color", "orange");
    await press("kit-save");
    await screen.findByText("A colour is # and six digits or letters from a to f.");
    await type("kit-color", "#E27C3F");
    await press("kit-save");
    expect((await at("kit")).dataset.name).toBe("Rye & Co.");
    expect(called(fake, "create_brand_kit")[0]?.[0]).toMatchObject({ title: "Rye & Co.", colors: [{ color: "#e27c3f", label: null }] });
    await waitFor(() => expect(screen.queryByTestId("kit-dialog")).toBeNull());
    await press("kit-delete");
    await press("kit-delete-confirm");
    await waitFor(() => expect(brandKits.list).toEqual([]));
  });

  const harbor: FoundBrandView = {
    file_name: "Harbor.pptx",
    title: "Harbor & Sons",
    colors: [{ color: "#c8102e", label: "primary" }, { color: "#0c2340", label: "secondary" }],
    fonts: [{ family: "Playfair Display", label: "heading", weight: null }],
    logo: { id: "found", preview: "data:image/png;base64,aGFyYm9y" },
  };

  it("begin with a file, whose logo follows the kit", async () => {
    const fake = await openAt({ screen: "kits" }, { brandFile: harbor });
    await press("kit-from-file");
    expect(value(await at("kit-name"))).toBe("Harbor & Sons");
    expect((await all("kit-color")).map(value)).toEqual(["#c8102e", "#0c2340"]);
    expect(value(await at("kit-headings"))).toBe("Playfair Display");
    expect((await at("kit-source")).textContent).toContain("Harbor.pptx");
    await press("kit-save");
    await waitFor(() => expect(called(fake, "add_found_logo")).toHaveLength(1));
    expect(called(fake, "add_found_logo")[0]?.[1]).toBe("found");
    await waitFor(() => expect(screen.queryByTestId("kit-dialog")).toBeNull());
  });

  it("take a dropped file while they are open, and keep their colours until told", async () => {
    const fake = await openAt({ screen: "kits" }, { kits: [kit("Rye & Co.")] });
    await press("kit-edit");
    const before = (await all("kit-color")).map(value);
    fake.emit("brand_file_dropped", { found: harbor, problem: null });
    await at("kit-offer");
    expect((await all("kit-color")).map(value)).toEqual(before);
    await press("kit-offer-take");
    expect((await all("kit-color")).map(value)).toEqual(["#c8102e", "#0c2340"]);
    expect(value(await at("kit-name"))).toBe("Rye & Co.");
    fake.emit("brand_file_dropped", { found: null, problem: problem({ title: "notes.txt could not be read" }) });
    await screen.findByText("notes.txt could not be read");
  });
});

describe("what a screen reader finds", () => {
  const full = () => {
    const designs = sampleDesigns();
    return { items: sampleDrive(), designs, kits: [kit("Rye & Co.", { is_default: true })], tasks: [task({ state: "running", percent: 4 }), task({ state: "failed", retryable: true, problem: problem() })] };
  };
  const screens: [string, () => Promise<unknown>][] = [
    ["Home, full", async () => { await openAt({ screen: "home" }, full()); await at("home-designs"); }],
    ["Designs", async () => { await openAt(gallery, full()); await at("designs-grid"); }],
    ["Designs, empty", async () => { await openAt(gallery); await at("empty"); }],
    ["Designs, loading", async () => { await openAt(gallery, { silent: ["list_designs"] }); await at("designs"); }],
    ["the words dialog", async () => { await openAt(gallery, full()); await fireEvent.click((await all("design-words"))[0] as HTMLElement); await at("words-field"); }],
    ["the export dialog", async () => { await openAt(gallery, full()); await fireEvent.click((await all("design-export"))[0] as HTMLElement); await press("export-more"); await at("export-dialog"); }],
    ["an opened design", async () => { const state = full(); await openAt({ screen: "design", designId: state.designs[1]?.id ?? "" }, state); await press("design-details"); await at("design-remixes"); }],
    ["brand kits", async () => { await openAt({ screen: "kits" }, full()); await at("kit"); }],
    ["the kit dialog", async () => { await openAt({ screen: "kits" }, full()); await press("kit-edit"); await at("kit-name"); }],
    ["Activity, tasks", async () => { await openAt(activity("tasks"), full()); await all("task-row"); }],
    ["Activity, exports", async () => { await openAt(activity("exports"), { exports: [exported(), exported({ state: "finished", file_name: "a.pdf" })] }); await all("export-row"); }],
    ["Activity, uploads", async () => { await openAt(activity("uploads"), { transfers: [transfer("a.png", { state: "sent" })] }); await at("uploads"); }],
    ["Webhooks", async () => { await openAt(webhooks, { deliveries: [delivery(), delivery({ state: "failed" })] }); await fireEvent.click((await all("delivery-open"))[0] as HTMLElement); await at("delivery-body"); }],
    ["API keys", async () => { await openAt({ screen: "settings", section: "developer" }); await at("developer-shown"); }],
  ];
  // A whole page takes axe a second or two, more on a busy machine; two at a time it refuses.
  it.each(screens)("%s has names and roles", { timeout: 30_000 }, async (_, show) => {
    await show();
    expect(await violations()).toEqual([]);
  });
});
