//! The errors of the journal, the queue and requests about folders. Not here: why one file failed (`Failure`), and why
//! the whole queue waits (`Waiting`), which are no errors of this crate.

use std::path::PathBuf;

use super::causes::Waiting;
use super::ids::{TransferId, WatchId};
use super::ports::DiskError;

/// An error of the journal, the queue or the watched folders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process works on this journal.
    #[error("another process holds the journal")]
    JournalInUse,
    /// The disk that holds the journal is full.
    #[error("no room left for the journal")]
    DiskFull,
    /// The journal's file is damaged or no journal.
    #[error("the journal is damaged: {detail}")]
    JournalDamaged {
        /// What SQLite said.
        detail: String,
    },
    /// A newer build wrote the journal.
    #[error("the journal was written by a newer version")]
    JournalTooNew,
    /// The journal's file cannot be opened, read or written.
    #[error("the journal cannot be used: {detail}")]
    JournalUnavailable {
        /// What the system said.
        detail: String,
    },
    /// No folder of this connection is watched under this id.
    #[error("there is no watched folder {0}")]
    UnknownFolder(WatchId),
    /// The path to be watched is no folder, or not there.
    #[error("{path:?} is not a folder")]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// The system does not let the folder be read.
    #[error("{path:?} cannot be read")]
    FolderUnreadable {
        /// The path.
        path: PathBuf,
    },
    /// The folder lies in a watched one, or a watched one lies in it, or it is watched itself.
    #[error("a folder that is watched overlaps: {path:?}")]
    InsideAnother {
        /// The watched folder's path.
        path: PathBuf,
    },
    /// The new path of a watched folder has neither that folder nor a copy of it.
    #[error("{path:?} is another folder")]
    AnotherFolder {
        /// The path.
        path: PathBuf,
    },
    /// Another program of Easel has this folder locked.
    #[error("the folder is held by {holder}")]
    HeldElsewhere {
        /// How that program describes itself.
        holder: String,
    },
    /// The drive folder belongs to another watched folder, or lies in one that does, or the other way round.
    #[error("the drive folder overlaps with that of {path:?}")]
    DriveFolderTaken {
        /// The watched folder that it belongs to.
        path: PathBuf,
    },
    /// The drive has no such folder.
    #[error("the drive folder is not there")]
    DriveFolderGone,
    /// A line of the ignore patterns cannot be understood.
    #[error("line {line} is no pattern: {detail}")]
    PatternRefused {
        /// The line's number, from 1.
        line: u64,
        /// The reason.
        detail: String,
    },
    /// There is no such conflict: it was settled, or one of its files is gone.
    #[error("there is no such conflict")]
    NoConflict,
    /// A file of a conflict is not what the person was shown. Nothing was done.
    #[error("{path} changed since it was shown")]
    ChangedSinceShown {
        /// The file's path below the watched folder.
        path: String,
    },
    /// The disk refused a change to a file of a watched folder.
    #[error("{path}: {cause}")]
    Disk {
        /// The path below the watched folder; empty for that folder itself.
        path: String,
        /// The reason.
        cause: DiskError,
    },
    /// The service answered with an error, or not at all.
    #[error("the service: {0}")]
    Service(#[source] Box<easel_client::Error>),
    /// No transfer of this queue has this id.
    #[error("there is no transfer {0}")]
    UnknownTransfer(TransferId),
    /// The queue was stopped.
    #[error("the queue has stopped")]
    Stopped,
}

impl Error {
    /// The cause that everything waits for when the journal fails.
    pub(crate) fn waiting(&self) -> Waiting {
        match self {
            Self::DiskFull => Waiting::DiskFull,
            other => Waiting::JournalUnusable { detail: other.to_string() },
        }
    }
}

impl From<easel_client::Error> for Error {
    fn from(error: easel_client::Error) -> Self {
        Self::Service(Box::new(error))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::JournalUnavailable { detail: error.to_string() },
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        // SQLite's primary result codes: https://sqlite.org/rescode.html
        const CORRUPT: i64 = 11;
        const FULL: i64 = 13;
        const NOT_A_DATABASE: i64 = 26;
        match error {
            sqlx::Error::Io(error) => error.into(),
            sqlx::Error::Database(ref inner) => {
                let code = inner.code().and_then(|code| code.parse::<i64>().ok()).map_or(0, |code| code & 0xff);
                match code {
                    FULL => Self::DiskFull,
                    CORRUPT | NOT_A_DATABASE => Self::JournalDamaged { detail: inner.message().to_owned() },
                    _ => Self::JournalUnavailable { detail: inner.message().to_owned() },
                }
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                Self::JournalDamaged { detail: error.to_string() }
            }
            other => Self::JournalUnavailable { detail: other.to_string() },
        }
    }
}

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::VersionMissing(_) | sqlx::migrate::MigrateError::VersionTooNew(..) => {
                Self::JournalTooNew
            }
            sqlx::migrate::MigrateError::Execute(error) | sqlx::migrate::MigrateError::ExecuteMigration(error, _) => {
                error.into()
            }
            other => Self::JournalUnavailable { detail: other.to_string() },
        }
    }
}
