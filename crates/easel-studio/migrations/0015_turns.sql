-- Tasks are taken in turns over organizations: the first of each that waits is found without looking at the others of its line,
-- however long that is. last_turn numbers the turns: whose is smaller has waited longer.
ALTER TABLE organizations ADD COLUMN last_turn BIGINT NOT NULL DEFAULT 0;
CREATE INDEX tasks_waiting ON tasks (organization_id, queued_at, id, canvas_id) WHERE status = 'queued';
