/**
 * Every word of the window, in English.
 *
 * One entry is one whole phrase: what varies comes in as an argument, so that another language may put it where it
 * belongs. Nothing here is glued together in a component. The words of errors are not here: they come with the
 * `Problem` from the app, which knows the cause; only the labels of a problem's button are.
 */
import { formatCount, formatRoughTime, formatSize, formatSizePair, formatSpeed, roughTime } from "../format";

const plurals = new Intl.PluralRules("en");

/** Picks the form for a count and writes the count into it where `#` stands. */
function plural(count: number, one: string, other: string): string {
  const form = plurals.select(count) === "one" ? one : other;
  return form.replace("#", formatCount(count));
}

const duration = (ms: number) => formatRoughTime(roughTime(ms));

/** A length of time as it stands in a sentence. */
function spelledOut(ms: number): string {
  const { unit, count } = roughTime(ms);
  return {
    second: plural(count, "# second", "# seconds"),
    minute: plural(count, "# minute", "# minutes"),
    hour: plural(count, "# hour", "# hours"),
    day: plural(count, "# day", "# days"),
  }[unit];
}

/** A place in the drive: `Brand / Logos`, or the drive's own name at its top. */
const place = (path: readonly string[]) => (path.length > 0 ? path.join(" / ") : "Drive");

const counted = (folders: number, files: number) => {
  if (folders === 0) return plural(files, "1 file", "# files");
  if (files === 0) return plural(folders, "1 folder", "# folders");
  return `${plural(folders, "1 folder", "# folders")} and ${plural(files, "1 file", "# files")}`;
};

