-- How often what the drive's lists of a team show has changed, where several processes serve one database. SQLite tells by itself whether
-- anything has changed, and leaves this table empty.
CREATE TABLE drive_changes (
  team_id BLOB PRIMARY KEY NOT NULL,
  number BIGINT NOT NULL
);
