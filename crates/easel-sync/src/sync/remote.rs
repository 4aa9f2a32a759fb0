//! What was seen of a connection's drive: one picture for all of its watched folders, kept in the journal.
//!
//! The service has no change feed, so the picture is brought up to date by asking: where it tells what changed since a
//! moment, by that, else by reading its lists from end to end. Of deletions no such list tells; they show in the counts of
//! the folders that changed, and in the drive's whole count, and only what a folder's own list no longer has, and no list
//! of changes has elsewhere, is taken for gone. Always true: one refresh at a time, shared by all who wait for it; what
//! this program itself did is in the picture at once, and an older answer never overwrites it; the picture in the journal
//! is true until the moment that stands beside it, or older. Asking while nothing happens takes at most a tenth of the
//! request budget, and the delay that follows is told ([`DriveIndex::looks_every_ms`]). Not here: what follows from a
//! change (`plan`), and single calls (`drive`).

mod back;
mod clock;
pub(crate) mod drive;
mod index;
mod lists;
mod look;
mod picture;
mod proof;
pub(crate) mod search;

pub(crate) use index::DriveIndex;

#[cfg(test)]
mod tests;
