-- The schema of SQLite's migrations up to 0023, as PostgreSQL has it; what the tables and columns are for is told there. Ids are the
-- 16 bytes of a UUID, moments are microseconds since the Unix epoch, hashes are the 32 bytes of SHA-256, yes and no are 1 and 0. Texts
-- are ordered by their bytes, as in SQLite. A change of either schema is a change of both: a test compares them.
CREATE TABLE organizations (
  id BYTEA PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  plan TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_turn BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE teams (
  id BYTEA PRIMARY KEY,
  organization_id BYTEA NOT NULL REFERENCES organizations (id),
  name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE users (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  email TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at BIGINT NOT NULL,
  removed_at BIGINT
);

CREATE TABLE api_keys (
  id BYTEA PRIMARY KEY,
  user_id BYTEA NOT NULL REFERENCES users (id),
  name TEXT COLLATE "C" NOT NULL,
  key_hash BYTEA NOT NULL UNIQUE,
  sealed_secret BYTEA NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  deleted_at BIGINT,
  expires_at BIGINT
);

CREATE TABLE signed_uploads (
  storage_key TEXT COLLATE "C" PRIMARY KEY,
  user_id BYTEA NOT NULL REFERENCES users (id),
  filename TEXT COLLATE "C" NOT NULL,
  mime_type TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  written_at BIGINT,
  size_bytes BIGINT,
  consumed_at BIGINT,
  result TEXT COLLATE "C",
  api_key_id BYTEA REFERENCES api_keys (id)
);

CREATE TABLE idempotency_keys (
  api_key_id BYTEA NOT NULL REFERENCES api_keys (id),
  endpoint TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  body_hash BYTEA NOT NULL,
  response TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (api_key_id, endpoint, key)
);

CREATE TABLE folders (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  parent_id BYTEA REFERENCES folders (id),
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BYTEA NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE files (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  folder_id BYTEA REFERENCES folders (id),
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BYTEA NOT NULL,
  mime_type TEXT COLLATE "C" NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  content_hash BYTEA NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  content_by BYTEA,
  content_at BIGINT
);

CREATE TABLE drive_counts (
  team_id BYTEA NOT NULL,
  place BYTEA NOT NULL,
  private_to BYTEA NOT NULL,
  folders BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0,
  canvases BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, place, private_to)
);

CREATE TABLE canvases (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  folder_id BYTEA REFERENCES folders (id),
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BYTEA NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  source_canvas_id BYTEA,
  conversation_id BYTEA NOT NULL,
  document_hash BYTEA NOT NULL,
  thumbnail_hash BYTEA,
  pages TEXT COLLATE "C" NOT NULL,
  page_count BIGINT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  content_by BYTEA,
  content_at BIGINT
);

CREATE TABLE tasks (
  id BYTEA PRIMARY KEY,
  organization_id BYTEA NOT NULL REFERENCES organizations (id),
  team_id BYTEA NOT NULL REFERENCES teams (id),
  api_key_id BYTEA NOT NULL REFERENCES api_keys (id),
  created_by BYTEA NOT NULL REFERENCES users (id),
  private_to BYTEA NOT NULL,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('design', 'remix')),
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'expired')),
  input TEXT COLLATE "C" NOT NULL,
  canvas_id BYTEA,
  source_canvas_id BYTEA,
  brand_kit_id BYTEA,
  conversation_id BYTEA NOT NULL,
  callback_url TEXT COLLATE "C",
  attempt BIGINT NOT NULL DEFAULT 0,
  cancel_requested BIGINT NOT NULL DEFAULT 0,
  progress_percent BIGINT NOT NULL DEFAULT 0,
  progress_step TEXT COLLATE "C",
  progress_message TEXT COLLATE "C",
  result TEXT COLLATE "C",
  error_message TEXT COLLATE "C",
  error_retryable BIGINT,
  created_at BIGINT NOT NULL,
  queued_at BIGINT NOT NULL,
  started_at BIGINT,
  completed_at BIGINT,
  claimed_by BYTEA,
  lease_until BIGINT
);

