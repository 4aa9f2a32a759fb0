//! The signed addresses of thumbnails, as the service told them last.
//!
//! Always true: they live in memory only, and no more of them than a bound. Not here: fetching by them (`media`).

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use easel_wire::canvases::{Canvas, CanvasVersion};
use easel_wire::{CanvasId, VersionId};

/// The most signed addresses that are remembered.
const MOST_ADDRESSES: usize = 5_000;

/// Signed addresses, newest knowledge; no more than [`MOST_ADDRESSES`] and one list.
#[derive(Debug)]
struct Addresses<I>(Mutex<HashMap<I, String>>);

impl<I> Default for Addresses<I> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<I: Eq + Hash> Addresses<I> {
    /// Takes note of what was told: an address, or that there is none.
    fn note<'a>(&self, told: impl Iterator<Item = (I, Option<&'a String>)>) {
        let mut addresses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if addresses.len() > MOST_ADDRESSES {
            addresses.clear();
        }
        for (id, url) in told {
            match url {
                Some(url) => addresses.insert(id, url.clone()),
                None => addresses.remove(&id),
            };
        }
    }

    fn known(&self, id: &I) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

/// The thumbnails of designs, and of their earlier drawings.
#[derive(Debug, Default)]
pub(crate) struct Thumbnails {
    designs: Addresses<CanvasId>,
    versions: Addresses<VersionId>,
}

impl Thumbnails {
    /// Takes note of the addresses of the thumbnails, as every list of designs brings them.
    pub(crate) fn note(&self, canvases: &[Canvas]) {
        self.designs.note(canvases.iter().map(|canvas| (canvas.id, canvas.thumbnail_url.as_ref())));
    }

    /// Takes note of the addresses of the thumbnails, as a list of versions brings them.
    pub(crate) fn note_versions(&self, versions: &[CanvasVersion]) {
        self.versions.note(versions.iter().map(|version| (version.id, version.thumbnail_url.as_ref())));
    }

    pub(super) fn of_design(&self, canvas: CanvasId) -> Option<String> {
        self.designs.known(&canvas)
    }

    pub(super) fn of_version(&self, version: VersionId) -> Option<String> {
        self.versions.known(&version)
    }
}
