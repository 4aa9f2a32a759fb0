/**
 * The texts of the open design while a person changes them: which there are, the one that is being written, and the way back.
 *
 * Always true: a change is of the drawing that was seen, one after the other; what was changed is shown in its place until the
 * picture that has it is there; Undo goes to the words of before, which is a change like any other. Not here: whether words fit,
 * which the service says.
 */
import { backend, problemFrom, type DesignText, type DesignTextPage, type DesignTexts, type Problem } from "../backend";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { design } from "./design.svelte";
import { toasts } from "./toasts.svelte";

/** How long nobody has typed before it is asked whether the words fit. */
export const PAUSE_MS = 350;

/** A text of the design, by its page and its reference there. */
interface Where {
  page: number;
  reference: string;
}

/** A text that is being written. */
export interface Writing extends Where {
  /** As it stands on the page. */
  was: DesignText;
  draft: string;
  /** As the service would set the draft, where it has said so. */
  set: DesignText | null;
  /** Why the draft cannot stand there. */
  fault: Pick<Problem, "title" | "detail"> | null;
}

/** Words that were changed, until the picture has them. */
export interface Coming extends Where {
  /** What its picture still says. */
  was: DesignText;
  words: string;
}

interface Change extends Where {
  before: string;
  after: string;
}

const isSame = (one: Where, other: Where) => one.page === other.page && one.reference === other.reference;

class Texts {
  of = $state<string | null>(null);
  now = $state.raw<DesignTexts | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Whether every text is outlined and a stop of the Tab key. */
  isOpen = $state(false);
  writing = $state.raw<Writing | null>(null);
  coming = $state.raw<Coming[]>([]);
  /** Changes that the service has not answered yet. */
  underWay = $state(0);
  done = $state.raw<Change[]>([]);
  undone = $state.raw<Change[]>([]);

  #asked = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  page = $derived<DesignTextPage | null>(this.now?.pages.find((page) => page.number === (design.page?.number ?? design.index + 1)) ?? null);

  /** Reads the texts of a design, where they are not of its present drawing already. */
  async follow(id: string, updated_at: string | null): Promise<void> {
    if (id !== this.of) this.forget();
    this.of = id;
    const isThere = this.now !== null && this.now.design.updated_at === updated_at;
    // What is written is of the drawing that was seen; that it is another by now is said when it is saved.
    if (isThere || this.writing !== null || this.underWay > 0 || connections.lack("canvas_texts")) return;
    await this.load();
  }

  async load(): Promise<void> {
    const id = this.of;
    if (id === null) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const now = await backend().list_design_texts(id);
      if (asked !== this.#asked || this.writing !== null) return;
      this.now = now;
      this.problem = null;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
    }
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.of = null;
    this.now = null;
    this.problem = null;
    this.isOpen = false;
    this.writing = null;
    this.coming = [];
    this.underWay = 0;
    this.done = [];
    this.undone = [];
  }

  /** Outlines every text, or none any more. */
  async toggle(): Promise<void> {
    this.isOpen = !this.isOpen;
    if (!this.isOpen) return;
    if (this.now === null) await this.load();
    if (this.now === null && this.problem) {
      this.isOpen = false;
      toasts.problem(this.problem, () => void this.toggle());
    } else if (this.page?.texts.length === 0) {
      toasts.say(text.editText.none);
    }
  }

  find(where: Where): DesignText | null {
    const page = this.now?.pages.find((page) => page.number === where.page);
    return page?.texts.find((text) => text.reference === where.reference) ?? null;
  }

  /** Begins to write a text of the page that is open. */
  write(was: DesignText): void {
    const page = this.page?.number;
    if (page !== undefined) this.writing = { page, reference: was.reference, was, draft: was.text, set: null, fault: null };
  }

