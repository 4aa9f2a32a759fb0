/** The states in which the quick look is looked at, by name. */
import { drive } from "../../src/state/drive.svelte";
import { file, problem } from "../fake-backend";
import { sampleDesigns } from "../fake-designs";
import { settle } from "./hands";
import type { Scene } from "./scenes";

const DRAWN = sampleDesigns();

const items = () => [
  file("storefront-night.png", 8_400_000, 0, { thumbnail: DRAWN[1]?.thumbnail ?? null, mime_type: "image/png" }),
  file("poster, the long one.png", 4_100_000, 0, { thumbnail: DRAWN[4]?.thumbnail ?? null, mime_type: "image/png" }),
  file("brief.md", 3_000, 0),
  file("menu-print.pdf", 2_200_000, 0),
  file("offer.pdf", 1_900_000, 0, { thumbnail: DRAWN[2]?.thumbnail ?? null, mime_type: "application/pdf" }),
];

const space = async () => {
  await settle();
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  await settle(500);
};

/** Space on the item of this name in the drive. */
const inDrive = (name: string, given: Partial<Scene> = {}): Scene => ({
  state: () => ({ items: items() }),
  place: () => ({ screen: "drive", folderId: null }),
  after: async () => {
    await settle(500);
    await drive.select(drive.rows.findIndex((row) => row?.name === name));
    document.querySelector<HTMLElement>('[data-testid="drive-list"]')?.focus();
    await space();
  },
  ...given,
});

export const LOOK_SCENES: Record<string, Scene> = {
  "look-picture": inDrive("storefront-night.png"),
  "look-portrait": inDrive("poster, the long one.png"),
  "look-text": inDrive("brief.md"),
  "look-document": inDrive("offer.pdf"),
  "look-nothing": inDrive("menu-print.pdf"),
  "look-coming": inDrive("brief.md", { state: () => ({ items: items(), silent: ["look_at_file"] }) }),
  "look-failed": inDrive("brief.md", { state: () => ({ items: items(), failing: { look_at_file: problem({ title: "The studio does not answer" }) } }) }),
  "look-design": {
    state: () => ({ designs: sampleDesigns() }),
    place: () => ({ screen: "designs" }),
    after: async () => {
      await settle(500);
      document.querySelectorAll<HTMLElement>('[data-testid="design-open"]')[1]?.focus();
      await space();
    },
  },
};
