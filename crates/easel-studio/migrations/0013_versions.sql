-- Earlier contents of files. A file that is given new content keeps what it had as a version: who gave it, when, and until when it
-- was the file's content. Versions belong to their file by its id, in the drive and in the trash alike, and go for good with it.
CREATE TABLE file_versions (
  id BLOB PRIMARY KEY NOT NULL,
  file_id BLOB NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  content_hash BLOB NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX file_versions_of_file ON file_versions (file_id, replaced_at, id);
CREATE INDEX file_versions_content ON file_versions (content_hash);

-- Who gave a file the content that it has, and when; nothing where that is who made it, and then.
ALTER TABLE files ADD COLUMN content_by BLOB;
ALTER TABLE files ADD COLUMN content_at BIGINT;
ALTER TABLE trashed_files ADD COLUMN content_by BLOB;
ALTER TABLE trashed_files ADD COLUMN content_at BIGINT;

-- Bytes of versions count for a quota as those of their files do; a file and its versions are one file.
CREATE TRIGGER file_versions_usage_added AFTER INSERT ON file_versions BEGIN
  INSERT INTO team_usage (team_id, bytes, files) VALUES (NEW.team_id, NEW.size_bytes, 0)
    ON CONFLICT (team_id) DO UPDATE SET bytes = bytes + NEW.size_bytes;
END;
CREATE TRIGGER file_versions_usage_removed AFTER DELETE ON file_versions BEGIN
  UPDATE team_usage SET bytes = bytes - OLD.size_bytes WHERE team_id = OLD.team_id;
END;