CREATE TABLE exports (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  canvas_id BYTEA NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  document_hash BYTEA NOT NULL,
  format TEXT COLLATE "C" NOT NULL CHECK (format IN ('png', 'jpeg', 'pdf', 'pptx', 'svg')),
  page_number BIGINT,
  pixel_ratio BIGINT NOT NULL,
  flatten BIGINT NOT NULL,
  total_pages BIGINT NOT NULL,
  basename TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempt BIGINT NOT NULL DEFAULT 0,
  filename TEXT COLLATE "C",
  result_hash BYTEA,
  size_bytes BIGINT,
  mime_type TEXT COLLATE "C",
  warnings TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  error_message TEXT COLLATE "C",
  error_retryable BIGINT,
  created_at BIGINT NOT NULL,
  completed_at BIGINT,
  expires_at BIGINT,
  claimed_by BYTEA,
  lease_until BIGINT
);

CREATE TABLE brand_kits (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  title TEXT COLLATE "C" NOT NULL,
  is_default BIGINT NOT NULL,
  company_name TEXT COLLATE "C",
  company_url TEXT COLLATE "C",
  tagline TEXT COLLATE "C",
  colors TEXT COLLATE "C" NOT NULL,
  fonts TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BYTEA REFERENCES users (id)
);

CREATE TABLE brand_kit_images (
  brand_kit_id BYTEA NOT NULL REFERENCES brand_kits (id) ON DELETE CASCADE,
  group_name TEXT COLLATE "C" NOT NULL,
  file_id BYTEA NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  name TEXT COLLATE "C",
  position BIGINT NOT NULL,
  PRIMARY KEY (brand_kit_id, group_name, file_id)
);

CREATE TABLE webhook_deliveries (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  api_key_id BYTEA NOT NULL REFERENCES api_keys (id),
  task_id BYTEA NOT NULL,
  event_id BYTEA NOT NULL,
  event_type TEXT COLLATE "C" NOT NULL,
  target_url TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts BIGINT NOT NULL DEFAULT 0,
  request_headers TEXT COLLATE "C",
  request_body TEXT COLLATE "C" NOT NULL,
  response_status_code BIGINT,
  response_body_excerpt TEXT COLLATE "C",
  replayed_from_id BYTEA,
  created_at BIGINT NOT NULL,
  last_attempted_at BIGINT,
  next_attempt_at BIGINT,
  claimed_by BYTEA,
  lease_until BIGINT
);

CREATE TABLE webhook_attempts (
  delivery_id BYTEA NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT,
  response_status_code BIGINT,
  error TEXT COLLATE "C",
  interrupted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (delivery_id, number)
);

CREATE TABLE organization_limits (
  organization_id BYTEA PRIMARY KEY REFERENCES organizations (id),
  requests_per_minute BIGINT,
  exports_per_minute BIGINT,
  concurrent_tasks BIGINT,
  max_bytes BIGINT,
  max_files BIGINT
);

