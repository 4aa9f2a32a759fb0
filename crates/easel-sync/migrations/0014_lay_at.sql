-- Where the paths of a change lay before folders above them were moved on this computer that the drive had not followed yet: the moves of
-- these folders are told of later.
ALTER TABLE history ADD COLUMN lay_at TEXT;  -- of path
ALTER TABLE history ADD COLUMN from_lay_at TEXT;  -- of moved_from
