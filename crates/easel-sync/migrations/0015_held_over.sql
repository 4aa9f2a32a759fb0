-- What a path had held that an item moved to, and that went by the move: so that undoing brings it back.
ALTER TABLE history ADD COLUMN held_over TEXT;

-- What paths held of which nothing is agreed on for now, in a run that has not come to its end: the change that tells of the path may come
-- after the program was killed.
CREATE TABLE forgotten (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  path     TEXT NOT NULL,  -- below the watched folder
  held     TEXT NOT NULL,
  PRIMARY KEY (watch_id, path)
);
