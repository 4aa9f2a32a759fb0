/** Versions of files and designs on the fake backend: where they are offered, what is shown of one, and the way back to it. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { drive } from "../src/state/drive.svelte";
import { folder, file, localConnection, problem } from "./fake-backend";
import { picture, sampleDesigns } from "./fake-designs";
import { foreign, LACKS, notOffered } from "./fake-service";
import { designVersion, fileVersion } from "./fake-versions";
import { all, at, called, openAt, press, violations } from "./stage";

afterEach(cleanup);

const HOUR_MS = 3_600_000;
const here = { screen: "drive", folderId: null } as const;

/** The drive with one file selected, which has these versions. */
async function openFile(versions: ReturnType<typeof fileVersion>[], name = "plan.txt") {
  const plan = file(name, 9_000, HOUR_MS);
  const fake = await openAt(here, { items: [plan], fileVersions: { [plan.id]: versions } });
  await waitFor(() => expect(drive.rows).toHaveLength(1));
  await press("drive-details-toggle");
  await drive.select(0);
  return { fake, plan };
}

describe("the versions of a file", () => {
  it("are listed with when, who and how large, the newest first and looked at", async () => {
    await openFile([fileVersion(3 * HOUR_MS, { created_by: "Ben" }), fileVersion(9 * HOUR_MS, { created_by_you: true, size_bytes: 48_000 })]);
    await press("details-versions");
    const rows = (await all("version-row")) as HTMLInputElement[];
    expect(rows.map((row) => row.checked)).toEqual([true, false]);
    expect(rows[0]?.closest("label")?.textContent).toContain("Ben");
    expect(rows[1]?.closest("label")?.textContent).toMatch(/You\s*48.KB/u);
    expect((await at("version-preview")).textContent).toContain("no preview");
    expect(await violations()).toEqual([]);
  });

  it("show a picture as one, and a text as what it says", async () => {
    const drawn = picture({ width: 40, height: 30, paper: "#fff", mark: "#000", ink: "#000", title: "x" });
    const [seen, said] = [fileVersion(HOUR_MS, { picture: drawn }), fileVersion(2 * HOUR_MS, { is_text: true })];
    const { fake } = await openFile([seen, said]);
    fake.state.versionTexts = { [said.id]: "as it was once" };
    await press("details-versions");
    await at("version-preview");
    expect(screen.getByTestId("version-preview").querySelector("img")?.getAttribute("src")).toBe(drawn);
    expect(called(fake, "get_version_text")).toEqual([]);
    await fireEvent.click((await all("version-row"))[1] as HTMLElement);
    expect((await at("version-text")).textContent).toBe("as it was once");
  });

  it("of a document show its pages, from the first one each time", async () => {
    const drawn = (title: string) => picture({ width: 40, height: 30, paper: "#fff", mark: "#000", ink: "#000", title });
    const [newer, older] = [drawn("newer"), drawn("older")];
    await openFile([fileVersion(HOUR_MS, { picture: newer }), fileVersion(2 * HOUR_MS, { picture: older })], "offer.pdf");
    await press("details-versions");
    const shown = () => screen.getByTestId("version-preview").querySelector("img")?.getAttribute("src");
    expect((await at("version-page-number")).textContent).toBe("Page 1 of 3");
    await press("version-next");
    await waitFor(() => expect(shown()).toBe(`${newer}/2`));
    expect(await violations()).toEqual([]);
    await fireEvent.click((await all("version-row"))[1] as HTMLElement);
    await waitFor(() => expect(shown()).toBe(older));
    expect((await at("version-page-number")).textContent).toBe("Page 1 of 3");
  });

  it("are restored without a question, said, and taken back", async () => {
    const old = fileVersion(HOUR_MS);
    const { fake, plan } = await openFile([old]);
    await press("details-versions");
    await press("version-restore");
    await waitFor(() => expect(screen.queryByTestId("versions-dialog")).toBeNull());
    expect(await screen.findByText(/plan.txt restored to the version of/u)).toBeTruthy();
    expect(called(fake, "restore_file_version")).toEqual([[plan.id, old.id]]);
    const [before] = fake.state.fileVersions[plan.id] ?? [];
    await press("toast-undo-restore");
    expect(await screen.findByText("plan.txt is as it was before")).toBeTruthy();
    expect(called(fake, "restore_file_version")[1]).toEqual([plan.id, before?.id]);
  });

  it("are saved beside the file", async () => {
    const old = fileVersion(HOUR_MS);
    const { fake, plan } = await openFile([old]);
    await press("details-versions");
    await press("version-save");
    await waitFor(() => expect(called(fake, "save_file_version")).toEqual([[plan.id, old.id]]));
    expect(await screen.findByText(/Desktop/u)).toBeTruthy();
  });

  it("stay open where one cannot be restored, and say why", async () => {
    const { fake } = await openFile([fileVersion(HOUR_MS)]);
    fake.state.failing = { restore_file_version: problem({ title: "Not now" }) };
    await press("details-versions");
    await press("version-restore");
    expect(await screen.findByText("Not now")).toBeTruthy();
    expect(screen.getByTestId("versions-dialog")).toBeTruthy();
  });

  it("are said to be none yet, to be coming, and not to have come", async () => {
    const { fake } = await openFile([]);
    await press("details-versions");
    expect((await at("versions-dialog")).textContent).toContain("No earlier versions");
    expect(screen.queryByTestId("version-restore")).toBeNull();
    await press("versions-close");
    fake.state.failing = { list_file_versions: problem({ title: "Not now" }) };
    await press("details-versions");
    expect(await screen.findByText("Not now")).toBeTruthy();
    fake.state.failing = {};
    await press("problem-action");
    await waitFor(() => expect(screen.getByTestId("versions-dialog").textContent).toContain("No earlier versions"));
    await press("versions-close");
    fake.state.silent = ["list_file_versions"];
    await press("details-versions");
    expect((await at("versions-dialog")).querySelector("[aria-busy=true]")).toBeTruthy();
  });

  it("are offered in the menu of a file, and not for folders and copies", async () => {
    const items = [folder("Brand", 2, 0), file("plan.txt", 1, 0), file("copy.txt", 1, 0, { is_copy: true })];
    await openAt(here, { items });
    await waitFor(() => expect(drive.rows).toHaveLength(3));
    await press("drive-details-toggle");
    const offered: boolean[] = [];
    for (const item of drive.rows) {
      await drive.select(drive.rows.indexOf(item));
      await waitFor(() => expect(screen.getByTestId("details").dataset.name).toBe(item?.name));
      offered.push(screen.queryByTestId("details-versions") !== null);
    }
    expect(drive.rows.map((row, index) => [row?.name, offered[index]])).toEqual([["Brand", false], ["copy.txt", false], ["plan.txt", true]]);
  });

  it("are not offered where the service keeps none, which is said once where that is not known yet", async () => {
    const fake = (await openFile([fileVersion(HOUR_MS)])).fake;
    fake.state.failing = { list_file_versions: notOffered(LACKS.file_versions) };
    await press("details-versions");
    expect((await at("not-offered")).textContent).toContain("keeps no versions of files");
    await press("versions-close");
    fake.emit("connection_changed", { connection: localConnection({ service: foreign(LACKS.file_versions) }) });
    await waitFor(() => expect(screen.queryByTestId("details-versions")).toBeNull());
  });
});

describe("the versions of a design", () => {
  it("are reached from the opened design, shown with their pictures, and restored", async () => {
    const designs = sampleDesigns();
    const deck = designs[1] as (typeof designs)[number];
    const old = designVersion(HOUR_MS, { thumbnail: designs[2]?.thumbnail ?? null, page_count: 4 });
    const fake = await openAt({ screen: "design", designId: deck.id }, { designs, designVersions: { [deck.id]: [old] } });
    await press("design-details");
    await press("design-versions");
    expect((await all("version-row"))[0]?.closest("label")?.textContent).toContain("4 pages");
    expect(screen.getByTestId("version-preview").querySelector("img")?.getAttribute("src")).toBe(old.thumbnail);
    expect(screen.queryByTestId("version-save")).toBeNull();
    await press("version-restore");
    await waitFor(() => expect(called(fake, "restore_design_version")).toEqual([[deck.id, old.id]]));
    expect(await at("toast-undo-restore")).toBeTruthy();
  });

  it("are offered in the menu of its card", async () => {
    await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    await fireEvent.click((await all("design-menu"))[0] as HTMLElement);
    await press("design-menu-versions");
    expect(await at("versions-dialog")).toBeTruthy();
  });
});
