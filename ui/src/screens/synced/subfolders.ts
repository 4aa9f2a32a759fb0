/**
 * The subfolders of a folder as rows of a tree, and what ticking one does to those that are left out.
 *
 * Always true: a folder in one that is left out is left out with it and cannot be taken alone. Not here: reading a disk or the drive.
 */
import type { FolderNode, Subfolder } from "../../backend";

export interface SubfolderRow {
  /** The path below the synced folder. */
  path: string;
  name: string;
  depth: number;
  hasChildren: boolean;
  /** How much is in it on this computer; `null` where it is not here. */
  holds: Subfolder | null;
}

/** `above`: a folder around it is left out. `partly`: one in it is. */
export type Choice = "in" | "partly" | "out" | "above";

export const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** Names are the same to both sides without regard to case. */
const same = (path: string) => path.normalize("NFC").toLowerCase();

/** A folder of this name cannot be left out, as no pattern can name it. */
const cannotBeNamed = (name: string) => /[\r\n]|\\$/u.test(name);

/** The folders below `folder` in the drive, by their paths below it. */
export function pathsInDrive(tree: readonly FolderNode[], folder: string): string[] {
  const find = (nodes: readonly FolderNode[]): FolderNode | null => {
    for (const node of nodes) {
      const found = node.id === folder ? node : find(node.children);
      if (found) return found;
    }
    return null;
  };
  const paths: string[] = [];
  const walk = (nodes: readonly FolderNode[], above: string) => {
    for (const { name, children } of nodes) {
      if (cannotBeNamed(name)) continue;
      paths.push(above + name);
      walk(children, `${above}${name}/`);
    }
  };
  walk(find(tree)?.children ?? [], "");
  return paths;
}

/** Rows for what is here, what is only in the drive, and what was left out before and is at neither place now. */
export function rowsOf(here: readonly Subfolder[], elsewhere: readonly string[]): SubfolderRow[] {
  const holds = new Map(here.map((folder) => [same(folder.path), folder]));
  const paths = new Map(here.map((folder) => [same(folder.path), folder.path]));
  for (const path of elsewhere) {
    const names = path.split("/");
    // A folder has a row only below the rows of those around it.
    for (let depth = 1; depth <= names.length; depth += 1) {
      const part = names.slice(0, depth).join("/");
      if (!paths.has(same(part))) paths.set(same(part), part);
    }
  }
  const order = new Intl.Collator(undefined, { numeric: true });
  const byName = (one: string[], other: string[]) => {
    for (const [at, name] of one.entries()) {
      const than = other[at];
      if (than === undefined) return 1;
      const differs = order.compare(name, than) || Number(name > than) - Number(name < than);
      if (differs !== 0) return differs;
    }
    return one.length - other.length;
  };
  const sorted = [...paths].map(([key, path]) => ({ key, path, names: path.split("/") })).sort((one, other) => byName(one.names, other.names));
  return sorted.map(({ key, path, names }, at) => ({
    path,
    name: holds.get(key)?.name ?? names.at(-1) ?? path,
    depth: names.length - 1,
    hasChildren: (sorted[at + 1]?.names.length ?? 0) > names.length,
    holds: holds.get(key) ?? null,
  }));
}

export function choiceOf(path: string, leftOut: readonly string[]): Choice {
  if (leftOut.includes(path)) return "out";
  if (leftOut.some((folder) => isBelow(path, folder))) return "above";
  return leftOut.some((folder) => isBelow(folder, path)) ? "partly" : "in";
}

/** What is left out after a click on `path`: one that is taken partly is taken whole. */
export function toggled(path: string, leftOut: readonly string[]): string[] {
  const others = leftOut.filter((folder) => folder !== path && !isBelow(folder, path));
  switch (choiceOf(path, leftOut)) {
    case "in":
      return [...others, path];
    case "above":
      return [...leftOut];
    default:
      return others;
  }
}

/** How much on this computer is left out. */
export function leftOutHere(here: readonly Subfolder[], leftOut: readonly string[]): { files: number; bytes: number } {
  const out = here.filter((folder) => leftOut.includes(folder.path));
  return { files: out.reduce((sum, { files }) => sum + files, 0), bytes: out.reduce((sum, { bytes }) => sum + bytes, 0) };
}
