import { describe, expect, it } from "vitest";
import {
  extensionOf,
  formatHash,
  formatPercent,
  formatRoughTime,
  formatSize,
  formatSizePair,
  formatSpeed,
  formatWhen,
  roughTime,
} from "../src/format";

/** Spaces that must not break a line read as plain ones here. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/gu, " ");

describe("sizes", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1_000, "1 KB"],
    [48_000, "48 KB"],
    [999_499, "999 KB"],
    [999_999, "1 MB"],
    [2_200_000, "2.2 MB"],
    [8_400_000, "8.4 MB"],
    [9_949_000, "9.9 MB"],
    [9_960_000, "10 MB"],
    [184_000_000, "184 MB"],
    [250_000_000, "250 MB"],
    [2_100_000_000, "2.1 GB"],
    [9_007_199_254_740_991, "9 PB"],
  ])("writes %d as %s", (bytes, expected) => {
    expect(plain(formatSize(bytes, "en"))).toBe(expected);
  });

  it("follows the person's locale", () => {
    expect(plain(formatSize(8_400_000, "de"))).toBe("8,4 MB");
  });

  it.each([
    [61_400_000, 90_000_000, ["61", "90 MB"]],
    [0, 90_000_000, ["0", "90 MB"]],
    [3_260_000, 8_400_000, ["3.3", "8.4 MB"]],
    [90_000_000, 90_000_000, ["90", "90 MB"]],
    [1_200_000_000, 2_100_000_000, ["1.2", "2.1 GB"]],
  ])("writes %d of %d in one unit", (part, whole, expected) => {
    expect(formatSizePair(part, whole, "en").map(plain)).toEqual(expected);
  });

  it("writes a speed a second", () => {
    expect(plain(formatSpeed(48_000_000, "en"))).toBe("48 MB/s");
  });
});

describe("percent", () => {
  it.each([
    [61_400_000, 90_000_000, "68%"],
    [0, 90, "0%"],
    [89_999_999, 90_000_000, "99%"],
    [90, 90, "100%"],
    [5, 0, "0%"],
    [58, 100, "58%"],
    [29, 100, "29%"],
    [150, 100, "150%"],
  ])("writes %d of %d as %s", (part, whole, expected) => {
    expect(formatPercent(part, whole, "en")).toBe(expected);
  });
});

describe("time left", () => {
  it.each([
    [0, "1 s"],
    [8_200, "9 s"],
    [20_000, "20 s"],
    [89_000, "89 s"],
    [91_000, "2 min"],
    [840_000, "14 min"],
    [7_200_000, "2 hr"],
    [200_000_000, "2 days"],
  ])("writes %d ms as %s", (ms, expected) => {
    expect(plain(formatRoughTime(roughTime(ms), "en"))).toBe(expected);
  });
});

describe("when something happened", () => {
  const now = new Date(2026, 10, 20, 9, 12);
  it.each([
    [new Date(2026, 10, 20, 9, 11, 30), "now"],
    [new Date(2026, 10, 20, 9, 13), "now"],
    [new Date(2026, 10, 20, 9, 3), "9 min ago"],
    [new Date(2026, 10, 20, 8, 12), "today 08:12"],
    [new Date(2026, 10, 20, 0, 0), "today 00:00"],
    [new Date(2026, 10, 19, 23, 59), "yesterday"],
    [new Date(2026, 10, 16, 12), "Monday"],
    [new Date(2026, 10, 13, 12), "last week"],
    [new Date(2026, 9, 30, 12), "3 weeks ago"],
    [new Date(2025, 7, 3), "3 Aug 2025"],
    [new Date(NaN), ""],
  ])("writes %s", (time, expected) => {
    expect(formatWhen(time, now, "en-GB")).toBe(expected);
  });

  it("counts days by the calendar, across a change of the clocks", () => {
    expect(formatWhen(new Date(2026, 9, 24, 23, 30), new Date(2026, 9, 25, 23, 45), "en-GB")).toBe("yesterday");
  });
});

describe("names and hashes", () => {
  it.each([
    ["menu.pdf", ".pdf"],
    ["backup.tar.gz", ".tar.gz"],
    [".gitignore", ""],
    ["no ending", ""],
    ["a.b c", ""],
  ])("finds the ending of %s", (name, ending) => {
    expect(extensionOf(name)).toBe(ending);
  });

  it("shortens a content hash to its ends", () => {
    expect(formatHash(`sha256:9f3c${"0".repeat(56)}e21a`)).toBe("sha256 9f3c…e21a");
    expect(formatHash("short")).toBe("short");
  });
});
