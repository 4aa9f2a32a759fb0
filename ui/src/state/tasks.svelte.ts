/**
 * The tasks of the connection in view, newest first, as they move.
 *
 * Events carry what changed, whichever part of the list is asked for; a task that ends says so once. Not here: how a
 * task is worked on, and whether trying again can help; the service says both.
 */
import { backend, problemFrom, type Problem, type TaskFilter, type TaskView } from "../backend";
import { taskTitle } from "../designwords";
import { text } from "../text";
import { Asking } from "./asking";
import { onceEach } from "./once";
import { attempt } from "./remedies.svelte";
import { toasts } from "./toasts.svelte";

const PAGE = 50;

export function isOver(task: TaskView): boolean {
  return !["queued", "running", "unknown"].includes(task.state);
}

/** How long it has been worked on, or was; `null` where it has not begun or the service does not say. */
export function elapsed_ms(task: TaskView, now_ms: number): number | null {
  const begun = Date.parse(task.started_at ?? (isOver(task) ? "" : (task.created_at ?? "")));
  const ended = task.finished_at ? Date.parse(task.finished_at) : now_ms;
  if (Number.isNaN(begun) || Number.isNaN(ended)) return null;
  // A service's clock may run a little ahead of this one.
  return Math.max(0, ended - begun);
}

/** Each task once, by the id that the app gave it rather than by the service's. */
function withoutDoubles(list: readonly TaskView[]): TaskView[] {
  const known = new Set(list.flatMap((each) => (each.task_id !== null && each.task_id !== each.id ? [each.task_id] : [])));
  return onceEach(list).filter((each) => !known.has(each.id));
}

class Tasks {
  list = $state.raw<TaskView[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  filter = $state<TaskFilter>("all");
  loadingMore = $state(false);
  /** Those that failed before the person's eyes, until they are looked at or tried again. */
  #unseen = $state.raw<ReadonlySet<string>>(new Set());
  /** Those that the person stopped, until they are. */
  #stopping = new Set<string>();
  /** Ids of designs that tasks have made since the page was opened, for whoever shows designs. */
  #whenMade: ((designId: string) => void)[] = [];
  #next: string | null = null;
  #asking = new Asking<readonly TaskView[]>();
  #askingMore = new Asking<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  unfinished = $derived((this.list ?? []).filter((each) => !isOver(each)));
  /** What is becoming a design of its own, for the place in the gallery that it will take. */
  making = $derived(this.unfinished.filter((each) => each.kind === "remix" || (each.kind === "design" && !each.edits)));
  failed = $derived((this.list ?? []).filter((each) => each.state === "failed" && this.#unseen.has(each.id)));
  shown = $derived((this.list ?? []).filter((each) => this.#fits(each)));
  hasMore = $derived(this.list !== null && this.#next !== null);

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#letGo();
    try {
      const fresh = await this.#asking.ask(() => backend().list_tasks(this.filter, null, PAGE));
      if (!fresh) return;
      const page = fresh.answer;
      this.#next = page.next;
      this.list = withoutDoubles(page.tasks);
      this.problem = null;
      // A task that is over in the answer does not begin again because of older news.
      const over = new Set(page.tasks.filter(isOver).map((each) => each.id));
      this.apply(fresh.told.flat().filter((each) => isOver(each) || !over.has(each.id)));
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    }
  }

  loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), 300);
  }

  async loadMore(): Promise<void> {
    if (this.#next === null || this.loadingMore || this.list === null) return;
    this.loadingMore = true;
    const next = this.#next;
    try {
      const fresh = await this.#askingMore.ask(() => backend().list_tasks(this.filter, next, PAGE));
      if (!fresh) return;
      const known = new Set(this.list.map((each) => each.id));
      this.#next = fresh.answer.next;
      this.list = withoutDoubles([...this.list, ...fresh.answer.tasks.filter((each) => !known.has(each.id))]);
    } catch (thrown) {
      toasts.problem(problemFrom(thrown), () => void this.loadMore());
    } finally {
      this.loadingMore = false;
    }
  }

  async show(filter: TaskFilter): Promise<void> {
    this.filter = filter;
    await this.load();
  }

  forget(): void {
    this.#letGo();
    clearTimeout(this.#timer);
    this.list = null;
    this.problem = null;
    this.filter = "all";
    this.#next = null;
    this.#unseen = new Set();
  }

  /** Calls `handler` with each design that a task makes from now on. */
  onMade(handler: (designId: string) => void): void {
    this.#whenMade.push(handler);
  }

  /** Takes news in; a task that is not on the list yet is the newest. */
  apply(changed: readonly TaskView[]): void {
    if (changed.length === 0) return;
    this.#asking.tell(changed);
    const news = new Map(changed.map((each) => [each.id, each]));
    // The service may list a task before the app knows that it is the one that was asked for here: then it has been shown
    // under the service's id, and goes for the one that is known by name.
    const known = new Set(changed.flatMap((each) => (each.task_id !== null && each.task_id !== each.id ? [each.task_id] : [])));
    for (const id of known) news.delete(id);
    const before = (this.list ?? []).filter((each) => !known.has(each.id));
    const kept = before.map((each) => {
      const now = news.get(each.id);
      news.delete(each.id);
      // What is over at the service stays so, whatever was seen of it before and is heard of only now.
      if (now && isOver(each) && each.task_id !== null && !isOver(now)) return each;
      if (now?.state === "failed" && each.state !== "failed") this.#unseen = new Set([...this.#unseen, now.id]);
      if (now?.state === "canceled" && this.#stopping.delete(now.id)) toasts.say(text.designs.beingMade.stoppedNamed(taskTitle(now)));
      if (now?.state === "succeeded" && each.state !== "succeeded" && now.design_id) {
        for (const handler of this.#whenMade) handler(now.design_id);
      }
      return now ?? each;
    });
    this.list = [...news.values(), ...kept].sort((a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? ""));
  }

  /** They have been looked at. */
  seen(): void {
    if (this.#unseen.size > 0) this.#unseen = new Set();
  }

  async cancel(task: TaskView): Promise<void> {
    // Shown at once: the service may need a moment to stop.
    this.apply([{ ...task, canceling: true }]);
    const done = await attempt(async () => this.apply([await backend().cancel_task(task.id)]));
    if (!done) this.apply([{ ...task, canceling: false }]);
  }

  /** Cancels a design that is being made, and says so once it is: the service may need a moment. */
  async stop(task: TaskView): Promise<void> {
    this.#stopping.add(task.id);
    await this.cancel(task);
  }

  /** The task that the page knows by this id. */
  find(id: string): TaskView | undefined {
    return this.list?.find((each) => each.id === id);
  }

  async retry(task: TaskView): Promise<void> {
    await attempt(async () => {
      this.apply([await backend().retry_task(task.id)]);
      toasts.say(text.activity.tasks.retried);
    });
  }

  /** Nobody waits for what was asked for before. */
  #letGo(): void {
    this.#asking.forget();
    this.#askingMore.forget();
  }

  #fits(task: TaskView): boolean {
    switch (this.filter) {
      case "running":
        return !isOver(task);
      case "failed":
        return task.state === "failed" || task.state === "expired";
      case "finished":
        return task.state === "succeeded";
      default:
        return true;
    }
  }
}

export const tasks = new Tasks();