CREATE TABLE team_usage (
  team_id BYTEA PRIMARY KEY,
  bytes BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE audit_log (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT COLLATE "C" NOT NULL,
  api_key_id BYTEA,
  organization_id BYTEA,
  address TEXT COLLATE "C" NOT NULL,
  action TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  details TEXT COLLATE "C" NOT NULL
);

CREATE TABLE readiness (
  id BIGINT PRIMARY KEY,
  checked_at BIGINT NOT NULL
);

CREATE TABLE trash (
  root_id BYTEA PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('folder', 'canvas', 'file')),
  team_id BYTEA NOT NULL REFERENCES teams (id),
  parent_id BYTEA,
  name TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BYTEA NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  deleted_by BYTEA NOT NULL REFERENCES users (id),
  deleted_at BIGINT NOT NULL,
  served_day BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE trashed_folders (
  trash_id BYTEA NOT NULL REFERENCES trash (root_id),
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL,
  parent_id BYTEA,
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL,
  private_to BYTEA NOT NULL,
  created_by BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE trashed_files (
  trash_id BYTEA NOT NULL REFERENCES trash (root_id),
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL,
  folder_id BYTEA,
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL,
  private_to BYTEA NOT NULL,
  mime_type TEXT COLLATE "C" NOT NULL,
  size_bytes BIGINT NOT NULL,
  content_hash BYTEA NOT NULL,
  created_by BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  content_by BYTEA,
  content_at BIGINT
);

CREATE TABLE trashed_canvases (
  trash_id BYTEA NOT NULL REFERENCES trash (root_id),
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL,
  folder_id BYTEA,
  name TEXT COLLATE "C" NOT NULL,
  name_key TEXT COLLATE "C" NOT NULL,
  visibility TEXT COLLATE "C" NOT NULL,
  private_to BYTEA NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  source_canvas_id BYTEA,
  conversation_id BYTEA NOT NULL,
  document_hash BYTEA NOT NULL,
  thumbnail_hash BYTEA,
  pages TEXT COLLATE "C" NOT NULL,
  page_count BIGINT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  created_by BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  content_by BYTEA,
  content_at BIGINT
);

CREATE TABLE trashed_brand_kit_images (
  brand_kit_id BYTEA NOT NULL REFERENCES brand_kits (id) ON DELETE CASCADE,
  group_name TEXT COLLATE "C" NOT NULL,
  file_id BYTEA NOT NULL REFERENCES trashed_files (id) ON DELETE CASCADE,
  name TEXT COLLATE "C",
  position BIGINT NOT NULL,
  PRIMARY KEY (brand_kit_id, group_name, file_id)
);

CREATE TABLE file_versions (
  id BYTEA PRIMARY KEY,
  file_id BYTEA NOT NULL,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  mime_type TEXT COLLATE "C" NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  content_hash BYTEA NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL,
  served_day BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE canvas_versions (
  id BYTEA PRIMARY KEY,
  canvas_id BYTEA NOT NULL,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  category TEXT COLLATE "C" NOT NULL,
  document_hash BYTEA NOT NULL,
  thumbnail_hash BYTEA,
  pages TEXT COLLATE "C" NOT NULL,
  page_count BIGINT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  created_by BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL,
  served_day BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE served_days (
  number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  day BIGINT NOT NULL,
  newest_entry BIGINT NOT NULL
);

CREATE TABLE latest_changes (
  team_id BYTEA PRIMARY KEY REFERENCES teams (id),
  at BIGINT NOT NULL
);

CREATE TABLE file_uploaders (
  file_id BYTEA NOT NULL,
  user_id BYTEA NOT NULL REFERENCES users (id),
  content_hash BYTEA NOT NULL,
  PRIMARY KEY (file_id, user_id, content_hash)
);

CREATE TABLE trash_counts (
  trash_id BYTEA NOT NULL REFERENCES trash (root_id) ON DELETE CASCADE,
  private_to BYTEA NOT NULL,
  folders BIGINT NOT NULL DEFAULT 0,
  canvases BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0,
  bytes BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (trash_id, private_to)
);

CREATE INDEX signed_uploads_consumed ON signed_uploads (consumed_at) WHERE consumed_at IS NOT NULL;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
CREATE UNIQUE INDEX folders_name ON folders (team_id, COALESCE(parent_id, '\x'), name_key);
CREATE INDEX folders_by_creation ON folders (team_id, created_at, id, private_to, updated_at);
CREATE INDEX folders_by_change ON folders (team_id, updated_at, id, private_to);
CREATE INDEX folders_by_name ON folders (team_id, name_key, id, private_to);
CREATE INDEX folders_in_by_creation ON folders (parent_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX folders_in_by_change ON folders (parent_id, team_id, updated_at, id, private_to);
CREATE INDEX folders_in_by_name ON folders (parent_id, team_id, name_key, id, private_to);
CREATE UNIQUE INDEX files_name ON files (team_id, COALESCE(folder_id, '\x'), name_key);
CREATE INDEX files_by_creation ON files (team_id, created_at, id, private_to, updated_at);
CREATE INDEX files_by_change ON files (team_id, updated_at, id, private_to);
CREATE INDEX files_by_name ON files (team_id, name_key, id, private_to);
CREATE INDEX files_by_size ON files (team_id, size_bytes, id, private_to);
CREATE INDEX files_in_by_creation ON files (folder_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX files_in_by_change ON files (folder_id, team_id, updated_at, id, private_to);
CREATE INDEX files_in_by_name ON files (folder_id, team_id, name_key, id, private_to);
CREATE INDEX files_in_by_size ON files (folder_id, team_id, size_bytes, id, private_to);
CREATE INDEX files_content ON files (content_hash, team_id, created_at);
CREATE UNIQUE INDEX canvases_name ON canvases (team_id, COALESCE(folder_id, '\x'), name_key);
CREATE INDEX canvases_by_creation ON canvases (team_id, created_at, id, private_to, updated_at);
CREATE INDEX canvases_by_change ON canvases (team_id, updated_at, id, private_to);
CREATE INDEX canvases_by_name ON canvases (team_id, name_key, id, private_to);
CREATE INDEX canvases_in_by_creation ON canvases (folder_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX canvases_in_by_change ON canvases (folder_id, team_id, updated_at, id, private_to);
CREATE INDEX canvases_in_by_name ON canvases (folder_id, team_id, name_key, id, private_to);
CREATE INDEX canvases_document ON canvases (document_hash);
CREATE INDEX canvases_thumbnail ON canvases (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;
CREATE INDEX tasks_by_creation ON tasks (team_id, created_at, id, private_to, status, kind, canvas_id);
CREATE INDEX tasks_by_status ON tasks (team_id, status, created_at, id, private_to, kind, canvas_id);
CREATE INDEX tasks_by_canvas ON tasks (canvas_id, team_id, created_at, id, private_to, status, kind);
CREATE INDEX tasks_queued ON tasks (queued_at, id, organization_id, canvas_id) WHERE status = 'queued';
CREATE INDEX tasks_running ON tasks (canvas_id, organization_id) WHERE status = 'running';
CREATE INDEX exports_under_way ON exports (created_at, id) WHERE completed_at IS NULL;
CREATE INDEX exports_expiry ON exports (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX exports_document ON exports (document_hash) WHERE completed_at IS NULL;
CREATE INDEX exports_result ON exports (result_hash) WHERE result_hash IS NOT NULL;
CREATE INDEX brand_kits_by_creation ON brand_kits (team_id, created_at, id);
CREATE UNIQUE INDEX brand_kits_default ON brand_kits (team_id) WHERE is_default = 1;
CREATE INDEX brand_kit_images_file ON brand_kit_images (file_id);
CREATE INDEX webhook_deliveries_by_creation ON webhook_deliveries (team_id, created_at, id, api_key_id, status, event_type);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
CREATE INDEX signed_uploads_staged ON signed_uploads (written_at, user_id, size_bytes)
  WHERE written_at IS NOT NULL AND consumed_at IS NULL;
CREATE INDEX audit_log_by_moment ON audit_log (at);
CREATE INDEX trash_by_moment ON trash (team_id, deleted_at, root_id, private_to);
CREATE INDEX trash_age ON trash (deleted_at);
CREATE INDEX trashed_folders_entry ON trashed_folders (trash_id, parent_id);
CREATE INDEX trashed_files_entry ON trashed_files (trash_id);
CREATE INDEX trashed_files_content ON trashed_files (content_hash);
CREATE INDEX trashed_canvases_entry ON trashed_canvases (trash_id);
CREATE INDEX trashed_canvases_document ON trashed_canvases (document_hash);
CREATE INDEX trashed_canvases_thumbnail ON trashed_canvases (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;
CREATE INDEX trashed_brand_kit_images_file ON trashed_brand_kit_images (file_id);
CREATE INDEX file_versions_of_file ON file_versions (file_id, replaced_at, id);
CREATE INDEX file_versions_content ON file_versions (content_hash);
CREATE INDEX canvas_versions_of_canvas ON canvas_versions (canvas_id, replaced_at, id);
CREATE INDEX canvas_versions_document ON canvas_versions (document_hash);
CREATE INDEX canvas_versions_thumbnail ON canvas_versions (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;
CREATE INDEX tasks_waiting ON tasks (organization_id, queued_at, id, canvas_id) WHERE status = 'queued';
CREATE INDEX tasks_held ON tasks (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX exports_held ON exports (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX exports_waiting ON exports (created_at, id, team_id) WHERE status = 'queued';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;

-- How many items lie in a place, by who sees them; kept by triggers, so that a total costs the same at any number of rows.
-- A place is the id of a folder, nothing for the top, '*' for everything together. The column of a table is called as the
-- table is, and comes as the first argument; the column that names the folder as the second.
CREATE FUNCTION count_item(counted TEXT, team BYTEA, folder BYTEA, seen_by BYTEA, change BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF change > 0 THEN
    EXECUTE format(
      'INSERT INTO drive_counts (team_id, place, private_to, %1$I) VALUES ($1, COALESCE($2, $5), $3, $4), ($1, $6, $3, $4)
         ON CONFLICT (team_id, place, private_to) DO UPDATE SET %1$I = drive_counts.%1$I + $4', counted)
      USING team, folder, seen_by, change, '\x'::bytea, '\x2a'::bytea;
  ELSE
    -- A place whose folder went before what lay in it has no row any more, and gets none.
    EXECUTE format(
      'UPDATE drive_counts SET %1$I = %1$I + $4
         WHERE team_id = $1 AND place IN (COALESCE($2, $5), $6) AND private_to = $3', counted)
      USING team, folder, seen_by, change, '\x'::bytea, '\x2a'::bytea;
  END IF;
END $$;

CREATE FUNCTION files_counted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM count_item('files', OLD.team_id, OLD.folder_id, OLD.private_to, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM count_item('files', NEW.team_id, NEW.folder_id, NEW.private_to, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER files_count_changed AFTER INSERT OR DELETE ON files FOR EACH ROW EXECUTE FUNCTION files_counted();
CREATE TRIGGER files_count_moved AFTER UPDATE OF folder_id, private_to ON files FOR EACH ROW
  WHEN (OLD.folder_id IS DISTINCT FROM NEW.folder_id OR OLD.private_to <> NEW.private_to) EXECUTE FUNCTION files_counted();

CREATE FUNCTION folders_counted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM count_item('folders', OLD.team_id, OLD.parent_id, OLD.private_to, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM count_item('folders', NEW.team_id, NEW.parent_id, NEW.private_to, 1);
  ELSE
    DELETE FROM drive_counts WHERE team_id = OLD.team_id AND place = OLD.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER folders_count_changed AFTER INSERT OR DELETE ON folders FOR EACH ROW EXECUTE FUNCTION folders_counted();
CREATE TRIGGER folders_count_moved AFTER UPDATE OF parent_id, private_to ON folders FOR EACH ROW
  WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.private_to <> NEW.private_to) EXECUTE FUNCTION folders_counted();

CREATE FUNCTION canvases_counted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM count_item('canvases', OLD.team_id, OLD.folder_id, OLD.private_to, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM count_item('canvases', NEW.team_id, NEW.folder_id, NEW.private_to, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER canvases_count_changed AFTER INSERT OR DELETE ON canvases FOR EACH ROW EXECUTE FUNCTION canvases_counted();
CREATE TRIGGER canvases_count_moved AFTER UPDATE OF folder_id, private_to ON canvases FOR EACH ROW
  WHEN (OLD.folder_id IS DISTINCT FROM NEW.folder_id OR OLD.private_to <> NEW.private_to) EXECUTE FUNCTION canvases_counted();

-- What the files of a team come to, with those in the trash and the bytes of versions, for its quotas.
CREATE FUNCTION count_usage(team BYTEA, more_bytes BIGINT, more_files BIGINT) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO team_usage (team_id, bytes, files) VALUES (team, more_bytes, more_files)
    ON CONFLICT (team_id) DO UPDATE SET bytes = team_usage.bytes + more_bytes, files = team_usage.files + more_files;
$$;

CREATE FUNCTION files_used() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM count_usage(NEW.team_id, NEW.size_bytes, 1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM count_usage(OLD.team_id, -OLD.size_bytes, -1);
  ELSE
    PERFORM count_usage(OLD.team_id, NEW.size_bytes - OLD.size_bytes, 0);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER files_usage_counted AFTER INSERT OR DELETE ON files FOR EACH ROW EXECUTE FUNCTION files_used();
CREATE TRIGGER files_usage_changed AFTER UPDATE OF size_bytes ON files FOR EACH ROW
  WHEN (OLD.size_bytes <> NEW.size_bytes) EXECUTE FUNCTION files_used();
CREATE TRIGGER trashed_files_usage_counted AFTER INSERT OR DELETE ON trashed_files FOR EACH ROW EXECUTE FUNCTION files_used();

CREATE FUNCTION versions_used() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM count_usage(NEW.team_id, NEW.size_bytes, 0);
  ELSE
    PERFORM count_usage(OLD.team_id, -OLD.size_bytes, 0);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER file_versions_usage_counted AFTER INSERT OR DELETE ON file_versions FOR EACH ROW EXECUTE FUNCTION versions_used();

-- The newest moment of a change that was in the trash and is not any more.
CREATE FUNCTION trash_left() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO latest_changes (team_id, at) VALUES (OLD.team_id, OLD.deleted_at)
    ON CONFLICT (team_id) DO UPDATE SET at = GREATEST(latest_changes.at, OLD.deleted_at);
  RETURN NULL;
END $$;
CREATE TRIGGER trash_latest_change AFTER DELETE ON trash FOR EACH ROW EXECUTE FUNCTION trash_left();
