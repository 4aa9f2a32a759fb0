-- What an organization may beyond, or short of, its plan and the studio's settings; nothing where those hold. Zero is no limit.
CREATE TABLE organization_limits (
  organization_id BLOB PRIMARY KEY NOT NULL REFERENCES organizations (id),
  requests_per_minute BIGINT,
  exports_per_minute BIGINT,
  concurrent_tasks BIGINT
) WITHOUT ROWID;
