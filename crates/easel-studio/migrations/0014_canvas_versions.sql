-- Earlier drawings of designs. A canvas that a task changes in place keeps what was drawn on it as a version: by whom, since when, and
-- until when. Versions belong to their canvas by its id, in the drive and in the trash alike, and go for good with it.
CREATE TABLE canvas_versions (
  id BLOB PRIMARY KEY NOT NULL,
  canvas_id BLOB NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  category TEXT NOT NULL,
  document_hash BLOB NOT NULL,
  thumbnail_hash BLOB,
  pages TEXT NOT NULL,
  page_count BIGINT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX canvas_versions_of_canvas ON canvas_versions (canvas_id, replaced_at, id);
CREATE INDEX canvas_versions_document ON canvas_versions (document_hash);
CREATE INDEX canvas_versions_thumbnail ON canvas_versions (thumbnail_hash) WHERE thumbnail_hash IS NOT NULL;

-- Whose drawing a canvas shows, and since when; nothing where that is who made the canvas, and then.
ALTER TABLE canvases ADD COLUMN content_by BLOB;
ALTER TABLE canvases ADD COLUMN content_at BIGINT;
ALTER TABLE trashed_canvases ADD COLUMN content_by BLOB;
ALTER TABLE trashed_canvases ADD COLUMN content_at BIGINT;
