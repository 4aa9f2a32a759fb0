-- What else is known of an upload that is under way: the content of the file, and the drive file, its id as the service
-- writes it. `step` may be two more by now: landed (it is in the drive, and to be moved to its folder), and duplicate (the
-- service has called it one, and it is yet to be seen whether an earlier request of this upload made it).
ALTER TABLE transfers ADD COLUMN step_hash BLOB;
ALTER TABLE transfers ADD COLUMN step_file TEXT;
