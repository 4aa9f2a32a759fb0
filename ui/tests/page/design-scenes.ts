/** The states in which the screens about designs are looked at, by name. */
import { description } from "../../src/state/describe.svelte";
import { deliveries } from "../../src/state/deliveries.svelte";
import { drive } from "../../src/state/drive.svelte";
import { palette } from "../../src/state/palette.svelte";
import { settings } from "../../src/state/settings.svelte";
import { shortcuts } from "../../src/state/shortcuts.svelte";
import { problem, sampleDrive, transfer } from "../fake-backend";
import { NOW_MS } from "../fake-clock";
import { delivery, exported, type FakeDesigns, kit, sampleDesigns, shelved, task } from "../fake-designs";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();
const MINUTE_MS = 60_000;

async function chooseThree() {
  for (const index of [0, 2, 3]) {
    await settle(100);
    document.querySelectorAll<HTMLElement>('[data-testid="design-choose"]')[index]?.click();
  }
}

const working = () => [
  task({ state: "running", percent: 42, step: "compose", message: "Setting the pages", started_at: ago(14_000) }),
  task({ kind: "remix", title: "In green, with less text", state: "queued" }),
];
/** A deck of which so many pages are drawn. */
const making = (drawn: number) => {
  const pictures = sampleDesigns().map((each) => each.thumbnail);
  const names = ["Rye & Co.", "Why we bake at night", "Loaves a week", "What the neighbours say", "A bench by the window", "The first year in numbers", "How to find us", "Thank you"];
  const pages = names.map((name, at) => ({ name, width: 1920, height: 1080, picture: at < drawn ? (pictures[at] ?? null) : null }));
  const message = drawn === 0 ? "Read 6 sections, 1 chart, 3 prices" : `Drawing page ${drawn + 1} of 8, from 6 sections, 1 chart, 3 prices`;
  return task({ id: "here_1", state: "running", percent: 30 + 8 * drawn, step: "drawing", message, pages, started_at: ago(4_000) });
};
const allTasks = () => {
  const [made] = sampleDesigns();
  return [
    ...working(),
    task({ title: "Twelve winter offers, one a page", state: "running", percent: 71, message: "Drawing page 9 of 12", attempt: 2, started_at: ago(95_000), canceling: true }),
    task({ title: "Weekly numbers as a chart", state: "succeeded", design_id: made?.id ?? null, design_name: made?.name ?? null, thumbnail: made?.thumbnail ?? null, started_at: ago(9 * MINUTE_MS), finished_at: ago(8.6 * MINUTE_MS), created_at: ago(9 * MINUTE_MS) }),
    task({
      title: "Menu from the attached photograph",
      state: "failed",
      retryable: false,
      created_at: ago(30 * MINUTE_MS),
      started_at: ago(30 * MINUTE_MS),
      finished_at: ago(29 * MINUTE_MS),
      problem: problem({ code: "task_failed", title: "The attachment menu.tif cannot be read", detail: "It is no picture, or it was cut off." }),
    }),
    task({
      title: "Poster for the opening night",
      state: "failed",
      retryable: true,
      created_at: ago(40 * MINUTE_MS),
      started_at: ago(40 * MINUTE_MS),
      finished_at: ago(39 * MINUTE_MS),
      problem: problem({ code: "task_failed", title: "The studio has no room left", detail: "Its disk is full. Make room, then try again." }),
    }),
    task({ title: "A quiet invitation", state: "canceled", created_at: ago(60 * MINUTE_MS), finished_at: ago(60 * MINUTE_MS) }),
    task({ title: "Map of the ovens", state: "expired", retryable: true, created_at: ago(200 * MINUTE_MS), finished_at: ago(140 * MINUTE_MS) }),
  ];
};
const allExports = () => [
  exported({ state: "queued", format: "png", design_name: "Weekly numbers" }),
  exported({ state: "waiting", design_name: "Bread school" }),
  exported({ state: "preparing", format: "pptx", time_left_ms: 9_000 }),
  exported({ state: "downloading", received_bytes: 1_200_000, size_bytes: 3_400_000, file_name: "Autumn launch.pdf", place: "Downloads" }),
  exported({ state: "finished", size_bytes: 812_000, file_name: "What they say.png", format: "png", place: "Downloads", finished_at: ago(4 * MINUTE_MS) }),
  exported({
    state: "failed",
    file_name: "Menu, winter.svg",
    format: "svg",
    problem: problem({ code: "disk_full", title: "The disk is full", detail: "Make room on this computer, then export it again." }),
    finished_at: ago(9 * MINUTE_MS),
  }),
  exported({ state: "canceled", design_name: "Opening night", finished_at: ago(9 * MINUTE_MS) }),
];
const allDeliveries = () => {
  const failed = delivery({ state: "failed", attempts: 3, response_status: 503, event_type: "task.failed" });
  return [
    delivery({ state: "pending", attempts: 1, response_status: null }),
    delivery({ replayed_from_id: failed.id, event_type: "task.failed", created_at: ago(2 * MINUTE_MS) }),
    failed,
    ...Array.from({ length: 9 }, (_, index) => delivery(index % 4 === 0 ? { event_type: "task.canceled" } : {})),
  ];
};
const kits = () => [
  kit("Rye & Co.", { is_default: true, tagline: "Bread, early" }),
  kit("Winter market", { colors: [{ color: "#20302a", label: null }, { color: "#97bf88", label: null }, { color: "#fdf2df", label: null }, { color: "#b3243f", label: null }], fonts: [] }),
];
const full = (): Partial<FakeDesigns> => ({ designs: sampleDesigns(), kits: kits() });
const offline = problem({ title: "studio.rye.example cannot be reached" });

