/** Colors of an opened design on the fake backend: chosen, taken back, undone, refused, and where a service has none of it. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { colors } from "../src/state/colors.svelte";
import type { FakeState } from "./fake-backend";
import { localConnection, problem } from "./fake-backend";
import { SEEN, UNSEEN } from "./fake-colors";
import { sampleDesigns } from "./fake-designs";
import { foreign, LACKS } from "./fake-service";
import { all, at, called, openAt, press, violations } from "./stage";

afterEach(cleanup);

const opened = async (given: Partial<FakeState> = {}) => {
  const designs = sampleDesigns();
  const id = designs[1]?.id ?? "";
  const fake = await openAt({ screen: "design", designId: id }, { designs, ...given });
  return { fake, id };
};
const field = async (role: string) => (await all("design-color")).find((one) => one.dataset.role === role) as HTMLInputElement;
const choose = async (role: string, color: string) => {
  await fireEvent.change(await field(role), { target: { value: color } });
  await waitFor(() => expect(colors.coming).toBeNull());
};
const chosen = (fake: Awaited<ReturnType<typeof openAt>>) => called(fake, "change_design_colors").map((given) => (given[2] as unknown[])[0]);

describe("the colors of an opened design", () => {
  it("are shown when they are asked for, and one that is chosen is drawn at once", async () => {
    const { fake, id } = await opened();
    expect(called(fake, "list_design_colors")).toEqual([]);
    await press("design-edit-colors");
    expect((await all("design-color")).map((one) => [one.getAttribute("aria-label"), (one as HTMLInputElement).value])).toEqual([
      ["Choose: Background", "#f5eee0"],
      ["Choose: Main color", "#c8502d"],
      ["Choose: Second color", "#1c3a4a"],
    ]);
    expect(await violations()).toEqual([]);
    const pages = called(fake, "list_design_pages").length;
    await choose("accent", "#2d6cc8");
    expect(called(fake, "change_design_colors")).toEqual([[id, "c0", [{ role: "accent", color: "#2d6cc8" }]]]);
    expect(called(fake, "list_design_pages").length).toBe(pages + 1);
    expect((await field("accent")).value).toBe("#2d6cc8");
    await press("design-colors-close");
    expect(screen.queryByTestId("design-colors")).toBeNull();
  });

  it("go back to the design's own, and back and forth", async () => {
    const { fake } = await opened();
    await press("design-edit-colors");
    await choose("ground", "#101820");
    await press("design-color-own");
    await waitFor(() => expect(chosen(fake).at(-1)).toEqual({ role: "ground", color: null }));
    await waitFor(() => expect(screen.queryByTestId("design-color-own")).toBeNull());
    await press("design-color-undo");
    await waitFor(() => expect(chosen(fake).at(-1)).toEqual({ role: "ground", color: "#101820" }));
    await waitFor(() => expect(colors.coming).toBeNull());
    await press("design-color-undo");
    await waitFor(() => expect(chosen(fake).at(-1)).toEqual({ role: "ground", color: null }));
    await waitFor(() => expect(colors.coming).toBeNull());
    await press("design-color-redo");
    await waitFor(() => expect(chosen(fake).at(-1)).toEqual({ role: "ground", color: "#101820" }));
    expect(chosen(fake).length).toBe(5);
  });

  it("say so where a color is drawn as another one", async () => {
    await opened();
    await press("design-edit-colors");
    await choose("accent", UNSEEN);
    expect((await at("design-color-near")).textContent).toBe(`drawn as ${SEEN}`);
  });

  it("are chosen once more where somebody else drew it meanwhile, and not over a color that others chose", async () => {
    const { fake, id } = await opened();
    await press("design-edit-colors");
    await all("design-color");
    fake.state.colorRevisions[id] = 7;
    await choose("accent", "#2d6cc8");
    expect(called(fake, "change_design_colors").map((given) => given[1])).toEqual(["c0", "c7"]);
    fake.state.colorRevisions[id] = 9;
    fake.state.designColors[id] = { accent: "#008000" };
    await choose("accent", "#102030");
    expect(fake.state.designColors[id]).toEqual({ accent: "#008000" });
    expect((await field("accent")).value).toBe("#008000");
    await press("design-color-undo");
    expect(called(fake, "change_design_colors").length).toBe(3);
  });

  it("say what is wrong where they cannot be read, and are not there where a service has none", async () => {
    const { fake } = await opened({ failing: { list_design_colors: problem({ title: "Not now" }) } });
    await press("design-edit-colors");
    expect(await screen.findByText("Not now")).toBeTruthy();
    expect(called(fake, "list_design_colors").length).toBe(1);
    cleanup();
    const other = await opened({ connections: [localConnection({ service: foreign(LACKS.canvas_colors) })] });
    await at("design-edit-text");
    expect(screen.queryByTestId("design-edit-colors")).toBeNull();
    expect(called(other.fake, "list_design_colors")).toEqual([]);
  });
});
