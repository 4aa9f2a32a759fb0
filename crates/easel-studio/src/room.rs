//! Room that is kept for deletions: on a full disk nothing can be written, and to delete is to write.
//!
//! Always true: a file of [`KEPT_BYTES`] lies in the data folder for as long as the disk has room for it; a deletion that finds
//! the disk full has its room, and it is taken back afterwards where there is as much by then: what goes into the trash frees
//! nothing, what is removed from there does. Not here: what is deleted.

use std::io;
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use crate::error::Error;

/// What the log of the database takes for a large deletion.
const KEPT_BYTES: usize = 4 << 20;

/// The name of the file.
const NAME: &str = "room-for-deletions";

/// The room of a data folder.
#[derive(Debug)]
pub struct Room {
    path: PathBuf,
    /// One deletion at a time lives on it.
    turn: Mutex<()>,
}

impl Room {
    /// The room in this folder; nothing is kept yet.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self { path: folder.join(NAME), turn: Mutex::default() }
    }

    /// Keeps the room from now on, where there is so much.
    pub async fn keep(&self) {
        let _turn = self.turn.lock().await;
        self.take().await;
    }

    /// Does a deletion; where the disk is full, once more on the room, which no other has meanwhile.
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
        match tokio::fs::remove_file(&self.path).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let deleted = delete().await;
        self.take().await;
        deleted
    }

    async fn take(&self) {
        if tokio::fs::metadata(&self.path).await.is_ok_and(|kept| kept.len() == KEPT_BYTES as u64) {
            return;
        }
        // Written and not only claimed: a file of nothing takes no room.
        if let Err(error) = tokio::fs::write(&self.path, vec![1; KEPT_BYTES]).await {
            tracing::warn!(%error, "there is no room to keep for deletions");
            // Part of it is none.
            let _ = tokio::fs::remove_file(&self.path).await;
        }
    }
}
