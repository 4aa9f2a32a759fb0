//! Whether the database has changed, whichever process did it, for the price of one small read.
//!
//! SQLite keeps an index of its write-ahead log beside the database, shared by all processes that have it open. Its
//! header counts the commits, and SQLite itself compares it to know whether the pages that a connection remembers still
//! hold ("WAL-Mode File Format", 2.1). It is compared here for the same end: what was read after a look still holds as
//! long as every later look is equal. So nothing has to be asked again while nothing changes, and a change by another
//! process shows with its commit. Where the header cannot be read, the database always counts as changed.
//!
//! Not here: what is remembered ([`super::remembered`]).

use std::path::{Path, PathBuf};

#[cfg(unix)]
use std::{
    fs::File,
    mem::ManuallyDrop,
    os::unix::fs::{FileExt, MetadataExt},
    sync::{PoisonError, RwLock},
};

/// Both copies of the header; while a commit is writing it they differ from each other, and so from every look before.
const HEADER_BYTES: usize = 96;

/// The database as it was at one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseState([u8; HEADER_BYTES]);

impl DatabaseState {
    /// Whether exactly one commit lies between `before` and this state. For whoever looked with the write lock in hand
    /// and looks again after their commit, that is their own.
    #[must_use]
    pub fn is_next_after(&self, before: &Self) -> bool {
        // Each commit adds one to the number at byte 8, in both copies of the header.
        let number = |state: &Self| {
            let (one, other) = state.0.split_at(HEADER_BYTES / 2);
            (one == other).then(|| u32::from_ne_bytes([one[8], one[9], one[10], one[11]]))
        };
        number(before).is_some_and(|before| number(self) == Some(before.wrapping_add(1)))
    }

    /// One of many, for tests.
    #[cfg(test)]
    pub fn example(number: u8) -> Self {
        Self([number; HEADER_BYTES])
    }
}

/// Looks at the header.
#[derive(Debug)]
pub struct Changes {
    #[cfg_attr(not(unix), expect(dead_code, reason = "nothing is read where reading beside a mapping is not defined"))]
    index: PathBuf,
    /// Never closed: with the first descriptor that a process closes it loses every lock that it has on a file, and the
    /// locks on this one are SQLite's.
    #[cfg(unix)]
    open: RwLock<Option<ManuallyDrop<File>>>,
}

impl Changes {
    /// Of the database at `path`, which is in WAL mode.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let mut index = path.as_os_str().to_owned();
        index.push("-shm");
        Self {
            index: index.into(),
            #[cfg(unix)]
            open: RwLock::default(),
        }
    }

    /// The present state of the database; `None` where it cannot be told. Look before you read, never afterwards.
    #[cfg(unix)]
    pub fn look(&self) -> Option<DatabaseState> {
        if let Some(file) = &*self.open.read().unwrap_or_else(PoisonError::into_inner)
            && let Some(seen) = read_header(file)
        {
            return Some(seen);
        }
        let file = ManuallyDrop::new(File::open(&self.index).ok()?);
        let seen = read_header(&file);
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = Some(file);
        seen
    }

    /// Nothing can be told.
    #[cfg(not(unix))]
    pub fn look(&self) -> Option<DatabaseState> {
        None
    }
}

/// The header in an index that is in use; `None` for one that its last user has removed.
#[cfg(unix)]
fn read_header(file: &File) -> Option<DatabaseState> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0).ok()?;
    // Byte 12: whether the header was ever written.
    (header[12] == 1 && file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)).then_some(DatabaseState(header))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;

    const INSERT: &str =
        "INSERT INTO organizations (id, name, plan, created_at) VALUES (randomblob(16), 'x', 'free', 0)";

    #[tokio::test]
    async fn every_commit_shows_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let (db, other) = (Db::open(&path).await.unwrap(), Db::open(&path).await.unwrap());
        let changes = Changes::of(&path);
        let insert = async |db: &Db| {
            let mut tx = db.begin().await.unwrap();
            sqlx::query(INSERT).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        };
        let mut last = changes.look().unwrap();
        for round in 0..50 {
            let _ = sqlx::query("SELECT id FROM organizations").fetch_all(db.read()).await.unwrap();
            assert_eq!(changes.look(), Some(last.clone()), "reading changes nothing");
            db.begin().await.unwrap().rollback().await.unwrap();
            assert_eq!(changes.look(), Some(last.clone()), "nor does what is taken back");
            insert(if round % 2 == 0 { &db } else { &other }).await;
            let now = changes.look().unwrap();
            assert_ne!(now, last, "round {round}");
            assert!(now.is_next_after(&last) && !last.is_next_after(&now) && !now.is_next_after(&now));
            insert(&other).await;
            let later = changes.look().unwrap();
            assert!(!later.is_next_after(&last), "two commits lie between");
            last = later;
        }
        // Bringing the log into the database and beginning it anew changes no row, and whatever shows of it is only
        // asked again.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(other.read()).await.unwrap();
        let last = changes.look().unwrap();
        insert(&other).await;
        assert_ne!(changes.look().as_ref(), Some(&last));
        assert!(changes.look().unwrap().is_next_after(&last));
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_never_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let changes = Changes::of(&path);
        assert_eq!(changes.look(), None);
        let db = Db::open(&path).await.unwrap();
        assert!(changes.look().is_some());
        // The last user of a database removes its index with the log; the next one makes another.
        db.close().await;
        assert_eq!(changes.look(), None);
        let db = Db::open(&path).await.unwrap();
        let first = changes.look().unwrap();
        let mut tx = db.begin().await.unwrap();
        sqlx::query(INSERT).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        assert_ne!(changes.look().unwrap(), first);
        std::fs::write(folder.path().join("x.db-shm"), b"short").unwrap();
        assert_eq!(Changes::of(&folder.path().join("x.db")).look(), None);
    }
}
