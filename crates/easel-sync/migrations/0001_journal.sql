-- The journal of transfers. Times are microseconds since the Unix epoch; drive ids are their 16 bytes; paths are the
-- system's own bytes, because a path need not be Unicode.

-- One row a connection: which round of work it is in. A round begins when something enters a queue at rest.
CREATE TABLE queues (
  connection_id TEXT PRIMARY KEY,
  round         BIGINT NOT NULL
);

-- What entered, at once and by one door: today a drop, later what a watched folder has to send.
CREATE TABLE drops (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id TEXT NOT NULL,
  folder_id     BLOB,                -- the drive folder that it goes to; NULL for the top
  seed          TEXT NOT NULL,       -- makes the idempotency keys of its folders
  entry_state   TEXT NOT NULL,       -- the state in which its files enter while it is still being walked
  is_walked     BIGINT NOT NULL,
  created_at    BIGINT NOT NULL
);
CREATE INDEX drops_unwalked ON drops (connection_id) WHERE is_walked = 0;

-- What was dropped, so that a walk that a crash cut off is taken up again.
CREATE TABLE drop_paths (
  drop_id BIGINT NOT NULL REFERENCES drops (id) ON DELETE CASCADE,
  path    BLOB NOT NULL
);
CREATE INDEX drop_paths_of ON drop_paths (drop_id);

-- Drive folders that a drop needs. The key stands here before the first request, so that a repeat makes no second one.
CREATE TABLE folders (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  drop_id         BIGINT NOT NULL REFERENCES drops (id) ON DELETE CASCADE,
  parent_id       BIGINT REFERENCES folders (id),
  relative_dir    TEXT NOT NULL,
  name            TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  folder_id       BLOB                -- once it is made
);
CREATE UNIQUE INDEX folders_place ON folders (drop_id, relative_dir);
CREATE INDEX folders_below ON folders (parent_id);

CREATE TABLE transfers (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id TEXT NOT NULL,
  drop_id       BIGINT NOT NULL REFERENCES drops (id),
  folder_row    BIGINT REFERENCES folders (id),
  kind          TEXT NOT NULL,
  path          BLOB NOT NULL,
  name          TEXT NOT NULL,
  relative_dir  TEXT NOT NULL,
  size_bytes    BIGINT NOT NULL,
  modified_at   BIGINT NOT NULL,
  is_large      BIGINT NOT NULL,
  state         TEXT NOT NULL,       -- queued, settling, paused, failed, canceled, sent, already_there
  step          TEXT NOT NULL,       -- none, direct (a multipart is in doubt), signed (a PUT is), put (a register is)
  wish          TEXT NOT NULL,       -- none, cancel (canceled while a step is in doubt)
  storage_key   TEXT,
  step_at       BIGINT,
  due_at        BIGINT,              -- settling: when to look again; queued: it stood still when last seen
  attempts      BIGINT NOT NULL,
  priority      BIGINT NOT NULL,
  round         BIGINT NOT NULL,
  failure       TEXT,
  file_id       BLOB,
  stored_in     BLOB,
  stored_name   TEXT,
  created_at    BIGINT NOT NULL,
  finished_at   BIGINT
);
CREATE UNIQUE INDEX transfers_place ON transfers (drop_id, path);
CREATE INDEX transfers_turn ON transfers (connection_id, state, is_large, priority DESC, id);
CREATE INDEX transfers_due ON transfers (connection_id, due_at) WHERE state = 'settling';
CREATE INDEX transfers_entry ON transfers (connection_id, id);
CREATE INDEX transfers_history ON transfers (connection_id, finished_at DESC, id DESC) WHERE finished_at IS NOT NULL;
CREATE INDEX transfers_priority ON transfers (connection_id, priority DESC, id);
CREATE INDEX transfers_folder ON transfers (folder_row);

-- Counts that the window asks for ten times a second, kept by triggers so that no list is ever counted through.
CREATE TABLE totals (
  connection_id TEXT NOT NULL,
  round         BIGINT NOT NULL,
  state         TEXT NOT NULL,
  is_large      BIGINT NOT NULL,
  files         BIGINT NOT NULL,
  bytes         BIGINT NOT NULL,
  PRIMARY KEY (connection_id, round, state, is_large)
);

CREATE TRIGGER totals_enter AFTER INSERT ON transfers BEGIN
  INSERT INTO totals (connection_id, round, state, is_large, files, bytes)
    VALUES (new.connection_id, new.round, new.state, new.is_large, 1, new.size_bytes)
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER totals_leave AFTER DELETE ON transfers BEGIN
  UPDATE totals SET files = files - 1, bytes = bytes - old.size_bytes
    WHERE connection_id = old.connection_id AND round = old.round AND state = old.state AND is_large = old.is_large;
END;

CREATE TRIGGER totals_change AFTER UPDATE OF state, round, is_large, size_bytes ON transfers BEGIN
  UPDATE totals SET files = files - 1, bytes = bytes - old.size_bytes
    WHERE connection_id = old.connection_id AND round = old.round AND state = old.state AND is_large = old.is_large;
  INSERT INTO totals (connection_id, round, state, is_large, files, bytes)
    VALUES (new.connection_id, new.round, new.state, new.is_large, 1, new.size_bytes)
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;
