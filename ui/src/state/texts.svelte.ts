/**
 * The texts of the open design while a person changes them: which there are, the one that is being written, and the way back.
 *
 * Always true: a change is of the drawing that was seen, or of what one's own changes made of it, one after the other; an answer
 * about one design changes nothing of another; what was changed is shown in its place until the picture that has it is there;
 * Undo goes to the words of before, which is a change like any other, and never over what somebody else wrote; words that could
 * not be saved are kept until they are saved or given up. Not here: whether words fit, which the service says.
 */
import { backend, problemFrom, type DesignText, type DesignTextPage, type DesignTexts, type Problem } from "../backend";
import { text } from "../text";
import { connections } from "./connection.svelte";
import { design } from "./design.svelte";
import { attempt } from "./remedies.svelte";
import { route } from "./route.svelte";
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
  /** The words that it has, or is about to have where a change of it is under way: what a change is compared with. */
  from: string;
  /** Which drawing was seen when it was begun. */
  revision: string;
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

/** What became of a change. */
interface Made {
  /** The design it was of. */
  id: string;
  fault: Problem | null;
  /** With the words as the service has them. */
  change: Change;
  /** The texts as they are now, where that is known. */
  now: DesignTexts | null;
}

const isSame = (one: Where, other: Where) => one.page === other.page && one.reference === other.reference;
const keyOf = (id: string, { page, reference }: Where) => JSON.stringify([id, page, reference]);

function findIn(now: DesignTexts | null, where: Where): DesignText | null {
  const page = now?.pages.find((page) => page.number === where.page);
  return page?.texts.find((text) => text.reference === where.reference) ?? null;
}

class Texts {
  of = $state<string | null>(null);
  now = $state.raw<DesignTexts | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Whether every text is outlined and a stop of the Tab key. */
  isOpen = $state(false);
  writing = $state.raw<Writing | null>(null);
  coming = $state.raw<Coming[]>([]);
  /** Changes of this design that the service has not answered yet. */
  underWay = $state(0);
  done = $state.raw<Change[]>([]);
  undone = $state.raw<Change[]>([]);
  /** A text that is to be open again as soon as its design and page are there. */
  wanted = $state.raw<(Where & { id: string }) | null>(null);

  #asked = 0;
  /** A load has not answered yet. */
  #isLoading = false;
  /** A load was given up for a change, so what is known may be old where that change is refused. */
  #isOwed = false;
  /** The last change of each design, which the next one waits for. */
  #turns = new Map<string, Promise<unknown>>();
  #steps: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many pages with their texts are on the screen; while one takes another's place, both are. */
  #shown = 0;
  /** How many changes of each design are not answered yet. */
  #waiting = new Map<string, number>();
  /** From a revision of a design to the one that an own change made of it. */
  #led = new Map<string, string>();
  /** Words that could not be saved, of all designs. */
  #drafts = new Map<string, string>();

  number = $derived(design.page?.number ?? design.index + 1);
  page = $derived<DesignTextPage | null>(this.now?.pages.find((page) => page.number === this.number) ?? null);

  /** Reads the texts of a design, where they are not of its present drawing already. */
  async follow(id: string, updated_at: string | null): Promise<void> {
    if (id !== this.of) {
      this.#putAside();
      this.#clear();
      this.of = id;
      this.underWay = this.#waiting.get(id) ?? 0;
    }
    const isThere = this.now !== null && this.now.design.updated_at === updated_at;
    // What is written is of the drawing that was seen; that it is another by now is said when it is saved.
    if (isThere || this.writing !== null || this.underWay > 0 || connections.lack("canvas_texts")) return;
    await this.load();
  }

  async load(): Promise<DesignTexts | null> {
    const id = this.of;
    if (id === null) return null;
    const asked = (this.#asked += 1);
    this.#isLoading = true;
    try {
      const now = await backend().list_design_texts(id);
      if (asked !== this.#asked) return null;
      // Under what is being written nothing may move, but who asked may know.
      if (this.writing === null) this.#take(id, now);
      return now;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemFrom(thrown);
      return null;
    } finally {
      if (asked === this.#asked) this.#isLoading = false;
    }
  }

  /** Takes over what was read. */
  #take(id: string, now: DesignTexts): void {
    if (this.now !== null && this.now.revision !== now.revision) {
      // Somebody else has drawn: the way back leads through what is not there any more.
      this.done = [];
      this.undone = [];
    }
    // That it is the present one is certain, even where it was left before.
    this.#led.delete(JSON.stringify([id, now.revision]));
    this.now = now;
    this.problem = null;
  }

  /** What was asked for before a change tells of what was there before it. */
  #dropLoad(): void {
    this.#asked += 1;
    this.#isOwed ||= this.#isLoading;
    this.#isLoading = false;
  }

  forget(): void {
    this.#clear();
    this.of = null;
    this.underWay = 0;
    this.wanted = null;
    this.#turns.clear();
    this.#waiting.clear();
    this.#led.clear();
    this.#drafts.clear();
  }

  /** Leaves a design; the words that could not be saved stay. */
  #clear(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#isLoading = false;
    this.#isOwed = false;
    // Steps of another design are nothing to wait for.
    this.#steps = Promise.resolve();
    this.now = null;
    this.problem = null;
    this.isOpen = false;
    this.writing = null;
    this.coming = [];
    this.done = [];
    this.undone = [];
  }

