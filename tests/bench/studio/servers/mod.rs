//! The studio on a PostgreSQL server and a bucket, all on this machine: what a request costs beside asking the server for one row, what
//! several processes do together, and how they share what waits.
//!
//! Always true: the server and the bucket are the tests' own, which bring nothing to the disk before they answer, so that it is the
//! processors that are measured and no disk. The bucket answers from a thread of this program, beside the clients. Not here: that
//! nothing is lost or done twice when a process ends (`tests/operating`).

pub mod claims;
pub mod million;
pub mod processes;
mod share;
