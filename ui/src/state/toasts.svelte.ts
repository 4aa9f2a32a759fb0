/**
 * Short messages at the bottom of the window, each with at most one button.
 *
 * A message goes by itself after its time; one about something that can still be undone stays until then. Problems
 * stay until the person closes them.
 */
import type { Problem } from "../backend";
import { NOT_OFFERED } from "./connection.svelte";

export interface Toast {
  id: number;
  kind: "done" | "note" | "problem";
  text: string;
  detail?: string | undefined;
  action?: { label: string; run: () => void; testId?: string } | undefined;
  /** When it goes, in milliseconds of the page's clock; never where absent. */
  until_ms?: number | undefined;
  /** Shows how much of its time is left. */
  counts_down?: boolean;
  duration_ms?: number | undefined;
}

const SHOWN_MS = 5_000;
const NOTE_SHOWN_MS = 10_000;
const MOST_AT_ONCE = 3;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #nextId = 1;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Says that something is done. */
  say(text: string, action?: Toast["action"], forMs: number = SHOWN_MS, countsDown = false): number {
    return this.#add({ kind: "done", text, action, duration_ms: forMs, counts_down: countsDown }, forMs);
  }

  /** Says what went wrong, until it is closed. `run` is what the problem's own button does, where it can be done here. */
  problem(problem: Problem, run?: () => void): number {
    const same = this.list.find((toast) => toast.kind !== "done" && toast.text === problem.title);
    if (same) this.dismiss(same.id);
    // Nothing is wrong, and nothing can be done about it.
    if (problem.code === NOT_OFFERED) {
      return this.#add({ kind: "note", text: problem.title, detail: problem.detail, duration_ms: NOTE_SHOWN_MS }, NOTE_SHOWN_MS);
    }
    const action = run && problem.action.kind !== "dismiss" ? { label: problem.action.label, run } : undefined;
    return this.#add({ kind: "problem", text: problem.title, detail: problem.detail, action });
  }

  /** Says what went wrong until it is closed, with a way on of its own; another one of the same title stays beside it. */
  fault(text: string, detail: string, action: Toast["action"]): number {
    return this.#add({ kind: "problem", text, detail, action });
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Takes problems of this title away, because their cause is gone. */
  dismissProblem(title: string): void {
    for (const toast of this.list) if (toast.kind === "problem" && toast.text === title) this.dismiss(toast.id);
  }

  #add(toast: Omit<Toast, "id">, forMs?: number): number {
    const id = this.#nextId++;
    this.list = [...this.list, { ...toast, id }];
    // What can still be undone is never pushed out by what merely tells.
    while (this.list.length > MOST_AT_ONCE) {
      const oldest = this.list.find((each) => !each.counts_down && each.id !== id) ?? this.list[0];
      if (!oldest) break;
      this.dismiss(oldest.id);
    }
    if (forMs !== undefined) this.#timers.set(id, setTimeout(() => this.dismiss(id), forMs));
    return id;
  }
}

export const toasts = new Toasts();
