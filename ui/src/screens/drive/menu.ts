/** What the menu of the drive's list offers: for the place where it was opened, or for what is selected. */
import ArrowUpFromLine from "@lucide/svelte/icons/arrow-up-from-line";
import ClipboardPaste from "@lucide/svelte/icons/clipboard-paste";
import Copy from "@lucide/svelte/icons/copy";
import CopyPlus from "@lucide/svelte/icons/copy-plus";
import Download from "@lucide/svelte/icons/download";
import Eye from "@lucide/svelte/icons/eye";
import ExternalLink from "@lucide/svelte/icons/external-link";
import FolderDown from "@lucide/svelte/icons/folder-down";
import FolderInput from "@lucide/svelte/icons/folder-input";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import History from "@lucide/svelte/icons/history";
import Link from "@lucide/svelte/icons/link";
import Pencil from "@lucide/svelte/icons/pencil";
import RefreshCw from "@lucide/svelte/icons/refresh-cw";
import Shapes from "@lucide/svelte/icons/shapes";
import Trash from "@lucide/svelte/icons/trash-2";
import type { DriveItem } from "../../backend";
import type { MenuEntry } from "../../components/menuentry";
import { connections } from "../../state/connection.svelte";
import { designs } from "../../state/designs.svelte";
import { drive } from "../../state/drive.svelte";
import { exports, FORMATS } from "../../state/exports.svelte";
import { copyHash, copyReference, downloadItems, openItem, useInDesign } from "../../state/driveactions";
import { transfers } from "../../state/transfers.svelte";
import { versionedItem, versions } from "../../state/versions.svelte";
import { text } from "../../text";

/** For the open folder itself. */
export function emptyMenu(onnewfolder: () => void): MenuEntry[][] {
  const upload = (what: "files" | "paste") => () => void transfers.choose(what, drive.folderId);
  return [
    [
      { label: text.drive.newFolder, icon: FolderPlus, run: onnewfolder },
      { label: text.drive.uploadFiles, icon: ArrowUpFromLine, run: upload("files") },
      { label: text.drive.uploadPaste, icon: ClipboardPaste, keys: "Ctrl V", run: upload("paste") },
    ],
    [{ label: text.drive.refresh, icon: RefreshCw, keys: "F5", run: () => void drive.refresh() }],
  ];
}

/** What is done by the screen around the list, because it asks first. */
interface Asking {
  onlook: () => void;
  onmove: (ids: string[]) => void;
  ondelete: (ids: string[]) => void;
}

/** For what is selected. */
export function itemsMenu(items: DriveItem[], { onlook, onmove, ondelete }: Asking): MenuEntry[][] {
  const ids = items.map((item) => item.id);
  const files = items.filter((item) => item.kind === "file");
  const drawn = items.filter((item) => item.kind === "design");
  const [only] = items.length === 1 ? items : [];
  const take: MenuEntry[] = [];
  const change: MenuEntry[] = [];
  if (only) {
    take.push({
      label: only.kind === "file" ? text.drive.openFile : text.drive.openFolder,
      icon: { folder: FolderOpen, design: Shapes, file: ExternalLink }[only.kind],
      keys: "Enter",
      testId: "menu-open",
      run: () => openItem(only),
    });
    // After the menu has given the focus back, which the quick look then takes.
    take.push({ label: text.quickLook.look, icon: Eye, keys: text.quickLook.key, testId: "menu-look", run: () => setTimeout(onlook) });
    change.push({
      label: text.drive.rename,
      icon: Pencil,
      keys: "F2",
      testId: "menu-rename",
      // After the menu has given the focus back, or the field would lose it at once.
      run: () => setTimeout(() => (drive.renamingId = only.id)),
    });
  }
  if (files.length > 0) {
    take.push({ label: text.drive.download, icon: Download, testId: "menu-download", run: () => downloadItems(files) });
  }
  if (only?.kind === "file") {
    take.push({
      label: text.drive.downloadTo,
      icon: FolderDown,
      testId: "menu-download-to",
      run: () => downloadItems([only], "ask"),
    });
  }
  if (files.length > 0 && files.length === items.length) {
    take.push({ label: text.drive.useInDesign, icon: Shapes, testId: "menu-use-in-design", run: () => useInDesign(files) });
  }
  const make: MenuEntry[] = [];
  if (only?.kind === "design") {
    make.push({ label: text.designs.remix, icon: CopyPlus, disabled: connections.lack("remix") !== null, testId: "menu-remix", run: () => void designs.remix(only) });
    for (const format of FORMATS) {
      const { as, formats } = text.designs.export;
      make.push({ label: as(formats[format]), icon: Download, testId: `menu-export-${format}`, run: () => void exports.start(only, format) });
    }
  } else if (drawn.length > 1 && drawn.length === items.length) {
    const { as, formats } = text.designs.export;
    make.push({ label: as(formats.pdf), icon: Download, testId: "menu-export-pdf", run: () => drawn.forEach((each) => void exports.start(each, "pdf")) });
  }
  const versioned = only ? versionedItem(only) : null;
  if (versioned) change.push({ label: text.versions.menu, icon: History, testId: "menu-versions", run: () => versions.open(versioned) });
  change.push({ label: text.drive.move, icon: FolderInput, testId: "menu-move", run: () => onmove(ids) });
  if (only) change.push({ label: text.drive.copyReference, icon: Link, testId: "menu-copy-reference", run: () => void copyReference(only.id) });
  if (only?.content_hash) change.push({ label: text.drive.copyHash, icon: Copy, run: () => void copyHash(only) });
  const remove: MenuEntry = {
    label: text.drive.delete,
    icon: Trash,
    keys: "Del",
    danger: true,
    testId: "menu-delete",
    run: () => ondelete(ids),
  };
  return [take, make, change, [remove]];
}
