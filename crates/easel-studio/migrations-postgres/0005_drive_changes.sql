-- What 0027 is for SQLite; here every statement that changes a row which a list of the drive shows counts as one change of its team, in its
-- own transaction: whoever sees the number sees the rows.
CREATE TABLE drive_changes (
  team_id BYTEA PRIMARY KEY,
  number BIGINT NOT NULL
);

CREATE FUNCTION drive_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO drive_changes (team_id, number) SELECT DISTINCT team_id, 1 FROM changed
    ON CONFLICT (team_id) DO UPDATE SET number = drive_changes.number + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER files_added AFTER INSERT ON files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER files_altered AFTER UPDATE ON files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER files_gone AFTER DELETE ON files REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER folders_added AFTER INSERT ON folders REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER folders_altered AFTER UPDATE ON folders REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER folders_gone AFTER DELETE ON folders REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER canvases_added AFTER INSERT ON canvases REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER canvases_altered AFTER UPDATE ON canvases REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
CREATE TRIGGER canvases_gone AFTER DELETE ON canvases REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
-- A list names who made a file.
CREATE TRIGGER users_altered AFTER UPDATE ON users REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION drive_changed();
