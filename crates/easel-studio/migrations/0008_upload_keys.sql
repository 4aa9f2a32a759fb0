-- The key that asked for a signed upload, which ends with it; nothing for those of older versions, which end by their time.
ALTER TABLE signed_uploads ADD COLUMN api_key_id BLOB REFERENCES api_keys (id);
