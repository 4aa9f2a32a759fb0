/** The states in which texts of a design are looked at while they are changed, by name. */
import { pictures } from "../../src/state/pictures.svelte";
import { texts } from "../../src/state/texts.svelte";
import type { FakeState } from "../fake-backend";
import { localConnection } from "../fake-backend";
import { sampleDesigns } from "../fake-designs";
import { foreign, LACKS } from "../fake-service";
import { designPicture, designText, textPage } from "../fake-texts";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

/** Where the pictures of the fake have their words. */
function full(): Partial<FakeState> {
  const designs = sampleDesigns();
  const [, launch] = designs;
  const set = { color: "#f5eee0", ground: "#1c3a4a", size_hundredths: 9720, line_height_hundredths: 11660 };
  const words = designText("0", "Rye & Co.", [153.6, 793, 900, 117], { ...set, ink: { x: 15360, y: 79300, width: 54000, height: 11660 } });
  return { designs, designTexts: { [launch?.id ?? ""]: [textPage(1, [words], { picture: launch?.thumbnail ?? "", pictures: [designPicture("oven", "Oven", [150, 120, 820, 560]), designPicture("logo", "Rye & Co.", [1650, 90, 140, 90])] })] } };
}
const place: Scene["place"] = (fake) => ({ screen: "design", designId: fake.state.designs[1]?.id ?? "" });

async function write(words: string) {
  await settle(600);
  await press("design-text");
  const field = document.querySelector<HTMLTextAreaElement>('[data-testid="design-text-field"]');
  if (!field) return;
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await settle(700);
}

export const TEXT_SCENES: Record<string, Scene> = {
  "texts-shown": { state: full, place, after: () => press("design-edit-text") },
  "texts-writing": { state: full, place, after: () => write("Rye and company") },
  "texts-long": { state: full, place, after: () => write("Rye and company, and all the others who bake at night for this street") },
  "texts-saving": {
    state: () => ({ ...full(), silent: ["change_design_texts"] }),
    place,
    after: async () => {
      await write("Rye & Sons");
      void texts.save();
    },
  },
  "texts-saved": {
    state: full,
    place,
    after: async () => {
      await write("Rye & Sons");
      await texts.save();
    },
  },
  "pictures-coming": {
    state: () => ({ ...full(), silent: ["change_design_picture"] }),
    place,
    after: async () => {
      await settle(600);
      void pictures.replace("oven");
    },
  },
  "texts-none": { state: () => ({ ...full(), connections: [localConnection({ service: foreign(LACKS.canvas_texts) })] }), place },
};
