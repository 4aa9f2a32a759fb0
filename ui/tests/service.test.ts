/** What a service lacks is said once, calmly, in its place, and everything else goes on; Settings lists what it can do. */
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { designs } from "../src/state/designs.svelte";
import { useLanguage } from "../src/text";
import { delivery, kit, sampleDesigns, task } from "./fake-designs";
import { localConnection, serviceConnection, SETTINGS } from "./fake-backend";
import { foreign, LACKS, notOffered } from "./fake-service";
import { all, at, called, openAt, press, type, violations } from "./stage";

const webhooks = { screen: "developer", tab: "webhooks" } as const;
const settings = { screen: "settings", section: "connections" } as const;
const lacking = (...lacks: Parameters<typeof foreign>) => ({
  connections: [serviceConnection({ service: foreign(...lacks) })],
  selected: "service",
});

describe("what a service does not have", () => {
  it("is one calm sentence in place of the deliveries, without a button and without filters", async () => {
    await openAt(webhooks, { ...lacking(LACKS.delivery_log), failing: { list_deliveries: notOffered(LACKS.delivery_log) } });
    expect((await at("not-offered")).textContent).toContain("This service has no delivery log.");
    expect(screen.queryByTestId("problem")).toBeNull();
    expect(screen.queryByTestId("deliveries-search")).toBeNull();
    expect(screen.getAllByTestId("not-offered")).toHaveLength(1);
    await press("doctor-open");
    expect(await at("doctor-headers")).toBeTruthy();
    expect(await violations()).toEqual([]);
  });

  it("leaves deliveries to be looked at where they cannot be sent again", async () => {
    await openAt(webhooks, { ...lacking(LACKS.redeliver), deliveries: [delivery({ id: "whd_one" })] });
    await press("delivery-open");
    expect(await at("delivery-replay")).toHaveProperty("disabled", true);
    expect((await at("delivery-replay")).title).toBe(LACKS.redeliver.detail);
    expect((await at("not-offered")).textContent).toContain(LACKS.redeliver.title);
  });

  it("takes the kits away from describing, and their page says why", async () => {
    await openAt({ screen: "home" }, { ...lacking(LACKS.brand_kits), failing: { list_brand_kits: notOffered(LACKS.brand_kits) } });
    await at("describe-make");
    await waitFor(() => expect(screen.queryByTestId("describe-kit")).toBeNull());
    await openAt({ screen: "kits" }, { ...lacking(LACKS.brand_kits), failing: { list_brand_kits: notOffered(LACKS.brand_kits) } });
    expect(await screen.findAllByText("This service has no brand kits.")).not.toHaveLength(0);
    expect(screen.queryAllByTestId("kit-create").every((button) => !document.body.contains(button))).toBe(true);
  });

  it("leaves kits to be seen where they cannot be changed", async () => {
    await openAt({ screen: "kits" }, { ...lacking(LACKS.brand_kit_changes), kits: [kit("Rye & Sons")] });
    expect((await at("not-offered")).textContent).toContain(LACKS.brand_kit_changes.title);
    for (const testId of ["kit-create", "kit-edit", "kit-delete"]) expect(await at(testId)).toHaveProperty("disabled", true);
    expect(await violations()).toEqual([]);
  });

  it("lets the gallery go on without a search", async () => {
    const fake = await openAt({ screen: "designs" }, { ...lacking(LACKS.content_hash), designs: sampleDesigns() });
    const shown = (await all("design-card")).length;
    fake.state.failing = { list_designs: notOffered(LACKS.canvas_search) };
    await type("designs-search", "tea");
    await waitFor(() => expect(called(fake, "list_designs").some(([query]) => query === "tea")).toBe(true));
    fake.state.failing = {};
    await waitFor(() => expect(screen.queryAllByTestId("design-card")).toHaveLength(shown));
    expect(designs.query).toBe("");
  });

  it("turns the search off where it is known to be missing", async () => {
    await openAt({ screen: "designs" }, { ...lacking(LACKS.canvas_search), designs: sampleDesigns() });
    expect(await at("designs-search")).toHaveProperty("disabled", true);
  });

  it("offers no remix on an opened design, and says why once", async () => {
    const list = sampleDesigns();
    await openAt({ screen: "design", designId: list[0]?.id ?? "" }, { ...lacking(LACKS.remix), designs: list });
    expect(await at("design-remix")).toHaveProperty("disabled", true);
    expect(await at("design-vary")).toHaveProperty("disabled", true);
    expect(screen.getAllByTestId("not-offered")).toHaveLength(1);
    expect(screen.getByTestId("design-export")).toHaveProperty("disabled", false);
  });

  it("is said in passing where a click met it, and goes by itself", async () => {
    const fake = await openAt({ screen: "designs" }, { designs: sampleDesigns() });
    fake.state.failing = { remix_design: notOffered(LACKS.remix) };
    (await all("design-remix"))[0]?.click();
    await waitFor(() => expect(screen.getByTestId("toast").dataset.kind).toBe("note"));
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("a task that says little", () => {
  it("shows its state as it came, and leads to the designs where it does not tell its own", async () => {
    const bare = { kind: null, percent: null, attempt: null, max_attempts: null, thumbnail: null, started_at: null };
    await openAt(
      { screen: "activity", tab: "tasks" },
      { tasks: [task({ ...bare, state: "unknown", said: "warming_up" }), task({ ...bare, state: "succeeded", design_id: null })] },
    );
    expect(await screen.findByText(/warming_up/u)).toBeTruthy();
    await press("task-designs");
    expect(await at("designs")).toBeTruthy();
  });
});

describe("what a service can do", () => {
  it("is listed with its connection, and forgotten with one button", async () => {
    const fake = await openAt(settings, { connections: [localConnection(), serviceConnection({ service: foreign() })], selected: "local" });
    const [own, other] = await all("service");
    expect(within(own as HTMLElement).getByText("Everything that was tried")).toBeTruthy();
    const card = within(other as HTMLElement);
    expect(card.queryByTestId("service-lacks")).toBeNull();
    card.getByTestId("service-open").click();
    await waitFor(() => expect(card.getByTestId("service-open").getAttribute("aria-expanded")).toBe("true"));
    expect(card.getByTestId("service-version").textContent).toContain("Speaks the older version 2026-04-12");
    expect(card.getByTestId("service-lacks").children).toHaveLength(Object.keys(LACKS).length);
    expect(card.getByTestId("service-refuses").textContent).toContain("Files of the type image/tiff. In its own words: Only PNG");
    expect(card.getByTestId("service-refuses").textContent?.replace(/\u00a0/gu, " ")).toContain("Files of 80 MB and above");
    expect(await violations()).toEqual([]);
    card.getByTestId("service-forget").click();
    await waitFor(() => expect(called(fake, "forget_capabilities")).toEqual([["service"]]));
    await waitFor(() => expect(card.queryByTestId("service-lacks")).toBeNull());
    expect(card.getByText("Nothing was tried yet")).toBeTruthy();
  });

  it("says the older version in the connection's own line, and falls back to the host for a name", async () => {
    const service = foreign();
    const account = { user_id: null, user_name: null, user_email: null, team_name: null, organization_name: null, role: null, plan: null };
    await openAt(settings, { connections: [serviceConnection({ service, account })], selected: "service" });
    const card = await at("connection");
    expect(within(card).getByText("studio.rye.example", { selector: ".name" })).toBeTruthy();
    expect(card.querySelector(".facts")?.textContent).toContain("Speaks the older version 2026-04-12");
    expect(card.textContent).not.toContain("null");
  });

  it("is there in German", async () => {
    await openAt(settings, { ...lacking(LACKS.delivery_log), settings: { ...SETTINGS, language: "de" } });
    expect(await screen.findByText("Was dieser Dienst kann")).toBeTruthy();
    useLanguage("en");
  });
});
