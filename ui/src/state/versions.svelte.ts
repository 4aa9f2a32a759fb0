/**
 * The versions of one file or design, while a person looks at them: which there are, which one is looked at, and the way back to it.
 *
 * What is restored keeps what was there before as a version, which Undo restores in its turn. An answer about something that is
 * not looked at any more is dropped. Not here: how a version is made, which every change of content does by itself.
 */
import { backend, problemFrom, type DesignView, type DesignVersionView, type DriveItem, type FileText, type FileVersionView, type Problem } from "../backend";
import { isPaged } from "../filekind";
import { formatStamp } from "../format";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { downloads } from "./downloads.svelte";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

/** What there are versions of, as it is now. */
export interface Versioned {
  kind: "file" | "design";
  id: string;
  name: string;
  picture: string | null;
  mimeType: string | null;
  size_bytes: number | null;
  page_count: number | null;
  changed: string | null;
}

/** A version of either kind. */
export interface Version {
  id: string;
  /** RFC 3339. */
  since: string | null;
  until: string | null;
  by: string | null;
  byYou: boolean;
  /** An address of the app's own protocol. */
  picture: string | null;
  isText: boolean;
  mimeType: string | null;
  size_bytes: number | null;
  page_count: number | null;
}

/** How far the text of a version is: not here yet, here, or none. */
export type Read = { state: "coming" } | { state: "here"; said: FileText } | { state: "none" } | { state: "failed"; problem: Problem };

/** An item of the drive that may have versions; a copy has none of its own. */
export function versionedItem(item: DriveItem): Versioned | null {
  if (item.kind === "folder" || item.is_copy) return null;
  if (connections.lack(item.kind === "file" ? "file_versions" : "canvas_versions")) return null;
  const { kind, id, name, thumbnail: picture, mime_type: mimeType, size_bytes, page_count, updated_at: changed } = item;
  return { kind, id, name, picture, mimeType, size_bytes, page_count, changed };
}

/** A design that may have versions. */
export function versionedDesign(design: DesignView): Versioned | null {
  if (connections.lack("canvas_versions")) return null;
  const { id, name, thumbnail: picture, page_count, updated_at: changed } = design;
  return { kind: "design", id, name, picture, mimeType: null, size_bytes: null, page_count, changed };
}

/** When a version came to be, as people tell it from others. */
export const momentOf = (time: string | null): string => formatStamp(Date.parse(time ?? ""));

class Versions {
  of = $state.raw<Versioned | null>(null);
  list = $state.raw<Version[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** `null` for what is there now. */
  chosenId = $state<string | null>(null);
  read = $state.raw<Read>({ state: "none" });
  /** The addresses of the pages of what is looked at, where it is a document that has several. */
  pages = $state.raw<string[]>([]);
  /** The page that is looked at, from 0. */
  page = $state(0);
  restoring = $state(false);
  #asked = 0;

  chosen = $derived(this.list?.find((each) => each.id === this.chosenId) ?? null);

  open(of: Versioned): void {
    this.forget();
    this.of = of;
    void this.load();
  }

  forget(): void {
    this.#asked += 1;
    this.of = null;
    this.list = null;
    this.problem = null;
    this.chosenId = null;
    this.read = { state: "none" };
    [this.pages, this.page] = [[], 0];
    this.restoring = false;
  }

  async load(): Promise<void> {
    const of = this.of;
    if (!of) return;
    const asked = (this.#asked += 1);
    this.problem = null;
    try {
      const list =
        of.kind === "file"
          ? (await backend().list_file_versions(of.id)).versions.map(ofFile)
          : (await backend().list_design_versions(of.id)).versions.map(ofDesign);
      if (asked !== this.#asked) return;
      this.list = list;
      const known = list.some((each) => each.id === this.chosenId);
      this.choose(known ? this.chosenId : (list[0]?.id ?? null));
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  choose(id: string | null): void {
    this.chosenId = id;
    this.read = { state: "none" };
    [this.pages, this.page] = [[], 0];
    void this.#listPages();
    if (this.chosen?.isText && this.chosen.picture === null) void this.readText();
  }

  turn(by: number): void {
    this.page = Math.max(0, Math.min(this.pages.length - 1, this.page + by));
  }

  /** Asks which pages there are of what is looked at. Where that is not known, its first page stands alone. */
  async #listPages(): Promise<void> {
    const [of, id] = [this.of, this.chosenId];
    const { picture, mimeType } = this.chosen ?? of ?? { picture: null, mimeType: null };
    if (of?.kind !== "file" || picture === null || !isPaged(of.name, mimeType)) return;
    const pages = await backend()
      .list_document_pages(picture)
      .catch(() => []);
    if (this.of?.id === of.id && this.chosenId === id && pages.length > 1) this.pages = pages;
  }

  /** Asks for the text of what is looked at. */
  async readText(): Promise<void> {
    const [of, id] = [this.of, this.chosenId];
    if (!of || id === null) return;
    const isMeant = () => this.of?.id === of.id && this.chosenId === id;
    this.read = { state: "coming" };
    try {
      const said = await backend().get_version_text(of.id, id);
      if (isMeant()) this.read = said ? { state: "here", said } : { state: "none" };
    } catch (thrown) {
      if (isMeant()) this.read = { state: "failed", problem: problemFrom(thrown) };
    }
  }

  /** Restores what is looked at, says so with the way back, and is done. Where it fails, that is shown. */
  async restore(): Promise<void> {
    const [of, version] = [this.of, this.chosen];
    if (!of || !version || this.restoring) return;
    this.restoring = true;
    this.problem = null;
    try {
      const undoId = await put(of, version.id);
      if (this.of?.id === of.id) this.forget();
      const undo = undoId === null ? undefined : { label: text.common.undo, testId: "toast-undo-restore", run: () => void undoRestore(of, undoId) };
      toasts.say(text.versions.restored(of.name, momentOf(version.since)), undo, UNDO_MS);
    } catch (thrown) {
      if (this.of?.id === of.id) this.problem = problemFrom(thrown);
    } finally {
      this.restoring = false;
    }
  }

  /** Saves what is looked at where the person says. */
  async save(): Promise<void> {
    if (this.of?.kind === "file" && this.chosenId !== null) await downloads.saveVersion(this.of.id, this.chosenId);
  }
}

/** How long the way back is offered; after that the versions themselves have it. */
const UNDO_MS = 10_000;

/** Restores a version, and says which one what was there before has become. */
async function put(of: Versioned, versionId: string): Promise<string | null> {
  const asked = of.kind === "file" ? backend().restore_file_version(of.id, versionId) : backend().restore_design_version(of.id, versionId);
  return (await asked).undo_version_id;
}

async function undoRestore(of: Versioned, versionId: string): Promise<void> {
  await attempt(async () => {
    await put(of, versionId);
    toasts.say(text.versions.undone(of.name));
  });
}

function ofFile(view: FileVersionView): Version {
  const { picture, is_text: isText, mime_type: mimeType, size_bytes } = view;
  return { ...whenAndWho(view), picture, isText, mimeType, size_bytes, page_count: null };
}

function ofDesign(view: DesignVersionView): Version {
  const { thumbnail: picture, page_count } = view;
  return { ...whenAndWho(view), picture, isText: false, mimeType: null, size_bytes: null, page_count };
}

const whenAndWho = ({ id, created_at: since, replaced_at: until, created_by: by, created_by_you: byYou }: FileVersionView | DesignVersionView) => ({
  id,
  since,
  until,
  by,
  byYou,
});

export const versions = new Versions();
