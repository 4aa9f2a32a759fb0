/** The states in which versions are looked at, by name. */
import { drive } from "../../src/state/drive.svelte";
import { type FakeState, problem, sampleDrive } from "../fake-backend";
import { picture, sampleDesigns } from "../fake-designs";
import { LACKS, notOffered } from "../fake-service";
import { designVersion, fileVersion } from "../fake-versions";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TEXT = `# Autumn launch

A deck of six slides for the neighbourhood bakery, warm and quiet.

- Opening night on Friday, from six
- Bread school twice a week
- Photos from Brand / Photos, none of them cropped

What must stand on it: the address, the hours, and that we bake at night.
`;

const storefront = (paper: string) => picture({ width: 1600, height: 1000, paper, mark: "#e27c3f", ink: "#f5eee0", title: "Storefront" });
const photos = [
  fileVersion(3 * HOUR_MS, { picture: storefront("#1c3a4a"), mime_type: "image/png", size_bytes: 8_100_000, created_by_you: true }),
  fileVersion(2 * DAY_MS, { picture: storefront("#20302a"), mime_type: "image/png", size_bytes: 7_900_000, created_by: "Ben Crumb" }),
  fileVersion(9 * DAY_MS, { picture: storefront("#4a2c1c"), mime_type: "image/png", size_bytes: 9_400_000, created_by: "Somebody whose name is rather longer than others" }),
];

/** The drive's photos, one of which is selected and its versions are open. */
function opened(name: string, given: (id: string) => Partial<FakeState>): Scene {
  return {
    state: () => {
      const items = sampleDrive();
      return { items, ...given(items.find((item) => item.name === name)?.id ?? "") };
    },
    place: (fake) => ({ screen: "drive", folderId: fake.state.items.find((item) => item.name === "Photos")?.id ?? null }),
    after: async () => {
      await settle();
      await drive.select(drive.rows.findIndex((row) => row?.name === name));
      // Details stand beside the list only where there is room.
      document.querySelector<HTMLElement>(`[data-name="${name}"] [data-menu]`)?.click();
      await press("menu-versions");
    },
  };
}

export const VERSION_SCENES: Record<string, Scene> = {
  versions: opened("storefront-night.png", (id) => ({ fileVersions: { [id]: photos } })),
  "versions-text": opened("brief.md", (id) => {
    const old = fileVersion(DAY_MS, { is_text: true, size_bytes: 3_000, created_by_you: true });
    return { fileVersions: { [id]: [old, fileVersion(6 * DAY_MS, { is_text: true, size_bytes: 2_000 })] }, versionTexts: { [old.id]: TEXT } };
  }),
  "versions-facts": opened("Autumn-launch-deck.pptx", (id) => ({
    fileVersions: { [id]: Array.from({ length: 20 }, (_, index) => fileVersion((index + 1) * 7 * HOUR_MS, { size_bytes: 88_000_000 + index * 300_000 })) },
  })),
  "versions-empty": opened("menu-print.pdf", () => ({})),
  "versions-loading": opened("menu-print.pdf", () => ({ silent: ["list_file_versions"] })),
  "versions-failed": opened("menu-print.pdf", () => ({ failing: { list_file_versions: problem({ title: "studio.rye.example cannot be reached" }) } })),
  "versions-none": opened("menu-print.pdf", () => ({ failing: { list_file_versions: notOffered(LACKS.file_versions) } })),
  "versions-restored": {
    ...opened("storefront-night.png", (id) => ({ fileVersions: { [id]: photos } })),
    after: async (fake) => {
      await opened("storefront-night.png", () => ({})).after?.(fake);
      await press("version-restore");
    },
  },
  "versions-design": {
    state: () => {
      const designs = sampleDesigns();
      const drawn = [2, 7].map((index) => designVersion(index * DAY_MS, { thumbnail: designs[index]?.thumbnail ?? null, page_count: index }));
      return { designs, designVersions: { [designs[1]?.id ?? ""]: [...drawn, designVersion(12 * DAY_MS)] } };
    },
    place: (fake) => ({ screen: "design", designId: fake.state.designs[1]?.id ?? "" }),
    after: async () => {
      await press("design-details");
      await press("design-versions");
    },
  },
};
