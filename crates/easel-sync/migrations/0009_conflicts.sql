-- Two files that wanted one name, so that the one of this computer got another beside it: until a person has settled that or one
-- of the two is gone. What the history tells of such is taken over. Whether both files are there is found out at the next look.
CREATE TABLE conflicts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  watch_id   BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  at         BIGINT NOT NULL,
  path       TEXT NOT NULL,
  kept_as    TEXT NOT NULL,
  is_whole   BIGINT NOT NULL DEFAULT 0,  -- whether both files were seen: one that never was cannot be gone
  is_settled BIGINT NOT NULL DEFAULT 0,  -- whether the person wants both
  copy_identity BIGINT,  -- while the copy is given the name of the original, which goes to the trash first: which file the copy is
  UNIQUE (watch_id, kept_as)
);

INSERT OR IGNORE INTO conflicts (watch_id, at, path, kept_as)
  SELECT watch_id, at, path, kept_as FROM (
    SELECT id, watch_id, at, path,
      CASE WHEN what LIKE '{"code":"conflict"%' AND json_valid(what) THEN json_extract(what, '$.kept_as') END AS kept_as
    FROM history)
  WHERE kept_as IS NOT NULL ORDER BY id;
