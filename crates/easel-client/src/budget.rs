//! The request budget of one key: every request of the whole program takes a rate permit here before it leaves.
//!
//! A thin front of [`permits`], which decides: here requests wait, in one queue a lane, and are woken. Always true: within
//! a lane, first come, first served; a waiting request that is dropped takes no permit and holds nobody up; a request
//! that left and is dropped keeps its permit for a window, because the service may have counted it.

mod permits;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

pub use permits::Lane;
use permits::{Admission, Permits};

/// The budget; share it by `Arc`.
#[derive(Debug)]
pub(crate) struct Budget {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    permits: Permits,
    people: VecDeque<Arc<Notify>>,
    polls: VecDeque<Arc<Notify>>,
    transfers: VecDeque<Arc<Notify>>,
}

impl State {
    const fn queue(&mut self, lane: Lane) -> &mut VecDeque<Arc<Notify>> {
        match lane {
            Lane::Person => &mut self.people,
            Lane::Poll => &mut self.polls,
            Lane::Transfer => &mut self.transfers,
        }
    }

    /// Wakes the first request of each lane, to ask again.
    fn wake(&self) {
        for first in [self.people.front(), self.polls.front(), self.transfers.front()].into_iter().flatten() {
            first.notify_one();
        }
    }
}

impl Budget {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                permits: Permits::new(Instant::now()),
                people: VecDeque::new(),
                polls: VecDeque::new(),
                transfers: VecDeque::new(),
            }),
        })
    }

    /// Waits in `lane` for a permit. Keep the permit until the answer's head has come.
    pub(crate) async fn take(self: &Arc<Self>, lane: Lane) -> RatePermit {
        let waiting = Waiting::enter(self, lane);
        loop {
            match self.try_leave(&waiting) {
                None => return RatePermit { budget: Arc::clone(self) },
                Some(Admission::NotBefore(at)) => {
                    tokio::select! {
                        () = sleep_until(at) => {}
                        () = waiting.turn.notified() => {}
                    }
                }
                Some(_) => waiting.turn.notified().await,
            }
        }
    }

    /// Sets the size to the rate that the service tells (contract, "whoami"): `Some(0)` is no limit.
    pub(crate) fn resize(&self, requests_per_minute: Option<u32>) {
        let mut state = self.lock();
        state.permits.resize(requests_per_minute);
        state.wake();
    }

    /// Notes that the service refused a request for its rate (429): no request leaves for `wait`, and fewer leave
    /// afterwards.
    pub(crate) fn refuse(&self, wait: Duration) {
        self.lock().permits.refuse(Instant::now(), wait);
    }

    /// Takes a permit, and returns `None`; else why there is none.
    fn try_leave(&self, waiting: &Waiting<'_>) -> Option<Admission> {
        let now = Instant::now();
        let mut state = self.lock();
        let first = state.queue(waiting.lane).front().is_some_and(|first| Arc::ptr_eq(first, &waiting.turn));
        if !first {
            return Some(Admission::AfterAnAnswer);
        }
        let people = u32::try_from(state.people.len()).unwrap_or(u32::MAX);
        match state.permits.judge(now, waiting.lane, people) {
            Admission::Go => {
                state.permits.take_permit(now, waiting.lane);
                None
            }
            admission => Some(admission),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code here panics halfway through a change, so a poisoned lock still holds a sound state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in a lane's queue, given up when dropped.
struct Waiting<'a> {
    budget: &'a Budget,
    lane: Lane,
    turn: Arc<Notify>,
}

impl<'a> Waiting<'a> {
    fn enter(budget: &'a Budget, lane: Lane) -> Self {
        let turn = Arc::new(Notify::new());
        budget.lock().queue(lane).push_back(Arc::clone(&turn));
        Self { budget, lane, turn }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.queue(self.lane).retain(|turn| !Arc::ptr_eq(turn, &self.turn));
        state.wake();
    }
}

/// The permit of a request that left. Drop it when the answer's head has come, or when no answer will come.
#[derive(Debug)]
pub(crate) struct RatePermit {
    budget: Arc<Budget>,
}

impl Drop for RatePermit {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.permits.settle(Instant::now());
        state.wake();
    }
}

#[cfg(test)]
mod tests;
