/** Where a text of a page stands on the screen, and how it is set there, as styles. */
import type { DesignText, DesignTextFrame } from "../../backend";

const SIDES = { start: "start", center: "center", end: "end" } as const;
const HEIGHTS = { top: "flex-start", middle: "center", bottom: "flex-end" } as const;
/** What is smaller cannot be written. */
const LEAST_PX = 6;

const px = (hundredths: number, scale: number) => (hundredths / 100) * scale;

/** A frame of a page at a scale, with so many pixels of room around it. */
export function boxOf(frame: DesignTextFrame, scale: number, room: number): string {
  const [left, top] = [px(frame.x, scale) - room, px(frame.y, scale) - room];
  const [width, height] = [px(frame.width, scale) + 2 * room, px(frame.height, scale) + 2 * room];
  return `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
}

/** The words in their frame, as the page has them. */
export function setOf(text: DesignText, scale: number): string {
  const hundredths = Math.max(1, text.size_hundredths ?? text.frame.height / 2);
  const size = Math.max(LEAST_PX, px(hundredths, scale));
  // Of the size, so that it goes with it.
  const line = text.line_height_hundredths === null ? 1.25 : text.line_height_hundredths / hundredths;
  return [
    boxOf(text.frame, scale, 0),
    `justify-content:${HEIGHTS[text.anchor]}`,
    `text-align:${SIDES[text.align]}`,
    `direction:${text.right_to_left ? "rtl" : "ltr"}`,
    `font-family:${text.is_serif ? "Georgia,'DejaVu Serif',serif" : "var(--font)"}`,
    `font-size:${size}px`,
    `line-height:${line}`,
    `font-weight:${text.weight ?? 400}`,
    `font-style:${text.italic ? "italic" : "normal"}`,
    `text-transform:${text.capitals ? "uppercase" : "none"}`,
    `color:${text.color ?? "var(--mark-frame)"}`,
  ].join(";");
}

/** Whether a colour such as `#aabbcc` is light. */
function isLight(color: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  return 0.3 * red + 0.59 * green + 0.11 * blue > 140;
}

/** What hides the words of before: their ground, where they and the words of now stand. */
export function backdrop(was: DesignText, now: DesignText, scale: number): string {
  const right = Math.max(was.ink.x + was.ink.width, now.ink.x + now.ink.width);
  const bottom = Math.max(was.ink.y + was.ink.height, now.ink.y + now.ink.height);
  const [x, y] = [Math.min(was.ink.x, now.ink.x), Math.min(was.ink.y, now.ink.y)];
  // Over a picture or several colours nothing can be hidden without being seen.
  const ground = was.ground ?? (isLight(was.color ?? "#000000") ? "var(--mark-frame)" : "var(--sheet)");
  return `${boxOf({ x, y, width: right - x, height: bottom - y }, scale, 2)};background:${ground}`;
}
