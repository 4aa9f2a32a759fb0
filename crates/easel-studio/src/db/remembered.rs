//! Answers of the database that are kept as long as nothing in it has changed.
//!
//! Always true: the answer is the database's at the look that comes with the question, or later ([`super::changes`]),
//! also if another process changed it a moment before. Bounded; beyond its bound everything is forgotten and asked
//! again. Not here: which answers are worth keeping.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use super::changes::DatabaseState;

/// Answers by what was asked.
#[derive(Debug)]
pub struct Remembered<K, V> {
    kept: Mutex<Entries<K, V>>,
    most: usize,
}

#[derive(Debug)]
struct Entries<K, V> {
    /// The state of the database that all answers are from.
    from: Option<DatabaseState>,
    answers: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    /// Keeps at most so many.
    #[must_use]
    pub fn at_most(most: usize) -> Self {
        Self { kept: Mutex::new(Entries { from: None, answers: HashMap::new() }), most }
    }

    /// The answer to `key`: the one that is kept, where `now` is the database that it is from, else what `ask` says,
    /// which begins after the look. With nothing seen, nothing is kept.
    ///
    /// # Errors
    /// Those of `ask`; they are not kept.
    pub async fn get<E, F: Future<Output = Result<V, E>>>(
        &self,
        now: Option<&DatabaseState>,
        key: K,
        ask: impl FnOnce() -> F,
    ) -> Result<V, E> {
        // Mostly nothing is asked. What asks is large and stands by itself, so that a request is moved about without
        // it.
        let Some(now) = now else { return Box::pin(ask()).await };
        if let Some(answer) = self.find(now, &key) {
            return Ok(answer);
        }
        let answer = Box::pin(ask()).await?;
        self.keep(now.clone(), key, answer.clone());
        Ok(answer)
    }

    /// Lets the answers hold on after a commit of the caller's own that changed nothing of what they say: the commit that
    /// alone lies between both looks.
    pub fn hold_over(&self, before: &DatabaseState, after: &DatabaseState) {
        if !after.is_next_after(before) {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.from.as_ref() == Some(before) {
            kept.from = Some(after.clone());
        }
    }

    fn find(&self, now: &DatabaseState, key: &K) -> Option<V> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.from.as_ref() == Some(now) { kept.answers.get(key).cloned() } else { None }
    }

    fn keep(&self, now: DatabaseState, key: K, answer: V) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Of two looks none can tell which is the later; the wrong one is equal to no look to come, and so never found.
        if kept.from.as_ref() != Some(&now) || kept.answers.len() >= self.most {
            kept.answers.clear();
            kept.from = Some(now);
        }
        kept.answers.insert(key, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[tokio::test]
    async fn an_answer_is_kept_as_long_as_the_database_is_the_one_that_it_is_from() {
        let (remembered, asked) = (Remembered::at_most(2), Cell::new(0));
        let get = async |now: Option<u8>, key: u8| {
            let ask = async || {
                asked.set(asked.get() + 1);
                Ok::<_, ()>(asked.get())
            };
            remembered.get(now.map(DatabaseState::example).as_ref(), key, ask).await.unwrap()
        };
        assert_eq!((get(Some(1), 7).await, get(Some(1), 7).await), (1, 1));
        assert_eq!((get(Some(1), 8).await, get(Some(1), 7).await), (2, 1), "each key has its own");
        assert_eq!((get(Some(2), 7).await, get(Some(2), 7).await), (3, 3), "the database is another");
        assert_eq!(get(Some(1), 7).await, 4, "what was forgotten is asked again");
        assert_eq!((get(None, 7).await, get(None, 7).await), (5, 6), "where nothing can be told, nothing is kept");
        assert_eq!(get(Some(1), 7).await, 4);
        assert_eq!((get(Some(1), 8).await, get(Some(1), 9).await), (7, 8));
        assert_eq!((get(Some(1), 9).await, get(Some(1), 7).await), (8, 9), "the third was one too many");
    }

    #[tokio::test]
    async fn what_could_not_be_answered_is_asked_again() {
        let remembered = Remembered::at_most(2);
        let seen = DatabaseState::example(1);
        let now = || Some(&seen);
        assert_eq!(remembered.get(now(), 1, async || Err::<u8, _>("broken")).await, Err("broken"));
        assert_eq!(remembered.get(now(), 1, async || Ok::<_, &str>(3_u8)).await, Ok(3));
        assert_eq!(remembered.get(now(), 1, async || Ok::<_, &str>(4_u8)).await, Ok(3));
    }
}
