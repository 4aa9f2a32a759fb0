//! Copies: files whose content the drive keeps under another path. In the drive each lies as a pointer, a small file
//! whose name says what it stands for (`easel_sync::pointers`).
//!
//! Always true: a person sees the copy, under its own name, and never the pointer; renaming and deleting a copy change
//! the pointer's name, so that every computer that syncs the folder follows. Not here: making pointers, which only
//! syncing does.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use easel_client::{Client, Error as ClientError, PageRequest, Place, Walk};
use easel_sync::pointers::{Pointer, State};
use easel_wire::drive::{ChangedItem, File};
use easel_wire::{FileId, ItemRef};

/// The most pointers that are remembered; then all are forgotten.
const MOST_COPIES: usize = 20_000;
/// The most files that are looked through for the content of a copy.
const MOST_SEARCHED: usize = 10_000;
/// Items a request, the most that the drive lists allow.
const PAGE: u16 = 200;

/// The pointers of one drive, as its lists had them last.
#[derive(Debug, Default)]
pub(crate) struct SeenCopies(Mutex<HashMap<FileId, Pointer>>);

impl SeenCopies {
    /// Takes note of what a list has.
    pub(crate) fn note(&self, files: &[File]) {
        let mut copies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if copies.len() >= MOST_COPIES {
            copies.clear();
        }
        for file in files {
            match Pointer::read(&file.name) {
                Some(pointer) => drop(copies.insert(file.id, pointer)),
                None => drop(copies.remove(&file.id)),
            }
        }
    }

    fn get(&self, item: ItemRef) -> Option<(FileId, Pointer)> {
        let ItemRef::File(file) = item else { return None };
        let copies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        copies.get(&file).map(|pointer| (file, pointer.clone()))
    }

    /// Gives an item another name; of a copy, its pointer keeps what else it says.
    pub(crate) async fn rename(&self, client: &Client, item: ItemRef, name: &str) -> Result<ChangedItem, ClientError> {
        let Some((file, pointer)) = self.get(item) else { return client.rename_item(item, name).await };
        let renamed = Pointer { name: name.to_owned(), ..pointer };
        let changed = client.rename_item(item, &renamed.file_name(file)).await?;
        Ok(ChangedItem { name: Some(name.to_owned()), ..changed })
    }

    /// Deletes an item with everything in it. For a copy, the pointer's name then says that it was deleted; if the
    /// pointer itself were deleted, it would be made anew.
    pub(crate) async fn delete(&self, client: &Client, item: ItemRef) -> Result<ChangedItem, ClientError> {
        let Some((file, pointer)) = self.get(item) else { return client.delete_item(item, true).await };
        let today = jiff::Zoned::now().date().to_string();
        client.rename_item(item, &Pointer { state: State::Gone(today), ..pointer }.file_name(file)).await
    }
}

/// Whether a drive file is a pointer whose copy is gone: nobody has to see it.
pub(crate) fn is_gone(file: &File) -> bool {
    Pointer::read(&file.name).is_some_and(|pointer| !pointer.state.is_live())
}

/// The file that a person sees: for a pointer its copy, with the content as far as the pointer's name tells it.
pub(crate) fn as_seen(file: &File) -> Option<File> {
    let pointer = Pointer::read(&file.name)?;
    let content_hash = Some(format!("sha256:{}", data_encoding::HEXLOWER.encode(&pointer.hash)));
    Some(File { name: pointer.name, size_bytes: None, mime_type: None, content_hash, ..file.clone() })
}

/// The file that has the bytes of a drive file, under the name that people see: of a copy the one that it is a copy of.
///
/// # Errors
/// What the service answers. A copy whose content is nowhere is as good as not there.
pub(crate) async fn with_content(client: &Client, file: File) -> Result<Option<File>, ClientError> {
    let Some(copy) = as_seen(&file) else { return Ok(Some(file)) };
    let mut walk = Walk::new(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    let mut searched = 0;
    while searched < MOST_SEARCHED {
        let Some(page) = walk.take(client.list_files(&Place::Everywhere, walk.request()).await)? else { break };
        let goes_on = walk.go_on(&page, page.items.first().map(|file| file.id.text()).as_deref())?;
        searched += page.items.len();
        if let Some(found) = page.items.into_iter().find(|file| file.content_hash == copy.content_hash) {
            return Ok(Some(File { name: copy.name, ..found }));
        }
        if !goes_on {
            break;
        }
    }
    Ok(None)
}
