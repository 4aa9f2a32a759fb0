//! What an error of the system means to the engine.

use std::io;

use rustix::io::Errno;

use crate::ports::DiskError;

/// The cause of an error with one item. What has no name of its own is logged here.
pub(super) fn cause(error: &io::Error) -> DiskError {
    match Errno::from_io_error(error) {
        Some(Errno::NOENT | Errno::NOTDIR | Errno::ISDIR | Errno::LOOP) => DiskError::Changed,
        Some(Errno::EXIST) => DiskError::Exists,
        Some(Errno::NOTEMPTY) => DiskError::NotEmpty,
        Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => DiskError::Full,
        Some(Errno::ACCESS | Errno::PERM | Errno::ROFS) => DiskError::Denied,
        // Disks of other systems say so about names with a colon and the like.
        Some(Errno::NAMETOOLONG | Errno::ILSEQ | Errno::INVAL) => DiskError::NameNotAllowed,
        None if error.kind() == io::ErrorKind::NotFound => DiskError::Changed,
        _ => {
            tracing::warn!(%error, "the disk refused");
            DiskError::Refused
        }
    }
}

/// The cause of an error with the watched folder itself.
pub(super) fn cause_at_root(error: &io::Error) -> DiskError {
    match Errno::from_io_error(error) {
        Some(
            Errno::NOENT
            | Errno::NOTDIR
            | Errno::LOOP
            // A disk that was pulled out, a share that is gone, a file system whose program has died.
            | Errno::NODEV
            | Errno::NXIO
            | Errno::STALE
            | Errno::NOTCONN
            | Errno::HOSTDOWN
            | Errno::TIMEDOUT
            | Errno::IO,
        ) => DiskError::RootMissing,
        _ => cause(error),
    }
}