  /** What was typed. Whether it fits is asked as soon as nothing more comes. */
  type(draft: string): void {
    if (!this.writing) return;
    this.writing = { ...this.writing, draft, fault: null };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), PAUSE_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.writing = null;
  }

  /** Saves what was written; where that cannot be, it is open again and says why. */
  async save(): Promise<void> {
    const writing = this.writing;
    if (!writing) return;
    clearTimeout(this.#timer);
    const words = writing.draft.trim();
    if (words === writing.was.text.trim()) return this.cancel();
    if (words === "") {
      this.writing = { ...writing, fault: { title: text.editText.empty, detail: "" } };
      return;
    }
    const { page, reference, was } = writing;
    const change = { page, reference, before: was.text, after: words };
    this.writing = null;
    const fault = await this.#make(change, was);
    if (fault === null) {
      this.done = [...this.done, change];
      this.undone = [];
    } else if (this.of !== null && this.writing === null) {
      // What others made of it meanwhile is what the next try is of.
      this.writing = { ...writing, was: this.find(writing) ?? was, fault };
    } else {
      toasts.problem(fault);
    }
  }

  undo(): Promise<void> {
    return this.#step("done");
  }

  redo(): Promise<void> {
    return this.#step("undone");
  }

  /** The picture of this page has every word that was changed. */
  arrive(page: number): void {
    if (this.underWay === 0 && this.coming.some((one) => one.page === page)) this.coming = this.coming.filter((one) => one.page !== page);
  }

  async #step(from: "done" | "undone"): Promise<void> {
    const change = this[from].at(-1);
    if (!change || this.writing !== null) return;
    this[from] = this[from].slice(0, -1);
    const to = from === "done" ? change.before : change.after;
    const was = this.find(change);
    design.turn(change.page - 1 - design.index);
    const fault = was ? await this.#make({ ...change, before: was.text, after: to }, was) : null;
    if (fault !== null) toasts.problem(fault);
    else if (from === "done") this.undone = [...this.undone, change];
    else this.done = [...this.done, change];
  }

  /** Asks for a change when those before it are answered; says what is wrong where it is not made. */
  async #make(change: Change, was: DesignText): Promise<Problem | null> {
    const id = this.of;
    const { page, reference, after } = change;
    const before = this.coming.find((one) => isSame(one, change));
    this.coming = [...this.coming.filter((one) => one !== before), { page, reference, was: before?.was ?? was, words: after }];
    this.underWay += 1;
    const turn = this.#turn.then(() => backend().change_design_texts(id ?? "", this.now?.revision ?? "", [{ page, reference, text: after }]));
    this.#turn = turn.catch(() => undefined);
    try {
      const now = await turn;
      if (id !== this.of) return null;
      this.underWay -= 1;
      this.now = now;
      design.take(now.design, new Map(now.pages.map((page) => [page.number, page.picture])));
      return null;
    } catch (thrown) {
      const problem = problemFrom(thrown);
      if (id !== this.of) return problem;
      this.underWay -= 1;
      this.coming = this.coming.filter((one) => !isSame(one, change));
      if (problem.code === "canvas_changed") {
        // The way back led through what is not there any more.
        this.done = [];
        this.undone = [];
        await Promise.all([this.load(), design.load()]);
      }
      return problem;
    }
  }

  async #check(): Promise<void> {
    const writing = this.writing;
    const now = this.now;
    if (!writing || !now || writing.draft.trim() === "" || this.of === null) return;
    const { page, reference, draft } = writing;
    let set: DesignText | null = null;
    let fault: Problem | null = null;
    try {
      const would = await backend().check_design_texts(this.of, now.revision, [{ page, reference, text: draft }]);
      set = would.pages.find((each) => each.number === page)?.texts.find((each) => each.reference === reference) ?? null;
    } catch (thrown) {
      const problem = problemFrom(thrown);
      // Whether it can be asked is nothing that the words are at fault for.
      if (["text_too_long", "typeface_missing"].includes(problem.code)) fault = problem;
    }
    // Whoever has typed on asks anew.
    if (this.writing && isSame(this.writing, writing) && this.writing.draft === draft) this.writing = { ...this.writing, set, fault };
  }
}

export const texts = new Texts();
