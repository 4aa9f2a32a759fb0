//! Exports over HTTP and the work behind them (specification, "Endpoints", behaviour rule 6, and "Limits"; contract, "Canvases
//! and export").
//!
//! Always true: an export shows the canvas as it was when it was asked for; one that was acknowledged is worked on, also
//! after a crash, by the process that holds it, whichever was asked for it; rendering runs in processes of its own, few at a time and
//! teams in turns; a result is there for seven days and then gone, row and bytes. An export fires no webhook and counts toward no cap
//! on tasks. Not here: SQL, and the rendering itself ([`crate::drawing`]).

mod expiry;
mod record;
mod start;
mod status;
mod work;

pub use expiry::expire;
pub use start::start_export;
pub use status::get_export_status;
pub use work::{begin_waiting, take_back};

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::rate::Rate;
use crate::studio::App;
use crate::turns::Turns;
use crate::wire::{OrganizationId, TaskId, TeamId};

/// Exports rendered at once, whatever the number of workers: a picture at four times its size takes hundreds of megabytes.
pub const MAX_AT_ONCE: u32 = 2;

/// What is known of exports only while the process lives.
#[derive(Debug)]
pub struct Exports {
    /// Exports a minute and organization.
    rate: Rate<OrganizationId>,
    /// Who may render now: teams in turns.
    turns: Arc<Turns<TeamId>>,
    /// Those whose turn is waited for here.
    expected: Mutex<HashSet<TaskId>>,
}

/// An export whose turn is waited for, until it is dropped.
struct Expected {
    app: App,
    id: TaskId,
}

impl Exports {
    /// `workers` exports rendered at once, but never more than [`MAX_AT_ONCE`]. Without workers they wait.
    #[must_use]
    pub fn new(workers: u32) -> Self {
        let at_once = workers.min(MAX_AT_ONCE) as usize;
        Self { rate: Rate::new(), turns: Turns::new(at_once, at_once), expected: Mutex::default() }
    }
}

impl Expected {
    /// Notes that the turn of this export is waited for; `None` where it is already.
    fn new(app: &App, id: TaskId) -> Option<Self> {
        let is_new = app.exports.expected.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        is_new.then(|| Self { app: App::clone(app), id })
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.app.exports.expected.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

#[cfg(test)]
mod tests;
