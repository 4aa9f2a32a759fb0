//! Moves files into a drive: a journal that remembers what is to be done, and a queue that does it.
//!
//! Always true: intent is on disk before its effect, so that a crash at any moment loses nothing and sends nothing twice
//! where the service can tell; bytes of files are never held whole; a file that is being written waits, and one that
//! changes while it is sent is never registered half. The queue sends paths that were dropped. A watched folder is kept
//! the same on both sides by `engine`, which carries out what `plan` finds by comparing three `tree`s, through `ports`:
//! `disk` is a real folder and `watch` what tells of its changes. Both send through `upload`, and both name what goes
//! wrong as `causes` has it. Deliberately not here: HTTP (`easel-client`), words for a
//! person and windows (`easel-app`).

pub mod awake;
pub mod causes;
mod changes;
pub mod disk;
mod dispatch;
pub mod engine;
mod error;
mod estimate;
pub mod folders;
mod gathered;
pub mod ignored;
mod intake;
mod journal;
mod live;
pub mod lock;
pub mod metered;
mod places;
pub mod plan;
mod planted;
pub mod pointers;
pub mod ports;
mod queue;
mod remote;
mod sender;
mod settings;
mod settle;
#[cfg(test)]
mod stub;
mod transfer;
pub mod tree;
pub mod upload;
pub mod watch;

pub use causes::{Cause, Failure, Waiting};
pub use error::Error;
pub use folders::{FolderSettings, Folders};
pub use journal::{Access, Gate, Journal};
pub use places::Places;
#[cfg(feature = "planted-bugs")]
#[doc(hidden)]
pub use planted::Mutant;
#[doc(hidden)]
pub use planted::Planted;
pub use queue::Queue;
pub use settings::{Clock, Settings};
/// The drive of a connection as the engine of a watched folder asks it, so that a test can hold a model of it against it.
#[doc(hidden)]
pub fn drive_of(
    client: &easel_client::Client,
    journal: Journal,
    connection_id: &str,
    disk: disk::LocalDisk,
) -> impl ports::Drive {
    let index = remote::DriveIndex::new(journal, connection_id, Clock::default());
    let flow = Default::default();
    remote::drive::ServiceDrive::new(client, std::sync::Arc::new(index), disk, Places::default(), flow)
}

pub use transfer::{
    Batch, Enqueued, Filter, Kind, LimitedBy, SkipReason, Skipped, State, Stored, Summary, Transfer, TransferId,
};
