-- What an entry of the trash comes to, by who sees it: nothing for the whole team, or one user. An entry that the team sees may hold what
-- only who deleted it saw.
CREATE TABLE trash_counts (
  trash_id BLOB NOT NULL REFERENCES trash (root_id) ON DELETE CASCADE,
  private_to BLOB NOT NULL,
  folders BIGINT NOT NULL DEFAULT 0,
  canvases BIGINT NOT NULL DEFAULT 0,
  files BIGINT NOT NULL DEFAULT 0,
  bytes BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (trash_id, private_to)
) WITHOUT ROWID;

INSERT INTO trash_counts (trash_id, private_to, folders, canvases, files, bytes)
  SELECT trash_id, private_to, SUM(folders), SUM(canvases), SUM(files), SUM(bytes) FROM (
    SELECT trash_id, private_to, 1 AS folders, 0 AS canvases, 0 AS files, 0 AS bytes FROM trashed_folders
    UNION ALL SELECT trash_id, private_to, 0, 1, 0, 0 FROM trashed_canvases
    UNION ALL SELECT trash_id, private_to, 0, 0, 1, size_bytes FROM trashed_files
  ) GROUP BY trash_id, private_to;

ALTER TABLE trash DROP COLUMN folders;
ALTER TABLE trash DROP COLUMN canvases;
ALTER TABLE trash DROP COLUMN files;
ALTER TABLE trash DROP COLUMN bytes;
