-- The few agreed files that have replaced others: who remembers a drive file that was replaced is asked before it counts as
-- someone else's.
CREATE INDEX agreed_replacing ON agreed (watch_id) WHERE replaces IS NOT NULL;
