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
/** Lets the service answer changes only when it is told to, one after the other. */
const hold = (fake: Awaited<ReturnType<typeof openAt>>) => {
  const change = fake.change_design_texts;
  const waiting: (() => void)[] = [];
  fake.change_design_texts = async (...given) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return change(...given);
  };
  return async () => {
    await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    waiting.shift()?.();
  };
};
const LONG = "Autumn launch ".repeat(9);

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

describe("changes of texts that are not answered yet", () => {
  const openedTwo = async () => {
    const designs = sampleDesigns();
    const [one, other] = [designs[1]?.id ?? "", designs[2]?.id ?? ""];
    const pages = (words: string) => [textPage(1, [designText("0", words, [100, 800, 900, 120])])];
    const state = { designs, designTexts: { [one]: pages("Autumn lunch"), [other]: pages("Rye") }, textRevisions: { [one]: 3 } };
    const fake = await openAt({ screen: "design", designId: one }, state);
    const goOn = async () => {
      route.go({ screen: "design", designId: other });
      await waitFor(() => expect(texts.now?.design.id).toBe(other));
      await waitFor(async () => expect((await boxes())[0]?.getAttribute("aria-label")).toBe("Edit: Rye"));
    };
    return { fake, one, other, goOn };
  };

  it("change nothing of another design that is open by then", async () => {
    const { fake, one, other, goOn } = await openedTwo();
    const answer = hold(fake);
    await write(0, "Autumn launch");
    await enter();
    await goOn();
    await write(0, "Rye bread");
    await enter();
    expect(texts.underWay).toBe(1);
    await answer();
    await waitFor(() => expect(called(fake, "change_design_texts")).toHaveLength(1));
    expect(texts.now?.design.id).toBe(other);
    expect(texts.done).toEqual([]);
    expect(texts.underWay).toBe(1);
    await answer();
    await waitFor(() => expect(texts.done.map((each) => each.after)).toEqual(["Rye bread"]));
    expect(called(fake, "change_design_texts").map(([id, revision]) => [id, revision])).toEqual([[one, "r3"], [other, "r0"]]);
    expect(texts.underWay).toBe(0);
  });

  it("that are refused after the design was left are said, and lead back to the words", async () => {
    const { fake, one, goOn } = await openedTwo();
    const answer = hold(fake);
    await write(0, LONG);
    await enter();
    await goOn();
    await answer();
    await screen.findByText("Too long for this place");
    expect(screen.queryByTestId("design-text-field")).toBeNull();
    await press("toast-reopen-text");
    await waitFor(async () => expect((await field()).value).toBe(LONG));
    expect(texts.of).toBe(one);
  });

  it("that are refused while another text is written leave that alone, and keep the words", async () => {
    const { fake } = await opened();
    const answer = hold(fake);
    await write(0, LONG);
    await enter();
    await write(1, "From seven");
    await answer();
    await screen.findByText("Too long for this place");
    expect((await field()).value).toBe("From seven");
    await press("toast-reopen-text");
    await waitFor(async () => expect((await field()).value).toBe(LONG));
    await answer();
    await waitFor(() => expect(saved(fake)).toEqual([LONG.trim(), "From seven"]));
  });

  it("are what the text begins with where it is opened again", async () => {
    const { fake } = await opened();
    const answer = hold(fake);
    await write(0, "Autumn launch");
    await enter();
    await fireEvent.click((await boxes())[0] as HTMLElement);
    expect((await field()).value).toBe("Autumn launch");
    await enter();
    expect(screen.queryByTestId("design-text-field")).toBeNull();
    await write(0, "Autumn lunch");
    await enter();
    await answer();
    await answer();
    await waitFor(() => expect(saved(fake)).toEqual(["Autumn launch", "Autumn lunch"]));
    await waitFor(() => expect(texts.done).toHaveLength(2));
    expect(called(fake, "change_design_texts").map((given) => given[1])).toEqual(["r0", "r1"]);
  });
});

