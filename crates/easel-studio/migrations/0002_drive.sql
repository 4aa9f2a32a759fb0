-- The drive. name_key is the name as it is compared: case-folded, in NFC. visibility is what was set on the item itself;
-- private_to is what comes of it and of the folders above: the one user who sees the item, or nothing for the whole team.
CREATE TABLE folders (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  parent_id BLOB REFERENCES folders (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BLOB NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX folders_name ON folders (team_id, COALESCE(parent_id, x''), name_key);
CREATE INDEX folders_by_creation ON folders (team_id, created_at, id, private_to, updated_at);
CREATE INDEX folders_by_change ON folders (team_id, updated_at, id, private_to);
CREATE INDEX folders_by_name ON folders (team_id, name_key, id, private_to);
CREATE INDEX folders_in_by_creation ON folders (parent_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX folders_in_by_change ON folders (parent_id, team_id, updated_at, id, private_to);
CREATE INDEX folders_in_by_name ON folders (parent_id, team_id, name_key, id, private_to);

CREATE TABLE files (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  folder_id BLOB REFERENCES folders (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('team', 'private')),
  private_to BLOB NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  content_hash BLOB NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX files_name ON files (team_id, COALESCE(folder_id, x''), name_key);
CREATE INDEX files_by_creation ON files (team_id, created_at, id, private_to, updated_at);
CREATE INDEX files_by_change ON files (team_id, updated_at, id, private_to);
CREATE INDEX files_by_name ON files (team_id, name_key, id, private_to);
CREATE INDEX files_by_size ON files (team_id, size_bytes, id, private_to);
CREATE INDEX files_in_by_creation ON files (folder_id, team_id, created_at, id, private_to, updated_at);
CREATE INDEX files_in_by_change ON files (folder_id, team_id, updated_at, id, private_to);
CREATE INDEX files_in_by_name ON files (folder_id, team_id, name_key, id, private_to);
CREATE INDEX files_in_by_size ON files (folder_id, team_id, size_bytes, id, private_to);
CREATE INDEX files_content ON files (content_hash, team_id, created_at);

-- How many items lie in a place: the id of a folder, nothing for the top, '*' for everything together. Kept by the
-- triggers below, so that a total and a folder's counts cost the same at any number of rows.
CREATE TABLE drive_counts (
  team_id BLOB NOT NULL,
  place BLOB NOT NULL,
  private_to BLOB NOT NULL,
  folders BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, place, private_to)
) WITHOUT ROWID;

CREATE TRIGGER files_count_added AFTER INSERT ON files BEGIN
  INSERT INTO drive_counts (team_id, place, private_to, files)
    VALUES (NEW.team_id, COALESCE(NEW.folder_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER files_count_removed AFTER DELETE ON files BEGIN
  UPDATE drive_counts SET files = files - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.folder_id, x''), x'2a') AND private_to = OLD.private_to;
END;
CREATE TRIGGER files_count_moved AFTER UPDATE OF folder_id, private_to ON files
WHEN OLD.folder_id IS NOT NEW.folder_id OR OLD.private_to <> NEW.private_to BEGIN
  UPDATE drive_counts SET files = files - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.folder_id, x''), x'2a') AND private_to = OLD.private_to;
  INSERT INTO drive_counts (team_id, place, private_to, files)
    VALUES (NEW.team_id, COALESCE(NEW.folder_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET files = files + 1;
END;

CREATE TRIGGER folders_count_added AFTER INSERT ON folders BEGIN
  INSERT INTO drive_counts (team_id, place, private_to, folders)
    VALUES (NEW.team_id, COALESCE(NEW.parent_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET folders = folders + 1;
END;
CREATE TRIGGER folders_count_removed AFTER DELETE ON folders BEGIN
  UPDATE drive_counts SET folders = folders - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.parent_id, x''), x'2a') AND private_to = OLD.private_to;
  DELETE FROM drive_counts WHERE team_id = OLD.team_id AND place = OLD.id;
END;
CREATE TRIGGER folders_count_moved AFTER UPDATE OF parent_id, private_to ON folders
WHEN OLD.parent_id IS NOT NEW.parent_id OR OLD.private_to <> NEW.private_to BEGIN
  UPDATE drive_counts SET folders = folders - 1
    WHERE team_id = OLD.team_id AND place IN (COALESCE(OLD.parent_id, x''), x'2a') AND private_to = OLD.private_to;
  INSERT INTO drive_counts (team_id, place, private_to, folders)
    VALUES (NEW.team_id, COALESCE(NEW.parent_id, x''), NEW.private_to, 1), (NEW.team_id, x'2a', NEW.private_to, 1)
    ON CONFLICT (team_id, place, private_to) DO UPDATE SET folders = folders + 1;
END;