  /** Outlines every text, or none any more. */
  async toggle(): Promise<void> {
    this.isOpen = !this.isOpen;
    if (!this.isOpen) return;
    const id = this.of;
    if (this.now === null) await this.load();
    if (id !== this.of) return;
    if (this.now === null && this.problem) {
      this.isOpen = false;
      toasts.problem(this.problem, () => void this.toggle());
    } else if (this.page?.texts.length === 0) {
      toasts.say(text.editText.none);
    }
  }

  find(where: Where): DesignText | null {
    return findIn(this.now, where);
  }

  /** The page with its texts is on the screen, until what is returned is called. */
  show(): () => void {
    this.#shown += 1;
    return () => {
      this.#shown -= 1;
      if (this.#shown === 0) this.#putAside();
    };
  }

  /** Another page is looked at: what is written on this one is not on the screen any more. */
  turned(): void {
    if (this.writing !== null && this.writing.page !== this.number) this.#putAside();
  }

  /** Begins to write a text of the page that is open. */
  write(was: DesignText): void {
    const page = this.page?.number;
    if (page === undefined || this.now === null || this.of === null) return;
    const where = { page, reference: was.reference };
    this.#putAside();
    const from = this.coming.find((one) => isSame(one, where))?.words ?? was.text;
    this.writing = { ...where, was, from, revision: this.now.revision, draft: from, set: null, fault: null };
    const kept = this.#drafts.get(keyOf(this.of, where));
    // Why it could not be saved is asked anew, since that may be otherwise by now.
    if (kept !== undefined) this.type(kept);
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
    if (this.writing && this.of !== null) this.#drafts.delete(keyOf(this.of, this.writing));
    this.writing = null;
  }

  /** Something else is done: what is written is saved, or kept where that cannot be. */
  #putAside(): void {
    if (this.writing?.fault === null) void this.save();
    const writing = this.writing;
    if (!writing || this.of === null) return;
    clearTimeout(this.#timer);
    this.writing = null;
    if (writing.draft.trim() === "") return;
    this.#keep(this.of, writing, writing.fault?.title ?? text.editText.notSaved, writing.fault?.detail ?? "");
  }

  /** Keeps words that could not be saved, and says so with the way back to them. */
  #keep(id: string, writing: Writing, title: string, detail: string): void {
    this.#drafts.set(keyOf(id, writing), writing.draft);
    const { page, reference } = writing;
    toasts.fault(title, detail, { label: text.editText.reopen, testId: "toast-reopen-text", run: () => this.reopen(id, { page, reference }) });
  }

  /** Goes to a text whose words were kept, and opens it with them. */
  reopen(id: string, { page, reference }: Where): void {
    this.wanted = { id, page, reference };
    route.go({ screen: "design", designId: id });
  }

  /** Opens the text that is wanted, once its design is there. */
  resume(): void {
    const wanted = this.wanted;
    if (wanted === null || wanted.id !== this.of || wanted.id !== design.id || this.now === null || design.pages === null) return;
    this.wanted = null;
    const was = this.find(wanted);
    const at = design.pages.findIndex((page) => page.number === wanted.page);
    if (was === null || at < 0) return this.#sayGone(wanted.id, wanted);
    design.turn(at - design.index);
    this.write(was);
  }

