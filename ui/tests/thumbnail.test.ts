import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { useBackend } from "../src/backend";
import DetailsPane from "../src/screens/drive/DetailsPane.svelte";
import { drive } from "../src/state/drive.svelte";
import { fakeBackend, file } from "./fake-backend";

it("takes no fault from a picture that fails when nothing of its file is shown any more", async () => {
  const mark = file("Mark.png", 20, 1_000, { mime_type: "image/png", thumbnail: "easel://thumbnail/mark" });
  useBackend(fakeBackend({ items: [mark] }));
  await drive.open(null, mark.id);
  render(DetailsPane, { ondelete: () => {} });
  const picture = (await screen.findByTestId("details")).querySelector("img");
  if (!picture) throw new Error("no picture");
  const faults = vi.fn((event: Event) => event.preventDefault());
  window.addEventListener("error", faults);
  drive.clearSelection();
  await waitFor(() => expect(screen.queryByTestId("details")).toBeNull());
  await fireEvent.error(picture);
  await fireEvent.load(picture);
  window.removeEventListener("error", faults);
  expect(faults).not.toHaveBeenCalled();
});
