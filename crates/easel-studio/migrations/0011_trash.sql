-- The trash. What is deleted from the drive moves here, whole, for 30 days: an entry is the item that was deleted, by its own id,
-- with the folder that it lay in, which may be gone; the rows below it keep their ids, names and places. folders, canvases, files and
-- bytes are what an entry comes to. Contents that rows here name are kept as those of the drive are.
CREATE TABLE trash (
  root_id BLOB PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('folder', 'canvas', 'file')),
  team_id BLOB NOT NULL REFERENCES teams (id),
  parent_id BLOB,
  name TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BLOB NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  deleted_by BLOB NOT NULL REFERENCES users (id),
  deleted_at BIGINT NOT NULL,
  folders BIGINT NOT NULL DEFAULT 0,
  canvases BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0,
  bytes BIGINT NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX trash_by_moment ON trash (team_id, deleted_at, root_id, private_to);
CREATE INDEX trash_age ON trash (deleted_at);

CREATE TABLE trashed_folders (
  trash_id BLOB NOT NULL REFERENCES trash (root_id),
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL,
  parent_id BLOB,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL,
  private_to BLOB NOT NULL,
  created_by BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX trashed_folders_entry ON trashed_folders (trash_id, parent_id);

CREATE TABLE trashed_files (
  trash_id BLOB NOT NULL REFERENCES trash (root_id),
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL,
  folder_id BLOB,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL,
  private_to BLOB NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  content_hash BLOB NOT NULL,
  created_by BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX trashed_files_entry ON trashed_files (trash_id);
CREATE INDEX trashed_files_content ON trashed_files (content_hash);

CREATE TABLE trashed_canvases (
  trash_id BLOB NOT NULL REFERENCES trash (root_id),
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL,
  folder_id BLOB,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL,
  private_to BLOB NOT NULL,
  category TEXT NOT NULL,
  source_canvas_id BLOB,
  conversation_id BLOB NOT NULL,
  document_hash BLOB NOT NULL,
  thumbnail_hash BLOB,
  pages TEXT NOT NULL,
  page_count BIGINT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  created_by BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX trashed_canvases_entry ON trashed_canvases (trash_id);
CREATE INDEX trashed_canvases_document ON trashed_canvases (document_hash);
CREATE INDEX trashed_canvases_thumbnail ON trashed_canvases (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;

-- What lies in the trash counts for a quota as long as it is kept.
CREATE TRIGGER trashed_files_usage_added AFTER INSERT ON trashed_files BEGIN
  INSERT INTO team_usage (team_id, bytes, files) VALUES (NEW.team_id, NEW.size_bytes, 1)
    ON CONFLICT (team_id) DO UPDATE SET bytes = bytes + NEW.size_bytes, files = files + 1;
END;
CREATE TRIGGER trashed_files_usage_removed AFTER DELETE ON trashed_files BEGIN
  UPDATE team_usage SET bytes = bytes - OLD.size_bytes, files = files - 1 WHERE team_id = OLD.team_id;
END;
