/** Pictures of an opened design on the fake backend: exchanged with a click, taken back, refused, and where a service tells of none. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { pictures } from "../src/state/pictures.svelte";
import { texts } from "../src/state/texts.svelte";
import type { FakeState } from "./fake-backend";
import { problem } from "./fake-backend";
import { sampleDesigns } from "./fake-designs";
import { designPicture, designText, textPage } from "./fake-texts";
import { all, at, called, openAt, press, type, violations } from "./stage";

afterEach(cleanup);

const opened = async (given: (id: string) => Partial<FakeState> = () => ({})) => {
  const designs = sampleDesigns();
  const id = designs[1]?.id ?? "";
  const placed = [designPicture("oven", "Oven", [0, 0, 1920, 1080]), designPicture("logo", "", [100, 100, 90, 40])];
  const cover = textPage(1, [designText("0", "Autumn lunch", [100, 800, 900, 120])], { picture: "data:image/svg+xml,one", pictures: placed });
  const fake = await openAt({ screen: "design", designId: id }, { designs, designTexts: { [id]: [cover] }, ...given(id) });
  return { fake, id };
};
const buttons = async () => all("design-picture");
const version = { id: "ver_1", page_count: 1, thumbnail: null, created_at: null, created_by: null, created_by_you: true, replaced_at: null };
const replace = async () => {
  await fireEvent.click((await buttons())[0] as HTMLElement);
  await waitFor(() => expect(pictures.coming).toBeNull());
};

describe("the pictures of an opened design", () => {
  it("are exchanged with a click for one of this computer, after the words that are on their way", async () => {
    const { fake, id } = await opened();
    expect((await buttons()).map((button) => button.getAttribute("aria-label"))).toEqual(["Replace picture: Oven", "Replace picture"]);
    expect(await violations()).toEqual([]);
    await fireEvent.click(await at("design-text"));
    await type("design-text-field", "Autumn launch");
    await fireEvent.keyDown(await at("design-text-field"), { key: "Enter" });
    await replace();
    expect(called(fake, "change_design_picture")).toEqual([[id, "r1", "oven", "transfer_7"]]);
    expect((await buttons())[0]?.getAttribute("aria-label")).toBe("Replace picture: Harvest");
    expect(texts.find({ page: 1, reference: "0" })?.text).toBe("Autumn launch");
    expect(screen.getByText("Picture replaced")).toBeTruthy();
  });

  it("are in reach of the keyboard while everything that can be changed is outlined", async () => {
    await opened();
    expect((await buttons()).map((button) => button.tabIndex)).toEqual([-1, -1]);
    await press("design-edit-text");
    expect((await buttons()).map((button) => button.tabIndex)).toEqual([0, 0]);
  });

  it("stay where the person chooses none", async () => {
    const { fake } = await opened();
    fake.choose_picture = async () => null;
    await replace();
    expect(called(fake, "change_design_picture")).toEqual([]);
    expect(screen.queryByText("Picture replaced")).toBeNull();
  });

  it("stay and say why where one cannot be used", async () => {
    await opened(() => ({ failing: { change_design_picture: problem({ code: "picture_unreadable", title: "This picture cannot be used", detail: "It has to be a PNG." }) } }));
    await replace();
    expect(screen.getByText("This picture cannot be used")).toBeTruthy();
    expect((await buttons())[0]?.getAttribute("aria-label")).toBe("Replace picture: Oven");
    expect((await buttons())[0]?.hasAttribute("disabled")).toBe(false);
  });

  it("come back with Undo, but not over what was changed since", async () => {
    const { fake, id } = await opened((id) => ({ designVersions: { [id]: [version] } }));
    await replace();
    await press("toast-undo-picture");
    await waitFor(() => expect(called(fake, "restore_design_version")).toEqual([[id, "ver_1"]]));
    await waitFor(() => expect(screen.getByText("The picture of before is back")).toBeTruthy());

    await replace();
    fake.state.textRevisions[id] = 9;
    await press("toast-undo-picture");
    await waitFor(() => expect(screen.getByText(/The design was changed since/)).toBeTruthy());
    expect(called(fake, "restore_design_version").length).toBe(1);
  });

  it("have no button where the service does not tell of them", async () => {
    await opened((id) => ({ designTexts: { [id]: [textPage(1, [designText("0", "Autumn lunch", [100, 800, 900, 120])])] } }));
    await at("design-text");
    expect(screen.queryAllByTestId("design-picture")).toEqual([]);
  });
});
