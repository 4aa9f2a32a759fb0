//! Translates errors of the system into the engine's causes.

use std::io::{Error, ErrorKind};

use crate::sync::ports::DiskError;

/// Whether the error says that the item is missing, or is of another kind by now.
pub(super) fn is_gone(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory) || is_link(error)
}

/// Whether the error says that a link stands where none is followed.
#[cfg(unix)]
fn is_link(error: &Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_link(_error: &Error) -> bool {
    false
}

/// The cause of an error with one item. An error that has no cause of its own is logged here.
pub(crate) fn cause(error: &Error) -> DiskError {
    match error.kind() {
        _ if is_gone(error) => DiskError::Changed,
        ErrorKind::AlreadyExists => DiskError::Exists,
        ErrorKind::DirectoryNotEmpty => DiskError::NotEmpty,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => DiskError::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => DiskError::Denied,
        // Disks of other systems answer so to names with a colon and the like.
        ErrorKind::InvalidFilename | ErrorKind::InvalidInput => DiskError::NameNotAllowed,
        _ => {
            tracing::warn!(%error, "the disk refused");
            DiskError::Refused
        }
    }
}

/// The cause of an error with the watched folder itself.
pub(super) fn cause_at_root(error: &Error) -> DiskError {
    if is_gone(error) || is_pulled_out(error) { DiskError::RootMissing } else { cause(error) }
}

/// Whether a disk was pulled out, a share is gone, or a file system's program has died.
#[cfg(unix)]
fn is_pulled_out(error: &Error) -> bool {
    use rustix::io::Errno;
    matches!(
        Errno::from_io_error(error),
        Some(
            Errno::NODEV | Errno::NXIO | Errno::STALE | Errno::NOTCONN | Errno::HOSTDOWN | Errno::TIMEDOUT | Errno::IO
        )
    )
}

#[cfg(not(unix))]
fn is_pulled_out(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotConnected | ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable)
}
