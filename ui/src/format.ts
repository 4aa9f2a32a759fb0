/**
 * Sizes, times and numbers as a person reads them, in their locale.
 *
 * Pure: the clock and the locale come in as arguments (with the window's as default). Sizes are decimal, as file
 * managers and the drawings have them: 1 MB is 1,000,000 bytes. Words ("left", "ago") are the catalogue's.
 */

/** The locale of the window, where it names a usable one; the machine's otherwise. Changes with the language. */
let HERE = canonical(globalThis.navigator?.language);

/** Of a system's locale, without what only it knows (`de-DE@euro`); `undefined`, which is the web view's own, where it cannot be used. */
function canonical(locale: string | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale?.split(/[@.]/u, 1))[0];
  } catch {
    return undefined;
  }
}

/** Sizes, times and numbers are written as in this locale from now on. */
export function setLocale(locale: string): void {
  HERE = canonical(locale);
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

const numberFormats = new Map<string, Intl.NumberFormat>();
function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale ?? ""}|${JSON.stringify(options)}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    numberFormats.set(key, format);
  }
  return format;
}

/** The power of 1000 whose unit a size is written in, after rounding: 999,999 bytes is 1 MB, not 1,000 KB. */
function unitOf(bytes: number): number {
  let unit = 0;
  let value = Math.abs(bytes);
  while (unit < UNITS.length - 1 && rounded(value, unit) >= 1000) {
    value /= 1000;
    unit += 1;
  }
  return unit;
}

function digitsOf(value: number, unit: number): number {
  return unit >= 2 && value < 9.95 ? 1 : 0;
}

function rounded(value: number, unit: number): number {
  return Number(value.toFixed(digitsOf(value, unit)));
}

function inUnit(bytes: number, unit: number, locale: string | undefined = HERE): string {
  const value = bytes / 1000 ** unit;
  return numberFormat(locale, { maximumFractionDigits: digitsOf(value, unit) }).format(value);
}

/** The name of a unit: bytes are spelled out, the others are the letters that everyone reads (kB is written KB). */
function unitName(unit: number, bytes: number, locale: string | undefined = HERE): string {
  const parts = numberFormat(locale, {
    style: "unit",
    unit: UNITS[unit] ?? "byte",
    unitDisplay: unit === 0 ? "long" : "short",
  }).formatToParts(unit === 0 ? Math.round(bytes) : 2);
  const name = parts.find((part) => part.type === "unit")?.value ?? "";
  return unit === 1 ? name.replace(/^k/u, "K") : name;
}

