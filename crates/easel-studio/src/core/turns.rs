//! Turns at work that only few may do at once.
//!
//! Always true: the next turn goes to the waiting party that has the fewest turns at that moment, then to the one whose
//! last turn is longest ago, then to the one that came first, so that a long line of one party holds up no other by
//! more than one turn; a [`Turn`] is given back by dropping it, and whoever stops waiting holds nobody up. Not here:
//! what a turn is for.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::counts::Counts;

/// So many parties are remembered; beyond that all count as having had their last turn equally long ago.
const REMEMBERED: usize = 10_000;

/// The turns there are, for many of `K`.
#[derive(Debug)]
pub struct Turns<K: Debug + Copy + Eq + Hash> {
    at_once: usize,
    of_one: usize,
    line: Mutex<Line<K>>,
    moved: Notify,
}

#[derive(Debug)]
struct Line<K> {
    taken: Counts<K>,
    /// The waiting parties, by the number with which each came.
    waiting: Vec<(u64, K)>,
    /// The number of the last turn of each.
    last: HashMap<K, u64>,
    next: u64,
}

/// One turn, until it is dropped.
#[derive(Debug)]
pub struct Turn<K: Debug + Copy + Eq + Hash> {
    turns: Arc<Turns<K>>,
    of: K,
}

/// A place in the line, until it is dropped.
struct Waiting<'t, K: Debug + Copy + Eq + Hash> {
    turns: &'t Turns<K>,
    number: u64,
}

impl<K: Debug + Copy + Eq + Hash> Turns<K> {
    /// `at_once` turns in all, and `of_one` of one party. With `at_once` zero, everybody waits.
    #[must_use]
    pub fn new(at_once: usize, of_one: usize) -> Arc<Self> {
        let line = Line { taken: Counts::default(), waiting: Vec::new(), last: HashMap::new(), next: 0 };
        Arc::new(Self { at_once, of_one, line: Mutex::new(line), moved: Notify::new() })
    }

    /// Waits for a turn of the party `of`.
    pub async fn take(self: &Arc<Self>, of: K) -> Turn<K> {
        let place = self.stand(of);
        loop {
            let mut moved = std::pin::pin!(self.moved.notified());
            // Before looking, so that nothing between is missed.
            moved.as_mut().enable();
            if self.step_forward(place.number, of) {
                return Turn { turns: Arc::clone(self), of };
            }
            moved.await;
        }
    }

    fn stand(&self, of: K) -> Waiting<'_, K> {
        let mut line = self.lock();
        let number = line.next;
        line.next += 1;
        line.waiting.push((number, of));
        Waiting { turns: self, number }
    }

    /// Takes the turn, if it belongs to whoever came with this number.
    fn step_forward(&self, number: u64, of: K) -> bool {
        let mut line = self.lock();
        if line.taken.sum() >= self.at_once {
            return false;
        }
        let may = line.waiting.iter().filter(|(_, of)| line.taken.of(of) < self.of_one);
        let first = may.min_by_key(|(number, of)| (line.taken.of(of), line.last.get(of).copied(), *number));
        if first.is_none_or(|(first, _)| *first != number) {
            return false;
        }
        line.taken.add(of);
        line.waiting.retain(|(waiting, _)| *waiting != number);
        let turn = line.next;
        line.next += 1;
        if line.last.len() >= REMEMBERED {
            line.last.clear();
        }
        line.last.insert(of, turn);
        true
    }

    fn lock(&self) -> MutexGuard<'_, Line<K>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Debug + Copy + Eq + Hash> Drop for Waiting<'_, K> {
    fn drop(&mut self) {
        self.turns.lock().waiting.retain(|(number, _)| *number != self.number);
        // The first in line may go now.
        self.turns.moved.notify_waiters();
    }
}

impl<K: Debug + Copy + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        self.turns.lock().taken.take_off(&self.of);
        self.turns.moved.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::pin::Pin;

    type Taking = Pin<Box<dyn Future<Output = Turn<char>> + Send>>;

    fn wait(turns: &Arc<Turns<char>>, of: char) -> Taking {
        let turns = Arc::clone(turns);
        let mut taking: Taking = Box::pin(async move { turns.take(of).await });
        assert!(taking.as_mut().now_or_never().is_none(), "{of} has to wait");
        taking
    }

    #[tokio::test]
    async fn a_long_line_of_one_holds_up_nobody_else_by_more_than_a_turn() {
        let turns = Turns::new(1, 1);
        let first = turns.take('a').await;
        let mut line: Vec<Taking> = (0..10).map(|_| wait(&turns, 'a')).collect();
        let mut others: Vec<Taking> = ['b', 'c'].into_iter().map(|of| wait(&turns, of)).collect();
        drop(first);
        for taking in &mut line {
            assert!(taking.as_mut().now_or_never().is_none(), "others are first");
        }
        let b = others.remove(0).now_or_never().expect("the turn of who never had one, and came first");
        let c = others.remove(0);
        drop(b);
        drop(c.await);
        // A waiter that gives up stands in nobody's way.
        drop(line.remove(0));
        drop(line.remove(0).now_or_never().expect("the next of the line"));
    }

    #[tokio::test]
    async fn one_takes_no_more_than_its_part_and_without_any_everybody_waits() {
        let turns = Turns::new(2, 1);
        let first = turns.take('a').await;
        let second = wait(&turns, 'a');
        let other = turns.take('b').await;
        drop(other);
        drop(first);
        drop(second.await);
        {
            let line = turns.lock();
            assert!(line.taken.is_empty() && line.waiting.is_empty());
        }
        let both = Turns::new(2, 2);
        let turns = [both.take('a').await, both.take('a').await];
        drop(turns);
        drop(wait(&Turns::new(0, 1), 'a'));
    }
}
