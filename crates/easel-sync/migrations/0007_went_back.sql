-- Whether the drive went back in time (its service was restored from a backup) and the person was not asked about it yet.
ALTER TABLE watches ADD COLUMN went_back BIGINT NOT NULL DEFAULT 0;
