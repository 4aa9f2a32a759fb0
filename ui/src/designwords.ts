/** What stands below a design, in the words of the catalogue. */
import type { DesignView, TaskView } from "./backend";
import { text } from "./text";
import { when } from "./when";

/** `6 pages · 9 min. ago`, `Remix of Autumn launch · just now`. */
export function designCaption(design: DesignView): string {
  return text.designs.caption([designKind(design), when(design.updated_at ?? design.created_at)].filter((part) => part !== ""));
}

/** What it is in a word or two: whose remix, else how many pages, else of which kind. */
export function designKind(design: DesignView): string {
  if (design.source_id !== null) {
    return design.source_name === null ? text.designs.remixOfUnknown : text.designs.remixOf(design.source_name);
  }
  if (design.page_count !== null && design.page_count > 1) return text.designs.pages(design.page_count);
  return design.category === null ? text.designs.pages(design.page_count ?? 1) : text.designs.category(design.category);
}

/** How far a task is, from 0 to 1; `null` while nobody can say. */
export function taskRatio(task: TaskView): number | null {
  return task.state === "running" && task.percent !== null ? task.percent / 100 : null;
}

/** How far a task is, in a line: what it does, or that it waits. */
export function taskLine(task: TaskView): string {
  const words = text.activity.tasks;
  if (task.canceling) return words.canceling;
  if (task.waits_for !== null && task.state === "queued") return words.waits[task.waits_for];
  if (task.state === "unknown" && task.said !== null) return task.said;
  if (task.state !== "running") return words.states[task.state];
  return task.message ?? task.step ?? words.states.running;
}

/** What a task is called: its prompt, else whose copy it makes. */
export function taskTitle(task: TaskView): string {
  if (task.title.trim() !== "") return task.title;
  return task.design_name ?? text.activity.tasks.untitled;
}

/** What people call a format; a zip holds one picture a page. */
export function formatLabel(format: string): string {
  return (text.designs.export.formats as Record<string, string>)[format] ?? format.toUpperCase();
}
