/** The words about what is going on and what has been: tasks, exports, uploads. */
import { formatCount, formatPercent, formatSize, formatSizePair } from "../format";
import { duration, plural, spelledOut } from "./phrases";

export const activity = {
  title: "Activity",
  tabs: { tasks: "Tasks", exports: "Exports", uploads: "Uploads" },
  running: (count: number) => plural(count, "1 in progress", "# in progress"),

  tasks: {
    label: "Tasks",
    filter: "Which tasks",
    filters: { all: "All", running: "In progress", failed: "Failed", finished: "Finished" },
    emptyTitle: "No tasks yet",
    emptyText: "What you describe is made here, step by step.",
    emptyDo: "Describe a design",
    emptyFiltered: "None of these",
    emptyFilteredText: "There are other tasks.",
    showAll: "Show all tasks",
    kinds: { design: "Design", remix: "Remix", export: "Export", brand_kit_extract: "Brand kit" } as Record<string, string>,
    untitled: "Without a description",
    states: {
      queued: "Queued",
      running: "In progress",
      succeeded: "Done",
      failed: "Failed",
      canceled: "Canceled",
      expired: "Expired",
      unknown: "Unknown",
    },
    waits: {
      files: "Waiting for its files",
      room: "Queued: your team is making as many as it may at once",
      connection: "Waiting for the service",
    },
    canceling: "Stopping…",
    line: (parts: readonly string[]) => parts.join(" · "),
    percent: (percent: number) => formatPercent(percent, 100),
    elapsed: (ms: number) => duration(ms),
    took: (ms: number) => `took ${spelledOut(ms)}`,
    attempt: (attempt: number) => `attempt ${formatCount(attempt)}`,
    canHelp: "Trying again can help.",
    cannotHelp: "Trying again would fail the same way. Change what it works from.",
    expiredHelp: "It was not begun in time. Trying again can help.",
    retry: "Try again",
    cancel: "Cancel",
    open: "Open",
    openDesigns: "Open the list of designs",
    canceled: (title: string) => `${title} was canceled`,
    retried: "It is being tried again",
    actionOn: (action: string, title: string) => `${action}: ${title}`,
    progressLabel: (title: string) => `Making ${title}`,
    more: "Show more",
  },

  exports: {
    label: "Exports",
    emptyTitle: "No exports yet",
    emptyText: "Open a design and export it as PDF, PowerPoint, PNG, JPEG or SVG.",
    emptyDo: "Go to the designs",
    states: {
      queued: "Queued",
      waiting: "Waiting",
      preparing: "The service is making the file",
      finished: "Done",
      failed: "Could not be exported",
      canceled: "Canceled",
    },
    waits: {
      rate: "Queued: the service makes only so many a minute",
      task: "The design is still being worked on",
      connection: "Waiting for the service",
    },
    amount: (part: number, whole: number | null) => {
      if (whole === null) return `${formatSize(part)} so far`;
      const [received, all] = formatSizePair(part, whole);
      return `${received} of ${all}`;
    },
    left: (words: string, ms: number) => `${words} · ${duration(ms)} left`,
    savedIn: (place: string, bytes: number | null) => (bytes === null ? `In ${place}` : `In ${place} · ${formatSize(bytes)}`),
    rate: (waiting: number, perMinute: number, ms: number | null) => {
      const said = plural(waiting, "1 export queued", "# exports queued");
      const why = `this service makes ${formatCount(perMinute)} a minute`;
      return ms === null ? `${said}: ${why}` : `${said}, about ${spelledOut(ms)}: ${why}`;
    },
    cancel: "Cancel",
    reveal: "Show on this computer",
    open: "Open",
    openDesign: "Open the design",
    again: "Export again",
    clear: "Clear finished",
    finished: (name: string, place: string) => `${name} is in ${place}`,
    finishedMany: (count: number) => `${count} exports are ready`,
    show: "Show",
    progressLabel: (name: string, format: string) => `Exporting ${name} as ${format}`,
    named: (name: string, format: string) => `${name} · ${format}`,
    actionOn: (action: string, name: string) => `${action}: ${name}`,
  },

  uploads: {
    label: "Uploads",
    search: "Search uploads",
    filter: "Which uploads",
    filters: { all: "All", unfinished: "In progress", failed: "Failed", finished: "In the drive" },
    emptyTitle: "Nothing was sent yet",
    emptyText: "Drop files or folders anywhere in the window.",
    emptyDo: "Choose files",
    noneFound: "No upload like this",
    noneFoundText: "Search looks at the names of files and their folders.",
    showAll: "Show all uploads",
    clearFinished: "Clear finished",
  },
};
