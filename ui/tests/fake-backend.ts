/**
 * A FAKE backend, for component tests and the dev page only. It is never part of what the window loads.
 *
 * It keeps a small drive in memory, answers like the app and emits its events, so that screens can be looked at in
 * every state: empty, full, busy, failed. It proves nothing about the app; the desktop journeys do.
 */
import type {
  ApiKeyView,
  Backend,
  ConnectionView,
  DriveItem,
  EventName,
  Events,
  FolderNode,
  Problem,
  Settings,
  TransferView,
  TransfersSummary,
  TrashedView,
} from "../src/backend";
import { default_settings } from "../src/backend";
import { backupCommands, type FakeBackups, noBackups } from "./fake-backups";
import { type FakeMigration, migrationCommands, noMigration } from "./fake-migration";
import { NOW_MS } from "./fake-clock";
import { designCommands, type FakeDesigns, NO_DESIGNS } from "./fake-designs";
import { COMPLETE, UNTRIED } from "./fake-service";
import { type FakeSynced, NO_SYNCED, syncedCommands } from "./fake-synced";
import { CODE, type FakeTeam, noTeam, teamCommands } from "./fake-team";
import { colorCommands, type FakeColors, noColors } from "./fake-colors";
import { type FakeTexts, noTexts, textCommands } from "./fake-texts";
import { type FakeVersions, noVersions, versionCommands } from "./fake-versions";
import { type FakeWebhooks, noWebhooks, webhookCommands } from "./fake-webhooks";
import { type FakeWriting, NO_WRITING, writingCommands } from "./fake-writing";

export type Handler = (event: never) => void;

export { NOW_MS };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();

export function problem(given: Partial<Problem> = {}): Problem {
  return {
    code: "unreachable",
    title: "studio.example.com cannot be reached",
    detail: "Nothing answers there. Check the address and whether this computer is online.",
    action: { kind: "try_again", label: "Try again", target: null },
    request_id: null,
    ...given,
  };
}

export function localConnection(given: Partial<ConnectionView> = {}): ConnectionView {
  return {
    id: "local",
    kind: "local",
    host: "",
    address: "http://127.0.0.1:41873",
    version_header: null,
    state: "ready",
    problem: null,
    key_kept: "keychain",
    account: null,
    limits: { max_file_bytes: 250_000_000, is_plan_limit: true },
    service: COMPLETE,
    ...given,
  };
}

let nextId = 1;
export function file(name: string, size_bytes: number, age_ms: number, given: Partial<DriveItem> = {}): DriveItem {
  nextId += 1;
  return {
    kind: "file",
    id: `file_${nextId}`,
    name,
    folder_id: null,
    size_bytes,
    item_count: null,
    created_at: ago(age_ms),
    updated_at: ago(age_ms),
    created_by: "Teammate",
    created_by_you: false,
    mime_type: null,
    content_hash: "sha256:9f3c5d0e8a41b7c2d6e9f0a1b2c3d4e5f60718293a4b5c6d7e8f901a2b3ce21a",
    page_count: null,
    thumbnail: null,
    visibility: "team",
    is_copy: false,
    ...given,
  };
}

const DISMISS: Problem["action"] = { kind: "dismiss", label: "Dismiss", target: null };
const TRASH_PAGE = 100;

/** Something in the trash, deleted so long ago. */
export function trashed(name: string, age_ms: number, given: Partial<TrashedView> = {}): TrashedView {
  nextId += 1;
  return {
    kind: "file",
    id: `file_${nextId}`,
    name,
    place: "Brand / Photos",
    deleted_at: ago(age_ms),
    deleted_by: "Teammate",
    deleted_by_you: false,
    expires_at: ago(age_ms - 30 * DAY_MS),
    size_bytes: 2_200_000,
    item_count: null,
    ...given,
  };
}

