-- Days on which the studio served, in the order in which it did: a clock that jumps makes one day of many, and not many of one. day is
-- what the clock said, in days since 1970; newest_entry is the newest of the audit log by then. What is kept for a number of days is
-- kept for as many of these.
CREATE TABLE served_days (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  day BIGINT NOT NULL,
  newest_entry BIGINT NOT NULL
);

-- The newest day by when something was deleted or replaced; nothing of what was before this is older than the first day.
ALTER TABLE trash ADD COLUMN served_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE file_versions ADD COLUMN served_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE canvas_versions ADD COLUMN served_day BIGINT NOT NULL DEFAULT 0;