describe("words and steps", () => {
  const others = (fake: Awaited<ReturnType<typeof openAt>>, id: string, words: string[]) => {
    const page = fake.state.designTexts[id]?.[0];
    if (!page) throw new Error("no page");
    fake.state.designTexts[id] = [{ ...page, texts: words.map((each, index) => designText(`${index}`, each, [100, 800, 900, 120])) }];
    fake.state.textRevisions[id] = 5;
  };

  it("that could not be saved are there again when their text is clicked", async () => {
    await opened();
    await write(0, LONG);
    await enter();
    await waitFor(async () => expect((await field()).value).toBe(LONG));
    await fireEvent.click((await boxes())[0] as HTMLElement);
    expect((await field()).value).toBe("From six\nto noon");
    await fireEvent.click((await boxes())[0] as HTMLElement);
    expect((await field()).value).toBe(LONG);
    // The page is turned away from them, and they are said.
    await waitFor(async () => expect((await at("design-text-note")).textContent).toContain("Too long"));
    await press("design-next");
    await waitFor(() => expect(texts.writing).toBeNull());
    await fireEvent.click((await all("toast-reopen-text")).at(-1) as HTMLElement);
    await waitFor(async () => expect((await field()).value).toBe(LONG));
    expect((await at("design-page-number")).textContent).toBe("Page 1 of 6");
  });

  it("are said where their text is gone", async () => {
    const { fake, id } = await opened();
    await write(1, "From seven");
    others(fake, id, ["Autumn lunch"]);
    await enter({ ctrlKey: true });
    expect((await at("toast")).textContent).toContain("From seven");
    expect(texts.writing).toBeNull();
    await press("toast-copy-words");
    expect(called(fake, "copy_text")).toEqual([["From seven"]]);
  });

  it("are saved where the answer never came but the page says them", async () => {
    const { fake, id } = await opened();
    await write(0, "Autumn launch");
    others(fake, id, ["Autumn launch"]);
    await enter();
    await waitFor(() => expect(texts.done).toHaveLength(1));
    expect(screen.queryByTestId("design-text-field")).toBeNull();
  });

  it("are not saved because another window is looked at", async () => {
    const { fake } = await opened();
    await write(0, "Autumn la");
    const hasFocus = document.hasFocus;
    document.hasFocus = () => false;
    await fireEvent.blur(await field());
    document.hasFocus = hasFocus;
    expect((await field()).value).toBe("Autumn la");
    expect(saved(fake)).toEqual([]);
  });

  it("of before are not put over what others wrote", async () => {
    const { fake, id } = await opened();
    await write(0, "Autumn launch");
    await enter();
    await waitFor(() => expect(texts.done).toHaveLength(1));
    const { now } = texts;
    // The same drawing tells other words than the step left.
    texts.now = now && { ...now, pages: now.pages.map((page) => ({ ...page, texts: page.texts.map((each) => ({ ...each, text: "Ours" })) })) };
    await texts.undo();
    await screen.findByText("This text was changed since, so this step is left out");
    await write(0, "Autumn lounge");
    await enter();
    await waitFor(() => expect(texts.done).toHaveLength(1));
    others(fake, id, ["Theirs"]);
    await texts.load();
    expect(texts.done).toEqual([]);
    await texts.undo();
    expect(saved(fake)).toEqual(["Autumn launch", "Autumn lounge"]);
  });

  it("of before can be tried again where that failed", async () => {
    const { fake } = await opened();
    await write(0, "Autumn launch");
    await enter();
    await waitFor(() => expect(texts.done).toHaveLength(1));
    fake.state.failing = { change_design_texts: problem({ title: "Not now" }) };
    await press("design-text-undo");
    await screen.findByText("Not now");
    fake.state.failing = {};
    await waitFor(() => expect(texts.done).toHaveLength(1));
    await press("design-text-undo");
    await waitFor(() => expect(texts.undone).toHaveLength(1));
    expect(saved(fake).at(-1)).toBe("Autumn lunch");
  });
});
