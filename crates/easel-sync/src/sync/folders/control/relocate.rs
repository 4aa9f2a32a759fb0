//! Goes on with a watched folder at another path, if it is the same folder or a copy of it.
//!
//! Always true: a folder of other content is refused and nothing changes; a relocation deletes nothing on either side.
//! The folder itself, moved, keeps its records. In a copy, as from a backup or onto another disk, the files have other
//! identities: the records are dropped, so that both sides are compared as at a first run, which deletes nothing.

use std::path::Path;

use super::super::add::error_of;
use super::super::locked_folder::LockedFolder;
use super::Control;
use crate::shared::error::Error;
use crate::sync::disk::Dirty;
use crate::sync::lock::overlap;
use crate::sync::ports::{Disk as _, LocalSeen, Settlement, Store as _, StoreError};
use crate::sync::tree::{Agreed, Change, Local, LocalItem, Sides};

/// Of a hundred files that both sides agree on, so many have to be in a copy, at the same path and of the same size.
const LEAST_PERCENT: usize = 75;

impl Control {
    /// Goes on with the folder at `path`, which must be free.
    pub(super) async fn relocate(&mut self, path: &Path) -> Result<(), Error> {
        let ground = LockedFolder::take(path, &self.watch.choices, None, &self.shared.settings)
            .await
            .map_err(|need| error_of(need, path))?;
        let found = ground.disk.path().to_owned();
        let watched = self.shared.journal.list_watched_paths().await?;
        if let Some(other) = watched.into_iter().find(|other| *other != self.watch.path && overlap(other, &found)) {
            return Err(Error::InsideAnother { path: other });
        }
        let identity = ground.disk.identity();
        if self.watch.root_identity != Some(identity) {
            self.forget_agreed_of_copy(&ground, path).await?;
        }
        self.shared.journal.record_place(self.watch.id, &found, identity).await?;
        tracing::info!("a watched folder is at another place now");
        self.watch.path.clone_from(&found);
        self.watch.root_identity = Some(identity);
        self.watched.show(|folder| folder.path.clone_from(&found));
        ground.disk.mark(Dirty::Everything);
        self.ground = Some(ground);
        Ok(())
    }

    /// Drops the records, where the folder is a copy.
    async fn forget_agreed_of_copy(&self, ground: &LockedFolder, path: &Path) -> Result<(), Error> {
        let store = |error: StoreError| Error::JournalUnavailable { detail: error.to_string() };
        let seen = ground.disk.look_around(None, usize::MAX).await;
        let Ok(LocalSeen::Whole(local)) = seen.map(|seen| seen.local) else {
            return Err(Error::FolderUnreadable { path: path.to_owned() });
        };
        let (agreed, intents) = self.state_store.load_all().await.map_err(store)?;
        if !is_copy(&local, &agreed) {
            return Err(Error::AnotherFolder { path: path.to_owned() });
        }
        let changes = agreed.records.into_keys().map(Change::Forget).collect();
        let done = intents.iter().map(|intent| intent.path().to_owned()).collect();
        self.state_store.settle(&Settlement { changes, done, ..Settlement::default() }).await.map_err(store)
    }
}

/// Whether nearly all agreed files are there.
fn is_copy(local: &Local, agreed: &Agreed) -> bool {
    let both = agreed.records.iter().filter(|(_, record)| record.sides == Sides::Both);
    let files: Vec<_> = both.filter_map(|(path, record)| Some((path, record.as_file()?.stamp.size_bytes))).collect();
    let is_there = |path: &String, size_bytes: u64| matches!(local.items.get(path), Some(LocalItem::File(file)) if file.stamp.size_bytes == size_bytes);
    let there = files.iter().filter(|(path, size_bytes)| is_there(path, *size_bytes)).count();
    !files.is_empty() && there * 100 >= files.len() * LEAST_PERCENT
}
