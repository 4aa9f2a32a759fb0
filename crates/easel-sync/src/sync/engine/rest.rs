//! An engine at rest: little in memory, and that in few blocks.
//!
//! Always true: a [`FlatEngine`] gives back the engine that was laid flat, with all that it knew; nothing of it can be
//! asked before. Not here: when an engine rests (`folders`), and which folders leave memory (`load`).

use easel_wire::FolderId;

use super::state::Engine;
use crate::shared::flat::Flat;
use crate::sync::ports::{Clock, Disk, Drive, Store};
use crate::sync::tree::{LocalItem, Record, RemoteFolder};

/// While nothing happens, one of so many items stays in memory that may be there at work. A change needs its own folder.
const RESTING_PART: usize = 10;

/// An engine whose three trees lie flat in memory (`flat`).
pub struct FlatEngine<D, R, S, C> {
    /// Without its trees.
    engine: Engine<D, R, S, C>,
    local: Flat<String, LocalItem>,
    agreed: Flat<String, Record>,
    remote: Flat<FolderId, RemoteFolder>,
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Frees memory that is not needed while nothing happens. Returns how many items the largest tree had before.
    pub fn rest(&mut self) -> usize {
        let before = self.count_in_memory();
        if self.is_loaded {
            self.unload(self.kept_items / RESTING_PART);
        }
        before
    }

    /// Lays the three trees flat, until the engine is needed again.
    #[must_use]
    pub fn lay_flat(mut self) -> FlatEngine<D, R, S, C> {
        let local = Flat::take(&mut self.local.items, |(path, _), show| show(path));
        let agreed = Flat::take(&mut self.agreed.records, |(path, record), show| {
            show(path);
            show(&mut record.place.name);
        });
        let remote = Flat::take(&mut self.remote.folders, |(_, folder), show| show(&mut folder.name));
        FlatEngine { engine: self, local, agreed, remote }
    }
}

impl<D, R, S, C> FlatEngine<D, R, S, C> {
    /// The engine, with its trees.
    #[must_use]
    pub fn build(self) -> Engine<D, R, S, C> {
        let Self { mut engine, local, agreed, remote } = self;
        engine.local.items = local.into_map();
        engine.agreed.records = agreed.into_map();
        engine.remote.folders = remote.into_map();
        engine
    }
}
