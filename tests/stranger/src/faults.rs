//! What a test has go wrong: answers that are lost, refusals out of turn, and answers that contradict each other.
//!
//! Always true here: nothing goes wrong that a test did not ask for.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::mangle::Mangle;
use crate::route::Route;

/// What happens to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is carried out, and the connection is cut instead of the answer.
    AnswerLost,
    /// It is not carried out, and the connection is cut.
    RequestLost,
    /// It is carried out, and its answer waits so long.
    Late(Duration),
    /// It is refused with this status, by something before the service: no envelope.
    Refused {
        /// The status, such as 502.
        status: u16,
        /// Seconds.
        retry_after: Option<u64>,
    },
}

/// Answers that cannot all be true.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contradiction {
    /// This file is in the lists, and everything that asks for it alone is 404.
    ListedIsGone(String),
    /// This folder is not in the lists and the tree, though its files are.
    FolderUnlisted(String),
    /// The list of files is empty, whatever the drive holds; `total` is 0.
    FilesListedEmpty,
    /// After the last page of this list comes its beginning, without end.
    CursorGoesRound(Route),
    /// The bytes of this file are others than its size and hash say.
    OtherBytes(String),
    /// A move or rename is confirmed, and nothing changes.
    ChangesWithoutEffect,
    /// A deletion is confirmed, and nothing changes.
    DeletionsWithoutEffect,
}

/// What is to go wrong.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The endpoint, how many of its requests pass before, and what happens to the next.
    waiting: Vec<(Route, u32, Fault)>,
    pub(crate) contradictions: BTreeSet<Contradiction>,
    pub(crate) mangle: Option<Mangle>,
}

impl Faults {
    /// The `nth` request from now at `route`, counted from 1, goes wrong.
    pub(crate) fn plan(&mut self, route: Route, nth: u32, fault: Fault) {
        self.waiting.push((route, nth.max(1), fault));
    }

    /// What happens to a request that has come.
    pub(crate) fn next(&mut self, route: Route) -> Option<Fault> {
        let mut due = None;
        for (index, (of_route, left, _)) in self.waiting.iter_mut().enumerate() {
            if *of_route == route {
                *left -= 1;
                if *left == 0 {
                    due = Some(index);
                }
            }
        }
        let (_, _, fault) = self.waiting.remove(due?);
        self.waiting.retain(|(_, left, _)| *left > 0);
        Some(fault)
    }

    pub(crate) fn holds(&self, contradiction: &Contradiction) -> bool {
        self.contradictions.contains(contradiction)
    }
}
