//! What is bounded by the minute, wherever it is counted: in memory by a process that is alone, and in the database by several together.
//!
//! Always true: what is refused takes nothing, and what another limit refuses afterwards is given back. Not here: what counts, and the
//! bounds.

use std::hash::Hash;
use std::time::Duration;

use crate::core::error::Error;
use crate::core::rate::Rate;
use crate::db::rates::{self, Subject};
use crate::db::{Db, Tx};

/// Counts by `K`.
#[derive(Debug)]
pub struct SharedRate<K> {
    kind: &'static str,
    own: Rate<K>,
    /// Where all processes count together.
    together: Option<Db>,
}

/// What was taken, to be given back.
#[derive(Debug, Clone, Copy)]
pub enum Taken<K> {
    /// Nothing, because there is no limit.
    Nothing,
    /// In this process, at this moment of its own clock.
    Here(K, Duration),
    /// By all processes together, at this moment of the database's clock.
    Together(K, i64),
}

/// Whom something is counted for, in the database.
pub trait Counted: Copy + Eq + Hash {
    /// What names it among those of its kind.
    fn bytes(&self) -> Vec<u8>;
}

impl<K: crate::wire::id::Kind> Counted for crate::wire::Id<K> {
    fn bytes(&self) -> Vec<u8> {
        self.uuid().as_bytes().to_vec()
    }
}

impl<K: Counted> SharedRate<K> {
    /// Nothing taken by this process yet. With a database, all processes on it count together.
    #[must_use]
    pub fn new(kind: &'static str, together: Option<Db>) -> Self {
        Self { kind, own: Rate::new(), together }
    }

    /// Counts one for `key` where it makes at most `per_minute` in any sixty seconds; zero for no limit. `now` never goes back.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with whole seconds, at least one, until the next would pass; [`Error::Database`].
    pub async fn take(&self, key: K, per_minute: u32, now: Duration) -> Result<Taken<K>, Error> {
        let Some(db) = &self.together else { return self.take_here(key, per_minute, now) };
        if per_minute == 0 {
            return Ok(Taken::Nothing);
        }
        // What counts is large and stands by itself, so that a request is moved about without it.
        let taking = async { rates::take(&mut *db.counter().await?, &self.subject(key), per_minute).await };
        Ok(Taken::Together(key, Box::pin(taking).await?))
    }

    /// As [`Self::take`], in a write transaction: where several count together, what is taken comes back with it if it fails.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub async fn take_within(&self, tx: &mut Tx, key: K, per_minute: u32, now: Duration) -> Result<Taken<K>, Error> {
        if self.together.is_none() {
            return self.take_here(key, per_minute, now);
        }
        if per_minute > 0 {
            rates::take(tx, &self.subject(key), per_minute).await?;
        }
        Ok(Taken::Nothing)
    }

    fn take_here(&self, key: K, per_minute: u32, now: Duration) -> Result<Taken<K>, Error> {
        self.own.take(key, per_minute, now)?;
        Ok(Taken::Here(key, now))
    }

    /// Gives back what was taken, because another limit refuses what it was taken for.
    pub async fn give_back(&self, taken: Taken<K>) {
        match (taken, &self.together) {
            (Taken::Here(key, moment), _) => self.own.give_back(key, moment),
            (Taken::Together(key, moment), Some(db)) => {
                let given = async {
                    let mut conn = db.counter().await?;
                    rates::give_back(&mut conn, &self.subject(key), moment).await
                };
                // It leaves the minute by itself.
                if let Err(error) = given.await {
                    tracing::warn!(%error, "a request that was refused counts all the same");
                }
            }
            (Taken::Nothing | Taken::Together(..), _) => {}
        }
    }

    fn subject(&self, key: K) -> Subject {
        Subject::new(self.kind, &key.bytes())
    }
}
