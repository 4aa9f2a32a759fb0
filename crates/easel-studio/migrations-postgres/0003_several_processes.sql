-- What 0025 is for SQLite; here several processes use it.
CREATE TABLE content_removals (
  hash BYTEA PRIMARY KEY,
  number BIGINT NOT NULL,
  began_at BIGINT NOT NULL,
  aside_at BIGINT,
  done_at BIGINT
);
CREATE INDEX content_removals_open ON content_removals (began_at) WHERE done_at IS NULL;

CREATE TABLE shared_settings (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  key_check BYTEA NOT NULL,
  bucket TEXT COLLATE "C",
  studio BYTEA
);

-- Not in the server's log: what is taken in a minute need not outlive a crash, and no request waits for a disk.
CREATE UNLOGGED TABLE rates (
  subject BYTEA NOT NULL,
  at BIGINT NOT NULL,
  taken BIGINT NOT NULL,
  PRIMARY KEY (subject, at)
);

-- Takes one of `most` in any sixty seconds, by the server's clock: `moment` is when, to be given back by; else `wait_us` is how long until
-- the next would pass. Turns of one subject are taken in order, under the lock that `turn` names. Beyond 600 a minute, takings of a tenth of a
-- second count as one moment, its end, so that a subject never has more than some 600 rows.
CREATE FUNCTION take_rate(turn BIGINT, whose BYTEA, most BIGINT, OUT moment BIGINT, OUT wait_us BIGINT) LANGUAGE plpgsql AS $$
DECLARE
  minute CONSTANT BIGINT := 60000000;
  present BIGINT;
  so_far BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(turn);
  present := (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT;
  -- Also what lies further ahead than a minute: the clock was set back.
  DELETE FROM rates WHERE subject = whose AND (at <= present - minute OR at > present + minute);
  SELECT COALESCE(SUM(taken), 0) INTO so_far FROM rates WHERE subject = whose;
  IF so_far < most THEN
    moment := CASE WHEN most > 600 THEN (present / 100000 + 1) * 100000 ELSE present END;
    INSERT INTO rates (subject, at, taken) VALUES (whose, moment, 1)
      ON CONFLICT (subject, at) DO UPDATE SET taken = rates.taken + 1;
  ELSE
    SELECT sums.at + minute - present INTO wait_us
      FROM (SELECT rates.at, SUM(taken) OVER (ORDER BY rates.at) AS gone FROM rates WHERE subject = whose) AS sums
      WHERE sums.gone > so_far - most ORDER BY sums.at LIMIT 1;
  END IF;
END $$;