const atDesigns: Scene["place"] = () => ({ screen: "designs" });
const atDesign: Scene["place"] = (fake) => ({ screen: "design", designId: fake.state.designs[1]?.id ?? "" });
const at = (tab: "tasks" | "exports" | "uploads"): Scene["place"] => () => ({ screen: "activity", tab });
const atWebhooks: Scene["place"] = () => ({ screen: "developer", tab: "webhooks" });

export const DESIGN_SCENES: Record<string, Scene> = {
  "home-designs": { state: () => ({ ...full(), tasks: working().slice(0, 1) }), after: () => (description.prompt = "Launch deck for a neighbourhood bakery, six slides, warm and quiet. Use the photos from Brand.") },
  "home-describe": {
    state: full,
    after: async () => {
      await settle();
      description.prompt = "Launch deck for a neighbourhood bakery, six slides, warm and quiet. Use the photos from Brand.";
      description.format = "slides";
      description.attach([
        { id: "file_a", name: "brief.md", size_bytes: 3_000, state: "ready", sent_bytes: 3_000, problem: null },
        { id: "file_b", name: "storefront-night.png", size_bytes: 8_000_000, state: "sending", sent_bytes: 3_000_000, problem: null },
        { id: "file_c", name: "loaf.tif", size_bytes: 8_000_000, state: "failed", sent_bytes: 0, problem: offline },
      ]);
    },
  },
  "home-dropping": {
    state: full,
    after: async (fake) => {
      await settle();
      fake.emit("drop_entered", { count: 3, target_label: "the drive" });
      fake.emit("drop_moved", { over: "design" });
    },
  },
  designs: { state: full, place: atDesigns },
  "designs-making": { state: () => ({ ...full(), tasks: [making(0), { ...making(3), id: "here_2" }] }), place: atDesigns },
  "making-outline": { state: () => ({ ...full(), tasks: [making(0)] }), place: () => ({ screen: "making", taskId: "here_1" }) },
  making: { state: () => ({ ...full(), tasks: [making(3)] }), place: () => ({ screen: "making", taskId: "here_1" }) },
  "making-stopped": {
    state: () => ({ ...full(), tasks: [{ ...making(3), state: "canceled", pages: [] }] }),
    place: () => ({ screen: "making", taskId: "here_1" }),
  },
  "designs-empty": { place: atDesigns },
  "designs-loading": { state: () => ({ silent: ["list_designs"] }), place: atDesigns },
  "designs-failed": { state: () => ({ failing: { list_designs: offline } }), place: atDesigns },
  "designs-busy": {
    state: () => ({ ...full(), tasks: working(), silent: ["remix_design"] }),
    place: atDesigns,
    after: async () => {
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-remix"]')[1]?.click();
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-open"]')[1]?.focus();
    },
  },
  "designs-remixed": {
    state: full,
    place: atDesigns,
    after: async () => {
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-remix"]')[1]?.click();
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-open"]')[2]?.focus();
    },
  },
  "designs-none": { state: full, place: atDesigns, after: async () => {
      await settle();
      const field = document.querySelector<HTMLInputElement>('[data-testid="designs-search"]');
      if (field) field.value = "zebra";
      field?.dispatchEvent(new Event("input", { bubbles: true }));
      await settle(400);
    } },
  "designs-menu": { state: full, place: atDesigns, after: () => press("design-menu") },
  "designs-words": { state: full, place: atDesigns, after: () => press("design-words") },
  "designs-sizes": {
    state: full,
    place: atDesigns,
    after: async () => {
      await press("design-menu");
      await press("design-menu-sizes");
      await press("size-square_post");
      await press("size-story");
    },
  },
  "designs-export": {
    state: full,
    place: atDesigns,
    after: async () => {
      await press("design-export");
      await press("export-more");
      await press("export-format-png");
    },
  },
  design: { state: full, place: atDesign },
  "design-loading": { state: () => ({ ...full(), silent: ["get_design", "list_design_pages"] }), place: atDesign },
  "design-zoomed": {
    state: full,
    place: atDesign,
    after: async () => {
      await press("design-larger");
      await press("design-larger");
      await press("design-next");
    },
  },
  "drive-designs": {
    state: () => {
      const designs = sampleDesigns();
      return { designs, items: [...sampleDrive(), ...designs.slice(1, 4).map(shelved)] };
    },
    place: () => ({ screen: "drive", folderId: null }),
    after: async () => {
      await settle();
      await drive.select(drive.rows.findIndex((row) => row?.name === "Autumn launch"));
    },
  },
  chosen: { state: full, place: () => ({ screen: "designs" }), after: chooseThree },
  batch: {
    state: () => ({ ...full(), exportRate: { waiting: 0, per_minute: 2, time_left_ms: null } }),
    place: () => ({ screen: "designs" }),
    after: async (fake) => {
      fake.state.presets = [{ id: "print", name: "For print", plan: { format: "pdf", pages: "all", scale: null, flatten: true, name_pattern: "{name}", folder_id: null }, folder: null }];
      await chooseThree();
      await press("designs-export");
      await press("batch-format-png");
    },
  },
  compare: {
    state: full,
    place: (fake) => ({ screen: "compare", one: fake.state.designs[1]?.id ?? "", other: fake.state.designs[0]?.id ?? "" }),
  },
  palette: { state: () => ({ ...full(), items: sampleDrive() }), after: () => press("rail-search") },
  "palette-found": {
    state: () => ({ ...full(), items: sampleDrive(), deliveries: allDeliveries().slice(0, 2) }),
    after: async () => {
      await press("rail-search");
      palette.search("br");
      await settle(500);
    },
  },
  shortcuts: { state: full, after: () => void (shortcuts.open = true) },
  german: {
    state: full,
    place: () => ({ screen: "settings", section: "appearance" }),
    after: async () => {
      await settle();
      settings.keep({ language: "de" });
    },
  },
  "german-home": {
    state: full,
    after: async () => {
      await settle();
      settings.keep({ language: "de" });
    },
  },
  kits: { state: full, place: () => ({ screen: "kits" }) },
  "kits-empty": { place: () => ({ screen: "kits" }) },
  "kit-edit": { state: full, place: () => ({ screen: "kits" }), after: () => press("kit-edit") },
  tasks: { state: () => ({ ...full(), tasks: allTasks() }), place: at("tasks") },
  "tasks-empty": { place: at("tasks") },
  "tasks-loading": { state: () => ({ silent: ["list_tasks"] }), place: at("tasks") },
  exports: { state: () => ({ exports: allExports(), exportRate: { waiting: 4, per_minute: 25, time_left_ms: 12_000 } }), place: at("exports") },
  "exports-empty": { place: at("exports") },
  uploads: {
    state: () => ({
      transfers: [
        transfer("Autumn-launch-deck.pptx", { state: "sending", sent_bytes: 61_400_000, bytes_per_second: 3_200_000, time_left_ms: 9_000 }),
        transfer("counter-morning.jpg", { state: "queued", size_bytes: 5_100_000 }),
        ...Array.from({ length: 40 }, (_, index) =>
          transfer(`frame-${index}.png`, { state: "sent", size_bytes: 100_000, sent_bytes: 100_000, relative_dir: "Frames" }),
        ),
      ],
    }),
    place: at("uploads"),
  },
  "uploads-empty": { place: at("uploads") },
  webhooks: { state: () => ({ deliveries: allDeliveries() }), place: atWebhooks },
  "webhooks-empty": { place: atWebhooks },
  "webhooks-open": {
    state: () => ({ deliveries: allDeliveries() }),
    place: atWebhooks,
    after: async (fake) => {
      await settle();
      await deliveries.open(fake.state.deliveries[2]?.id ?? "");
      deliveries.toggle(fake.state.deliveries[2]?.id ?? "");
      deliveries.toggle(fake.state.deliveries[3]?.id ?? "");
    },
  },
};
