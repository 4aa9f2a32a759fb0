-- What other computers are told of a path whose content the drive has at another place: JSON; NULL where they are told nothing.
ALTER TABLE agreed ADD COLUMN shared TEXT;

-- The lists of copies that were read or sent, as they stand in the drive.
CREATE TABLE copy_lists (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  drive_id TEXT NOT NULL,
  folder   TEXT,                     -- NULL at the top of the drive
  body     BLOB NOT NULL,
  PRIMARY KEY (watch_id, drive_id)
) WITHOUT ROWID;
