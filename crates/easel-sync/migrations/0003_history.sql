-- Nobody ever told who put a file in the drive, so the history has no place for it.
ALTER TABLE history DROP COLUMN who;
