//! Names of a drive's items, as the window showed them last, so that a failure can name its item.
//!
//! Always true: no request is made for a name; an item that was never shown has none. Not here: the paths of folders
//! ([`crate::folders`]).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use easel_wire::ItemRef;

/// The most names that are kept; then all are forgotten.
const MOST_NAMES: usize = 20_000;

/// The names of one drive's items, by id.
#[derive(Debug, Default)]
pub(crate) struct SeenNames {
    names: Mutex<HashMap<String, String>>,
}

impl SeenNames {
    /// Takes note of what a listing shows: of each item its id and its name.
    pub(crate) fn note<'a>(&self, items: impl ExactSizeIterator<Item = (&'a String, &'a String)>) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() + items.len() > MOST_NAMES {
            names.clear();
        }
        names.extend(items.map(|(id, name)| (id.clone(), name.clone())));
    }

    /// What an item is called; empty where it was never shown.
    pub(crate) fn name_of(&self, item: ItemRef) -> String {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(&item.to_string()).cloned().unwrap_or_default()
    }
}
