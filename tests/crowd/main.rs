//! Fifty clients at once on one studio, which is killed three times while they work.
//!
//! Asked at the end, of the service and of its data folder: nothing that was acknowledged is lost, no name stands twice in
//! a folder, no blob is without a row, the database is whole, and a list that was walked while others changed it showed
//! everything that was there throughout exactly once.

#[cfg(test)]
mod clients;
#[cfg(test)]
mod fifty;
#[cfg(test)]
mod storage;
