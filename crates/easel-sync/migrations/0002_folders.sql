-- Watched folders, what they agree on with the drive, and what was seen of the drive. As before: times are microseconds
-- since the Unix epoch, drive ids their 16 bytes, a watched folder's path the system's own bytes; paths below it are text.

CREATE TABLE watches (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id  TEXT NOT NULL,
  path           BLOB NOT NULL,
  drive_folder   BLOB NOT NULL,
  drive_path     TEXT NOT NULL,      -- as last seen, for people
  mode           TEXT NOT NULL,      -- upload_only, both_ways
  deletions      TEXT NOT NULL,      -- keep, delete
  ignore         TEXT NOT NULL,      -- patterns, one a line
  is_paused      BIGINT NOT NULL,
  root_identity  BIGINT,             -- of the folder itself, so that another at its place is not taken for it
  files          BIGINT NOT NULL,    -- as of the last look, with the next three
  bytes          BIGINT NOT NULL,
  skipped        BIGINT NOT NULL,
  last_looked_at BIGINT,
  created_at     BIGINT NOT NULL
);
CREATE INDEX watches_of ON watches (connection_id, id);

-- What both sides last agreed on. There may be a million rows, so what follows from the path is left out.
CREATE TABLE agreed (
  watch_id     BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  path         TEXT NOT NULL,
  kind         BIGINT NOT NULL,      -- 0 folder, 1 file at its home, 2 file that is a link to a home elsewhere
  standing     BIGINT NOT NULL,      -- 0 on both sides, 1 only in the drive, 2 only here
  drive_id     BLOB NOT NULL,
  identity     BIGINT NOT NULL,
  size_bytes   BIGINT,               -- NULL for a folder, with the next two
  modified_us  BIGINT,
  hash         BLOB,
  place_folder BLOB NOT NULL,
  place_name   TEXT,                 -- NULL where it is the last part of the path
  replaces     TEXT,                 -- JSON; NULL for nothing
  PRIMARY KEY (watch_id, path)
) WITHOUT ROWID;

-- What was about to be done.
CREATE TABLE intents (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  path     TEXT NOT NULL,
  body     TEXT NOT NULL,            -- JSON
  PRIMARY KEY (watch_id, path)
) WITHOUT ROWID;

-- Differences that stay, as of the last look.
CREATE TABLE notes (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  number   BIGINT NOT NULL,          -- in the order of the paths
  path     TEXT NOT NULL,
  why      TEXT NOT NULL,            -- JSON
  PRIMARY KEY (watch_id, number)
) WITHOUT ROWID;

CREATE TABLE history (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  at       BIGINT NOT NULL,
  path     TEXT NOT NULL,
  what     TEXT NOT NULL,            -- JSON
  bytes    BIGINT,
  who      TEXT
);
CREATE INDEX history_of ON history (watch_id, id);

-- What was seen of the drive, once for all watched folders of a connection. It can be thrown away at any time.
CREATE TABLE drives (
  connection_id TEXT PRIMARY KEY,
  seen_until    BIGINT,              -- by the service's clock: older changes stand here; NULL before the first whole look
  is_telling    BIGINT NOT NULL,     -- whether the service tells what changed since a moment
  whole_at      BIGINT               -- when its lists were last read from end to end
);

CREATE TABLE drive_folders (
  connection_id   TEXT NOT NULL,
  id              BLOB NOT NULL,
  parent          BLOB,              -- NULL at the top
  name            TEXT NOT NULL,
  updated_at      BIGINT,
  PRIMARY KEY (connection_id, id)
) WITHOUT ROWID;
CREATE INDEX drive_folders_in ON drive_folders (connection_id, parent);

CREATE TABLE drive_files (
  connection_id TEXT NOT NULL,
  id            BLOB NOT NULL,
  folder        BLOB,                -- NULL at the top
  name          TEXT NOT NULL,
  size_bytes    BIGINT NOT NULL,
  hash          BLOB,                -- NULL where the service does not tell
  PRIMARY KEY (connection_id, id)
) WITHOUT ROWID;
CREATE INDEX drive_files_in ON drive_files (connection_id, folder);
