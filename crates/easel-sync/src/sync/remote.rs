//! The index of a connection's drive: one for all of its watched folders, kept in the journal.
//!
//! The service has no change feed, so the index is refreshed by asking: for the changes since a moment, where the
//! service tells them, else by reading its lists from end to end. Lists of changes do not tell of deletions. These show
//! in the counts of the folders that changed, and in the drive's whole count; and an item counts as gone only if its
//! folder's own list no longer has it, and no list of changes has it elsewhere. Always true: one refresh at a time,
//! shared by all who wait for it; changes that this program makes are in the index at once, and an older answer never
//! overwrites them; the rows in the journal are complete up to the moment that stands beside them. Asking while nothing
//! happens takes at most a tenth of the request budget, and the delay that follows is told
//! ([`DriveIndex::looks_every_ms`]). Not here: what follows from a change (`plan`), and single calls (`drive`).

mod back;
mod clock;
pub(crate) mod drive;
mod gone;
mod index;
mod lists;
mod look;
mod picture;
mod proof;
pub(crate) mod search;

pub(crate) use index::DriveIndex;

#[cfg(test)]
mod tests;
