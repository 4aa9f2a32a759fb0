-- When a file last changed as the file system tells it, which no program can set back: by it an edit is noticed that left the
-- size as it was and set the time of the last writing back. Of what was agreed on before, it is not known: the first look
-- fills it in.
ALTER TABLE agreed ADD COLUMN changed_us INTEGER;
