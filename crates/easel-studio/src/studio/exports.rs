//! The state of exports that lives as long as the process.
//!
//! Always true: few are rendered at once, and teams take turns. Not here: the work ([`crate::exports`]).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::core::turns::Turns;
use crate::db::Db;
use crate::studio::rates::SharedRate;
use crate::wire::{OrganizationId, TaskId, TeamId};

/// Exports rendered at once, whatever the number of workers: a picture at four times its size takes hundreds of
/// megabytes.
pub const MAX_AT_ONCE: u32 = 2;

/// How many are rendered, who waits for a turn, and how many were asked for lately.
#[derive(Debug)]
pub struct Exports {
    /// Exports a minute and organization.
    pub rate: SharedRate<OrganizationId>,
    /// Turns at rendering, which teams take.
    pub turns: Arc<Turns<TeamId>>,
    /// Exports that wait for their turn in this process.
    expected: Mutex<HashSet<TaskId>>,
}

impl Exports {
    /// `workers` exports rendered at once, but never more than [`MAX_AT_ONCE`]. Without workers they wait. With a database, all processes
    /// on it count together what was asked for.
    #[must_use]
    pub fn new(workers: u32, counting: Option<Db>) -> Self {
        let at_once = workers.min(MAX_AT_ONCE) as usize;
        Self {
            rate: SharedRate::new("export", counting),
            turns: Turns::new(at_once, at_once),
            expected: Mutex::default(),
        }
    }

    /// Notes that the turn of this export is waited for; false where it is already.
    pub fn expect(&self, id: TaskId) -> bool {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
    }

    /// Notes that the turn of this export is waited for no longer.
    pub fn expect_no_longer(&self, id: TaskId) {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}