export const en = {
  app: {
    name: "Easel",
    starting: "Opening Easel",
  },
  place,
  justNow: "just now",
  common: {
    cancel: "Cancel",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    details: "Details",
    retry: "Try again",
    show: "Show",
    undo: "Undo",
    more: "More actions",
    loading: "Loading",
    moreAbout: (name: string) => `Actions for ${name}`,
    dismiss: "Dismiss",
    requestId: "Request",
    copyRequestId: "Copy the request id",
  },
  unexpected: {
    title: "Easel could not finish this",
    detail: "The window lost touch with the rest of the app. Try again; if it stays like this, close Easel and open it again. Files that were being sent go on from where they were.",
  },

  rail: {
    label: "Main",
    home: "Home",
    drive: "Drive",
    developer: "Developer",
    settings: "Settings",
    connection: (name: string, state: string) => `${name}, ${state}. Open connections`,
  },
  connection: {
    local: "On this computer",
    localReady: "Studio · ready",
    states: {
      ready: "Connected",
      connecting: "Connecting…",
      offline: "Offline, trying again",
      needs_attention: "Needs you",
    },
    none: "Not connected",
  },

  welcome: {
    title: "Welcome to Easel",
    lead: "Put files and whole folders in the drive, and know that they arrived.",
    startTitle: "Start on this computer",
    startText: "A complete studio runs inside Easel. Nothing leaves your machine, no account is needed, and you can connect a service later.",
    start: "Start",
    starting: "Starting…",
    startingText: "Setting up the studio. This takes a few seconds the first time.",
    connectTitle: "Connect to a service",
    connectText: "For a team’s studio or a hosted service. You need its address and an API key, from Settings, Developer, REST API there.",
    connect: "Connect",
  },
  connect: {
    title: "Connect to a service",
    lead: "Easel tries the address and the key before it keeps anything.",
    address: "Address",
    addressHint: "As your team gave it to you, such as https://studio.example.com",
    addressPlaceholder: "https://",
    addressMissing: "Enter the address of the service.",
    key: "API key",
    keyHint: "Kept in this computer’s keychain, never in a file.",
    keyMissing: "Enter an API key.",
    showKey: "Show the key",
    hideKey: "Hide the key",
    advanced: "Advanced",
    header: "Version header",
    headerPlaceholder: "Service-Version",
    headerHint: "Only if the service names its version header differently.",
    submit: "Connect",
    submitting: "Connecting…",
    back: "Back",
    plainTitle: "This address is not encrypted",
    plainText: (host: string) =>
      `Anyone on the way to ${host} can read the key and every file you send. Go on only if you trust the whole network between here and there.`,
    plainConfirm: "Connect without encryption",
    plainBack: "Change the address",
    keepForSession: "Keep it until I close Easel",
    connected: (name: string) => `Connected to ${name}`,
    keyTitle: (name: string) => `Another key for ${name}`,
    keySubmit: "Use this key",
  },

  home: {
    morning: "Good morning",
    afternoon: "Good afternoon",
    evening: "Good evening",
    dropTitle: "Drop files or folders to put them in the drive",
    dropLimit: (bytes: number) => `Up to ${formatSize(bytes)} each. Large ones are fine.`,
    dropNoLimit: "Large ones are fine, and folders keep their structure.",
    chooseFiles: "Choose files",
    chooseFolder: "Choose folder",
    paste: "Paste",
    recent: "Latest in the drive",
    openDrive: "Open drive",
    caption: (parts: readonly string[]) => parts.join(" · "),
    needsYou: "Needs you",
    hints: [
      { title: "Drop anywhere", text: "On any screen. A line tells you where it goes before you let go." },
      { title: "Folders stay folders", text: "Drop a folder and it arrives whole, with everything in its place." },
      { title: "Close when you like", text: "What was on its way goes on when you open Easel again." },
    ],
    hintsLabel: "Good to know",
    failedTransfers: (count: number) => plural(count, "1 file could not be sent", "# files could not be sent"),
    failedTransfersDetail: (name: string, count: number) =>
      count > 1 ? plural(count - 1, `${name} and 1 other`, `${name} and # others`) : name,
    retryAll: "Try again",
    showTransfers: "Show",
  },

  shelf: {
    label: "Transfers",
    sending: (current: number, total: number) => `Sending ${formatCount(current)} of ${formatCount(total)}`,
    counting: (current: number, total: number) => `Sending ${formatCount(current)} of ${formatCount(total)} so far`,
    sent: (count: number) => plural(count, "1 file in the drive", "# files in the drive"),
    paused: (count: number) => plural(count, "1 file paused", "# files paused"),
    failed: (count: number) => plural(count, "1 file needs you", "# files need you"),
    speed: (bytesPerSecond: number) => formatSpeed(bytesPerSecond),
    left: (ms: number) => `${duration(ms)} left`,
    joined: (parts: readonly string[]) => parts.join(" · "),
    slow: (leftMs: number | null) =>
      leftMs === null
        ? "This service takes small files slowly"
        : `About ${spelledOut(leftMs)}: this service takes small files slowly`,
    expand: "Show the files",
    collapse: "Hide the files",
    pauseAll: "Pause all",
    resumeAll: "Go on with all",
    retryFailed: "Try the failed ones again",
    clearFinished: "Clear finished",
  },
  transfer: {
    amount: (part: number, whole: number) => {
      const [sent, all] = formatSizePair(part, whole);
      return `${sent} of ${all}`;
    },
    amountWithSpeed: (part: number, whole: number, bytesPerSecond: number, leftMs: number | null) => {
      const [sent, all] = formatSizePair(part, whole);
      const speed = formatSpeed(bytesPerSecond);
      return leftMs === null
        ? `${sent} of ${all} · ${speed}`
        : `${sent} of ${all} · ${speed} · ${duration(leftMs)} left`;
    },
    queued: (bytes: number) => `Waits its turn · ${formatSize(bytes)}`,
    settling: "Still being written by another program. Goes when it is finished",
    registering: "Arrived. The service is checking it",
    paused: (part: number, whole: number) => {
      const [sent, all] = formatSizePair(part, whole);
      return `Paused at ${sent} of ${all}`;
    },
    pausedAtStart: "Paused",
    sentTo: (path: string) => `In ${path}`,
    done: "Done",
    alreadyThere: (path: string | null) =>
      path === null ? "Already in the drive" : path === "" ? "Already in the drive, at its top" : `Already in the drive, in ${path}`,
    canceled: "Canceled",
    failed: "Could not be sent",
    progressLabel: (name: string) => `Sending ${name}`,
    pause: "Pause",
    pauseRestarts: "Pause. It goes up in one piece, so it starts again from the beginning",
    resume: "Go on",
    retry: "Try again",
    cancel: "Cancel",
    reveal: "Show on this computer",
    show: "Show",
    moveHere: "Move here",
    moved: (name: string) => `${name} was moved`,
    actionOn: (action: string, name: string) => `${action}: ${name}`,
  },
  download: {
    headline: (count: number) => plural(count, "Downloading 1 file", "Downloading # files"),
    amount: (part: number, whole: number | null, folder: string) => {
      if (whole === null) return `${formatSize(part)} · to ${folder}`;
      const [received, all] = formatSizePair(part, whole);
      return `${received} of ${all} · to ${folder}`;
    },
  },
  skipped: {
    toast: (count: number, name: string, reason: string) =>
      count === 1 ? `${name} was skipped: ${reason}` : plural(count - 1, `${name} and 1 other were skipped`, `${name} and # others were skipped`),
    title: "Not sent",
    lead: (count: number) => plural(count, "1 item was left out. Everything else is on its way.", "# items were left out. Everything else is on its way."),
    leadAlone: (count: number) => plural(count, "1 item was left out. There was nothing else to send.", "# items were left out. There was nothing else to send."),
    show: "Why",
  },
  close: {
    title: (count: number) => plural(count, "1 file is still on its way", "# files are still on their way"),
    lead: "If you close Easel now, they wait and go on the next time you open it.",
    confirm: "Close Easel",
    stay: "Stay",
  },
  drop: {
    /** The top of the drive, as the drop overlay names it. */
    top: "the drive",
    target: (label: string) => `Put in ${label}`,
    count: (count: number) => plural(count, "1 item", "# items"),
    folderHint: "Folders are taken whole.",
  },

  drive: {
    root: "Drive",
    breadcrumbs: "Where you are",
    newFolder: "New folder",
    upload: "Upload",
    uploadFiles: "Files…",
    uploadFolder: "A folder…",
    uploadPaste: "From the clipboard",
    detailsPane: "Details",
    showDetails: "Show details",
    hideDetails: "Hide details",
    columns: { name: "Name", size: "Size", changed: "Changed", by: "By", actions: "Actions" },
    items: (count: number) => plural(count, "1 item", "# items"),
    folderItems: (count: number) => (count === 0 ? "empty" : plural(count, "1 item", "# items")),
    you: "You",
    list: (folder: string) => `Contents of ${folder}`,
    selected: (count: number) => plural(count, "1 selected", "# selected"),
    emptyTitle: "Nothing here yet",
    emptyText: (folder: string) => `Drop files or folders to put them in ${folder}.`,
    emptyTopText: "Drop files or folders to put them in the drive.",
    open: "Open",
    openFolder: "Open",
    openFile: "Open on this computer",
    download: "Download",
    downloadTo: "Download to…",
    rename: "Rename",
    move: "Move to…",
    delete: "Delete",
    copyHash: "Copy the content hash",
    selectAll: "Select all",
    refresh: "Look again",
    renameLabel: (name: string) => `New name for ${name}`,
    moving: (count: number) => plural(count, "1 item", "# items"),
    moved: (count: number, folder: string) => plural(count, `1 item moved to ${folder}`, `# items moved to ${folder}`),
    opening: (name: string) => `Opening ${name}`,
    downloading: (name: string) => `Downloading ${name}`,
    downloaded: (name: string, folder: string) => `${name} is in ${folder}`,
    revealDownload: "Show",
    deleted: (name: string, count: number) => (count === 1 ? `${name} deleted` : plural(count, "1 item deleted", "# items deleted")),
    restored: "Nothing was deleted",
    newFolderTitle: "New folder",
    newFolderIn: (folder: string) => `In ${folder}`,
    folderName: "Name",
    folderNameMissing: "Give the folder a name.",
    createFolder: "Create folder",
    deleteTitle: (name: string, count: number) => (count === 1 ? `Delete “${name}”?` : plural(count, "Delete 1 item?", "Delete # items?")),
    deleteCounting: "Counting what is inside…",
    deleteCount: (folders: number, files: number, bytes: number, atLeast: boolean) => {
      if (folders + files === 0) return "Nothing is inside.";
      if (files === 0 && !atLeast) return `${counted(folders, 0)}, no files.`;
      return atLeast
        ? `At least ${counted(folders, files)} go, ${formatSize(bytes)} or more in all.`
        : `${counted(folders, files)}, ${formatSize(bytes)} in all.`;
    },
    deleteUndo: "You have ten seconds to undo it.",
    deleteConfirm: "Delete",
    moveTitle: (name: string, count: number) => (count === 1 ? `Move “${name}” to` : plural(count, "Move 1 item to", "Move # items to")),
    moveTree: "Folders",
    moveConfirm: "Move here",
    moveHere: "They are already here",
    sortBy: (column: string) => `Sort by ${column}`,
  },
  details: {
    where: "Where",
    added: "Added",
    changed: "Changed",
    by: (when: string, who: string) => `${when}, by ${who}`,
    byYou: (when: string) => `${when}, by you`,
    seenBy: "Seen by",
    seen: { team: "the whole team", private: "only you" } as Record<string, string>,
    content: "Content",
    size: "Size",
    holds: "Holds",
    kindAndSize: (kind: string, size: string) => `${kind} · ${size}`,
    folder: "Folder",
    file: "File",
    nothing: "Select something to see more about it.",
    many: (count: number) => plural(count, "1 item selected", "# items selected"),
    copyHash: "Copy the whole content hash",
    hashCopied: "Content hash copied",
  },

  settings: {
    title: "Settings",
    sections: {
      connections: "Connections",
      developer: "Developer",
      rest: "REST API",
      appearance: "Appearance",
      about: "About",
    },
    connections: {
      lead: "Where your drive is. One is in view; the others keep their place.",
      add: "Connect to a service",
      addLocal: "Start on this computer",
      inView: "In view",
      use: "Switch to this",
      remove: "Remove",
      retry: "Try again",
      replaceKey: "Enter another key",
      sessionKey: "Key kept until Easel closes",
      withoutKeychain: "Go on without the keychain",
      removeTitle: (name: string) => `Remove “${name}”?`,
      removeText: "Its key is taken out of the keychain and what is waiting to be sent is dropped. Files in its drive stay there.",
      removeLocalText: "The studio stops. Its files stay on this computer, and starting it again brings them back.",
      removed: (name: string) => `${name} was removed`,
      empty: "No connection yet",
      emptyText: "Start on this computer, or connect to your team’s service.",
      address: "Address",
      limit: (bytes: number) => `Files up to ${formatSize(bytes)}`,
    },
    rest: {
      title: "REST API",
      lead: "Keys let other programs use the studio on this computer. Treat a key like a password.",
      baseUrl: "Base address",
      baseUrlCopied: "Address copied",
      create: "Create Key",
      columns: { name: "Name", id: "Key", created: "Created", lastUsed: "Last used", actions: "Actions" },
      never: "never",
      deleteNamed: (name: string) => `Delete the key ${name}`,
      usedByEasel: "used by Easel",
      onlyLocalNone: "Start the studio on this computer to make keys for it.",
      deleteTitle: (name: string) => `Delete the key “${name}”?`,
      deleteText: "Programs that use it are refused from this moment on. This cannot be undone.",
      deleteConfirm: "Delete key",
      deleted: (name: string) => `The key ${name} no longer works`,
      emptyTitle: "No keys yet",
      emptyText: "Create one for each program, so that each can be taken away alone.",
      createTitle: "Create a key",
      nameLabel: "What is it for?",
      namePlaceholder: "Build server",
      nameMissing: "Give the key a name.",
      createConfirm: "Create key",
      createdTitle: (name: string) => `The key “${name}”`,
      createdText: "This is the only time that Easel shows them. Store both somewhere safe now.",
      key: "API key",
      secret: "Signing secret",
      keyHint: "Sent with every request.",
      secretHint: "Checks that a webhook really comes from this studio.",
      copyKey: "Copy the key",
      copySecret: "Copy the signing secret",
      stored: "I have stored them",
      onlyLocal: "Keys are made where the studio runs",
      onlyLocalText: (name: string) => `${name} is a service of its own. Its keys are made in its own settings.`,
      onlyLocalSwitch: "Start on this computer",
    },
    appearance: {
      theme: "Theme",
      themes: { system: "Like the system", light: "Light", dark: "Dark" } as Record<string, string>,
      size: "Size of text",
      sizeHint: "Ctrl and + or − does the same anywhere. Ctrl and 0 is the normal size.",
      smaller: "Smaller",
      larger: "Larger",
      reset: "Normal size",
    },
    about: {
      version: (version: string) => `Version ${version}`,
      text: "Easel puts files in a design drive and tells the truth about where they are.",
      licence: "Licence",
      licenceText: "MIT or Apache 2.0, as you like. The Inter typeface: SIL Open Font Licence 1.1.",
      keyboard: "Keyboard",
      shortcuts: [
        { keys: ["↑", "↓", "Home", "End"], text: "Move through a list" },
        { keys: ["Shift", "Ctrl"], text: "With the arrows or a click: select more" },
        { keys: ["Enter"], text: "Open" },
        { keys: ["F2"], text: "Rename" },
        { keys: ["Delete"], text: "Delete, with ten seconds to undo" },
        { keys: ["Ctrl", "V"], text: "Put what is on the clipboard in the drive" },
        { keys: ["Alt", "←"], text: "Back" },
        { keys: ["Ctrl", "+"], text: "Larger text" },
      ],
    },
  },
  toasts: { label: "Messages" },
};

export type Text = typeof en;
