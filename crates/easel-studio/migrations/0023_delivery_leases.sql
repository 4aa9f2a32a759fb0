-- A delivery of which an attempt is under way is held by one process until a moment, as a task is.
ALTER TABLE webhook_deliveries ADD COLUMN claimed_by BLOB;
ALTER TABLE webhook_deliveries ADD COLUMN lease_until BIGINT;
UPDATE webhook_deliveries SET claimed_by = zeroblob(16), lease_until = 0 WHERE status = 'pending' AND next_attempt_at IS NULL;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (lease_until, claimed_by) WHERE claimed_by IS NOT NULL;
