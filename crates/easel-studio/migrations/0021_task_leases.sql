-- A running task is held by one process until a moment, both nothing for any other task: claimed_by is what the process calls
-- itself from its start to its end. What runs by now was left by a process that knew nothing of this: nobody holds it, and its time
-- is over.
ALTER TABLE tasks ADD COLUMN claimed_by BLOB;
ALTER TABLE tasks ADD COLUMN lease_until BIGINT;
UPDATE tasks SET claimed_by = zeroblob(16), lease_until = 0 WHERE status = 'running';
CREATE INDEX tasks_held ON tasks (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;
