-- Ids are opaque text from here on, as the service wrote them. What stands here so far are the 16 bytes of ids that Easel
-- understood as UUIDs, so they were a studio's: a prefix and the 128 bits as 26 Crockford base32 digits, most significant
-- first, the top two of the 130 bits zero. The digits are spelled out because SQLite has no arithmetic on 128 bits: `h` is
-- an id in hexadecimal, and each base32 digit lies in two neighbours of it.

CREATE TEMP TABLE spelled (bytes BLOB PRIMARY KEY, digits TEXT NOT NULL) WITHOUT ROWID;

INSERT INTO spelled (bytes, digits)
SELECT id, substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((instr('0123456789ABCDEF', substr(h, 1, 1)) - 1) >> 1), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 1, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 2, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 3, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 4, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 4, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 5, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 5, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 6, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 6, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 7, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 8, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 9, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 9, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 10, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 10, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 11, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 11, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 12, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 13, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 14, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 14, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 15, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 15, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 16, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 16, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 17, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 18, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 19, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 19, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 20, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 20, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 21, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 21, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 22, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 23, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 24, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 24, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 25, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 25, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 26, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 26, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 27, 1)) - 1)) >> 0 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 28, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 29, 1)) - 1)) >> 3 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 29, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 30, 1)) - 1)) >> 2 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 30, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 31, 1)) - 1)) >> 1 & 31), 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((((instr('0123456789ABCDEF', substr(h, 31, 1)) - 1) << 4) | (instr('0123456789ABCDEF', substr(h, 32, 1)) - 1)) >> 0 & 31), 1)
FROM (SELECT id, hex(id) AS h FROM (
  SELECT folder_id AS id FROM drops
  UNION SELECT folder_id AS id FROM folders
  UNION SELECT file_id AS id FROM transfers
  UNION SELECT stored_in AS id FROM transfers
  UNION SELECT drive_folder AS id FROM watches
  UNION SELECT drive_id AS id FROM agreed
  UNION SELECT place_folder AS id FROM agreed
  UNION SELECT id AS id FROM drive_folders
  UNION SELECT parent AS id FROM drive_folders
  UNION SELECT id AS id FROM drive_files
  UNION SELECT folder AS id FROM drive_files
) WHERE typeof(id) = 'blob' AND length(id) = 16);

UPDATE drops SET folder_id = 'fld_' || (SELECT digits FROM spelled WHERE bytes = folder_id)
  WHERE typeof(folder_id) = 'blob' AND length(folder_id) = 16;
UPDATE folders SET folder_id = 'fld_' || (SELECT digits FROM spelled WHERE bytes = folder_id)
  WHERE typeof(folder_id) = 'blob' AND length(folder_id) = 16;
UPDATE transfers SET file_id = 'file_' || (SELECT digits FROM spelled WHERE bytes = file_id)
  WHERE typeof(file_id) = 'blob' AND length(file_id) = 16;
UPDATE transfers SET stored_in = 'fld_' || (SELECT digits FROM spelled WHERE bytes = stored_in)
  WHERE typeof(stored_in) = 'blob' AND length(stored_in) = 16;
UPDATE watches SET drive_folder = 'fld_' || (SELECT digits FROM spelled WHERE bytes = drive_folder)
  WHERE typeof(drive_folder) = 'blob' AND length(drive_folder) = 16;
UPDATE agreed SET drive_id = CASE kind WHEN 0 THEN 'fld_' ELSE 'file_' END || (SELECT digits FROM spelled WHERE bytes = drive_id)
  WHERE typeof(drive_id) = 'blob' AND length(drive_id) = 16;
UPDATE agreed SET place_folder = 'fld_' || (SELECT digits FROM spelled WHERE bytes = place_folder)
  WHERE typeof(place_folder) = 'blob' AND length(place_folder) = 16;
UPDATE drive_folders SET id = 'fld_' || (SELECT digits FROM spelled WHERE bytes = id)
  WHERE typeof(id) = 'blob' AND length(id) = 16;
UPDATE drive_folders SET parent = 'fld_' || (SELECT digits FROM spelled WHERE bytes = parent)
  WHERE typeof(parent) = 'blob' AND length(parent) = 16;
UPDATE drive_files SET id = 'file_' || (SELECT digits FROM spelled WHERE bytes = id)
  WHERE typeof(id) = 'blob' AND length(id) = 16;
UPDATE drive_files SET folder = 'fld_' || (SELECT digits FROM spelled WHERE bytes = folder)
  WHERE typeof(folder) = 'blob' AND length(folder) = 16;

DROP TABLE spelled;
