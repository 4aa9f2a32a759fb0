//! Moves files into a drive, in two jobs: `queue` sends dropped files, `sync` keeps watched folders the same on both
//! sides.
//!
//! What both need lies in `shared` and knows of neither: the journal of what is to be done, the upload of one file, and
//! the causes of failures. Always true: an intent is on disk before its effect, so that a crash at any moment loses
//! nothing and sends nothing twice where the service can tell; bytes of files are never held whole; a file that is
//! being written waits, and one that changes while it is sent is never registered half. Deliberately not here: HTTP
//! (`easel-client`), words for a person and windows (`easel-app`).

mod queue;
mod shared;
mod sync;

pub use queue::{
    Batch, Enqueued, Filter, Kind, Queue, Settings, SkipReason, Skipped, State, Stored, Summary, Transfer, upload_job,
};
pub use shared::causes::{Cause, Failure, Waiting};
pub use shared::clock::Clock;
pub use shared::error::Error;
pub use shared::estimate::LimitedBy;
pub use shared::ids::TransferId;
pub use shared::journal::{Access, Gate, Journal};
#[cfg(feature = "planted-bugs")]
#[doc(hidden)]
pub use shared::planted::Mutant;
#[doc(hidden)]
pub use shared::planted::Planted;
pub use shared::transfer_slots::TransferSlots;
pub use shared::{awake, causes, memory, metered, upload};
pub use sync::folders::{FolderSettings, Folders};
pub use sync::{conflicts, disk, engine, folders, ignored, lock, plan, pointers, ports, revert, tree, unloaded, watch};

/// The drive port of a connection, as a watched folder's engine uses it: a test compares a model with it.
#[doc(hidden)]
pub fn drive_of(
    client: &easel_client::Client,
    journal: Journal,
    connection_id: &str,
    disk: disk::LocalDisk,
) -> impl ports::Drive {
    let index = sync::remote::DriveIndex::new(journal, connection_id, Clock::default());
    let flow = Default::default();
    sync::remote::drive::ServiceDrive::new(client, std::sync::Arc::new(index), disk, TransferSlots::default(), flow)
}
