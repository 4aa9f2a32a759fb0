//! The tables of watched folders: records, intents, history, conflicts, what is being undone, and the index of the drive.
//!
//! Always true: what holds for the journal as a whole (`shared::journal`).

mod agreed;
mod changes;
mod columns;
mod conflicts;
mod drive;
mod history;
mod lookups;
mod reverts;
mod watches;

pub(crate) use agreed::SyncStateStore;
pub use changes::Scope;
pub(crate) use changes::past_changes;
pub(crate) use drive::{DriveRows, FolderSeen, SeenUntil};
pub(crate) use history::Line;
pub(crate) use reverts::{ActCounts, ActState};
pub(crate) use watches::{Sums, Watch};
