/** The states in which starred designs, contact sheets and the bar over the gallery are looked at, by name. */
import type { DesignMark, TaskView } from "../../src/backend";
import { contactSheet } from "../../src/state/contactsheet.svelte";
import { problem } from "../fake-backend";
import { design, type FakeDesigns, sampleDesigns, task } from "../fake-designs";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const gallery: Scene["place"] = () => ({ screen: "designs" });

/** The gallery of which some are starred and one is rejected. */
function marked(): Partial<FakeDesigns> {
  const designs = sampleDesigns();
  const given: [number, DesignMark][] = [[1, "starred"], [3, "starred"], [4, "rejected"], [6, "starred"]];
  return { designs, marks: Object.fromEntries(given.map(([index, mark]) => [designs[index]?.id ?? "", mark])) };
}

const TAKES = ["wide pictures", "large numbers", "dark, two columns", "playful, round", "calm", "serif titles", "grid", "light", "earthy", "poster", "monochrome", "lively and with a rather longer name than the others"];

/** Variations of which so many are made, and the others are on their way. */
function variations(count: number, made: number): TaskView[] {
  const pictures = sampleDesigns().map((each) => each.thumbnail);
  const pages = ["Rye & Co.", "Why we bake", "How to find us"].map((name, index) => ({ name, width: 1920, height: 1080, picture: index === 0 ? (pictures[5] ?? null) : null }));
  return Array.from({ length: count }, (_, index): TaskView => {
    const copy = design(`Autumn launch, ${TAKES[index] ?? ""}`, 0, { drawing: index });
    const base = { kind: "remix", title: "A variation", id: `here_${index}` };
    if (index < made) return task({ ...base, state: "succeeded", design_id: copy.id, design_name: copy.name, thumbnail: copy.thumbnail });
    if (index === made) return task({ ...base, state: "running", percent: 62, message: "Drawing page 2 of 3", pages });
    if (index === made + 1) return task({ ...base, state: "failed", retryable: true, problem: problem({ title: "The studio has no room left" }) });
    return task(base);
  });
}

const sheet = (count: number, made: number, stars: number[] = [], rejections: number[] = []): Scene => ({
  state: () => ({ designs: sampleDesigns() }),
  place: (fake) => ({ screen: "contact", designId: fake.state.designs[1]?.id ?? "" }),
  after: async (fake) => {
    await settle();
    const source = fake.state.designs[1];
    if (!source) return;
    contactSheet.begin(source, variations(count, made));
    await settle();
    const places = [...document.querySelectorAll('[data-testid="contact-place"]')];
    for (const [list, button] of [[stars, "design-star"], [rejections, "design-reject"]] as const) {
      for (const index of list) places[index]?.querySelector<HTMLElement>(`[data-testid="${button}"]`)?.click();
    }
    places[0]?.querySelector<HTMLElement>("[data-place]")?.focus();
    await settle();
  },
});

export const MARK_SCENES: Record<string, Scene> = {
  "designs-marked": { state: marked, place: gallery },
  "designs-starred": { state: marked, place: gallery, after: () => press("designs-starred") },
  "designs-none-starred": { state: () => ({ designs: sampleDesigns() }), place: gallery, after: () => press("designs-starred") },
  "designs-one-chosen": {
    state: marked,
    place: gallery,
    after: async () => {
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-choose"]')[1]?.click();
      await settle();
    },
  },
  "design-rename": {
    state: marked,
    place: gallery,
    after: async () => {
      await settle();
      document.querySelectorAll<HTMLElement>('[data-testid="design-choose"]')[1]?.click();
      await press("designs-rename");
    },
  },
  "contact-made": sheet(8, 8, [0, 3], [2]),
  "contact-making": sheet(12, 5, [1], [3]),
  "contact-four": sheet(4, 1),
  "contact-export": {
    ...sheet(8, 8, [0]),
    after: async (fake) => {
      await sheet(8, 8, [0]).after?.(fake);
      await press("design-export");
    },
  },
  "contact-empty": { state: () => ({ designs: sampleDesigns() }), place: (fake) => ({ screen: "contact", designId: fake.state.designs[4]?.id ?? "" }) },
  "contact-loading": {
    state: () => ({ designs: sampleDesigns(), silent: ["get_design"] }),
    place: (fake) => ({ screen: "contact", designId: fake.state.designs[4]?.id ?? "" }),
  },
  "compare-kept": {
    state: () => ({ designs: sampleDesigns() }),
    place: (fake) => ({ screen: "compare", one: fake.state.designs[1]?.id ?? "", other: fake.state.designs[2]?.id ?? "" }),
    after: () => press("compare-keep"),
  },
  "compare-beside": {
    state: () => ({ designs: sampleDesigns() }),
    place: (fake) => ({ screen: "compare", one: fake.state.designs[1]?.id ?? "", other: fake.state.designs[2]?.id ?? "" }),
    after: async () => {
      await settle();
      document.querySelector<HTMLElement>('[data-testid="compare-way-beside"] input')?.click();
      await settle();
    },
  },
};
