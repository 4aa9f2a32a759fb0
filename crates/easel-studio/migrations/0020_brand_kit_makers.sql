-- Who made a brand kit; nothing for those that were made before this was noted.
ALTER TABLE brand_kits ADD COLUMN created_by BLOB REFERENCES users (id);
