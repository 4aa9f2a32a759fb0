-- Invitations into a team. The code is for one use and kept as a hash alone; one that is neither redeemed nor taken back is open until
-- its end. Of one address at most one is open.
CREATE TABLE invitations (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  code_hash BLOB NOT NULL UNIQUE,
  invited_by BLOB REFERENCES users (id),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  redeemed_at BIGINT,
  taken_back_at BIGINT
);
CREATE UNIQUE INDEX invitations_open ON invitations (email) WHERE redeemed_at IS NULL AND taken_back_at IS NULL;
