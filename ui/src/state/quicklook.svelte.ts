/**
 * What is looked at without being opened, and the list that the arrows go through meanwhile.
 *
 * The list stays where it is and says what it is on, so that what is looked at is always what stands there now. An answer about
 * something that is not looked at any more is dropped. Not here: pictures, which the page has the addresses of.
 */
import { backend, problemFrom, type DesignPage, type DesignView, type DriveFoundItem, type DriveItem, type FileLook, type Problem } from "../backend";
import { isPaged } from "../filekind";
import { text } from "../text";
import { zoomStep } from "./design.svelte";
import { route } from "./route.svelte";

/** Who only passes by asks for nothing. */
const RESTED_MS = 120;

/** An item as far as the list it stands in knows it. */
export interface Looked {
  kind: DriveItem["kind"];
  id: string;
  name: string;
  /** An address of the app's own protocol: of a file its picture, of a design a small one of its first page. */
  picture: string | null;
  mimeType: string | null;
  size_bytes: number | null;
  page_count: number | null;
  item_count: number | null;
  /** Of a design's first page, in pixels. */
  width: number | null;
  height: number | null;
}

/** What a list need not know. */
const UNKNOWN = { picture: null, mimeType: null, size_bytes: null, page_count: null, item_count: null, width: null, height: null };

/** A list while it is looked through. What it says is read anew whenever it changes. */
export interface LookedThrough {
  /** What it is on; `null` where that is gone. */
  now: () => Looked | "coming" | null;
  /** Where that stands, from 0. */
  index: () => number;
  count: () => number;
  go: (by: 1 | -1) => void;
  /** Gives the keyboard back to it. */
  focus: () => void;
  /** What leads further, as a button. */
  onward: () => Onward | null;
}

interface Onward {
  label: string;
  run: () => void;
}

export function lookedItem(item: DriveItem): Looked {
  const { kind, id, name, thumbnail: picture, mime_type: mimeType, size_bytes, page_count, item_count } = item;
  return { ...UNKNOWN, kind, id, name, picture, mimeType, size_bytes, page_count, item_count };
}

/** Of what was found by its name, less is known. */
export function lookedFind({ kind, id, name, thumbnail: picture, size_bytes }: DriveFoundItem): Looked {
  return { ...UNKNOWN, kind, id, name, picture, size_bytes };
}

type KnownDesign = Pick<DesignView, "id" | "name" | "thumbnail" | "width" | "height"> & Partial<Pick<DesignView, "page_count">>;

function lookedDesign({ id, name, thumbnail: picture, width, height, page_count = null }: KnownDesign): Looked {
  return { ...UNKNOWN, kind: "design", id, name, picture, width, height, page_count };
}

/** A list whose own elements take the focus, and where nothing is selected. */
interface FocusList {
  items: () => readonly Looked[];
  element: (id: string) => HTMLElement | null | undefined;
  onward: (item: Looked) => Onward;
}

class QuickLook {
  source = $state.raw<LookedThrough | null>(null);
  pages = $state.raw<DesignPage[] | null>(null);
  said = $state.raw<FileLook | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** The addresses of the pages of a document, once there are known to be several. */
  documentPages = $state.raw<string[] | null>(null);
  /** The page that is looked at, from 0. */
  page = $state(0);
  /** In percent of its own pixels; `null` fits it to the window. */
  zoom = $state<number | null>(null);

  #there = $derived(this.source?.now() ?? null);
  now = $derived(this.#there === "coming" ? null : this.#there);
  isGone = $derived(this.source !== null && this.#there === null);
  /** The whole picture of a file, or of its first page. */
  #whole = $derived(this.now?.kind === "file" ? (this.now.picture ?? this.said?.picture ?? null) : null);
  /** The picture of a file, or of the page of it that is looked at. */
  picture = $derived(this.documentPages?.[this.page] ?? this.#whole);
  pageCount = $derived(this.pages?.length ?? this.documentPages?.length ?? 1);

  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left: LookedThrough | null = null;

  show(source: LookedThrough): void {
    if (source.now() !== null) this.source = source;
  }

  /** Looks through a list, beginning with one of its items. */
  through(from: string, list: FocusList): void {
    let id = $state(from);
    // Where it is gone, the arrows go on from where it was.
    let before = 0;
    const index = () => {
      const found = list.items().findIndex((each) => each.id === id);
      if (found >= 0) before = found;
      return found >= 0 ? found : Math.min(before, list.items().length - 1);
    };
    const now = () => list.items().find((each) => each.id === id) ?? null;
    this.show({
      now,
      index,
      count: () => list.items().length,
      go: (by) => {
        const to = list.items()[index() + by];
        if (!to) return;
        id = to.id;
        list.element(id)?.scrollIntoView?.({ block: "nearest" });
      },
      focus: () => list.element(id)?.focus(),
      onward: () => {
        const item = now();
        return item && list.onward(item);
      },
    });
  }

  /** Looks through designs, each of which can be opened from there. */
  throughDesigns(from: string, designs: () => readonly KnownDesign[], element: FocusList["element"]): void {
    this.through(from, {
      items: () => designs().map(lookedDesign),
      element,
      onward: ({ id }) => ({ label: text.designs.open, run: () => route.go({ screen: "design", designId: id }) }),
    });
  }

  /** Something else is looked at: asks what it looks like, as far as that is not known. */
  begin(): void {
    this.#forgetLook();
    const item = this.now;
    const hasPicture = item?.kind === "file" && item.picture !== null && !isPaged(item.name, item.mimeType);
    const isKnown = item === null || item.kind === "folder" || hasPicture;
    if (!isKnown) this.#timer = setTimeout(() => void this.load(), RESTED_MS);
  }

  async load(): Promise<void> {
    const item = this.now;
    if (item === null) return;
    const asked = (this.#asked += 1);
    this.problem = null;
    try {
      if (item.kind === "design") {
        const pages = await backend().list_design_pages(item.id);
        if (asked === this.#asked) this.pages = pages;
      } else {
        if (item.picture === null) {
          const said = await backend().look_at_file(item.id);
          if (asked === this.#asked) this.said = said;
        }
        if (asked === this.#asked && isPaged(item.name, item.mimeType) && this.#whole !== null) {
          const pages = await backend().list_document_pages(this.#whole);
          if (asked === this.#asked && pages.length > 1) this.documentPages = pages;
        }
      }
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  turn(by: number): void {
    this.page = Math.max(0, Math.min(this.pageCount - 1, this.page + by));
  }

  /** A step larger or smaller than `shown`, what it has on the screen now, in percent. */
  zoomBy(steps: 1 | -1, shown: number): void {
    this.zoom = zoomStep(this.zoom ?? shown, steps);
  }

  close(): void {
    this.#left = this.source;
    this.source = null;
    this.#forgetLook();
  }

  /** After it was closed: the keyboard goes where it came from, or to where the arrows led. */
  giveBack(): void {
    this.#left?.focus();
    this.#left = null;
  }

  /** Of a connection that is not in view any more. */
  forget(): void {
    this.close();
    this.#left = null;
  }

  #forgetLook(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.pages = null;
    this.documentPages = null;
    this.said = null;
    this.problem = null;
    this.page = 0;
    this.zoom = null;
  }
}

export const quickLook = new QuickLook();
