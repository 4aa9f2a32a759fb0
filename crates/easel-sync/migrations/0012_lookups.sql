-- What one changed file asks about, among a million: who has a drive file as its own or has replaced it, and where a content is.
CREATE INDEX agreed_drive_id ON agreed (watch_id, drive_id);
CREATE INDEX agreed_hash ON agreed (watch_id, hash);
CREATE INDEX agreed_replacing ON agreed (watch_id) WHERE replaces IS NOT NULL;
CREATE INDEX drive_files_hash ON drive_files (connection_id, hash);
