/**
 * Every word of the window, in English.
 *
 * One entry is one whole phrase: what varies comes in as an argument, so that another language may put it where it
 * belongs. Nothing here is glued together in a component. The words of errors are not here: they come with the
 * `Problem` from the app, which knows the cause; only the labels of a problem's button are.
 */
import { formatCount, formatSize, formatSizePair, formatSpeed } from "../format";
import { activity } from "./activity";
import { backups } from "./backups";
import { migration } from "./migration";
import { conflicts } from "./conflicts";
import { designs } from "./designs";
import { doctor } from "./doctor";
import { driveSearch } from "./drivesearch";
import { editColors } from "./editcolors";
import { editPictures } from "./editpictures";
import { editText } from "./edittext";
import { many } from "./many";
import { quickLook } from "./quicklook";
import { trash } from "./trash";
import { versions } from "./versions";
import { counted, duration, place, plural, spelledOut } from "./phrases";
import { receiver } from "./receiver";
import { service } from "./service";
import { shortcuts } from "./shortcuts";
import { history } from "./history";
import { synced } from "./synced";
import { team } from "./team";
import { webhooks } from "./webhooks";
import { writing } from "./writing";

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
    clearSearch: "Clear the search",
    /** Beside how many are selected: selects none of them. */
    clearSelection: "Clear",
    requestId: "Request",
    copyRequestId: "Copy the request id",
  },
  fault: {
    title: "This screen could not be drawn",
    detail: "The fault is Easel’s own. Show the screen again, or open another one; what is being sent continues. The diagnostics in Settings, About say what it was.",
    again: "Show again",
  },
  unexpected: {
    title: "Easel could not finish this",
    detail: "The window lost touch with the rest of the app. Try again; if it stays like this, close Easel and open it again. Files that were being sent resume where they were.",
  },

  palette: {
    title: "Search",
    placeholder: "Files, designs, screens, actions",
    open: "Search",
    /** A key together with the one that makes a command of it. */
    keys: (key: string) => `Ctrl ${key}`,
    altKeys: (key: string) => `Alt ${key}`,
    groups: {
      recent: "Recent",
      drive: "Drive",
      designs: "Designs",
      kits: "Brand kits",
      deliveries: "Deliveries",
      go: "Screens",
      act: "Actions",
      set: "Settings",
    },
    searching: "Searching…",
    back: "Back",
    normal: "Normal size of text",
    inside: (screen: string, part: string) => `${screen}: ${part}`,
    none: (query: string) => `Nothing is called “${query}”.`,
    paste: "Put what is on the clipboard in the drive",
    step: "Sync a folder",
    pauseTransfers: "Pause all transfers",
    resumeTransfers: "Resume all transfers",
    pauseFolders: "Pause all synced folders",
    resumeFolders: "Resume all synced folders",
    theme: (name: string) => `Theme: ${name}`,
    larger: "Larger text",
    smaller: "Smaller text",
    switchTo: (name: string) => `Switch to ${name}`,
  },

  rail: {
    label: "Main",
    home: "Home",
    designs: "Designs",
    drive: "Drive",
    activity: "Activity",
    count: (label: string, count: number) => `${label}, ${formatCount(count)}`,
    needing: (label: string, needing: string) => `${label}, ${needing}`,
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
    lead: "Put files in the drive, and make designs from a sentence.",
    startTitle: "Start on this computer",
    startText: "A complete studio runs inside Easel. Nothing leaves your machine, no account is needed, and you can connect a service later.",
    start: "Start",
    starting: "Starting…",
    startingText: "Setting up the studio. This takes a few seconds the first time.",
    startingWith: (count: number) =>
      plural(count, "Setting up the studio. What you dropped goes into its drive next.", "Setting up the studio. The # items go into its drive next."),
    orDrop: "or drop files here",
    dropLabel: "Start on this computer with these",
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
      `Anyone on the way to ${host} can read the key and every file you send. Continue only if you trust the whole network between here and there.`,
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
    dropLimit: (bytes: number) => `Up to ${formatSize(bytes)} per file`,
    dropNoLimit: "Large ones are fine, and folders keep their structure.",
    chooseFiles: "Choose files",
    chooseFolder: "Choose folder",
    paste: "Paste",
    recent: "Latest in the drive",
    openDrive: "Open drive",
    recentDesigns: "Recent designs",
    allDesigns: "All designs",
    caption: (parts: readonly string[]) => parts.join(" · "),
    needsYou: "Needs you",
    hints: {
      drop: { title: "Drop anywhere", text: "On any screen. A line tells you where it goes before you let go." },
      folders: { title: "Folders stay folders", text: "Drop one and it arrives whole. Or sync it, and its changes follow by themselves." },
      close: { title: "Close when you like", text: "What was being sent resumes when you open Easel again." },
    },
    hintsLabel: "Good to know",
    failedTransfers: (count: number) => plural(count, "1 file could not be sent", "# files could not be sent"),
    failedTransfersDetail: (name: string, count: number) =>
      count > 1 ? plural(count - 1, `${name} and 1 other`, `${name} and # others`) : name,
    failedTasks: (count: number) => plural(count, "1 design could not be made", "# designs could not be made"),
    retryAll: "Try again",
    showTransfers: "Show",
  },

  shelf: {
    label: "Transfers",
    sending: (current: number, total: number) => `Sending ${formatCount(current)} of ${formatCount(total)}`,
    counting: (current: number, total: number) => `Sending ${formatCount(current)} of ${formatCount(total)} so far`,
    sent: (count: number) => plural(count, "1 file in the drive", "# files in the drive"),
    paused: (count: number) => plural(count, "1 file paused", "# files paused"),
    waiting: (count: number) => plural(count, "1 file is waiting", "# files are waiting"),
    failed: (count: number) => plural(count, "1 file needs you", "# files need you"),
    speed: (bytesPerSecond: number) => formatSpeed(bytesPerSecond),
    left: (ms: number) => `${duration(ms)} left`,
    joined: (parts: readonly string[]) => parts.join(" · "),
    slow: (leftMs: number | null) =>
      leftMs === null
        ? "This service takes small files slowly"
        : `About ${spelledOut(leftMs)}: this service takes small files slowly`,
    earlier: "Earlier",
    expand: "Show the files",
    collapse: "Hide the files",
    pauseAll: "Pause all",
    resumeAll: "Resume all",
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
    queued: (bytes: number) => `Queued · ${formatSize(bytes)}`,
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
    resume: "Resume",
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
    left: (count: number) => plural(count, "1 item was left out", "# items were left out"),
    show: "Why",
  },
  program: {
    title: "This file could run a program",
    lead: "Whoever made it could then do anything on this computer that you can. Easel does not open such files. If you know where it is from, download it and open it yourself.",
    leave: "Don’t open",
  },
  close: {
    title: (count: number) => plural(count, "1 file is still being sent", "# files are still being sent"),
    lead: "If you close Easel now, they wait and resume the next time you open it.",
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

  designs,
  activity,
  backups,
  migration,
  team,
  webhooks,
  writing,
  doctor,
  driveSearch,
  many,
  quickLook,
  trash,
  conflicts,
  versions,
  editColors,
  editPictures,
  editText,
  receiver,
  service,
  shortcuts,
  synced,
  history,

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
    copy: "Copy",
    copyOf: "The drive keeps this content once, under another name. Computers that sync this folder have both files.",
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
    useInDesign: "Use in a design",
    download: "Download",
    downloadTo: "Download to…",
    rename: "Rename",
    move: "Move to…",
    delete: "Delete",
    copyHash: "Copy the content hash",
    copyReference: "Copy the reference",
    referenceCopied: "Reference copied",
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
    deleteToTrash: "It can be brought back from the trash.",
    deleteConfirm: "Delete",
    moveTitle: (name: string, count: number) => (count === 1 ? `Move “${name}” to` : plural(count, "Move 1 item to", "Move # items to")),
    moveTree: "Folders",
    moveConfirm: "Move here",
    moveHere: (count: number) => plural(count, "It is already here", "They are already here"),
    asRows: "Show as a list",
    asCards: "Show as pictures",
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
    sharing: "Sharing",
    seenHere: "Only on this computer",
    content: "Content",
    size: "Size",
    holds: "Holds",
    kindAndSize: (kind: string, size: string) => `${kind} · ${size}`,
    folder: "Folder",
    design: "Design",
    file: "File",
    nothing: "Select something to see more about it.",
    copyHash: "Copy the whole content hash",
    hashCopied: "Content hash copied",
  },

  settings: {
    title: "Settings",
    sections: {
      connections: "Connections",
      transfers: synced.transfers.section,
      background: synced.background.section,
      writing: writing.section,
      team: team.section,
      backup: backups.section,
      developer: "Developer",
      appearance: "Appearance",
      about: "About",
    },
    connections: {
      lead: "Where your drive is. One is active; the others keep their place.",
      add: "Connect to a service",
      addLocal: "Start on this computer",
      inView: "Active",
      use: "Switch to this",
      remove: "Remove",
      retry: "Try again",
      replaceKey: "Enter another key",
      sessionKey: "Key kept until Easel closes",
      withoutKeychain: "Continue without the keychain",
      removeTitle: (name: string) => `Remove “${name}”?`,
      removeText: "Its key is taken out of the keychain and what is waiting to be sent is dropped. Files in its drive stay there.",
      removeLocalText: "The studio stops. Its files stay on this computer, and starting it again brings them back.",
      removed: (name: string) => `${name} was removed`,
      empty: "No connection yet",
      emptyText: "Start on this computer, or connect to your team’s service.",
      address: "Address",
      limit: (bytes: number) => `Up to ${formatSize(bytes)} per file`,
    },
    developer: {
      title: "Developer tools",
      shown: "Show Developer in the sidebar",
      shownHint: "Webhook deliveries with their signatures, and a receiver on this computer.",
    },
    rest: {
      title: "REST API",
      lead: "Keys let other programs use the studio on this computer. Treat a key like a password.",
      baseUrl: "Base address",
      baseUrlCopied: "Address copied",
      create: "Create key",
      columns: { name: "Name", id: "Key", created: "Created", lastUsed: "Last used", actions: "Actions" },
      never: "Never",
      deleteNamed: (name: string) => `Delete the key ${name}`,
      usedByEasel: "Used by Easel",
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
      createdText: "This is the only time that Easel shows them. Store both somewhere safe now. What you copy here leaves the clipboard after a minute.",
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
      themes: { system: "Match system", light: "Light", dark: "Dark" } as Record<string, string>,
      size: "Size of text",
      sizeHint: "Ctrl and + or − does the same anywhere. Ctrl and 0 is the normal size.",
      smaller: "Smaller",
      larger: "Larger",
      reset: "Normal size",
      language: "Language",
      /** Each in its own. */
      languages: { system: "Match system", en: "English", de: "Deutsch" },
    },
    about: {
      version: (version: string) => `Version ${version}`,
      text: "Easel puts files in a design drive and tells the truth about where they are.",
      licence: "Licence",
      licenceText: "MIT or Apache 2.0, as you like. The Inter typeface: SIL Open Font Licence 1.1.",
      diagnostics: "Diagnostics",
      diagnosticsText: "Versions, states and the last of the log, for whoever helps you. Without keys, secrets, addresses or file names.",
      diagnosticsCopy: "Copy diagnostics",
      diagnosticsCopied: "Diagnostics copied",
    },
  },
  link: {
    title: "A link wants to open something",
    design: "A design",
    item: "Something in the drive",
    connect: (address: string) => `A connection to ${address}`,
    at: (service: string) => `at ${service}`,
    unknown: (service: string) => `Easel is not connected to ${service}. Connect to it first.`,
    connectHint: "The address is filled in. You enter the key yourself; a link cannot bring one.",
    open: "Open",
    goConnect: "Connect…",
    refused: "This link leads nowhere",
    refusedText: "It is none that Easel understands. Nothing was opened.",
  },
  toasts: { label: "Notifications" },
};

export type Text = typeof en;
