-- Webhook deliveries. request_body is what is signed, word for word, and stays the same over retries and replays, as does
-- event_id. next_attempt_at is when a pending one is due; nothing while an attempt is under way.
CREATE TABLE webhook_deliveries (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  api_key_id BLOB NOT NULL REFERENCES api_keys (id),
  task_id BLOB NOT NULL,
  event_id BLOB NOT NULL,
  event_type TEXT NOT NULL,
  target_url TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts BIGINT NOT NULL DEFAULT 0,
  request_headers TEXT,
  request_body TEXT NOT NULL,
  response_status_code BIGINT,
  response_body_excerpt TEXT,
  replayed_from_id BLOB,
  created_at BIGINT NOT NULL,
  last_attempted_at BIGINT,
  next_attempt_at BIGINT
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_creation ON webhook_deliveries (team_id, created_at, id, api_key_id, status, event_type);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- duration_ms is nothing while the attempt is under way. interrupted: the studio stopped meanwhile, so that nobody knows
-- what came of it; such an attempt is made again and does not count.
CREATE TABLE webhook_attempts (
  delivery_id BLOB NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT,
  response_status_code BIGINT,
  error TEXT,
  interrupted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (delivery_id, number)
) WITHOUT ROWID;
