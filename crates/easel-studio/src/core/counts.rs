//! How many of something each has at the moment.
//!
//! Always true: a key whose count is nought is dropped, so that memory follows from what is counted, and not from how many
//! keys there ever were.
//! Not here: who may have how many.

use std::collections::HashMap;
use std::hash::Hash;

/// How many each of `K` has.
#[derive(Debug)]
pub struct Counts<K>(HashMap<K, usize>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash> Counts<K> {
    /// The count of `one`.
    pub fn of(&self, one: &K) -> usize {
        self.0.get(one).copied().unwrap_or_default()
    }

    /// How many all have.
    pub fn sum(&self) -> usize {
        self.0.values().sum()
    }

    /// Adds one to the count of `to`.
    pub fn add(&mut self, to: K) {
        *self.0.entry(to).or_default() += 1;
    }

    /// Takes one off the count of `of`.
    pub fn take_off(&mut self, of: &K) {
        if let Some(count) = self.0.get_mut(of) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(of);
            }
        }
    }

    /// Whether nobody has any.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
