import { describe, expect, it } from "vitest";
import { rowKey, type RowAction, type RowPlace } from "../src/screens/drive/keys";

const key = (name: string, more: Partial<Record<"shiftKey" | "ctrlKey" | "metaKey" | "altKey", boolean>> = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

describe("a key in a list of ten rows, on the fourth", () => {
  const place: RowPlace = { active: 3, count: 10, page: 5, typing: false };
  const cases: [string, ReturnType<typeof key>, RowAction | null][] = [
    ["down", key("ArrowDown"), { do: "go", index: 4, how: "only" }],
    ["up", key("ArrowUp"), { do: "go", index: 2, how: "only" }],
    ["shift down selects on", key("ArrowDown", { shiftKey: true }), { do: "go", index: 4, how: "range" }],
    ["ctrl down only moves", key("ArrowDown", { ctrlKey: true }), { do: "go", index: 4, how: "move" }],
    ["home", key("Home"), { do: "go", index: 0, how: "only" }],
    ["end", key("End"), { do: "go", index: 9, how: "only" }],
    ["page down", key("PageDown"), { do: "go", index: 8, how: "only" }],
    ["page up stops at the top", key("PageUp"), { do: "go", index: 0, how: "only" }],
    ["enter opens", key("Enter"), { do: "open" }],
    ["f2 renames", key("F2"), { do: "rename" }],
    ["delete", key("Delete"), { do: "delete" }],
    ["ctrl a", key("a", { ctrlKey: true }), { do: "all" }],
    ["space", key(" "), { do: "look" }],
    ["ctrl space", key(" ", { ctrlKey: true }), { do: "toggle" }],
    ["a letter is typed", key("m"), { do: "type", text: "m" }],
    ["a letter beyond ASCII too", key("ß"), { do: "type", text: "ß" }],
    ["alt up goes to the folder above", key("ArrowUp", { altKey: true }), { do: "up" }],
    ["shift f10", key("F10", { shiftKey: true }), { do: "menu" }],
    ["ctrl v is the window's", key("v", { ctrlKey: true }), null],
    ["tab is the browser's", key("Tab"), null],
  ];
  it.each(cases)("%s", (_, event, expected) => {
    expect(rowKey(event, place)).toEqual(expected);
  });

  it("takes a space as a letter while a name is being typed", () => {
    expect(rowKey(key(" "), { ...place, typing: true })).toEqual({ do: "type", text: " " });
  });
});

describe("a key where nothing is active", () => {
  const place: RowPlace = { active: -1, count: 10, page: 5, typing: false };
  it.each([
    ["ArrowDown", { do: "go", index: 0, how: "only" }],
    ["ArrowUp", { do: "go", index: 9, how: "only" }],
    ["Enter", null],
    ["F2", null],
    ["Delete", null],
  ])("%s", (name, expected) => {
    expect(rowKey(key(name), place)).toEqual(expected);
  });

  it("does nothing in an empty list", () => {
    expect(rowKey(key("ArrowDown"), { ...place, count: 0 })).toBeNull();
  });
});

describe("a key among cards, four side by side, on the sixth of ten", () => {
  const place: RowPlace = { active: 5, count: 10, page: 8, typing: false, across: 4 };
  it.each([
    ["ArrowDown", 9],
    ["ArrowUp", 1],
    ["ArrowRight", 6],
    ["ArrowLeft", 4],
    ["PageDown", 9],
    ["PageUp", 0],
  ])("%s", (name, index) => {
    expect(rowKey(key(name), place)).toEqual({ do: "go", index, how: "only" });
  });

  it("begins at the first and at the last", () => {
    const nowhere = { ...place, active: -1 };
    expect(rowKey(key("ArrowDown"), nowhere)).toEqual({ do: "go", index: 0, how: "only" });
    expect(rowKey(key("ArrowLeft"), nowhere)).toEqual({ do: "go", index: 9, how: "only" });
  });

  it("leaves the arrows to the sides alone in a list of rows", () => {
    expect(rowKey(key("ArrowRight"), { ...place, across: 1 })).toBeNull();
  });
});
