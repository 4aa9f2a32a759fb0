-- What 0024 is for SQLite.
CREATE TABLE invitations (
  id BYTEA PRIMARY KEY,
  team_id BYTEA NOT NULL REFERENCES teams (id),
  email TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  code_hash BYTEA NOT NULL UNIQUE,
  invited_by BYTEA REFERENCES users (id),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  redeemed_at BIGINT,
  taken_back_at BIGINT
);
CREATE UNIQUE INDEX invitations_open ON invitations (email) WHERE redeemed_at IS NULL AND taken_back_at IS NULL;
