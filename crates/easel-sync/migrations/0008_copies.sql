-- What other computers are told of a path whose content the drive has at another place: JSON; NULL where they are told nothing.
ALTER TABLE agreed ADD COLUMN shared TEXT;
