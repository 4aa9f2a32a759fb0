//! The trash of the simulated service: what was deleted, whole, and its way back; and the contents that files had before.

use std::collections::BTreeMap;

use easel_sync::plan::names;
use easel_sync::ports::DriveError;
use easel_sync::revert::TrashedPlace;
use easel_sync::tree::{ContentHash, RemoteFolder};
use easel_wire::{FileId, FolderId, ItemRef};

use super::{Service, StoredFile};
use crate::world::{Content, hash_of};

/// What was deleted at once: an item with everything in it.
#[derive(Debug, Clone)]
pub struct Entry {
    pub item: ItemRef,
    pub folders: BTreeMap<FolderId, RemoteFolder>,
    pub files: BTreeMap<FileId, StoredFile>,
}

impl Entry {
    /// Where the item lay.
    pub fn place(&self) -> TrashedPlace {
        let place = match self.item {
            ItemRef::File(id) => self.files.get(&id).map(|file| (&file.name, file.folder)),
            ItemRef::Folder(id) => self.folders.get(&id).map(|folder| (&folder.name, folder.parent)),
            ItemRef::Canvas(_) => None,
        };
        let place = place.map(|(name, folder)| TrashedPlace { name: name.clone(), folder: Some(folder) });
        place.unwrap_or_default()
    }
}

/// What can be had back.
#[derive(Debug, Default)]
pub struct Trash {
    pub entries: Vec<Entry>,
    /// What files held before, by file, the last at the end.
    pub versions: BTreeMap<FileId, Vec<Content>>,
}

impl Trash {
    /// What a deleted file held.
    pub fn content_of(&self, file: FileId) -> Option<ContentHash> {
        let entry = self.entries.iter().rfind(|entry| entry.item == ItemRef::File(file))?;
        entry.files.get(&file).map(|file| hash_of(file.content))
    }

    /// Whether a folder was deleted with something in it.
    pub fn holds_more_than(&self, folder: FolderId) -> bool {
        let is_it = |entry: &&Entry| entry.item == ItemRef::Folder(folder);
        self.entries.iter().rfind(is_it).is_some_and(|entry| entry.files.len() + entry.folders.len() > 1)
    }
}

impl Service {
    /// What `POST /v1/drive/trash/{item_id}/restore` does: the item goes where it lay, or to the top if that is gone, and gets a
    /// number if its name is taken. Returns the contents that came back.
    pub fn restore(&mut self, item: ItemRef) -> Result<Vec<Content>, DriveError> {
        let at = self.trash.entries.iter().rposition(|entry| entry.item == item).ok_or(DriveError::NotFound)?;
        let Entry { mut folders, mut files, .. } = self.trash.entries.remove(at);
        match item {
            ItemRef::File(id) => {
                if let Some(file) = files.get_mut(&id) {
                    file.folder = file.folder.filter(|folder| self.folders.contains_key(folder));
                    file.name = names::numbered(&file.name, |name| self.file_named(file.folder, name).is_some());
                }
            }
            ItemRef::Folder(id) => {
                if let Some(folder) = folders.get_mut(&id) {
                    folder.parent = folder.parent.filter(|parent| self.folders.contains_key(parent));
                    let parent = folder.parent;
                    folder.name = names::numbered(&folder.name, |name| self.folder_named(parent, name).is_some());
                }
            }
            ItemRef::Canvas(_) => return Err(DriveError::NotFound),
        }
        let contents = files.values().map(|file| file.content).collect();
        self.folders.extend(folders);
        self.files.extend(files);
        Ok(contents)
    }
}
