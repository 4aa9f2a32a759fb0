import { describe, expect, it } from "vitest";
import { text } from "../src/text";

const plain = (words: string) => words.replace(/[\u00a0\u202f]/gu, " ");

describe("the catalogue", () => {
  it.each([
    [text.drop.count(1), "1 item"],
    [text.drop.count(1_284), "1,284 items"],
    [text.drive.deleteCount(0, 0, 0, false), "Nothing is inside."],
    [text.drive.deleteCount(0, 1, 2_200_000, false), "1 file, 2.2 MB in all."],
    [text.drive.deleteCount(2, 14, 564_000_000, false), "2 folders and 14 files, 564 MB in all."],
    [text.drive.deleteTitle("menu.pdf", 1), "Delete “menu.pdf”?"],
    [text.drive.deleteTitle("menu.pdf", 3), "Delete 3 items?"],
    [text.shelf.sending(3, 12), "Sending 3 of 12"],
    [text.shelf.joined([text.shelf.speed(48_000_000), text.shelf.left(20_000)]), "48 MB/s · 20 s left"],
    [text.shelf.slow(840_000), "About 14 minutes: this service takes small files slowly"],
    [text.transfer.alreadyThere("Brand / Logos"), "Already in the drive, in Brand / Logos"],
    [text.transfer.alreadyThere(""), "Already in the drive, at its top"],
    [text.home.dropLimit(250_000_000), "Up to 250 MB per file"],
    [text.home.failedTransfersDetail("a.psd", 3), "a.psd and 2 others"],
    [text.home.failedTransfersDetail("a.psd", 2), "a.psd and 1 other"],
    [text.place([]), "Drive"],
    [text.place(["Brand", "Photos"]), "Brand / Photos"],
  ])("says %j", (said, expected) => {
    expect(plain(said)).toBe(expected);
  });

  it("has no empty words", () => {
    const check = (words: unknown, way: string): void => {
      if (typeof words === "string") expect(words.trim(), way).not.toBe("");
      else if (typeof words === "object" && words !== null) {
        for (const [name, inner] of Object.entries(words)) check(inner, `${way}.${name}`);
      }
    };
    check(text, "text");
  });
});
