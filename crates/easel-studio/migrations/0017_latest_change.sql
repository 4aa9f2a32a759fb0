-- The newest moment of a change that was in the trash and is not any more. Where a clock goes back, changes count on from the newest that
-- a client may have seen, also when what changed then is gone for good.
CREATE TABLE latest_changes (
  team_id BLOB PRIMARY KEY NOT NULL REFERENCES teams (id),
  at BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER trash_latest_change AFTER DELETE ON trash BEGIN
  INSERT INTO latest_changes (team_id, at) VALUES (OLD.team_id, OLD.deleted_at)
    ON CONFLICT (team_id) DO UPDATE SET at = MAX(at, OLD.deleted_at);
END;
