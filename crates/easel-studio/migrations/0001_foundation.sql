-- Accounts, staged uploads and idempotency keys.
-- Ids are the 16 bytes of a UUID, moments are microseconds since the Unix epoch, hashes are the 32 bytes of SHA-256.
CREATE TABLE organizations (
  id BLOB PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE teams (
  id BLOB PRIMARY KEY NOT NULL,
  organization_id BLOB NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE users (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at BIGINT NOT NULL
);

-- A deleted key keeps its row: its signing secret still signs what is pending.
CREATE TABLE api_keys (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  key_hash BLOB NOT NULL UNIQUE,
  sealed_secret BLOB NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  deleted_at BIGINT
);

-- consumed_at and result are the memory of a registered storage_key; content stays until registered.
CREATE TABLE signed_uploads (
  storage_key TEXT PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  filename TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  written_at BIGINT,
  size_bytes BIGINT,
  consumed_at BIGINT,
  result TEXT
);
CREATE INDEX signed_uploads_consumed ON signed_uploads (consumed_at) WHERE consumed_at IS NOT NULL;

CREATE TABLE idempotency_keys (
  api_key_id BLOB NOT NULL REFERENCES api_keys (id),
  endpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash BLOB NOT NULL,
  response TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (api_key_id, endpoint, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
