-- What whoever runs the service needs: ends of keys, users who are gone, quotas and what is used of them, the audit log.
-- expires_at: from then on the key is refused; nothing for no end.
ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
-- A removed user keeps the row: what they made still says so. They have no keys any more.
ALTER TABLE users ADD COLUMN removed_at BIGINT;

-- Quotas of an organization: bytes and files of its drive, staged uploads included; nothing for none.
ALTER TABLE organization_limits ADD COLUMN max_bytes BIGINT;
ALTER TABLE organization_limits ADD COLUMN max_files BIGINT;

-- What the files of a team come to. Kept by the triggers below, so that to ask costs the same at any number of rows.
CREATE TABLE team_usage (
  team_id BLOB PRIMARY KEY NOT NULL,
  bytes BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO team_usage (team_id, bytes, files) SELECT team_id, SUM(size_bytes), COUNT(*) FROM files GROUP BY team_id;

CREATE TRIGGER files_usage_added AFTER INSERT ON files BEGIN
  INSERT INTO team_usage (team_id, bytes, files) VALUES (NEW.team_id, NEW.size_bytes, 1)
    ON CONFLICT (team_id) DO UPDATE SET bytes = bytes + NEW.size_bytes, files = files + 1;
END;
CREATE TRIGGER files_usage_removed AFTER DELETE ON files BEGIN
  UPDATE team_usage SET bytes = bytes - OLD.size_bytes, files = files - 1 WHERE team_id = OLD.team_id;
END;
CREATE TRIGGER files_usage_changed AFTER UPDATE OF size_bytes ON files WHEN OLD.size_bytes <> NEW.size_bytes BEGIN
  UPDATE team_usage SET bytes = bytes - OLD.size_bytes + NEW.size_bytes WHERE team_id = OLD.team_id;
END;

-- What was PUT and waits to be registered: few rows of a table that forgets the others within days.
CREATE INDEX signed_uploads_staged ON signed_uploads (written_at, user_id, size_bytes)
  WHERE written_at IS NOT NULL AND consumed_at IS NULL;

-- Who did what, from where and when. actor is the address of a user, or operator at the command line, or nothing for who is not
-- known. address is where a request came from, or where the command line ran. subject is what it was done to; details is a JSON
-- object. organization_id is whose it is, nothing where none is known.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  api_key_id BLOB,
  organization_id BLOB,
  address TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE INDEX audit_log_by_moment ON audit_log (at);

-- One row, written to learn whether the database takes a write.
CREATE TABLE readiness (
  id BIGINT PRIMARY KEY NOT NULL,
  checked_at BIGINT NOT NULL
) WITHOUT ROWID;
