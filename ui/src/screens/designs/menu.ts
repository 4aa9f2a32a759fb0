/** What can be done with a design, as menus offer it: on its card, in the opened design, in the drive. */
import Copy from "@lucide/svelte/icons/copy";
import Download from "@lucide/svelte/icons/download";
import FileImage from "@lucide/svelte/icons/file-image";
import FileText from "@lucide/svelte/icons/file-text";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import History from "@lucide/svelte/icons/history";
import LayoutGrid from "@lucide/svelte/icons/layout-grid";
import Maximize from "@lucide/svelte/icons/maximize-2";
import PenTool from "@lucide/svelte/icons/pen-tool";
import Presentation from "@lucide/svelte/icons/presentation";
import Sparkles from "@lucide/svelte/icons/sparkles";
import WandSparkles from "@lucide/svelte/icons/wand-sparkles";
import type { DesignView, ExportFormat } from "../../backend";
import type { MenuEntry } from "../../components/menuentry";
import { connections } from "../../state/connection.svelte";
import { designs } from "../../state/designs.svelte";
import { exports, FORMATS } from "../../state/exports.svelte";
import { route } from "../../state/route.svelte";
import { versionedDesign, versions } from "../../state/versions.svelte";
import { text } from "../../text";

const PICTURES: Record<ExportFormat, NonNullable<MenuEntry["icon"]>> = {
  pdf: FileText,
  pptx: Presentation,
  png: FileImage,
  jpeg: FileImage,
  svg: PenTool,
};

/** What is done by a dialog of the screen around. */
export interface Asking {
  onwords: (design: DesignView) => void;
  onedit: (design: DesignView) => void;
  onexport: (design: DesignView) => void;
}

/** The formats, each in one click, and the dialog with everything else. */
export function exportMenu(design: DesignView, onmore: (design: DesignView) => void): MenuEntry[][] {
  const words = text.designs.export;
  const formats = FORMATS.map((format) => ({
    label: words.as(words.formats[format]),
    icon: PICTURES[format],
    testId: `export-${format}`,
    run: () => void exports.start(design, format),
  }));
  return [formats, [{ label: words.more, icon: Download, testId: "export-more", run: () => onmore(design) }]];
}

/** Everything, for a card. */
export function designMenu(design: DesignView, asking: Asking): MenuEntry[][] {
  const noRemix = connections.lack("remix") !== null;
  const versioned = versionedDesign(design);
  return [
    [
      {
        label: text.designs.open,
        icon: Maximize,
        keys: "Enter",
        testId: "design-menu-open",
        run: () => route.go({ screen: "design", designId: design.id }),
      },
    ],
    [
      { label: text.designs.remix, icon: Copy, disabled: noRemix, testId: "design-menu-remix", run: () => void designs.remix(design) },
      { label: text.designs.vary, icon: LayoutGrid, disabled: noRemix, testId: "design-menu-vary", run: () => void designs.vary(design) },
      { label: text.designs.withWordsMenu, icon: Sparkles, disabled: noRemix, testId: "design-menu-words", run: () => asking.onwords(design) },
      { label: text.designs.edit, icon: WandSparkles, testId: "design-menu-edit", run: () => asking.onedit(design) },
    ],
    ...exportMenu(design, asking.onexport),
    [
      ...(versioned ? [{ label: text.versions.menu, icon: History, testId: "design-menu-versions", run: () => versions.open(versioned) }] : []),
      {
        label: text.designs.showInDrive,
        icon: FolderOpen,
        testId: "design-menu-drive",
        run: () => route.go({ screen: "drive", folderId: design.folder_id, selectId: design.id }),
      },
    ],
  ];
}
