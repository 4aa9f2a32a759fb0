-- Where brand kits showed a picture that is in the trash, so that it comes back to them. An entry goes with its kit, and with its
-- picture for good.
CREATE TABLE trashed_brand_kit_images (
  brand_kit_id BLOB NOT NULL REFERENCES brand_kits (id) ON DELETE CASCADE,
  group_name TEXT NOT NULL,
  file_id BLOB NOT NULL REFERENCES trashed_files (id) ON DELETE CASCADE,
  name TEXT,
  position BIGINT NOT NULL,
  PRIMARY KEY (brand_kit_id, group_name, file_id)
) WITHOUT ROWID;
CREATE INDEX trashed_brand_kit_images_file ON trashed_brand_kit_images (file_id);
