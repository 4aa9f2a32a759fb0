//! The folder at the other connection that a copy of the studio goes into, as far as it was looked at.
//!
//! Always true: nothing is changed or deleted there; a list is read once, so that it may miss what came since: then a file
//! is sent again, and the service finds that it has it.

use std::collections::HashMap;

use easel_client::{Client, Error as ClientError, Place};
use easel_sync::plan::names;
use easel_wire::drive::File;
use easel_wire::{FileId, FolderId};

use super::survey::{list_files, list_folders};

/// What is known of a file that is there.
struct FileThere {
    id: FileId,
    size_bytes: Option<u64>,
    content_hash: Option<String>,
}

impl FileThere {
    /// Whether it has the content of a file of the studio, as far as both sides tell of it.
    fn has_content_of(&self, file: &File) -> bool {
        match (&self.content_hash, &file.content_hash) {
            (Some(there), Some(here)) => there == here,
            _ => self.size_bytes.is_some() && self.size_bytes == file.size_bytes,
        }
    }
}

/// See the module.
pub(super) struct Destination {
    client: Client,
    /// The folders in a folder, or at the top, by names as drives compare them.
    folders: HashMap<Option<FolderId>, HashMap<String, FolderId>>,
    /// The files in a folder, by names as drives compare them.
    files: HashMap<FolderId, HashMap<String, FileThere>>,
}

impl Destination {
    pub(super) fn new(client: Client) -> Self {
        Self { client, folders: HashMap::new(), files: HashMap::new() }
    }

    /// The folder of a name in another one, or at the top.
    pub(super) async fn find(&mut self, parent: Option<FolderId>, name: &str) -> Result<Option<FolderId>, ClientError> {
        if !self.folders.contains_key(&parent) {
            let place = parent.map_or(Place::Top, Place::In);
            let listed = list_folders(&self.client, &place).await?.into_iter();
            let listed = listed.map(|folder| (names::key(&folder.name).into_owned(), folder.id));
            self.folders.insert(parent, listed.collect());
        }
        let found = self.folders.get(&parent).and_then(|folders| folders.get(names::key(name).as_ref()));
        Ok(found.copied())
    }

    /// The same; a folder that is not there is made.
    pub(super) async fn find_or_make(&mut self, parent: Option<FolderId>, name: &str) -> Result<FolderId, ClientError> {
        if let Some(found) = self.find(parent, name).await? {
            return Ok(found);
        }
        let made = self.client.create_folder(name, parent, &uuid::Uuid::new_v4().to_string()).await;
        let folder = match made {
            Ok(folder) => folder.id,
            // Somebody else made it meanwhile.
            Err(error) => match error.existing_id().and_then(|id| id.parse().ok()) {
                Some(existing) => existing,
                None => return Err(error),
            },
        };
        self.folders.entry(parent).or_default().insert(names::key(name).into_owned(), folder);
        Ok(folder)
    }

    /// The file in a folder under the name and with the content of another one, as far as both sides tell of it.
    pub(super) async fn copy_of(&mut self, folder: FolderId, file: &File) -> Result<Option<FileId>, ClientError> {
        let found = self.find_file(folder, &file.name).await?;
        Ok(found.filter(|there| there.has_content_of(file)).map(|there| there.id))
    }

    /// Whether a folder has a file of this name.
    pub(super) async fn has_named(&mut self, folder: FolderId, name: &str) -> Result<bool, ClientError> {
        Ok(self.find_file(folder, name).await?.is_some())
    }

    async fn find_file(&mut self, folder: FolderId, name: &str) -> Result<Option<&FileThere>, ClientError> {
        if !self.files.contains_key(&folder) {
            let listed = list_files(&self.client, &Place::In(folder)).await?.into_iter().map(|file| {
                let there = FileThere { id: file.id, size_bytes: file.size_bytes, content_hash: file.content_hash };
                (names::key(&file.name).into_owned(), there)
            });
            self.files.insert(folder, listed.collect());
        }
        Ok(self.files.get(&folder).and_then(|files| files.get(names::key(name).as_ref())))
    }
}
