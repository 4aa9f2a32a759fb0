-- Members who uploaded bytes that a file of another's had already, and were told that the file is theirs too. They count among those
-- who made it: nobody hides it from them, or destroys it, alone. Rows belong to their file by its id, in the drive and in the trash.
CREATE TABLE file_uploaders (
  file_id BLOB NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  content_hash BLOB NOT NULL,
  PRIMARY KEY (file_id, user_id, content_hash)
) WITHOUT ROWID;
