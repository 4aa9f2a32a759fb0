-- What 0026 is for SQLite.
ALTER TABLE shared_settings ADD COLUMN closed TEXT COLLATE "C";
