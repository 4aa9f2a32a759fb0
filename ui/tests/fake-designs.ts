/**
 * The part of the FAKE backend that is about designs: a gallery in memory, tasks that are moved by hand, exports, kits,
 * deliveries. Like the rest of it, for component tests and the dev page only.
 */
import type {
  Backend,
  BrandKitView,
  DeliveryDetails,
  DeliveryView,
  DesignMark,
  DesignView,
  DriveItem,
  ExportPreset,
  ExportView,
  FoundBrandView,
  TaskView,
} from "../src/backend";
import { NOW_MS } from "./fake-clock";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();

/** What a drawing is made of: paper, mark, words. */
interface Drawing {
  width: number;
  height: number;
  paper: string;
  mark: string;
  ink: string;
  title: string;
}

/** A picture as the app's own protocol would give it. */
export function picture({ width, height, paper, mark, ink, title }: Drawing, page = 1): string {
  const radius = Math.min(width, height) * 0.32;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="${paper}"/>` +
    (page % 3 === 2
      ? `<rect x="${width * 0.55}" y="${height * 0.2}" width="${width * 0.35}" height="${height * 0.6}" fill="${mark}"/>`
      : `<circle cx="${width * 0.7}" cy="${height * (width > height ? 0.5 : 0.36)}" r="${radius}" fill="${mark}"/>`) +
    `<text x="${width * 0.08}" y="${height * 0.82}" font-family="Inter Variable, sans-serif" font-weight="700" font-size="${Math.min(width, height) * 0.09}" fill="${ink}">` +
    `${page === 1 ? title : `${title}, ${page}`}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

let nextId = 1;
const DRAWINGS: Drawing[] = [
  { width: 1920, height: 1080, paper: "#1c3a4a", mark: "#e27c3f", ink: "#f5eee0", title: "Rye &amp; Co." },
  { width: 1920, height: 1080, paper: "#20302a", mark: "#97bf88", ink: "#f0f2ee", title: "Loaves a week" },
  { width: 1080, height: 1080, paper: "#e7e2f1", mark: "#6a4fc7", ink: "#272048", title: "Made us move" },
  { width: 794, height: 1123, paper: "#fdf2df", mark: "#de8a28", ink: "#3a2c1a", title: "Winter menu" },
  { width: 1080, height: 1350, paper: "#111418", mark: "#2fb9a3", ink: "#ffffff", title: "84%" },
  { width: 1240, height: 1754, paper: "#f3d8d0", mark: "#b3243f", ink: "#3a1620", title: "Opening" },
  { width: 1600, height: 1000, paper: "#dfeaf3", mark: "#1f6fb2", ink: "#112a42", title: "Fresh at six" },
  { width: 1920, height: 1080, paper: "#e2ebdf", mark: "#3f7d58", ink: "#1d3327", title: "Bread school" },
];

export function design(name: string, age_ms: number, given: Partial<DesignView> & { drawing?: number } = {}): DesignView {
  nextId += 1;
  const { drawing = nextId, ...rest } = given;
  const drawn = DRAWINGS[drawing % DRAWINGS.length] as Drawing;
  return {
    id: `cvs_${nextId}`,
    name,
    category: "slides",
    page_count: 1,
    width: drawn.width,
    height: drawn.height,
    folder_id: null,
    visibility: "team",
    source_id: null,
    source_name: null,
    thumbnail: picture(drawn),
    created_at: ago(age_ms),
    updated_at: ago(age_ms),
    ...rest,
  };
}

/** The gallery of the drawings. */
export function sampleDesigns(): DesignView[] {
  const launch = design("Autumn launch", 9 * MINUTE_MS, { drawing: 0, page_count: 6 });
  return [
    design("Autumn launch, take 2", MINUTE_MS / 2, { drawing: 0, page_count: 6, source_id: launch.id, source_name: launch.name }),
    launch,
    design("Weekly numbers", DAY_MS, { drawing: 1, page_count: 4 }),
    design("What they say", DAY_MS + HOUR_MS, { drawing: 2, category: "social" }),
    design("Menu, winter", 2 * DAY_MS, { drawing: 3, category: "pdf", page_count: 2 }),
    design("Come back rate", 3 * DAY_MS, { drawing: 4, category: "carousel", page_count: 5 }),
    design("Opening night", 8 * DAY_MS, { drawing: 5, category: "other" }),
    design("Morning crew", 8 * DAY_MS, { drawing: 6, category: "diagram" }),
    design("Bread school", 9 * DAY_MS, { drawing: 7, page_count: 8 }),
    design("A rather long name that somebody gave this poster before the second print run", 15 * DAY_MS, { drawing: 5, category: "other" }),
    design("Gift cards", 15 * DAY_MS, { drawing: 2, category: "social", thumbnail: null }),
  ];
}

/** A design as the drive shows it, in the folder that it lies in. */
export function shelved(design: DesignView): DriveItem {
  return {
    kind: "design",
    id: design.id,
    name: design.name,
    folder_id: design.folder_id,
    size_bytes: null,
    item_count: null,
    created_at: design.created_at,
    updated_at: design.updated_at,
    created_by: null,
    created_by_you: false,
    mime_type: null,
    content_hash: null,
    page_count: design.page_count,
    thumbnail: design.thumbnail,
    visibility: design.visibility,
    is_copy: false,
  };
}

export function task(given: Partial<TaskView> = {}): TaskView {
  nextId += 1;
  return {
    id: `task_${nextId}`,
    task_id: `task_${nextId}`,
    kind: "design",
    waits_for: null,
    max_attempts: 3,
    state: "queued",
    title: "Launch deck for a neighbourhood bakery, six slides, warm and quiet",
    said: null,
    percent: null,
    step: null,
    message: null,
    pages: [],
    attempt: 1,
    created_at: ago(MINUTE_MS),
    started_at: null,
    finished_at: null,
    canceling: false,
    design_id: null,
    design_name: null,
    source_id: null,
    edits: false,
    thumbnail: null,
    problem: null,
    retryable: null,
    ...given,
  };
}

export function exported(given: Partial<ExportView> = {}): ExportView {
  nextId += 1;
  return {
    id: `export_${nextId}`,
    design_id: "cvs_1",
    design_name: "Autumn launch",
    format: "pdf",
    state: "preparing",
    waits_for: null,
    file_name: null,
    place: null,
    received_bytes: 0,
    size_bytes: null,
    time_left_ms: null,
    warnings: [],
    problem: null,
    created_at: ago(MINUTE_MS),
    finished_at: null,
    ...given,
  };
}

export function kit(title: string, given: Partial<BrandKitView> = {}): BrandKitView {
  nextId += 1;
  return {
    id: `bk_${nextId}`,
    title,
    is_default: false,
    company_name: null,
    company_url: null,
    tagline: null,
    colors: [
      { color: "#1c3a4a", label: "Night" },
      { color: "#e27c3f", label: "Crust" },
      { color: "#f5eee0", label: "Flour" },
    ],
    fonts: [{ family: "Fraunces", label: "heading", weight: 600 }],
    logos: [],
    ...given,
  };
}

export function delivery(given: Partial<DeliveryView> = {}): DeliveryView {
  nextId += 1;
  return {
    id: `whd_${nextId}`,
    event_id: `evt_${nextId}`,
    event_type: "task.succeeded",
    target: "https://hooks.rye.example/easel",
    state: "succeeded",
    said: null,
    attempts: 1,
    response_status: 200,
    created_at: ago(nextId * MINUTE_MS),
    last_attempted_at: ago(nextId * MINUTE_MS),
    task_id: `task_${nextId}`,
    replayed_from_id: null,
    ...given,
  };
}

/** What is in memory. */
export interface FakeDesigns {
  designs: DesignView[];
  tasks: TaskView[];
  exports: ExportView[];
  exportRate: { waiting: number; per_minute: number | null; time_left_ms: number | null };
  presets: ExportPreset[];
  kits: BrandKitView[];
  /** What the next chosen file shows of a brand. */
  brandFile: FoundBrandView | null;
  deliveries: DeliveryView[];
  /** What the person thinks of each design. */
  marks: Record<string, DesignMark>;
}

export const NO_DESIGNS: FakeDesigns = {
  designs: [],
  tasks: [],
  exports: [],
  exportRate: { waiting: 0, per_minute: null, time_left_ms: null },
  presets: [],
  kits: [],
  brandFile: null,
  deliveries: [],
  marks: {},
};

type Answers = { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown };
type Names =
  | "list_designs" | "get_design" | "list_design_pages" | "rename_design" | "remix_design" | "describe_design" | "edit_design"
  | "choose_attachments" | "set_drop_area" | "list_tasks" | "cancel_task" | "retry_task" | "export_design" | "list_exports"
  | "cancel_export" | "reveal_export" | "open_export" | "retry_export" | "clear_exports" | "list_brand_kits" | "create_brand_kit" | "change_brand_kit" | "delete_brand_kit"
  | "list_design_marks" | "mark_designs" | "list_starred_designs"
  | "vary_design" | "resize_design" | "choose_export_folder" | "list_export_presets" | "save_export_preset" | "delete_export_preset"
  | "export_designs" | "get_brand_kit" | "add_brand_kit_image" | "list_organizations" | "list_typefaces" | "choose_brand_file" | "add_found_logo" | "list_deliveries" | "get_delivery" | "redeliver";

/** The commands about designs. `missing` is what is thrown for an id that is not there. */
export function designCommands(state: FakeDesigns & { selected: string | null }, missing: () => unknown): Pick<Answers, Names> {
  const byId = (id: string) => {
    const found = state.designs.find((each) => each.id === id);
    if (!found) throw missing();
    return found;
  };
  const connection_id = () => state.selected ?? "";
  const page = <Item>(items: Item[], cursor: string | null, limit: number) => {
    const from = Number(cursor ?? 0);
    return { part: items.slice(from, from + limit), next: from + limit < items.length ? String(from + limit) : null };
  };
  const marked = () => {
    const list = (mark: DesignMark) => Object.keys(state.marks).filter((id) => state.marks[id] === mark);
    return { connection_id: connection_id(), starred: list("starred"), rejected: list("rejected") };
  };
  const begin = (given: Partial<TaskView>) => {
    const begun = task({ created_at: ago(0), ...given });
    state.tasks = [begun, ...state.tasks];
    return begun;
  };
  const copyOf = (source: DesignView) => {
    const copy = { ...design(`${source.name} (2)`, 0), ...source, id: `cvs_${(nextId += 1)}`, name: `${source.name} (2)`, source_id: source.id, source_name: source.name, created_at: ago(0), updated_at: ago(0) };
    state.designs = [copy, ...state.designs];
    return copy;
  };
  return {
    list_designs: (query, sort, cursor, limit) => {
      const found = state.designs.filter((each) => each.name.toLowerCase().includes(query.toLowerCase()));
      if (sort === "name") found.sort((a, b) => a.name.localeCompare(b.name, "en"));
      const { part, next } = page(found, cursor, limit);
      return { connection_id: connection_id(), designs: part, total: found.length, next };
    },
    get_design: (id) => {
      const opened = byId(id);
      const source = state.designs.find((each) => each.id === opened.source_id) ?? null;
      return {
        design: opened,
        source: source && { id: source.id, name: source.name },
        siblings: state.designs.filter((each) => each.id !== id && source !== null && each.source_id === source.id),
        remixes: state.designs.filter((each) => each.source_id === id),
      };
    },
    list_design_pages: (id) => {
      const { page_count, width, height, thumbnail } = byId(id);
      return Array.from({ length: page_count ?? 1 }, (_, index) => ({
        number: index + 1,
        name: index === 0 ? "Cover" : null,
        width,
        height,
        picture: index === 0 ? thumbnail : picture({ ...(DRAWINGS[index % 2] as Drawing), width: width ?? 4, height: height ?? 3 }, index + 1),
      }));
    },
    rename_design: (id, name) => {
      const renamed = { ...byId(id), name };
      state.designs = state.designs.map((each) => (each.id === id ? renamed : each));
      return renamed;
    },
    remix_design: (id, prompt) => {
      const source = byId(id);
      if (prompt === null) return { design: copyOf(source), task: null };
      return { design: null, task: begin({ kind: "remix", title: prompt, source_id: id, thumbnail: source.thumbnail }) };
    },
    list_design_marks: () => marked(),
    mark_designs: (ids, mark) => {
      const kept = Object.entries(state.marks).filter(([id]) => !ids.includes(id));
      state.marks = Object.fromEntries([...kept, ...(mark ? ids.map((id) => [id, mark] as const) : [])]);
      return marked();
    },
    list_starred_designs: (query) => {
      const found = state.designs.filter((each) => state.marks[each.id] === "starred" && each.name.toLowerCase().includes(query.toLowerCase()));
      return { connection_id: connection_id(), designs: found, total: found.length, next: null };
    },
    vary_design: (id, count) => {
      const source = byId(id);
      return Array.from({ length: count }, (_, index) => index + 1).map((number) => begin({ kind: "remix", title: `A variation, ${number}`, source_id: id, thumbnail: source.thumbnail }));
    },
    resize_design: (id, resizes) => {
      const source = byId(id);
      return resizes.map(({ name }) => begin({ kind: "remix", title: name, source_id: id, thumbnail: source.thumbnail }));
    },
    describe_design: (draft) => begin({ title: draft.prompt }),
    edit_design: (id, prompt) => begin({ title: prompt, design_id: id, edits: true }),
    choose_attachments: () => [{ id: `file_${(nextId += 1)}`, name: "brief.md", size_bytes: 3_000, state: "ready", sent_bytes: 3_000, problem: null }],
    set_drop_area: () => null,
    list_tasks: (_filter, cursor, limit) => {
      const { part, next } = page(state.tasks, cursor, limit);
      return { connection_id: connection_id(), tasks: part, next };
    },
    cancel_task: (id) => {
      state.tasks = state.tasks.map((each) => (each.id === id ? { ...each, state: "canceled", finished_at: ago(0) } : each));
      return state.tasks.find((each) => each.id === id);
    },
    retry_task: (id) => {
      const again = state.tasks.find((each) => each.id === id);
      return begin({ title: again?.title ?? "" });
    },
    export_design: (id, choice) => {
      const started = exported({ design_id: id, design_name: byId(id).name, format: choice.format, state: "queued", created_at: ago(0) });
      state.exports = [started, ...state.exports];
      return started;
    },
    list_exports: () => ({ connection_id: connection_id(), exports: state.exports, ...state.exportRate }),
    cancel_export: (id) => {
      state.exports = state.exports.map((each) => (each.id === id ? { ...each, state: "canceled" } : each));
      return null;
    },
    reveal_export: () => null,
    open_export: () => null,
    retry_export: (id) => {
      state.exports = state.exports.map((each) => (each.id === id ? { ...each, state: "queued", problem: null } : each));
      return state.exports.find((each) => each.id === id);
    },
    clear_exports: () => {
      state.exports = state.exports.filter((each) => !["finished", "failed", "canceled"].includes(each.state));
      return null;
    },
    export_designs: (ids, plan) => {
      const started = ids.map((id) =>
        exported({ design_id: id, design_name: byId(id).name, format: plan.format, state: "queued", created_at: ago(0) }),
      );
      state.exports = [...started, ...state.exports];
      return started;
    },
    choose_export_folder: () => ({ id: "print", name: "For the printer" }),
    list_export_presets: () => state.presets,
    save_export_preset: (name, plan) => {
      const kept = { id: `preset_${(nextId += 1)}`, name: name.trim(), plan, folder: plan.folder_id === null ? null : { id: plan.folder_id, name: "For the printer" } };
      state.presets = [...state.presets.filter((each) => each.name !== kept.name), kept];
      return state.presets;
    },
    delete_export_preset: (id) => {
      state.presets = state.presets.filter((each) => each.id !== id);
      return state.presets;
    },
    list_brand_kits: () => state.kits,
    get_brand_kit: (id) => state.kits.find((each) => each.id === id),
    add_brand_kit_image: (id) => state.kits.find((each) => each.id === id),
    list_organizations: () => [],
    create_brand_kit: (draft) => {
      const made = kit(draft.title, { ...draft, is_default: state.kits.length === 0 });
      state.kits = [...state.kits, made];
      return made;
    },
    change_brand_kit: (id, draft) => {
      state.kits = state.kits.map((each) => (each.id === id ? { ...each, ...draft } : each));
      return state.kits.find((each) => each.id === id);
    },
    delete_brand_kit: (id) => {
      state.kits = state.kits.filter((each) => each.id !== id);
      return null;
    },
    list_typefaces: () =>
      ["Inter", "Playfair Display"].map((family) => ({ family, regular: `easel-media://localhost/typeface/${family}/400`, bold: `easel-media://localhost/typeface/${family}/700` })),
    choose_brand_file: () => state.brandFile,
    add_found_logo: (id) => state.kits.find((each) => each.id === id),
    list_deliveries: (filter, cursor, limit) => {
      const found = state.deliveries.filter(
        (each) =>
          (filter.state === null || each.state === filter.state) &&
          (filter.event_type === null || each.event_type === filter.event_type) &&
          (each.task_id ?? "").includes(filter.text),
      );
      const { part, next } = page(found, cursor, limit);
      return { connection_id: connection_id(), deliveries: part, next };
    },
    get_delivery: (id): DeliveryDetails => {
      const found = state.deliveries.find((each) => each.id === id);
      if (!found) throw missing();
      return {
        delivery: found,
        request_headers: [
          { name: "Content-Type", value: "application/json" },
          { name: "X-Webhook-Timestamp", value: "1795165920" },
          { name: "X-Webhook-Signature", value: "v1=7c0b52f1d9" },
        ],
        request_body: JSON.stringify({ id: found.event_id, type: found.event_type, data: { id: found.task_id, status: "succeeded" } }),
        response_body: found.state === "failed" ? "upstream is away" : "",
        attempts: Array.from({ length: found.attempts }, (_, index) => ({
          number: index + 1,
          started_at: found.last_attempted_at,
          duration_ms: 84 + index,
          response_status: found.response_status,
          error: found.state === "failed" ? "the receiver answered 503" : null,
        })),
        replays: state.deliveries.filter((each) => each.replayed_from_id === id).map((each) => each.id),
      };
    },
    redeliver: (ids) => {
      const replays = ids.map((id) => delivery({ ...state.deliveries.find((each) => each.id === id), id: `whd_${(nextId += 1)}`, replayed_from_id: id, state: "pending", attempts: 0, response_status: null, created_at: ago(0) }));
      state.deliveries = [...replays, ...state.deliveries];
      return replays;
    },
  };
}
