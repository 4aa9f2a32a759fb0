/** The states in which an opened design is looked at, by name: its drawer, many pages, pages that are higher than wide. */
import { sampleDesigns } from "../fake-designs";
import { transfer } from "../fake-backend";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const opened = (index: number, given: Partial<Scene> = {}, pages?: number): Scene => ({
  state: () => ({ designs: sampleDesigns().map((each, at) => (at === index && pages !== undefined ? { ...each, page_count: pages } : each)) }),
  place: (fake) => ({ screen: "design", designId: fake.state.designs[index]?.id ?? "" }),
  ...given,
});

export const OPENED_SCENES: Record<string, Scene> = {
  "design-details": opened(1, { after: () => press("design-details") }),
  "design-many-pages": opened(1, {}, 40),
  "design-many-turned": opened(1, { after: async () => {
      for (let turn = 0; turn < 13; turn += 1) await press("design-next");
    } }, 40),
  "design-upright": opened(4, {}, 5),
  "design-upright-many": opened(4, { after: () => press("design-details") }, 40),
  "design-carousel": opened(5),
  "design-one-page": opened(6),
  "design-long-name": opened(9, { after: async () => {
      await settle();
      await press("design-star");
    } }),
  "design-menu-open": opened(1, { after: async () => {
      await settle();
      document.querySelector<HTMLElement>('[data-testid="design"] [data-testid="design-menu"]')?.click();
    } }),
  "design-sending": opened(1, {
    state: () => ({ designs: sampleDesigns(), transfers: [transfer("Autumn-launch-deck.pptx", { state: "sending", sent_bytes: 61_400_000, bytes_per_second: 3_200_000, time_left_ms: 9_000 })] }),
  }),
};
