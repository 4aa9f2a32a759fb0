/** The states in which colors of a design are looked at while others are chosen, by name. */
import { colors } from "../../src/state/colors.svelte";
import type { FakeState } from "../fake-backend";
import { problem } from "../fake-backend";
import { UNSEEN } from "../fake-colors";
import { sampleDesigns } from "../fake-designs";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const place: Scene["place"] = (fake) => ({ screen: "design", designId: fake.state.designs[1]?.id ?? "" });
const full = (given: Partial<FakeState> = {}) => (): Partial<FakeState> => ({ designs: sampleDesigns(), ...given });

async function open() {
  await settle(400);
  await press("design-edit-colors");
  await settle(300);
}

export const COLOR_SCENES: Record<string, Scene> = {
  "colors-open": { state: full(), place, after: open },
  "colors-chosen": {
    state: full(),
    place,
    after: async () => {
      await open();
      await colors.choose("accent", "#2d6cc8");
      await colors.choose("second", UNSEEN);
    },
  },
  "colors-drawing": {
    state: full({ silent: ["change_design_colors"] }),
    place,
    after: async () => {
      await open();
      void colors.choose("accent", "#2d6cc8");
    },
  },
  "colors-failed": { state: full({ failing: { list_design_colors: problem({ title: "The studio does not answer", detail: "It was asked just now." }) } }), place, after: open },
};
