//! Room that is kept for deletions: on a full disk nothing can be written, and to delete is to write.
//!
//! Always true: a file fills the room in the data folder for as long as the disk has space for it, or for a part of it;
//! a deletion that finds the disk full, be it of a request, of the service itself or of the command line, gets the
//! room, which is taken back afterwards as far as there is space by then: moving items into the trash frees none,
//! removing them from there does. The room grows with the database, because a folder is deleted in one transaction,
//! whose log is as long as its changes. Not here: what is deleted.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use super::error::Error;
use super::private_files::private_file;

/// The room grows in steps of this size, and has one at least: enough for the log of many small deletions.
const STEP_BYTES: u64 = 4 << 20;
/// The room does not grow beyond that for a database of this size.
const LARGEST_BYTES: u64 = 1 << 30;
/// So much is filled while somebody waits; the rest when nobody does.
const AT_ONCE_BYTES: u64 = 16 * STEP_BYTES;
/// The room is filled in pieces of this size, so that on a full disk it has as many of them as fit.
const PIECE_BYTES: usize = 64 << 10;

/// The name of the file.
const NAME: &str = "room-for-deletions";

/// The room of a data folder.
#[derive(Debug)]
pub struct Room {
    path: PathBuf,
    database: PathBuf,
    /// Held by the deletion that uses the room.
    turn: Mutex<()>,
}

impl Room {
    /// The room of this folder; not filled yet.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self { path: folder.join(NAME), database: folder.join("studio.db"), turn: Mutex::default() }
    }

    /// Fills the room, as far as the disk has space; of a large one only the first part.
    pub async fn keep(&self) {
        let _turn = self.turn.lock().await;
        self.take(wanted(&self.database).min(AT_ONCE_BYTES)).await;
    }

    /// Keeps all of the room, which may take a while.
    pub async fn keep_all(&self) {
        let _turn = self.turn.lock().await;
        self.take(wanted(&self.database)).await;
    }

    /// Does a deletion; where the disk is full, once more on the room, which no other of this process has meanwhile.
    ///
    /// # Errors
    /// What the deletion ends with, and [`Error::Io`] where the room cannot be given up.
    pub async fn lend<T, F>(&self, delete: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        match delete().await {
            Err(Error::StorageFull) => {}
            deleted => return deleted,
        }
        let _turn = self.turn.lock().await;
        let had = tokio::fs::metadata(&self.path).await.map_or(0, |found| found.len());
        match tokio::fs::remove_file(&self.path).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let deleted = delete().await;
        self.take(had.max(STEP_BYTES)).await;
        deleted
    }

    /// Fills the room up to so many bytes, as far as the disk has space.
    async fn take(&self, bytes: u64) {
        let path = self.path.clone();
        let filled = tokio::task::spawn_blocking(move || fill(&path, bytes)).await;
        if let Ok(Err(error)) = filled {
            tracing::warn!(%error, "there is less room to keep for deletions than there should be");
        }
    }
}

/// The room for a deletion of everything that this database holds.
fn wanted(database: &Path) -> u64 {
    let size_bytes = std::fs::metadata(database).map_or(0, |found| found.len()).min(LARGEST_BYTES);
    // Every page that changes goes into the log once, and what is thrown away is written a second time elsewhere.
    (size_bytes * 2).div_ceil(STEP_BYTES).max(1) * STEP_BYTES
}

/// Makes the file so long, or as long as the disk has room for.
fn fill(path: &Path, wanted: u64) -> io::Result<()> {
    let mut file = private_file().append(true).create(true).open(path)?;
    let mut kept = file.metadata()?.len();
    let piece = [1; PIECE_BYTES];
    while kept < wanted {
        // Written and not only claimed: a file of nothing takes no room.
        if let Err(error) = file.write_all(&piece) {
            // The part of this piece that went to the disk is left to others.
            file.set_len(kept)?;
            return Err(error);
        }
        kept += PIECE_BYTES as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[tokio::test]
    async fn the_room_grows_with_the_database_and_is_given_up_to_what_needs_it_alone() {
        let folder = tempfile::tempdir().unwrap();
        let room = Room::of(folder.path());
        let kept = || std::fs::metadata(folder.path().join(NAME)).map_or(0, |found| found.len());
        room.keep().await;
        assert_eq!(kept(), STEP_BYTES);
        let database = File::create(folder.path().join("studio.db")).unwrap();
        database.set_len(3 * STEP_BYTES + 1).unwrap();
        room.keep().await;
        assert_eq!(kept(), 7 * STEP_BYTES);
        database.set_len(9 * STEP_BYTES).unwrap();
        room.keep().await;
        assert_eq!(kept(), AT_ONCE_BYTES);
        room.keep_all().await;
        assert_eq!(kept(), 18 * STEP_BYTES);
        let lent = room.lend(async || Ok(kept())).await.unwrap();
        assert_eq!(lent, 18 * STEP_BYTES, "there is room without it");
        let on_the_room = async || if kept() > 0 { Err(Error::StorageFull) } else { Ok(()) };
        room.lend(on_the_room).await.unwrap();
        assert_eq!(kept(), 18 * STEP_BYTES);
        assert!(matches!(room.lend(async || Err::<(), _>(Error::StorageFull)).await, Err(Error::StorageFull)));
    }
}
