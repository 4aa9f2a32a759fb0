-- What a change of a synced folder found and what it left, so that it can be undone; in which run it came; and who made it, where
-- the service tells. Of older lines nothing of this is known.
ALTER TABLE history ADD COLUMN run BIGINT;        -- counts up, one number for all lines of a run
ALTER TABLE history ADD COLUMN moved_from TEXT;   -- the path below the watched folder that a moved item had
ALTER TABLE history ADD COLUMN held_before TEXT;  -- JSON
ALTER TABLE history ADD COLUMN held_after TEXT;   -- JSON
ALTER TABLE history ADD COLUMN who TEXT;          -- JSON
CREATE INDEX history_runs ON history (watch_id, run);
