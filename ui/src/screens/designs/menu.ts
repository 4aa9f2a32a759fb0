/** What can be done with a design, as menus offer it: on its card, in the opened design, in the drive. */
import Copy from "@lucide/svelte/icons/copy";
import Download from "@lucide/svelte/icons/download";
import FileImage from "@lucide/svelte/icons/file-image";
import Files from "@lucide/svelte/icons/files";
import FileText from "@lucide/svelte/icons/file-text";
import FolderInput from "@lucide/svelte/icons/folder-input";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import History from "@lucide/svelte/icons/history";
import LayoutGrid from "@lucide/svelte/icons/layout-grid";
import Maximize from "@lucide/svelte/icons/maximize-2";
import PenTool from "@lucide/svelte/icons/pen-tool";
import Pencil from "@lucide/svelte/icons/pencil";
import Proportions from "@lucide/svelte/icons/proportions";
import Presentation from "@lucide/svelte/icons/presentation";
import Sparkles from "@lucide/svelte/icons/sparkles";
import CircleX from "@lucide/svelte/icons/circle-x";
import Star from "@lucide/svelte/icons/star";
import Trash from "@lucide/svelte/icons/trash-2";
import WandSparkles from "@lucide/svelte/icons/wand-sparkles";
import type { DesignView, ExportFormat } from "../../backend";
import type { MenuEntry } from "../../components/menuentry";
import { connections } from "../../state/connection.svelte";
import { designs } from "../../state/designs.svelte";
import { marks } from "../../state/marks.svelte";
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
  onsizes: (design: DesignView) => void;
  onedit: (design: DesignView) => void;
  onexport: (design: DesignView) => void;
  onrename: (design: DesignView) => void;
  onmove: (design: DesignView) => void;
  ondelete: (design: DesignView) => void;
}

type Exportable = Pick<DesignView, "id" | "name">;

/** What a button offers that only exports: each format in one click, the two that a deck is handed over in, and everything else. */
export function exportMenu<Some extends Exportable>(design: Some, onmore: (design: Some) => void): MenuEntry[][] {
  const words = text.designs.export;
  const formats = FORMATS.map((format) => ({
    label: words.as(words.formats[format]),
    icon: PICTURES[format],
    testId: `export-${format}`,
    run: () => void exports.start(design, format),
  }));
  const both: MenuEntry = {
    label: words.as(words.both(words.formats.pdf, words.formats.pptx)),
    icon: Files,
    testId: "export-pdf-pptx",
    run: () => void exports.startForHandover(design),
  };
  return [formats, [both], [{ label: words.more, icon: Download, testId: "export-more", run: () => onmore(design) }]];
}

/** What a person thinks of it. */
function markMenu(design: DesignView): MenuEntry[] {
  const words = text.designs.marks;
  const mark = marks.of(design.id);
  return [
    {
      label: mark === "starred" ? words.unstar : words.star,
      icon: Star,
      keys: "S",
      testId: "design-menu-star",
      run: () => void marks.toggle([design.id], "starred"),
    },
    {
      label: mark === "rejected" ? words.unreject : words.reject,
      icon: CircleX,
      keys: "X",
      testId: "design-menu-reject",
      run: () => void marks.toggle([design.id], "rejected"),
    },
  ];
}

/** How many variations are offered at once. */
const VARIATIONS = [4, 8, 12] as const;

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
      ...VARIATIONS.map((count) => ({
        label: text.designs.vary(count),
        icon: LayoutGrid,
        disabled: noRemix,
        testId: `design-menu-vary-${count}`,
        run: () => void designs.vary(design, count),
      })),
      { label: text.designs.sizes.menu, icon: Proportions, disabled: noRemix, testId: "design-menu-sizes", run: () => asking.onsizes(design) },
      { label: text.designs.withWordsMenu, icon: Sparkles, disabled: noRemix, testId: "design-menu-words", run: () => asking.onwords(design) },
      { label: text.designs.edit, icon: WandSparkles, testId: "design-menu-edit", run: () => asking.onedit(design) },
    ],
    markMenu(design),
    [
      // The formats have a button of their own beside this menu.
      { label: text.designs.exportChosen, icon: Download, testId: "design-menu-export", run: () => asking.onexport(design) },
      { label: text.many.rename, icon: Pencil, keys: "F2", testId: "design-menu-rename", run: () => asking.onrename(design) },
      { label: text.many.move, icon: FolderInput, testId: "design-menu-move", run: () => asking.onmove(design) },
      ...(versioned ? [{ label: text.versions.menu, icon: History, testId: "design-menu-versions", run: () => versions.open(versioned) }] : []),
      {
        label: text.designs.showInDrive,
        icon: FolderOpen,
        testId: "design-menu-drive",
        run: () => route.go({ screen: "drive", folderId: design.folder_id, selectId: design.id }),
      },
    ],
    [{ label: text.many.delete, icon: Trash, keys: "Del", danger: true, testId: "design-menu-delete", run: () => asking.ondelete(design) }],
  ];
}
