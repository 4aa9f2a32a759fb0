-- What undoing changes of a synced folder is about to do, step by step: written before the first of them, so that what is cut
-- off is carried on. The rows of a folder go when all of it is over and a person knows how it ended.
CREATE TABLE revert_acts (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  number   BIGINT NOT NULL,            -- counts up in the order in which they are done
  body     TEXT NOT NULL,              -- JSON
  state    BIGINT NOT NULL DEFAULT 0,  -- 0: to be done; 1: done; 2: refused
  PRIMARY KEY (watch_id, number)
);
