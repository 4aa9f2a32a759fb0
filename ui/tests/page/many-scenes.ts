/** The states in which many are chosen, in the gallery and in the drive, and what is asked about them, by name. */
import { drive } from "../../src/state/drive.svelte";
import { sampleDrive, transfer } from "../fake-backend";
import { sampleDesigns, shelved } from "../fake-designs";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

/** The first so many cards of the gallery are chosen. */
const choose = (count: number, then: () => unknown = () => {}): Scene => ({
  state: () => ({ designs: sampleDesigns(), items: sampleDrive() }),
  place: () => ({ screen: "designs" }),
  after: async () => {
    for (let index = 0; index < count; index += 1) {
      await settle(100);
      document.querySelectorAll<HTMLElement>('[data-testid="design-choose"]')[index]?.click();
    }
    await then();
  },
});

/** Items of the drive are selected, by their names. */
const select = (names: string[], then: () => unknown = () => {}): Scene => ({
  state: () => {
    const designs = sampleDesigns();
    return { designs, items: [...sampleDrive(), ...designs.slice(1, 6).map(shelved)] };
  },
  place: () => ({ screen: "drive", folderId: null }),
  after: async () => {
    await settle(500);
    for (const [at, name] of names.entries()) await drive.select(drive.rows.findIndex((row) => row?.name === name), at === 0 ? "only" : "toggle");
    await settle();
    await then();
  },
});

const DRAWN = ["Autumn launch", "Weekly numbers", "What they say"];

export const MANY_SCENES: Record<string, Scene> = {
  "many-two": choose(2),
  "many-three": choose(3),
  "many-one": choose(1),
  "many-more": choose(3, () => press("designs-more")),
  "many-rename": choose(6, () => press("designs-rename")),
  "many-delete": choose(3, () => press("designs-delete")),
  "many-deleted": choose(3, async () => {
    await press("designs-delete");
    await press("delete-confirm");
  }),
  "many-move": choose(3, () => press("designs-move")),
  "many-drive": select(["Brand", "handover.zip", ...DRAWN]),
  "many-drive-designs": select(DRAWN),
  "many-drive-rename": select(["handover.zip", ...DRAWN], () => press("drive-rename-many")),
  "many-sending": {
    ...choose(3),
    state: () => ({ designs: sampleDesigns(), transfers: [transfer("deck.pptx", { state: "sending", sent_bytes: 61_400_000, bytes_per_second: 3_200_000, time_left_ms: 9_000 })] }),
  },
};