/** A trash as one finds it after some weeks. */
export function sampleTrash(): TrashedView[] {
  const you = { deleted_by: "You", deleted_by_you: true };
  return [
    trashed("menu-print.pdf", 4 * MINUTE_MS, you),
    trashed("Summer campaign", 3 * 60 * MINUTE_MS, { kind: "folder", place: "", size_bytes: 184_000_000, item_count: 48 }),
    trashed("Harbour Lane launch deck", DAY_MS, { kind: "design", size_bytes: null, ...you }),
    trashed("storefront-night-first-print-run-with-the-old-sign-and-the-name-that-nobody-wanted-after-all.png", 6 * DAY_MS, {
      place: null,
      size_bytes: 8_400_000,
    }),
    trashed("sales-2025.csv", 29.5 * DAY_MS, { size_bytes: 48_000 }),
  ];
}

export function folder(name: string, item_count: number, age_ms: number, given: Partial<DriveItem> = {}): DriveItem {
  return {
    ...file(name, 0, age_ms),
    kind: "folder",
    id: `fld_${(nextId += 1)}`,
    size_bytes: null,
    item_count,
    content_hash: null,
    created_by: null,
    ...given,
  };
}

export function transfer(name: string, given: Partial<TransferView> = {}): TransferView {
  nextId += 1;
  return {
    id: `transfer_${nextId}`,
    name,
    relative_dir: "",
    size_bytes: 90_000_000,
    sent_bytes: 0,
    bytes_per_second: 0,
    time_left_ms: null,
    state: "queued",
    pause_restarts: false,
    problem: null,
    folder_id: null,
    result: null,
    created_at: ago(MINUTE_MS - nextId),
    finished_at: null,
    ...given,
  };
}

/** The figures of a queue, as the app would count them. */
export function summaryOf(list: TransferView[], given: Partial<TransfersSummary> = {}): TransfersSummary {
  const counted = list.filter((each) => each.state !== "canceled");
  const count = (...states: TransferView["state"][]) => counted.filter((each) => states.includes(each.state)).length;
  const speed = counted.reduce((sum, each) => sum + each.bytes_per_second, 0);
  const sum = (of: (each: TransferView) => number) => counted.reduce((total, each) => total + of(each), 0);
  const left = sum((each) => each.size_bytes - each.sent_bytes);
  return {
    total: counted.length,
    finished: count("sent", "already_there"),
    active: count("sending", "registering"),
    failed: count("failed"),
    paused: count("paused"),
    bytes_total: sum((each) => each.size_bytes),
    bytes_sent: sum((each) => each.sent_bytes),
    bytes_per_second: speed,
    time_left_ms: speed > 0 ? (left / speed) * 1000 : null,
    limited_by: "bytes",
    is_counting: false,
    waiting: null,
    ...given,
  };
}

/** The drive of the drawings: Brand with Photos and Logos, and what lies at the top. */
export function sampleDrive(): DriveItem[] {
  const you = { created_by: "You", created_by_you: true };
  const brand = folder("Brand", 4, 2 * DAY_MS);
  const photos = folder("Photos", 13, 10 * MINUTE_MS, { folder_id: brand.id });
  const logos = folder("Logos", 2, 3 * DAY_MS, { folder_id: brand.id });
  const here = { folder_id: photos.id };
  const brief = folder("Briefs", 3, 8 * DAY_MS);
  return [
    brand,
    photos,
    logos,
    brief,
    folder("Clients", 0, 20 * DAY_MS),
    folder("Raw", 24, 2 * DAY_MS, here),
    folder("Retouched", 61, 64 * MINUTE_MS, here),
    file("storefront-night.png", 8_400_000, 10 * MINUTE_MS, { ...here, ...you }),
    file("counter-morning.jpg", 5_100_000, DAY_MS, { ...here, ...you }),
    file("loaf-cross-section.tif", 184_000_000, DAY_MS, here),
    file("Autumn-launch-deck.pptx", 90_000_000, DAY_MS, { ...here, ...you }),
    file("menu-print.pdf", 2_200_000, 4 * DAY_MS, here),
    file("sales-2026.csv", 48_000, 4 * DAY_MS, here),
    file("team-portrait.jpg", 12_000_000, 7 * DAY_MS, here),
    file("oven-timelapse.mp4", 231_000_000, 8 * DAY_MS, here),
    file("brief.md", 3_000, 9 * DAY_MS, { ...here, ...you }),
    file("logo-mark.svg", 11_000, 22 * DAY_MS, here),
    file("radio-spot.wav", 31_000_000, 40 * DAY_MS, here),
    file("Söhne-Buch.otf", 96_000, 40 * DAY_MS, here),
    file("handover.zip", 64_000_000, 5 * MINUTE_MS, you),
    file("Opening night, a rather long name that somebody gave this poster before the second print run (final) v3.pdf", 4_800_000, 3 * DAY_MS),
    file("logo-mark.svg", 11_000, 20 * DAY_MS, { folder_id: logos.id }),
    file("logo-word.svg", 9_000, 20 * DAY_MS, { folder_id: logos.id }),
  ];
}

