-- By how many milliseconds the service's clock was ahead of this computer's when the drive was last looked at.
ALTER TABLE drives ADD COLUMN ahead_ms BIGINT;
-- How many files of a watched folder are copies that other computers do not get.
ALTER TABLE watches ADD COLUMN links BIGINT NOT NULL DEFAULT 0;
