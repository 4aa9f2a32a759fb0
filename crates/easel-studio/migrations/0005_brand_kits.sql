-- Brand kits. One kit of a team is its default as long as there is one. colors and fonts are JSON arrays as on the wire.
CREATE TABLE brand_kits (
  id BLOB PRIMARY KEY NOT NULL,
  team_id BLOB NOT NULL REFERENCES teams (id),
  title TEXT NOT NULL,
  is_default BIGINT NOT NULL,
  company_name TEXT,
  company_url TEXT,
  tagline TEXT,
  colors TEXT NOT NULL,
  fonts TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX brand_kits_by_creation ON brand_kits (team_id, created_at, id);
CREATE UNIQUE INDEX brand_kits_default ON brand_kits (team_id) WHERE is_default = 1;

-- An image goes with its file: a kit never points at what is gone.
CREATE TABLE brand_kit_images (
  brand_kit_id BLOB NOT NULL REFERENCES brand_kits (id) ON DELETE CASCADE,
  group_name TEXT NOT NULL,
  file_id BLOB NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  name TEXT,
  position BIGINT NOT NULL,
  PRIMARY KEY (brand_kit_id, group_name, file_id)
) WITHOUT ROWID;
CREATE INDEX brand_kit_images_file ON brand_kit_images (file_id);
