//! Keys that were refused and are not written yet.
//!
//! Always true: they are counted by address, and of few addresses, so that a stranger fills neither the log nor the
//! memory. Not here: when they are written ([`crate::background::audit_log`]).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use easel_wire::Timestamp;
use tokio::sync::Notify;

use crate::web::origin::Origin;

/// So many addresses are told apart between two writes; further ones are counted together.
const ADDRESSES_APART: usize = 64;

/// Keys that were refused and are not written yet.
#[derive(Debug, Default)]
pub struct Refusals {
    noted: Mutex<BTreeMap<String, Refused>>,
    /// Wakes the writer.
    pub any: Notify,
}

/// Refused keys from one address.
#[derive(Debug, Clone)]
pub struct Refused {
    /// When the last one came.
    pub last: Timestamp,
    /// How many came.
    pub count: u64,
    /// What the last one asked for.
    pub path: String,
}

impl Refusals {
    /// Notes that a key was refused.
    pub fn note(&self, origin: Origin, path: String, now: Timestamp) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let address = origin.to_string();
        let address =
            if noted.contains_key(&address) || noted.len() < ADDRESSES_APART { address } else { "others".to_owned() };
        let refused = noted.entry(address).or_insert(Refused { last: now, count: 0, path: String::new() });
        *refused = Refused { last: now, count: refused.count + 1, path };
        drop(noted);
        self.any.notify_one();
    }

    /// Takes the noted refusals, by address.
    pub fn take(&self) -> BTreeMap<String, Refused> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
