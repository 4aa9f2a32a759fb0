//! Exports over HTTP and the work behind them (specification, "Endpoints", behaviour rule 6, and "Limits"; contract, "Canvases
//! and export").
//!
//! Always true: an export shows the canvas as it was when it was asked for; one that was acknowledged is worked on, also
//! after a crash; rendering runs in processes of its own, few at a time and
//! teams in turns; a result is there for seven days and then gone, row
//! and bytes. An export fires no webhook and counts toward no cap on tasks. Not here: SQL, and the rendering itself
//! ([`crate::drawing`]).

mod expiry;
mod record;
mod start;
mod status;
mod work;

pub use expiry::expire;
pub use start::start_export;
pub use status::get_export_status;
pub use work::take_up;

use std::sync::Arc;

use crate::rate::Rate;
use crate::turns::Turns;
use crate::wire::{OrganizationId, TeamId};

/// Exports rendered at once, whatever the number of workers: a picture at four times its size takes hundreds of megabytes.
pub const MAX_AT_ONCE: u32 = 2;

/// What is known of exports only while the process lives.
#[derive(Debug)]
pub struct Exports {
    /// Exports a minute and organization.
    rate: Rate<OrganizationId>,
    /// Who may render now: teams in turns.
    turns: Arc<Turns<TeamId>>,
}

impl Exports {
    /// `workers` exports rendered at once, but never more than [`MAX_AT_ONCE`]. Without workers they wait.
    #[must_use]
    pub fn new(workers: u32) -> Self {
        let at_once = workers.min(MAX_AT_ONCE) as usize;
        Self { rate: Rate::new(), turns: Turns::new(at_once, at_once) }
    }
}

#[cfg(test)]
mod tests;
