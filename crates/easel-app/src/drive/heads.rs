//! Where the lists of a drive begin. A page further on that begins there too is from a service that ignores the offset.
//!
//! Not here: what is read instead (`listing`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use easel_client::Place;
use easel_wire::id::IdText;

/// Lists whose beginning is remembered.
const MOST_HEADS: usize = 1_000;

/// What lists of the drive began with, so that a service is noticed that counts by cursors alone and answers every
/// offset with its first page.
#[derive(Debug, Default)]
pub(crate) struct Heads(Mutex<HashMap<(Place, &'static str), IdText>>);

impl Heads {
    /// Whether a page that was asked for from `offset` on and begins with `first` is the beginning of the list again.
    pub(super) fn is_beginning(&self, place: &Place, kind: &'static str, offset: usize, first: Option<IdText>) -> bool {
        let Some(first) = first else { return false };
        let mut heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if offset > 0 {
            return heads.get(&(*place, kind)) == Some(&first);
        }
        if heads.len() >= MOST_HEADS {
            heads.clear();
        }
        heads.insert((*place, kind), first);
        false
    }
}
