-- Where items were that were moved on this computer and that the drive has not followed yet, so that the history can tell of their moves
-- whatever comes in between.
CREATE TABLE moves (
  watch_id  BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  path      TEXT NOT NULL,  -- below the watched folder, as it is
  came_from TEXT NOT NULL,  -- the path that the drive has yet
  PRIMARY KEY (watch_id, path)
);
