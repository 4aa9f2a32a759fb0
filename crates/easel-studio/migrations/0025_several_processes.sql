-- What several processes that serve one database tell each other. SQLite has one process, which leaves these tables empty.

-- Contents of a bucket that were removed, or are being: done_at says when the bucket had answered, and without it a request that removes
-- the content may be on its way, so that nobody brings it. The number counts the removals of one content: who brings it looks at the
-- number before and once more beside its row. aside_at is the moment under which it is set aside and not removed.
CREATE TABLE content_removals (
  hash BLOB PRIMARY KEY NOT NULL,
  number BIGINT NOT NULL,
  began_at BIGINT NOT NULL,
  aside_at BIGINT,
  done_at BIGINT
);
CREATE INDEX content_removals_open ON content_removals (began_at) WHERE done_at IS NULL;

-- What has to be the same for each of them: a value that tells the key file without giving it away, and where the contents lie. One row.
CREATE TABLE shared_settings (
  id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
  key_check BLOB NOT NULL,
  bucket TEXT,
  studio BLOB
);

-- What was taken in the last minute of what is bounded by the minute: so often at this moment.
CREATE TABLE rates (
  subject BLOB NOT NULL,
  at BIGINT NOT NULL,
  taken BIGINT NOT NULL,
  PRIMARY KEY (subject, at)
);
