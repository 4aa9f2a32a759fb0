//! What can go wrong with the journal, the queue and what is asked about folders. What goes wrong with one file is a `Failure`, and what makes the
//! whole queue wait is a `Waiting`; neither is an error of this crate.

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
    /// What is to be watched is no folder, or not there.
    #[error("{path:?} is not a folder")]
    NotAFolder {
        /// What was named.
        path: PathBuf,
    },
    /// The system does not let the folder be read.
    #[error("{path:?} cannot be read")]
    FolderUnreadable {
        /// What was named.
        path: PathBuf,
    },
    /// The folder lies in one that is watched, or one that is watched lies in it, or it is watched itself.
    #[error("a folder that is watched overlaps: {path:?}")]
    InsideAnother {
        /// The one that is watched.
        path: PathBuf,
    },
    /// What is named as the new place of a watched folder is not that folder, nor a copy of it.
    #[error("{path:?} is another folder")]
    AnotherFolder {
        /// What was named.
        path: PathBuf,
    },
    /// Another program of Easel keeps this folder in step.
    #[error("the folder is held by {holder}")]
    HeldElsewhere {
        /// What it says of itself.
        holder: String,
    },
    /// The drive folder stands for another watched folder, or lies in one that does, or the other way round.
    #[error("the drive folder overlaps with that of {path:?}")]
    DriveFolderTaken {
        /// The watched folder that it stands for.
        path: PathBuf,
    },
    /// The drive has no such folder.
    #[error("the drive folder is not there")]
    DriveFolderGone,
    /// A line of the ignore patterns cannot be understood.
    #[error("line {line} is no pattern: {detail}")]
    PatternRefused {
        /// From 1.
        line: u64,
        /// Why.
        detail: String,
    },
    /// There is no such conflict: it was settled, or one of its files is gone.
    #[error("there is no such conflict")]
    NoConflict,
    /// A file of a conflict is not what the person was shown. Nothing was done.
    #[error("{path} changed since it was shown")]
    ChangedSinceShown {
        /// Below the watched folder.
        path: String,
    },
    /// The disk did not do with a file of a watched folder what was to be done.
    #[error("{path}: {cause}")]
    Disk {
        /// Below the watched folder; empty where it is that folder.
        path: String,
        /// Why.
        cause: DiskError,
    },
    /// The service did not do what was needed.
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
    /// What everything waits for where the journal fails.
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
