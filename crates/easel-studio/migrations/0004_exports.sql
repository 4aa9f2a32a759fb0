-- Exports of canvases. document_hash is the drawing as it was when the export was asked for: it is kept in the blob store
-- until the export has ended, so that whatever becomes of the canvas does not disturb it. canvas_id is no reference, because
-- a result outlives its canvas. result_hash is the file, kept until expires_at; the row goes with it.
CREATE TABLE exports (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  canvas_id BLOB NOT NULL,
  created_by BLOB NOT NULL REFERENCES users (id),
  document_hash BLOB NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('png', 'jpeg', 'pdf', 'pptx', 'svg')),
  page_number BIGINT,
  pixel_ratio BIGINT NOT NULL,
  flatten BIGINT NOT NULL,
  total_pages BIGINT NOT NULL,
  basename TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempt BIGINT NOT NULL DEFAULT 0,
  filename TEXT,
  result_hash BLOB,
  size_bytes BIGINT,
  mime_type TEXT,
  warnings TEXT NOT NULL DEFAULT '[]',
  error_message TEXT,
  error_retryable BIGINT,
  created_at BIGINT NOT NULL,
  completed_at BIGINT,
  expires_at BIGINT
) WITHOUT ROWID;
CREATE INDEX exports_under_way ON exports (created_at, id) WHERE completed_at IS NULL;
CREATE INDEX exports_expiry ON exports (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX exports_document ON exports (document_hash) WHERE completed_at IS NULL;
CREATE INDEX exports_result ON exports (result_hash) WHERE result_hash IS NOT NULL;