/** `8.4 MB`, `48 KB`, `184 MB`, `0 bytes`. */
export function formatSize(bytes: number, locale: string | undefined = HERE): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit, locale)}\u00a0${unitName(unit, bytes, locale)}`;
}

/** Two sizes in the unit of the larger: `["61", "90 MB"]`, for "61 of 90 MB". */
export function formatSizePair(part: number, whole: number, locale: string | undefined = HERE): [string, string] {
  const unit = unitOf(whole);
  const value = part / 1000 ** unit;
  const digits = unit >= 2 && whole / 1000 ** unit < 9.95 ? 1 : 0;
  return [
    numberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: digits }).format(value),
    formatSize(whole, locale),
  ];
}

/** `48 MB/s`. */
export function formatSpeed(bytesPerSecond: number, locale: string | undefined = HERE): string {
  return `${formatSize(bytesPerSecond, locale)}/s`;
}

/** `1,284`. */
export function formatCount(count: number, locale: string | undefined = HERE): string {
  return numberFormat(locale, {}).format(count);
}

/** `68 %` in the manner of the locale; never 100 before everything is there. */
export function formatPercent(part: number, whole: number, locale: string | undefined = HERE): string {
  // Multiplied first: 58 of 100 is 58 %, which 0.58 × 100 is not quite.
  const percent = whole > 0 ? Math.floor(Math.max(0, part * 100) / whole) : 0;
  return numberFormat(locale, { style: "percent" }).format(percent / 100);
}

/** A length of time cut to one unit that a person would say. */
export interface RoughTime {
  unit: "second" | "minute" | "hour" | "day";
  count: number;
}

/** Seconds up to a minute and a half, then minutes, hours, days; always at least one second. */
export function roughTime(ms: number): RoughTime {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 90) return { unit: "second", count: seconds };
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return { unit: "minute", count: minutes };
  const hours = Math.round(minutes / 60);
  if (hours < 36) return { unit: "hour", count: hours };
  return { unit: "day", count: Math.round(hours / 24) };
}

/** `20 s`, `4 min`, `2 hr`: for a line where room is short. */
export function formatRoughTime(time: RoughTime, locale: string | undefined = HERE): string {
  return numberFormat(locale, {
    style: "unit",
    unit: time.unit,
    unitDisplay: time.unit === "day" ? "long" : "short",
  })
    .format(time.count)
    .replace(/\bsecs?\b/u, "s")
    .replace(/\s/u, "\u00a0");
}

const DAY_MS = 86_400_000;

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * When something happened, as short as it is still clear: `just now`, `9 min. ago`, `today 09:02`, `yesterday`,
 * `Monday`, `last week`, `3 weeks ago`, `3 Aug 2025`.
 */
export function formatWhen(time: Date | number, now: Date = new Date(), locale: string | undefined = HERE): string {
  const date = typeof time === "number" ? new Date(time) : time;
  if (Number.isNaN(date.getTime())) return "";
  const relative = (style: "long" | "short") =>
    new Intl.RelativeTimeFormat(locale, { numeric: "auto", style });
  const agoMs = now.getTime() - date.getTime();
  // A service's clock may run a little ahead of this one.
  if (agoMs < 60_000 && agoMs > -120_000) return relative("long").format(0, "second");
  if (agoMs >= 0 && agoMs < 3_600_000) return relative("short").format(-Math.floor(agoMs / 60_000), "minute");
  // Rounded, because a day at a change of the clocks has 23 or 25 hours.
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS);
  if (days === 0) {
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(date);
    return `${relative("long").format(0, "day")} ${clock}`;
  }
  if (days === 1) return relative("long").format(-1, "day");
  if (days > 1 && days < 7) return new Intl.DateTimeFormat(locale, { weekday: "long" }).format(date);
  if (days >= 7 && days < 28) return relative("long").format(-Math.floor(days / 7), "week");
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }).format(date);
}

/** The whole date and time, for a tooltip. */
export function formatMoment(time: Date | number, locale: string | undefined = HERE): string {
  const date = typeof time === "number" ? new Date(time) : time;
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }).format(date);
}

/** `20 Nov 2026, 14:23`: a moment that is told from others, whenever it was. */
export function formatStamp(time: Date | number, locale: string | undefined = HERE): string {
  const date = typeof time === "number" ? new Date(time) : time;
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** `14:23` today, else with its day: the moment since which something lasts. */
export function formatSince(time: Date | number, now: Date = new Date(), locale: string | undefined = HERE): string {
  const date = typeof time === "number" ? new Date(time) : time;
  if (Number.isNaN(date.getTime())) return "";
  const isToday = startOfDay(now) === startOfDay(date);
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** `sha256 9f3c…e21a` from `sha256:9f3c…`. */
export function formatHash(hash: string): string {
  const [algorithm, digits] = hash.includes(":") ? hash.split(":", 2) : ["sha256", hash];
  if (!digits || digits.length <= 12) return hash;
  return `${algorithm} ${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/** `.tar.gz` stays whole in the end of a long name: the part after which a name may be cut in the middle. */
export function extensionOf(name: string): string {
  const match = /(?:\.tar)?\.[A-Za-z0-9]{1,8}$/u.exec(name);
  return match && match.index > 0 ? match[0] : "";
}