/** As at a first start. */
export const SETTINGS: Settings = default_settings;

export interface FakeState extends FakeBackups, FakeColors, FakeDesigns, FakeMigration, FakeSynced, FakeTeam, FakeTexts, FakeVersions, FakeWebhooks, FakeWriting {
  connections: ConnectionView[];
  selected: string | null;
  items: DriveItem[];
  transfers: TransferView[];
  summary: Partial<TransfersSummary>;
  keys: ApiKeyView[];
  settings: Settings;
  /** Commands that fail, by name. */
  failing: Partial<Record<keyof Backend, Problem>>;
  /** Commands that never answer. */
  silent: (keyof Backend)[];
  /** The whole drive is still being read for the first time. */
  readingDrive: boolean;
  /** What was deleted; nothing where the service has no trash. */
  trash: TrashedView[] | null;
}

export interface FakeBackend extends Backend {
  state: FakeState;
  /** Every command that was called, with what it was given. */
  calls: [name: string, ...given: unknown[]][];
  emit<Name extends EventName>(name: Name, event: Events[Name]): void;
}

export function fakeBackend(given: Partial<FakeState> = {}): FakeBackend {
  const state: FakeState = {
    connections: [localConnection()],
    selected: "local",
    items: [],
    transfers: [],
    summary: {},
    keys: [],
    settings: SETTINGS,
    ...NO_WRITING,
    ...noBackups(),
    ...noMigration(),
    ...noTeam(),
    failing: {},
    silent: [],
    readingDrive: false,
    trash: null,
    ...NO_DESIGNS,
    ...NO_SYNCED,
    ...noVersions(), ...noTexts(), ...noColors(),
    ...noWebhooks(),
    ...given,
  };
  const handlers = new Map<EventName, Set<Handler>>();
  const calls: FakeBackend["calls"] = [];
  const pending = new Map<string, { ids: string[]; timer: ReturnType<typeof setTimeout> }>();
  const undoForMs = 10_000;

  const emit: FakeBackend["emit"] = (name, event) => {
    for (const handler of handlers.get(name) ?? []) handler(event as never);
  };
  const byId = (id: string) => {
    const item = state.items.find((each) => each.id === id);
    if (!item) throw problem({ code: "not_found", title: "This is no longer there" });
    return item;
  };
  const summary = () => summaryOf(state.transfers, state.summary);
  const changed = (transfer: TransferView) => {
    state.transfers = state.transfers.map((each) => (each.id === transfer.id ? transfer : each));
    emit("transfers_changed", { connection_id: state.selected ?? "", summary: summary(), changed: [transfer], list_again: false });
  };
  const set = (id: string, news: Partial<TransferView>) => {
    const before = state.transfers.find((each) => each.id === id);
    if (before) changed({ ...before, ...news });
    return null;
  };
  const setAll = (from: TransferView["state"][], to: TransferView["state"]) => {
    for (const each of state.transfers) {
      if (from.includes(each.state)) set(each.id, { state: to, bytes_per_second: 0 });
    }
    return null;
  };
  const crumbs = (folderId: string | null): { id: string; name: string }[] => {
    if (folderId === null) return [];
    const item = byId(folderId);
    return [...crumbs(item.folder_id), { id: item.id, name: item.name }];
  };
  const hidden = () => new Set([...pending.values()].flatMap((each) => each.ids));
  const below = (id: string): DriveItem[] =>
    state.items.filter((each) => each.folder_id === id).flatMap((each) => [each, ...below(each.id)]);
  const inTrash = () => {
    if (state.trash === null) throw problem({ code: "not_offered", title: "This service has no trash", action: DISMISS });
    return state.trash;
  };
  const enter = (connection: ConnectionView) => {
    state.connections = [...state.connections.filter((each) => each.id !== connection.id), connection];
    state.selected = connection.id;
    return connection;
  };
  const connection = (id: string) => {
    const found = state.connections.find((each) => each.id === id);
    if (!found) throw problem({ code: "not_found" });
    return found;
  };

  const commands: { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown } = {
    get_overview: () => ({
      app_version: "0.1.0",
      connections: state.connections,
      selected_connection_id: state.selected,
      transfers: summary(),
      settings: state.settings,
      system_language: "en",
    }),
    start_local_studio: () => enter(localConnection()),
    test_connection: (draft) => ({ address: draft.address, account: account() }),
    connect_service: (draft) => {
      if (draft.address.startsWith("http://") && !draft.confirm_plain_http) {
        throw problem({
          code: "plain_http_refused",
          title: "It would be spoken to without encryption",
          action: { kind: "confirm_plain_http", label: "Connect without encryption", target: null },
        });
      }
      return enter(serviceConnection({ key_kept: draft.keep_for_session ? "session" : "keychain" }));
    },
    redeem_invitation: (draft) => {
      if (!draft.code.includes(CODE)) {
        const action: Problem["action"] = { kind: "edit_name", label: "Choose another name", target: null };
        throw problem({ code: "invitation_unreadable", title: "This is not a whole invitation", action });
      }
      return enter(serviceConnection({ key_kept: draft.keep_for_session ? "session" : "keychain" }));
    },
    replace_key: (id, _key, session) =>
      enter({ ...connection(id), state: "ready", problem: null, key_kept: session ? "session" : "keychain" }),
    list_connections: () => state.connections,
    select_connection: (id) => enter(connection(id)),
    remove_connection: (id) => {
      state.connections = state.connections.filter((each) => each.id !== id);
      return null;
    },
    retry_connection: (id) => connection(id),
    forget_capabilities: (id) => {
      const forgotten = { ...connection(id), service: UNTRIED };
      state.connections = state.connections.map((each) => (each.id === id ? forgotten : each));
      return forgotten;
    },
    list_drive: (folderId, offset, limit, sort) => {
      const gone = hidden();
      const here = state.items.filter((item) => item.folder_id === folderId && !gone.has(item.id));
      const key = (item: DriveItem) =>
        sort.by === "size" ? (item.size_bytes ?? 0) : sort.by === "updated_at" ? (item.updated_at ?? "") : item.name;
      here.sort((a, b) => {
        const kinds = ["folder", "design", "file"];
        if (a.kind !== b.kind) return kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
        const [x, y] = [key(a), key(b)];
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
        return (sort.descending ? -order : order) || a.id.localeCompare(b.id);
      });
      return {
        connection_id: state.selected ?? "",
        folder_id: folderId,
        breadcrumbs: crumbs(folderId),
        items: here.slice(offset, offset + limit),
        offset,
        total: here.length,
      };
    },
    search_drive: (query, limit) => {
      const words = query.toLowerCase().split(/\s+/);
      const found = state.items.filter((item) => words.every((word) => item.name.toLowerCase().includes(word)));
      const items = found.slice(0, limit).map(({ kind, id, name, folder_id, size_bytes, thumbnail }) => {
        return { kind, id, name, folder_id, size_bytes, thumbnail, place: crumbs(folder_id).map((crumb) => crumb.name).join(" / ") };
      });
      return { connection_id: state.selected ?? "", items, total: found.length, is_complete: !state.readingDrive };
    },
    list_recent_files: (limit) =>
      state.items
        .filter((item) => item.kind === "file")
        .sort((a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? ""))
        .slice(0, limit),
    create_folder: (parent, name) => {
      const taken = state.items.some((each) => each.folder_id === parent && each.name.toLowerCase() === name.toLowerCase());
      if (taken) {
        throw problem({
          code: "folder_name_conflict",
          title: "There is a folder of that name already",
          detail: "Names are compared without regard to capital letters. Choose another one.",
          action: { kind: "edit_name", label: "Change the name", target: null },
        });
      }
      const made = folder(name, 0, 0, { folder_id: parent });
      state.items = [...state.items, made];
      return made;
    },
    rename_item: (id, name) => {
      const item = { ...byId(id), name };
      state.items = state.items.map((each) => (each.id === id ? item : each));
      return item;
    },
    move_items: (ids, target) => {
      state.items = state.items.map((each) => (ids.includes(each.id) ? { ...each, folder_id: target } : each));
      return { moved: ids.length, failed: [] };
    },
    count_items: (ids) => {
      const all = ids.flatMap((id) => [byId(id), ...below(id)]);
      return {
        folders: all.filter((each) => each.kind === "folder").length,
        files: all.filter((each) => each.kind === "file").length,
        bytes: all.reduce((sum, each) => sum + (each.size_bytes ?? 0), 0),
        at_least: false,
      };
    },
    delete_items: (ids) => {
      const deletion_id = `deletion_${(nextId += 1)}`;
      const timer = setTimeout(() => {
        pending.delete(deletion_id);
        const gone = state.items.filter((each) => ids.includes(each.id));
        if (state.trash) state.trash = [...gone.map((each) => trashed(each.name, 0, { id: each.id, kind: each.kind })), ...state.trash];
        state.items = state.items.filter((each) => !ids.includes(each.id));
        emit("deletion_settled", { deletion_id, deleted: ids.length, problem: null });
      }, undoForMs);
      pending.set(deletion_id, { ids, timer });
      return { deletion_id, undo_until: new Date(Date.now() + undoForMs).toISOString(), undo_for_ms: undoForMs };
    },
    undo_deletion: (id) => {
      clearTimeout(pending.get(id)?.timer);
      pending.delete(id);
      return null;
    },
    has_trash: () => state.trash !== null,
    list_trash: (next) => {
      const all = inTrash();
      const from = Number(next ?? 0);
      const to = from + TRASH_PAGE;
      return { connection_id: state.selected ?? "", items: all.slice(from, to), next: to < all.length ? String(to) : null };
    },
    restore_items: (ids) => {
      const back = inTrash().filter((each) => ids.includes(each.id));
      state.trash = inTrash().filter((each) => !ids.includes(each.id));
      state.items = [...state.items, ...back.map((each) => file(each.name, each.size_bytes ?? 0, 0, { id: each.id, kind: each.kind }))];
      return { restored: back.length, folder_id: null, failed: [] };
    },
    remove_for_good: (ids) => {
      const before = inTrash().length;
      state.trash = inTrash().filter((each) => !ids.includes(each.id));
      return { removed: before - state.trash.length, failed: [] };
    },
    empty_trash: () => {
      const removed = inTrash().length;
      state.trash = [];
      return removed;
    },
    list_folder_tree: () => {
      const nodes = (parent: string | null): FolderNode[] =>
        state.items
          .filter((each) => each.kind === "folder" && each.folder_id === parent)
          .map((each) => ({ id: each.id, name: each.name, children: nodes(each.id) }));
      return { folders: nodes(null), truncated: false };
    },
    download_file: (id) => ({
      download_id: `download_${id}`,
      file_id: id,
      version_id: null,
      name: byId(id).name,
      place: "Downloads",
      state: "finished",
      received_bytes: byId(id).size_bytes ?? 0,
      size_bytes: byId(id).size_bytes,
      problem: null,
    }),
    cancel_download: () => null,
    open_file: (id) => (/\.(exe|sh)$/.test(byId(id).name) ? { code: "could_run", name: byId(id).name } : { code: "opened" }),
    reveal_download: () => null,
    drag_files: () => null,
    drag_export: () => null,
    choose_files: () => ({ accepted: 1, skipped: [] }),
    choose_folder: () => ({ accepted: 3, skipped: [{ name: "backup.sock", reason: "It is a socket, not a file." }] }),
    paste_files: () => null,
    set_drop_target: () => null,
    take_awaiting_drop: () => null,
    list_transfers: () => ({ summary: summary(), transfers: state.transfers }),
    pause_transfer: (id) => set(id, { state: "paused", bytes_per_second: 0 }),
    resume_transfer: (id) => set(id, { state: "queued" }),
    cancel_transfer: (id) => set(id, { state: "canceled" }),
    retry_transfer: (id) => set(id, { state: "queued", problem: null }),
    pause_all_transfers: () => setAll(["queued", "sending", "settling"], "paused"),
    resume_all_transfers: () => setAll(["paused"], "queued"),
    retry_failed_transfers: () => setAll(["failed"], "queued"),
    clear_finished_transfers: () => {
      state.transfers = state.transfers.filter((each) => !["sent", "already_there", "canceled"].includes(each.state));
      return null;
    },
    promote_transfer: () => null,
    reveal_transfer: () => null,
    move_duplicate_here: () => null,
    list_api_keys: () => state.keys,
    create_api_key: (name) => {
      const id = `key_${(nextId += 1)}`;
      state.keys = [...state.keys, { id, name, created_at: ago(0), last_used_at: null, used_by_easel: false }];
      return { id, name, key: `svc_live_${"0a1b2c3d".repeat(5)}`, signing_secret: `whsec_${"9f8e7d6c".repeat(5)}` };
    },
    delete_api_key: (id) => {
      state.keys = state.keys.filter((each) => each.id !== id);
      return null;
    },
    take_link: () => null,
    ...writingCommands(state),
    ...teamCommands(state, problem),
    ...backupCommands(state, (under_way) => emit("backup_moved", { under_way })),
    ...migrationCommands(state, (view) => emit("migration_moved", { view })),
    get_settings: () => state.settings,
    set_settings: (settings) => (state.settings = settings),
    copy_text: () => null,
    copy_secret: () => null,
    report_page_fault: () => null,
    get_diagnostics: () => ({ text: "Easel 0.1.0 on linux\n\nThe last lines of the log:\n" }),
    confirm_close: () => null,
    ...designCommands(state, () => problem({ code: "canvas_not_found", title: "This design is no longer there" })),
    ...versionCommands(state, () => problem({ code: "version_not_found", title: "This version is gone" })),
    ...colorCommands(state, () => problem({ code: "canvas_not_found", title: "This design is no longer there" }), problem),
    ...textCommands(state, () => problem({ code: "canvas_not_found", title: "This design is no longer there" }), problem),
    ...webhookCommands(state, () => problem({ code: "received_not_found", title: "This request is no longer here" })),
    ...syncedCommands(state, (folder) =>
      emit("synced_folders_changed", { connection_id: state.selected ?? "", changed: [folder], removed: [], has_history: false }),
    ),
  };

  const answering = Object.entries(commands).map(([name, command]) => [
    name,
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      const failure = state.failing[name as keyof Backend];
      if (failure) throw failure;
      if (state.silent.includes(name as keyof Backend)) return new Promise(() => {});
      return (command as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return {
    ...(Object.fromEntries(answering) as Omit<Backend, "on">),
    async on(name, handler) {
      const known = handlers.get(name) ?? new Set();
      known.add(handler as Handler);
      handlers.set(name, known);
      return () => known.delete(handler as Handler);
    },
    state,
    calls,
    emit,
  };
}

function account() {
  return {
    user_id: "usr_1",
    user_name: "Ada Rye",
    user_email: "ada@rye.example",
    team_name: "Rye & Co.",
    organization_name: "Rye & Co.",
    role: "owner",
    plan: "paid",
  };
}

export function serviceConnection(given: Partial<ConnectionView> = {}): ConnectionView {
  return localConnection({
    id: "service",
    kind: "service",
    host: "studio.rye.example",
    address: "https://studio.rye.example",
    account: account(),
    ...given,
  });
}
