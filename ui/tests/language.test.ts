/** The catalogues of all languages: complete, different, and in use everywhere at once. */
import { afterEach, describe, expect, it } from "vitest";
import { formatCount, setLocale } from "../src/format";
import { text, useLanguage } from "../src/text";
import { de } from "../src/text/de";
import { en } from "../src/text/en";

/** Words that are the same in both, and meant so. */
const SAME = new Set([
  "Alt Brand",
  "",
  "Easel", "Designs", "Design", "Name", "Text", "Logo", "PDF", "PNG", "JPEG", "SVG", "PowerPoint", "Downloads", "Webhooks", "REST API", "Details",
  "In Brand", "In 7 · 7 bytes", "English", "Deutsch", "https://", "Service-Version", "Fraunces", "Inter", "Studio · ready",
  "Story", "A4", "16:9", "Banner", "Team", "Admin", "Person", "ben@example.org", "easel_…",
  "Ctrl", "Alt", "F2", "V", "K", "+", "↑", "↓", "←",
]);
/** Phrases that only put together what comes in. */
const GLUE = /(?:^|\.)(?:caption|joined|line|actionOn|elapsed|percent|pixels|scaleTimes|took|named|speed|kindAndSize|count|needing|inside|category|failedTransfersDetail)$/u;

type Way = string;
function* walk(words: unknown, way: Way = ""): Generator<[Way, unknown]> {
  if (typeof words !== "object" || words === null) yield [way, words];
  else for (const [name, inner] of Object.entries(words)) yield* walk(inner, way === "" ? name : `${way}.${name}`);
}

/** What a phrase says of something: the first arguments that it can say anything of. */
function say(phrase: (...given: never[]) => string): string {
  const tries: unknown[][] = [
    Array(6).fill("Brand"),
    Array(6).fill(7),
    [7, "Brand", "Photos", "x"],
    ["Brand", 7, 7, "x"],
    [["Brand", "Photos"]],
    [7, 9, 1000, 60_000],
    [{ amount: 7, quoted: "Brand" }],
  ];
  for (const given of tries) {
    try {
      const said = phrase(...(given as never[]));
      if (typeof said === "string" && !/undefined|NaN|Invalid/u.test(said)) return said;
    } catch {
      // It is said of something else.
    }
  }
  throw new Error("nothing can be said of anything");
}

afterEach(() => useLanguage("en"));

it("reads a locale that only the system knows", () => {
  setLocale("de-DE@euro");
  expect(formatCount(1_500)).toBe("1.500");
  setLocale("no locale at all");
  expect(formatCount(15)).toBe("15");
});

describe("the German catalogue", () => {
  const english = new Map(walk(en));
  const german = new Map(walk(de));

  it("has every phrase of the English one and no other", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("says each in German", () => {
    const forgotten: string[] = [];
    for (const [way, one] of english) {
      const other = german.get(way);
      expect(typeof other, way).toBe(typeof one);
      if (GLUE.test(way) || way.startsWith("shortcuts.groups") || way.startsWith("settings.appearance.languages")) continue;
      const both = [one, other].map((each) => (typeof each === "function" ? say(each as (...given: never[]) => string) : String(each)).replaceAll("\u00a0", " "));
      if (both[0] === both[1] && !SAME.has(both[0] ?? "")) forgotten.push(`${way}: ${both[0]}`);
    }
    expect(forgotten).toEqual([]);
  });

  it("has German quotation marks and no English ones", () => {
    for (const [way, words] of german) {
      const said = typeof words === "function" ? say(words as (...given: never[]) => string) : String(words);
      expect(said.match(/[„“”"]/gu)?.join("") ?? "", way).toMatch(/^(?:„“)*$/u);
    }
  });
});

describe("the language in use", () => {
  it("is that which was chosen last, for words and numbers", () => {
    expect(text.rail.home).toBe("Home");
    useLanguage("de");
    expect([text.rail.home, formatCount(1_284), document.documentElement.lang]).toEqual(["Start", "1.284", "de"]);
    useLanguage("en");
    expect([text.rail.home, formatCount(1_284)]).toEqual(["Home", "1,284"]);
  });
});
