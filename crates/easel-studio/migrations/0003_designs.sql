-- Designs: canvases and the tasks that make and change them.
-- A canvas lies in the drive like a file. document_hash and thumbnail_hash name blobs: what is drawn is content-addressed
-- and never changes, so a copy shares it and whoever reads it is not disturbed by a change. pages is a JSON array of
-- {name, width, height, node_count}. source_canvas_id is lineage and stays when the source is deleted.
CREATE TABLE canvases (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  folder_id BLOB REFERENCES folders (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('team', 'private')),
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
  created_by BLOB NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX canvases_name ON canvases (team_id, COALESCE(folder_id, x''), name_key);
CREATE INDEX canvases_by_creation ON canvases (team_id, created_at, id, private_to, updated_at);
CREATE INDEX canvases_by_change ON canvases (team_id, updated_at, id, private_to);
CREATE INDEX canvases_by_name ON canvases (team_id, name_key, id, private_to);
CREATE INDEX canvases_in_by_creation ON canvases (folder_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX canvases_in_by_change ON canvases (folder_id, team_id, updated_at, id, private_to);
CREATE INDEX canvases_in_by_name ON canvases (folder_id, team_id, name_key, id, private_to);
CREATE INDEX canvases_document ON canvases (document_hash);
CREATE INDEX canvases_thumbnail ON canvases (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;

ALTER TABLE drive_counts ADD COLUMN canvases BIGINT NOT NULL DEFAULT 0;

CREATE TRIGGER canvases_count_added AFTER INSERT ON canvases BEGIN
  INSERT INTO drive_counts (team_id, place, private_to, canvases)
    VALUES (NEW.team_id, COALESCE(NEW.folder_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET canvases = canvases + 1;
END;
CREATE TRIGGER canvases_count_removed AFTER DELETE ON canvases BEGIN
  UPDATE drive_counts SET canvases = canvases - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.folder_id, x''), x'2a') AND private_to = OLD.private_to;
END;
CREATE TRIGGER canvases_count_moved AFTER UPDATE OF folder_id, private_to ON canvases
WHEN OLD.folder_id IS NOT NEW.folder_id OR OLD.private_to <> NEW.private_to BEGIN
  UPDATE drive_counts SET canvases = canvases - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.folder_id, x''), x'2a') AND private_to = OLD.private_to;
  INSERT INTO drive_counts (team_id, place, private_to, canvases)
    VALUES (NEW.team_id, COALESCE(NEW.folder_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET canvases = canvases + 1;
END;

-- canvas_id is the canvas that a task changes in place, or has made. private_to is whose eyes alone see the task, because
-- it works from something private; nothing for the whole team. queued_at is when it last began to wait: a restart of the
-- studio puts what was running back. input is the request as JSON, without its idempotency key and callback address.
CREATE TABLE tasks (
  id BLOB PRIMARY KEY NOT NULL,
  organization_id BLOB NOT NULL REFERENCES organizations (id),
  team_id BLOB NOT NULL REFERENCES teams (id),
  api_key_id BLOB NOT NULL REFERENCES api_keys (id),
  created_by BLOB NOT NULL REFERENCES users (id),
  private_to BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('design', 'remix')),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'expired')),
  input TEXT NOT NULL,
  canvas_id BLOB,
  source_canvas_id BLOB,
  brand_kit_id BLOB,
  conversation_id BLOB NOT NULL,
  callback_url TEXT,
  attempt BIGINT NOT NULL DEFAULT 0,
  cancel_requested BIGINT NOT NULL DEFAULT 0,
  progress_percent BIGINT NOT NULL DEFAULT 0,
  progress_step TEXT,
  progress_message TEXT,
  result TEXT,
  error_message TEXT,
  error_retryable BIGINT,
  created_at BIGINT NOT NULL,
  queued_at BIGINT NOT NULL,
  started_at BIGINT,
  completed_at BIGINT
) WITHOUT ROWID;
CREATE INDEX tasks_by_creation ON tasks (team_id, created_at, id, private_to, status, kind, canvas_id);
CREATE INDEX tasks_by_status ON tasks (team_id, status, created_at, id, private_to, kind, canvas_id);
CREATE INDEX tasks_by_canvas ON tasks (canvas_id, team_id, created_at, id, private_to, status, kind);
CREATE INDEX tasks_queued ON tasks (queued_at, id, organization_id, canvas_id) WHERE status = 'queued';
CREATE INDEX tasks_running ON tasks (canvas_id, organization_id) WHERE status = 'running';
