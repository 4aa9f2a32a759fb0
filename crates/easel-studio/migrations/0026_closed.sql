-- Why nobody may serve this database, in words: the studio was moved elsewhere, or what is moved here has not all come. Nothing where it may be served.
ALTER TABLE shared_settings ADD COLUMN closed TEXT;
