//! The folder with backups: which backups there are, and how much each has.
//!
//! Always true: the figures of a backup are noted beside it when it is taken, because its database is the studio's own;
//! the note is no part of the backup, and a backup without one can be restored as well. Not here: taking and restoring
//! (easel-studio).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::views::StudioFigures;
use crate::data_dir::{read_json, write_json};

/// The folder with one database for each time that a backup was taken (easel-studio, `backup`).
const DATABASES: &str = "databases";
/// The file with the notes about backups.
const NOTES: &str = "easel.json";
/// What a folder of backups is called in a folder that has other things.
const NAME: &str = "Easel backup";

/// The notes, which lie beside the databases.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Notes {
    backups: BTreeMap<String, StudioFigures>,
}

/// A backup, as it lies in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// The name of the backup's database.
    pub(super) name: String,
    pub(super) made_at: Timestamp,
    pub(super) figures: Option<StudioFigures>,
}

/// A folder with backups, or for them.
#[derive(Debug, Clone)]
pub(super) struct BackupFolder {
    path: PathBuf,
}

impl BackupFolder {
    pub(super) const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The chosen folder, if it has backups; else a subfolder of its own, so that backups do not mix with other files.
    pub(super) fn in_chosen(chosen: PathBuf) -> Self {
        let path = if chosen.join(DATABASES).is_dir() || chosen.ends_with(NAME) { chosen } else { chosen.join(NAME) };
        Self { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The backups, the newest first; none where the folder has yet to be made. Blocking.
    ///
    /// # Errors
    /// Where neither the folder nor the one above it can be listed.
    pub(super) fn list(&self) -> io::Result<Vec<Listed>> {
        let entries = match fs::read_dir(self.path.join(DATABASES)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A disk that is not connected has no folder above it either.
                fs::read_dir(self.path.parent().unwrap_or(&self.path))?;
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let notes = self.read_notes();
        let mut listed = Vec::new();
        for entry in entries {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            if let Some(made_at) = moment_of(&name) {
                listed.push(Listed { figures: notes.backups.get(&name).copied(), made_at, name });
            }
        }
        listed.sort_by_key(|one| std::cmp::Reverse(one.made_at));
        Ok(listed)
    }

    /// Notes what is in a backup that was just taken, and forgets those that are there no more. Blocking.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub(super) fn note_figures(&self, database: &str, figures: StudioFigures) -> io::Result<()> {
        let mut notes = self.read_notes();
        notes.backups.retain(|name, _| self.path.join(DATABASES).join(name).exists());
        notes.backups.insert(database.to_owned(), figures);
        write_json(&self.path.join(NOTES), &notes)
    }

    fn read_notes(&self) -> Notes {
        read_json(&self.path.join(NOTES)).ok().flatten().unwrap_or_default()
    }
}

/// The moment in the name of a database, such as `2026-05-01T12-30-00.250000Z.db`.
fn moment_of(name: &str) -> Option<Timestamp> {
    let (date, time) = name.strip_suffix(".db")?.split_once('T')?;
    format!("{date}T{}", time.replace('-', ":")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(files: u64) -> StudioFigures {
        StudioFigures { files: files.into(), designs: 2_u64.into(), bytes: 3_u64.into() }
    }

    #[test]
    fn backups_are_listed_the_newest_first_with_what_was_noted_of_them() {
        let place = tempfile::tempdir().unwrap();
        let folder = BackupFolder::in_chosen(place.path().to_owned());
        assert_eq!(folder.path(), place.path().join("Easel backup"));
        assert_eq!(folder.list().unwrap(), [], "it is still to be made");
        let names = ["2026-05-01T12-30-00.250000Z.db", "2026-11-20T08-00-00.000000Z.db"];
        fs::create_dir_all(folder.path().join(DATABASES)).unwrap();
        for name in names.iter().chain(&["unfinished.db", "2026-05-01T12-30-00.250000Z.db-wal", "notes.txt"]) {
            fs::write(folder.path().join(DATABASES).join(name), "").unwrap();
        }
        folder.note_figures("2020-01-01T00-00-00.000000Z.db", figures(9)).unwrap();
        folder.note_figures(names[1], figures(7)).unwrap();
        let listed: Vec<_> =
            folder.list().unwrap().into_iter().map(|one| (one.made_at.to_string(), one.figures)).collect();
        assert_eq!(
            listed,
            [("2026-11-20T08:00:00Z".to_owned(), Some(figures(7))), ("2026-05-01T12:30:00.25Z".to_owned(), None)]
        );
        assert_eq!(folder.read_notes().backups.len(), 1, "what is gone is forgotten");
        // Chosen again, with either folder, it is the same one.
        for chosen in [folder.path().to_owned(), place.path().to_owned()] {
            assert_eq!(BackupFolder::in_chosen(chosen).path(), folder.path());
        }
    }

    #[test]
    fn a_folder_on_a_disk_that_is_not_connected_cannot_be_looked_into() {
        let place = tempfile::tempdir().unwrap();
        assert!(BackupFolder::at(place.path().join("disk/Easel backup")).list().is_err());
    }

    #[test]
    fn notes_that_cannot_be_read_hide_no_backup() {
        let place = tempfile::tempdir().unwrap();
        let folder = BackupFolder::at(place.path().to_owned());
        fs::create_dir_all(place.path().join(DATABASES)).unwrap();
        fs::write(place.path().join(DATABASES).join("2026-05-01T12-30-00.250000Z.db"), "").unwrap();
        fs::write(place.path().join(NOTES), "{").unwrap();
        assert_eq!(folder.list().unwrap().len(), 1);
    }
}
