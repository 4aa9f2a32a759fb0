//! What the last look at the service found, kept for those who ask soon after.
//!
//! Not here: the look itself, and for how long it holds ([`crate::service`]).

use std::sync::Arc;
use std::time::Duration;

/// What the last look found, and when that was.
#[derive(Debug, Default)]
pub struct Readiness(pub tokio::sync::Mutex<Option<(Duration, Arc<Checks>)>>);

/// Which parts are well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// The database takes a write.
    pub database: bool,
    /// Contents are written and read.
    pub contents: bool,
    /// There is room left.
    pub room: bool,
}
