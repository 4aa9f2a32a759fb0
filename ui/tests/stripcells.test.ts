/** The small pages of an opened design: whole ones only, whatever the room. */
import { describe, expect, it } from "vitest";
import { stripCells } from "../src/screens/designs/stripcells";

const strip = { ratio: 16 / 9, least: 36, most: 52, around: 10, gap: 4 };

describe("the cells of a strip", () => {
  it.each([
    ["few", 4, 900, true],
    ["six in a small window", 6, 610, true],
    ["twelve in a small window", 12, 610, false],
    ["forty in a narrow one", 40, 300, false],
    ["two in less than one needs", 2, 40, false],
  ])("are whole, and all of them where there is room: %s", (_, count, room, fits) => {
    const { along, across, scrolls } = stripCells({ ...strip, count, room });
    const shown = (room + strip.gap) / (along + strip.gap);
    expect(scrolls).toBe(!fits);
    if (fits) expect(shown).toBeGreaterThanOrEqual(count);
    else expect(Math.abs(shown - Math.round(shown))).toBeLessThan(0.001);
    expect(across).toBeLessThanOrEqual(strip.most);
    expect(across * strip.ratio + strip.around).toBeLessThanOrEqual(along + 0.001);
  });

  it("are as large as they may be where there is room for more", () => {
    expect(stripCells({ ...strip, count: 2, room: 2000 }).across).toBe(strip.most);
  });

  it("have their largest size before the room is known", () => {
    expect(stripCells({ ...strip, count: 12, room: 0 }).across).toBe(strip.most);
  });
});
