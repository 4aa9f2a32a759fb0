//! When keys were last used, as far as that is not written yet.
//!
//! Always true: the latest use of a key wins, in whatever order uses are noted. Not here: when they are written
//! ([`crate::background::last_uses`]).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use easel_wire::Timestamp;
use tokio::sync::Notify;

use crate::wire::ApiKeyId;

/// Uses of keys that are not written yet.
#[derive(Debug, Default)]
pub struct LastUses {
    noted: Mutex<HashMap<ApiKeyId, Timestamp>>,
    /// Wakes the writer.
    pub any: Notify,
}

impl LastUses {
    /// Notes that a key was used at `moment`.
    pub fn note(&self, key: ApiKeyId, moment: Timestamp) {
        self.lock().entry(key).and_modify(|last| *last = moment.max(*last)).or_insert(moment);
        self.any.notify_one();
    }

    /// Takes the noted uses.
    pub fn take(&self) -> HashMap<ApiKeyId, Timestamp> {
        std::mem::take(&mut *self.lock())
    }

    /// How many are noted.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ApiKeyId, Timestamp>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
