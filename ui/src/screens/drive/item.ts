/** What a row and a card of the drive have in common: what they are given, and what they tell of their item in the page. */
import type { HTMLAttributes } from "svelte/elements";
import type { DriveItem } from "../../backend";

export interface ItemProps {
  /** Absent while it is still coming. */
  item: DriveItem | undefined;
  index: number;
  selected: boolean;
  active: boolean;
  /** Something is being dragged over this folder. */
  over: boolean;
  /** It is being dragged itself. */
  carried: boolean;
  renaming: boolean;
  onopen: () => void;
  onmenu: (button: HTMLElement) => void;
  /** The new name, or `null` where the person left it. */
  onrenamed: (name: string | null) => void;
}

type Given = Omit<ItemProps, "over" | "renaming" | "onmenu" | "onrenamed">;

/** The list finds an item by its index, and a drag the folder below it; a double click opens it. */
export function itemAttributes({ item, index, selected, active, carried, onopen }: Given): HTMLAttributes<HTMLElement> {
  return {
    id: `drive-row-${index}`,
    "aria-selected": selected,
    "data-index": index,
    "data-active": active || undefined,
    "data-name": item?.name,
    "data-kind": item?.kind,
    "data-id": item?.id,
    "data-drop-folder": item?.kind === "folder" && !carried ? item.id : undefined,
    ondblclick: (event) => {
      if (!(event.target as Element).closest("input, button")) onopen();
    },
  };
}
