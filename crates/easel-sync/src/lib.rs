//! Moves files into a drive: a journal that remembers what is to be done, and a queue that does it.
//!
//! Always true: intent is on disk before its effect, so that a crash at any moment loses nothing and sends nothing twice
//! where the service can tell; bytes of files are never held whole; a file that is being written waits, and one that
//! changes while it is sent is never registered half. Who comes in: paths that were dropped, today; a watched folder will
//! enter at the journal by the same door. Deliberately not here: HTTP (`easel-client`), words for a person and windows
//! (`easel-app`), looking into folders for changes, and anything that goes from the drive to the disk.

mod causes;
mod changes;
mod dispatch;
mod error;
mod estimate;
mod intake;
mod journal;
mod live;
mod queue;
mod sender;
mod settings;
mod settle;
#[cfg(test)]
mod stub;
mod transfer;

pub use error::Error;
pub use journal::{Access, Gate, Journal};
pub use queue::Queue;
pub use settings::{Clock, Settings};
pub use transfer::{
    Batch, Cause, Enqueued, Failure, Filter, Kind, LimitedBy, SkipReason, Skipped, State, Stored, Summary, Transfer,
    TransferId, Waiting,
};
