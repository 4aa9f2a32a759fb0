-- A running export is held by one process until a moment, as a task is. The second index finds what waits beside what runs.
ALTER TABLE exports ADD COLUMN claimed_by BLOB;
ALTER TABLE exports ADD COLUMN lease_until BIGINT;
UPDATE exports SET claimed_by = zeroblob(16), lease_until = 0 WHERE status = 'running';
CREATE INDEX exports_held ON exports (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX exports_waiting ON exports (created_at, id, team_id) WHERE status = 'queued';
