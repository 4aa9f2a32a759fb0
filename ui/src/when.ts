/** When something happened, in words, by the clock of the screens. */
import { formatSince, formatWhen } from "./format";
import { clock } from "./state/clock.svelte";
import { text } from "./text";

const MINUTE_MS = 60_000;

/** `just now`, `9 min. ago`, `yesterday`; empty where the time is not known. `time` is RFC 3339. */
export function when(time: string | null | undefined): string {
  const at_ms = Date.parse(time ?? "");
  if (Number.isNaN(at_ms)) return "";
  // A service's clock may run a little ahead of this one.
  if (Math.abs(clock.now_ms - at_ms) < MINUTE_MS) return text.justNow;
  return formatWhen(at_ms, new Date(clock.now_ms));
}

/** `14:23` for what lasts since then; empty where the time is not known, or only a minute ago. `time` is RFC 3339. */
export function since(time: string | null | undefined): string {
  const at_ms = Date.parse(time ?? "");
  if (Number.isNaN(at_ms) || clock.now_ms - at_ms < MINUTE_MS) return "";
  return formatSince(at_ms, new Date(clock.now_ms));
}
