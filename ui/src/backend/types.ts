/**
 * What travels between the window and the page, until the generated `bindings.ts` takes this file's place.
 *
 * Same names as the commands in easel-app; fields keep the wire's snake_case. Times are microseconds or RFC 3339
 * as written at each field; sizes are bytes and safe as a JavaScript number.
 */

/** Why something did not work, in a person's words, with at most one thing to do about it. */
export interface Problem {
  code: string;
  title: string;
  detail: string;
  action: ProblemAction | null;
  request_id: string | null;
}
/** What the one button of a problem does; its words are in the catalogue. */
export type ProblemAction =
  | "retry"
  | "open_connection"
  | "replace_key"
  | "confirm_plain_http"
  | "keep_for_session"
  | "unlock_key_store"
  | "free_space"
  | "choose_again"
  | "show_item";

export type ConnectionState = "connecting" | "online" | "offline" | "key_refused" | "key_missing" | "failed";
export interface Connection {
  id: string;
  /** `local` is the built-in studio. */
  kind: "local" | "service";
  name: string;
  address: string;
  version_header: string;
  state: ConnectionState;
  problem: Problem | null;
  /** The key lives only in memory, until the app ends. */
  key_for_session_only: boolean;
  used_bytes: number | null;
  max_file_bytes: number | null;
  user_name: string | null;
  organization: string | null;
}
export interface Overview {
  connections: Connection[];
  selected_connection_id: string | null;
  summary: Summary;
  settings: Settings;
  app_version: string;
  data_folder: string;
}
export interface ConnectionDraft {
  address: string;
  key: string;
  version_header: string | null;
  confirm_plain_http: boolean;
  keep_for_session: boolean;
}

export interface Crumb {
  id: string;
  name: string;
}
export interface DriveItem {
  kind: "folder" | "file";
  id: string;
  name: string;
  size_bytes: number | null;
  item_count: number | null;
  /** RFC 3339. */
  updated_at: string | null;
  created_at: string | null;
  created_by: string | null;
  created_by_me: boolean;
  mime_type: string | null;
  content_hash: string | null;
  visibility: "team" | "private" | null;
  folder_id: string | null;
}
export interface DrivePage {
  breadcrumbs: Crumb[];
  items: DriveItem[];
  total: number;
}
export type SortKey = "name" | "size" | "changed" | "by";
export interface DriveSort {
  key: SortKey;
  descending: boolean;
}
export interface ItemCount {
  folders: number;
  files: number;
  bytes: number;
}
export interface PendingDeletion {
  deletion_id: string;
  /** Milliseconds since the epoch. */
  undo_until_ms: number;
}
export interface FolderNode {
  id: string;
  name: string;
  children: FolderNode[];
}

export type TransferState =
  | "queued"
  | "settling"
  | "sending"
  | "registering"
  | "sent"
  | "already_there"
  | "paused"
  | "failed"
  | "canceled";
export type WaitingFor = "offline" | "key_refused" | "storage_full" | "disk_full";
export interface Transfer {
  id: string;
  name: string;
  relative_dir: string | null;
  size_bytes: number;
  sent_bytes: number;
  bytes_per_second: number | null;
  time_left_ms: number | null;
  state: TransferState;
  problem: Problem | null;
  /** Pausing now means that the file starts again. */
  restarts_when_paused: boolean;
  /** Where it goes. */
  folder_id: string | null;
  folder_path: string[];
  /** Where it is, once it is in the drive. */
  file_id: string | null;
  file_folder_id: string | null;
  file_folder_path: string[];
}
export interface Summary {
  total: number;
  finished: number;
  active: number;
  failed: number;
  paused: number;
  bytes_total: number;
  bytes_sent: number;
  bytes_per_second: number;
  time_left_ms: number | null;
  limited_by: "nothing" | "bytes" | "requests" | "disk";
  waiting: WaitingFor | null;
}

export interface ApiKey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}
export interface CreatedApiKey {
  id: string;
  key: string;
  signing_secret: string;
}
export type Theme = "system" | "light" | "dark";
export interface Settings {
  theme: Theme;
  /** Size of all text and spacing in percent, 80 to 200. */
  zoom_percent: number;
}
export interface Skipped {
  name: string;
  reason: string;
}

export interface Events {
  transfers_changed: { summary: Summary; changed: Transfer[] };
  drive_changed: { folder_id: string | null };
  connection_changed: { connection: Connection };
  drop_entered: { count: number; target_label: string };
  drop_left: null;
  files_dropped: { accepted: number; skipped: Skipped[] };
  deletion_settled: { deletion_id: string; problem: Problem | null };
  key_store_unavailable: { problem: Problem };
}

/** Every command, by the name it has in the app; a rejected promise carries a {@link Problem}. */
export interface Commands {
  getOverview(): Promise<Overview>;
  startLocalStudio(): Promise<Connection>;
  testConnection(draft: ConnectionDraft): Promise<Connection>;
  connectService(draft: ConnectionDraft): Promise<Connection>;
  listConnections(): Promise<Connection[]>;
  selectConnection(id: string): Promise<null>;
  removeConnection(id: string): Promise<null>;
  retryConnection(): Promise<null>;

  listDrive(folderId: string | null, offset: number, limit: number, sort: DriveSort): Promise<DrivePage>;
  listRecentFiles(limit: number): Promise<DriveItem[]>;
  createFolder(name: string, parentId: string | null): Promise<DriveItem>;
  renameItem(id: string, name: string): Promise<DriveItem>;
  moveItems(ids: string[], folderId: string | null): Promise<null>;
  countItems(ids: string[]): Promise<ItemCount>;
  deleteItems(ids: string[]): Promise<PendingDeletion>;
  undoDeletion(deletionId: string): Promise<null>;
  listFolderTree(): Promise<FolderNode[]>;
  downloadFile(id: string, destination: string | null): Promise<string>;
  openFile(id: string): Promise<null>;
  revealPath(path: string): Promise<null>;

  chooseFiles(folderId: string | null): Promise<number>;
  chooseFolder(folderId: string | null): Promise<number>;
  pasteFiles(folderId: string | null): Promise<number>;
  setDropTarget(folderId: string | null, label: string): Promise<null>;

  listTransfers(): Promise<{ summary: Summary; transfers: Transfer[] }>;
  pauseTransfer(id: string): Promise<null>;
  resumeTransfer(id: string): Promise<null>;
  cancelTransfer(id: string): Promise<null>;
  retryTransfer(id: string): Promise<null>;
  pauseAllTransfers(): Promise<null>;
  resumeAllTransfers(): Promise<null>;
  retryFailedTransfers(): Promise<null>;
  clearFinishedTransfers(): Promise<null>;
  revealTransfer(id: string): Promise<null>;
  moveDuplicateHere(transferId: string): Promise<null>;

  listApiKeys(): Promise<ApiKey[]>;
  createApiKey(name: string): Promise<CreatedApiKey>;
  deleteApiKey(id: string): Promise<null>;
  getSettings(): Promise<Settings>;
  setSettings(settings: Settings): Promise<null>;
}
