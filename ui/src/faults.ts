/**
 * Faults of the page's own code: they go to the app's log, where diagnostics have them, because nobody has its console open.
 *
 * Not here: what a command rejects with, which every screen shows; and keeping the rest of the window going, which the frame does.
 */
import { backend } from "./backend";

/** Said by a web view that puts a notice off to its next frame; nothing is wrong then. */
const HARMLESS = "ResizeObserver loop";

function wordsOf(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.message}\n${thrown.stack ?? ""}`;
  // What a command rejected with: its other words may name a file or a host.
  if (typeof thrown === "object" && thrown !== null && "code" in thrown) return `not caught: ${String(thrown.code)}`;
  return String(thrown);
}

export function report(thrown: unknown): void {
  const words = wordsOf(thrown);
  if (words.startsWith(HARMLESS)) return;
  console.error("the page is at fault", thrown);
  backend()
    .report_page_fault(words)
    .catch(() => {});
}

/** Reports whatever nobody caught, from now on. */
export function watchFaults(): void {
  addEventListener("error", ({ error, message }) => report(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => report(reason));
}
