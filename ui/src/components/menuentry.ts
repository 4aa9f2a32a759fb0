/** What a menu is made of. */
import type { Component } from "svelte";

export interface MenuEntry {
  label: string;
  icon?: Component<{ size?: string | number; strokeWidth?: number }>;
  /** Keys that do the same, for reading only. */
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  testId?: string;
  run: () => void;
}

/** Where a menu opens: a point of the screen, or an element. */
export type MenuAnchor = HTMLElement | { x: number; y: number };
