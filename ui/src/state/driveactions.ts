/** What a person does to items of the drive, with the messages that follow. Used by the list, its menu and the details pane. */
import { backend, problemFrom, type DownloadPlace, type DriveItem } from "../backend";
import { text } from "../text";
import { description } from "./describe.svelte";
import { downloads } from "./downloads.svelte";
import { drive } from "./drive.svelte";
import { sayMoved, takeAway } from "./many";
import { opening } from "./opening.svelte";
import { lookedItem, quickLook } from "./quicklook.svelte";
import { route } from "./route.svelte";
import { toasts } from "./toasts.svelte";
import { attempt } from "./remedies.svelte";

/** The way to the open folder, as people write it. */
export function herePlace(): string {
  return text.place(drive.breadcrumbs.map((crumb) => crumb.name));
}

export function openItem(item: DriveItem): void {
  if (item.kind === "folder") route.go({ screen: "drive", folderId: item.id });
  else if (item.kind === "design") route.go({ screen: "design", designId: item.id });
  else void opening.open(item);
}

/** A quick look at what the open folder's list is on; the arrows go on in it. `focus` gives the keyboard back to the list. */
export function lookThrough(focus: () => void): void {
  const here = () => drive.rows[drive.active];
  quickLook.show({
    now: () => {
      const item = here();
      if (item) return lookedItem(item);
      // One that was never scrolled to comes when it is asked for.
      return drive.active >= 0 && drive.active < drive.rows.length ? "coming" : null;
    },
    index: () => drive.active,
    count: () => drive.rows.length,
    go: (by) => {
      const to = drive.active + by;
      if (to >= 0 && to < drive.rows.length) void drive.select(to);
    },
    focus,
    onward: () => {
      const item = here();
      return item ? { label: text.drive.open, run: () => openItem(item) } : null;
    },
  });
}

export function downloadItems(items: DriveItem[], place: DownloadPlace = "downloads"): void {
  const files = items.filter((item) => item.kind === "file");
  void downloads.start(
    files.map((item) => item.id),
    place,
  );
}

export async function moveItems(ids: string[], folderId: string | null, folderName: string): Promise<void> {
  await attempt(async () => {
    const { moved, problem } = await drive.move(ids, folderId);
    sayMoved(moved, folderName, problem);
  });
}

/** Takes the items away and offers to bring them back while that is still possible. */
export async function deleteItems(ids: string[]): Promise<void> {
  const name = drive.rows.find((row) => row?.id === ids[0])?.name ?? "";
  await takeAway(drive, ids, name);
}

/** Begins the description of a design with these files and designs to work from. */
export function useInDesign(items: DriveItem[]): void {
  description.beginWith(items.filter((item) => item.kind === "file"));
}

export async function copyHash(item: DriveItem): Promise<void> {
  const hash = item.content_hash;
  if (!hash) return;
  if (await attempt(() => backend().copy_text(hash))) toasts.say(text.details.hashCopied);
}

/** The id by which other programs and the descriptions of designs name it. */
export async function copyReference(id: string): Promise<void> {
  if (await attempt(() => backend().copy_text(id))) toasts.say(text.drive.referenceCopied);
}

export async function renameItem(id: string, name: string): Promise<void> {
  try {
    await drive.rename(id, name);
  } catch (thrown) {
    const problem = problemFrom(thrown);
    // The name is what is wrong: back to it.
    toasts.problem(problem, problem.action.kind === "edit_name" ? () => (drive.renamingId = id) : undefined);
  }
}