  /** The text is not there any more: its words are said, for they can be put nowhere. */
  #sayGone(id: string, where: Where): void {
    const words = this.#drafts.get(keyOf(id, where));
    this.#drafts.delete(keyOf(id, where));
    if (words === undefined) return;
    const copy = () => void attempt(() => backend().copy_text(words));
    toasts.fault(text.editText.gone, words, { label: text.common.copy, testId: "toast-copy-words", run: copy });
  }

  /** Saves what was written; where that cannot be, it is open again and says why. */
  async save(): Promise<void> {
    const writing = this.writing;
    if (!writing || this.of === null) return;
    clearTimeout(this.#timer);
    const words = writing.draft.trim();
    if (words === writing.from.trim()) return this.cancel();
    if (words === "") {
      this.writing = { ...writing, fault: { title: text.editText.empty, detail: "" } };
      return;
    }
    const { page, reference, was, from } = writing;
    this.writing = null;
    const made = await this.#make({ page, reference, before: from, after: words }, was, writing.revision);
    const { id, fault } = made;
    if (fault !== null) return this.#refuse(made, writing, fault);
    this.#drafts.delete(keyOf(id, writing));
    if (id !== this.of) return;
    this.done = [...this.done, made.change];
    this.undone = [];
  }

  /** What was written is not saved: it is open again where it can be, and kept for later elsewhere. */
  #refuse({ id, now }: Made, writing: Writing, fault: Problem): void {
    if (id !== this.of) return this.#keep(id, writing, fault.title, fault.detail);
    // What others made of it meanwhile is what the next try is of.
    const was = findIn(now, writing) ?? (now === null ? writing.was : null);
    const open = this.writing;
    if (open && isSame(open, writing)) {
      const hasSame = open.draft.trim() === writing.draft.trim();
      this.writing = { ...open, from: was?.text ?? writing.was.text, fault: hasSame ? fault : open.fault };
      if (!hasSame) toasts.problem(fault);
    } else if (was === null) {
      this.#drafts.set(keyOf(id, writing), writing.draft);
      this.#sayGone(id, writing);
    } else if (open === null && this.#shown > 0 && this.number === writing.page) {
      this.#drafts.set(keyOf(id, writing), writing.draft);
      this.writing = { ...writing, was, from: was.text, revision: this.now?.revision ?? writing.revision, set: null, fault };
    } else {
      this.#keep(id, writing, fault.title, fault.detail);
    }
  }

  undo(): Promise<void> {
    return this.#afterThose("done");
  }

  redo(): Promise<void> {
    return this.#afterThose("undone");
  }

  /** The picture of this page has every word that was changed. */
  arrive(page: number): void {
    if (this.underWay === 0 && this.coming.some((one) => one.page === page)) this.coming = this.coming.filter((one) => one.page !== page);
  }

  /** A step is of what the steps and changes before it left, so it waits for them. */
  #afterThose(from: "done" | "undone"): Promise<void> {
    const id = this.of;
    const step = this.#steps.then(async () => {
      await this.#turns.get(id ?? "");
      // What is answered is taken over first.
      await Promise.resolve();
      if (id === this.of) await this.#step(from);
    });
    this.#steps = step.catch(() => undefined);
    return step;
  }

  async #step(from: "done" | "undone"): Promise<void> {
    const change = this[from].at(-1);
    if (!change || this.writing !== null || this.now === null) return;
    this[from] = this[from].slice(0, -1);
    const [here, to] = from === "done" ? [change.after, change.before] : [change.before, change.after];
    const was = this.find(change);
    // Over what somebody else wrote there is no step.
    if (was === null || was.text !== here) {
      toasts.say(was === null ? text.editText.stepGone : text.editText.stepOther);
      return;
    }
    const at = design.pages?.findIndex((page) => page.number === change.page) ?? -1;
    if (at >= 0) design.turn(at - design.index);
    const made = await this.#make({ ...change, before: was.text, after: to }, was, this.now.revision);
    if (made.fault !== null) toasts.problem(made.fault);
    if (made.id !== this.of) return;
    if (made.fault === null) {
      // The words as the service has them now are what the way back is from.
      const { before, after } = made.change;
      const gone = from === "done" ? { ...change, before: after, after: before } : { ...change, before, after };
      if (from === "done") this.undone = [...this.undone, gone];
      else this.done = [...this.done, gone];
    } else if (made.fault.code !== "canvas_changed") {
      // It was not taken, so it can be taken again.
      this[from] = [...this[from], change];
    }
  }

  /** Asks for a change when those before it are answered; says what is wrong where it is not made. */
  async #make(change: Change, was: DesignText, seen: string): Promise<Made> {
    const id = this.of ?? "";
    const { page, reference, after } = change;
    const before = this.coming.find((one) => isSame(one, change));
    const mine: Coming = { page, reference, was: before?.was ?? was, words: after };
    this.coming = [...this.coming.filter((one) => one !== before), mine];
    this.#count(id, 1);
    this.#dropLoad();
    const turn = this.#inTurn(id, seen, (revision) => backend().change_design_texts(id, revision, [{ page, reference, text: after }]));
    let fault: Problem | null = null;
    let now: DesignTexts | null = null;
    try {
      now = await turn;
    } catch (thrown) {
      fault = problemFrom(thrown);
    }
    this.#count(id, -1);
    const stood = id === this.of ? this.find(change)?.text : undefined;
    const made = (): Made => ({ id, fault, now, change: { ...change, before: stood ?? change.before, after: findIn(now, change)?.text ?? after } });
    if (id !== this.of) return made();
    if (now !== null) {
      this.#takeAnswer(now);
      return made();
    }
    if (fault?.code === "canvas_changed") {
      // The way back led through what is not there any more.
      this.done = [];
      this.undone = [];
      [now] = await Promise.all([this.load(), design.load()]);
      // It was made after all, though the answer to it never came.
      if (findIn(now, change)?.text === after) fault = null;
    } else if (this.#isOwed && this.underWay === 0) {
      this.#isOwed = false;
      now = await this.load();
    }
    if (id !== this.of) return made();
    if (fault !== null) this.#takeBack(mine);
    now ??= this.now;
    return made();
  }

  /** Has a design changed by something else than words, after the changes before it; returns its revision then. What is wrong is thrown. */
  async change(id: string, ask: (revision: string) => Promise<DesignTexts>): Promise<string> {
    const seen = this.now?.revision ?? "";
    this.#count(id, 1);
    if (id === this.of) this.#dropLoad();
    try {
      const now = await this.#inTurn(id, seen, ask);
      if (id === this.of) this.#takeAnswer(now);
      return now.revision;
    } catch (thrown) {
      if (id === this.of && problemFrom(thrown).code === "canvas_changed") void Promise.all([this.load(), design.load()]);
      throw thrown;
    } finally {
      this.#count(id, -1);
    }
  }

  /** Asks for a change of what own changes have made of a revision, when those before it are answered. */
  #inTurn(id: string, seen: string, ask: (revision: string) => Promise<DesignTexts>): Promise<DesignTexts> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(async () => {
      const revision = this.#present(id, seen);
      const now = await ask(revision);
      this.#lead(id, revision, now.revision);
      return now;
    });
    this.#turns.set(id, turn.catch(() => undefined));
    return turn;
  }

  /** What is said by the answer to a change is newer than what was given up for it. */
  #takeAnswer(now: DesignTexts): void {
    this.#dropLoad();
    this.#isOwed = false;
    this.now = now;
    design.take(now.design, new Map(now.pages.map((page) => [page.number, page.picture])));
  }

  /** Shows what the page says in place of words that were not saved. */
  #takeBack(mine: Coming): void {
    const says = this.find(mine)?.text ?? mine.was.text;
    this.coming = this.coming.flatMap((one) => (one !== mine ? [one] : says === mine.was.text ? [] : [{ ...mine, words: says }]));
  }

  #count(id: string, by: 1 | -1): void {
    const count = Math.max(0, (this.#waiting.get(id) ?? 0) + by);
    this.#waiting.set(id, count);
    if (id === this.of) this.underWay = count;
  }

  /** Remembers what an own change made of a revision. */
  #lead(id: string, from: string, to: string): void {
    this.#led.set(JSON.stringify([id, from]), to);
    // The newest leads nowhere; words of before may bring a revision of before.
    this.#led.delete(JSON.stringify([id, to]));
  }

  /** What own changes have made of a revision since it was seen. */
  #present(id: string, seen: string): string {
    let revision = seen;
    for (let next = this.#led.get(JSON.stringify([id, revision])); next !== undefined; next = this.#led.get(JSON.stringify([id, revision]))) revision = next;
    return revision;
  }

  async #check(): Promise<void> {
    const writing = this.writing;
    const id = this.of;
    if (!writing || writing.draft.trim() === "" || id === null) return;
    const { page, reference, draft } = writing;
    let set: DesignText | null = null;
    let fault: Problem | null = null;
    try {
      const would = await backend().check_design_texts(id, this.#present(id, writing.revision), [{ page, reference, text: draft }]);
      set = findIn(would, writing);
    } catch (thrown) {
      const problem = problemFrom(thrown);
      // Whether it can be asked is nothing that the words are at fault for.
      if (["text_too_long", "typeface_missing"].includes(problem.code)) fault = problem;
    }
    // Whoever has typed on asks anew.
    if (id === this.of && this.writing && isSame(this.writing, writing) && this.writing.draft === draft) this.writing = { ...this.writing, set, fault };
  }
}

export const texts = new Texts();
