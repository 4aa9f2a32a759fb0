//! Reading the drive, and making folders in it (specification, "Endpoints"; contract, "Drive").
//!
//! Always true: lists are read in any form that the contract tolerates. Not here: changes to items that exist (`items`)
//! and file bytes (`download`).

use easel_wire::drive::{CreateFolder, Download, File, FileAnswer, Folder, FolderAnswer, Tree};
use easel_wire::list::Page;
use easel_wire::{FileId, FolderId, Timestamp};
use http::Method;
use serde::de::DeserializeOwned;

use crate::client::{Call, Client};
use crate::error::Error;
use crate::retry::Repeat;

/// Which part of the drive a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Everything, flat.
    Everywhere,
    /// What lies at the top.
    Top,
    /// What lies directly in a folder.
    In(FolderId),
}

impl Place {
    /// The value of the list's filter; `None` for no filter.
    pub(crate) fn filter(&self) -> Option<String> {
        match self {
            Self::Everywhere => None,
            Self::Top => Some("root".to_owned()),
            Self::In(folder) => Some(folder.to_string()),
        }
    }
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The name.
    Name,
    /// The last change.
    UpdatedAt,
    /// The size.
    Size,
}

/// An order that a service may offer; one that does not answers in its usual order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// What it goes by.
    pub key: SortKey,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

impl Sort {
    const fn as_query(self) -> &'static str {
        match (self.key, self.is_descending) {
            (SortKey::Name, false) => "name",
            (SortKey::Name, true) => "-name",
            (SortKey::UpdatedAt, false) => "updated_at",
            (SortKey::UpdatedAt, true) => "-updated_at",
            (SortKey::Size, false) => "size",
            (SortKey::Size, true) => "-size",
        }
    }
}

/// Which page of a list. The default is the first page of the service's usual size, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// Items a page, 1 to 200 in the drive.
    pub limit: Option<u16>,
    /// From the page before.
    pub cursor: Option<String>,
    /// How many items to skip, instead of a cursor.
    pub offset: Option<u64>,
    /// The order.
    pub sort: Option<Sort>,
    /// Only what changed since, where the service can say.
    pub updated_since: Option<Timestamp>,
}

impl PageRequest {
    /// The request for the page after `page`, which answered this one; `None` after the last.
    #[must_use]
    pub fn after<T>(&self, page: &Page<T>) -> Option<Self> {
        if page.items.is_empty() {
            return None;
        }
        if let Some(cursor) = &page.next_cursor {
            return Some(Self { cursor: Some(cursor.clone()), offset: None, ..self.clone() });
        }
        // A service that counts by offset instead says so with `total` or `has_more`.
        let offset = self.offset.unwrap_or_default() + page.items.len() as u64;
        let more = page.has_more.unwrap_or_else(|| page.total.is_some_and(|total| offset < total));
        (more && self.cursor.is_none()).then(|| Self { cursor: None, offset: Some(offset), ..self.clone() })
    }

    pub(crate) fn onto(&self, call: Call) -> Call {
        call.query("limit", self.limit.map(|limit| limit.to_string()).as_deref())
            .query("cursor", self.cursor.as_deref())
            .query("offset", self.offset.map(|offset| offset.to_string()).as_deref())
            .query("sort", self.sort.map(Sort::as_query))
            .query("updated_since", self.updated_since.map(|since| since.to_string()).as_deref())
    }
}

impl Client {
    /// One page of the folders in `place`.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_folders(&self, place: &Place, page: &PageRequest) -> Result<Page<Folder>, Error> {
        let call = self.call(Method::GET, &["drive", "folders"]).query("parent_id", place.filter().as_deref());
        self.get_page(&page.onto(call), "folders").await
    }

    /// One page of the files in `place`.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_files(&self, place: &Place, page: &PageRequest) -> Result<Page<File>, Error> {
        let call = self.call(Method::GET, &["drive", "files"]).query("folder_id", place.filter().as_deref());
        self.get_page(&page.onto(call), "files").await
    }

    /// The folders from the top, `depth` levels of them (1 to 10).
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn get_tree(&self, depth: u8) -> Result<Tree, Error> {
        let call = self.call(Method::GET, &["drive", "tree"]).query("depth", Some(&depth.to_string()));
        self.get_json(&call).await
    }

    /// What the drive knows about a file.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn get_file(&self, file: FileId) -> Result<File, Error> {
        let call = self.call(Method::GET, &["drive", "files", &file.to_string()]);
        Ok(self.get_json::<FileAnswer>(&call).await?.file)
    }

    /// A signed URL that serves the file's bytes. It is a capability: keep it out of logs and files.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn sign_download(&self, file: FileId) -> Result<Download, Error> {
        let call = self.call(Method::GET, &["drive", "files", &file.to_string(), "download"]);
        self.get_json(&call).await
    }

    /// Makes a folder. `idempotency_key` makes a repeat within 24 hours harmless, by this call itself after a lost
    /// answer or by another after a crash; choose a new one for every folder that is meant.
    ///
    /// # Errors
    /// `folder_name_conflict`, with [`Error::existing_id`]; else what the service answers, or why it did not.
    pub async fn create_folder(
        &self,
        name: &str,
        parent: Option<FolderId>,
        idempotency_key: &str,
    ) -> Result<Folder, Error> {
        let request = CreateFolder {
            name: name.to_owned(),
            parent_folder_id: parent,
            idempotency_key: Some(idempotency_key.to_owned()),
        };
        let call = self.call(Method::POST, &["drive", "folders"]).json(&request)?.repeat(Repeat::Harmless);
        Ok(self.get_json::<FolderAnswer>(&call).await?.folder)
    }

    pub(crate) async fn get_page<T: DeserializeOwned>(
        &self,
        call: &Call,
        resource: &'static str,
    ) -> Result<Page<T>, Error> {
        let answer = self.send(call).await?;
        Page::from_json(answer.json()?, resource).map_err(|_| answer.other_shape())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(items: usize, next_cursor: Option<&str>, has_more: Option<bool>, total: Option<u64>) -> Page<u8> {
        Page { items: vec![0; items], next_cursor: next_cursor.map(str::to_owned), has_more, total }
    }

    #[test]
    fn the_next_page_is_asked_for_in_the_form_that_the_service_counts_in() {
        let check = |request: PageRequest, page: Page<u8>, expected: Option<(Option<&str>, Option<u64>)>| {
            let next = request.after(&page);
            let found = next.as_ref().map(|next| (next.cursor.as_deref(), next.offset));
            assert_eq!(found, expected, "{request:?} {page:?}");
        };
        let first = PageRequest::default;
        let at = |offset: u64| PageRequest { offset: Some(offset), ..PageRequest::default() };
        let by_cursor = || PageRequest { cursor: Some("a".to_owned()), ..PageRequest::default() };
        check(first(), page(2, Some("b"), Some(true), Some(9)), Some((Some("b"), None)));
        check(by_cursor(), page(2, None, Some(false), Some(9)), None);
        check(by_cursor(), page(2, None, None, Some(9)), None);
        check(first(), page(2, None, None, Some(9)), Some((None, Some(2))));
        check(at(2), page(2, None, Some(true), None), Some((None, Some(4))));
        check(at(2), page(2, None, None, Some(4)), None);
        check(first(), page(2, None, None, None), None);
        check(first(), page(0, Some("b"), Some(true), Some(9)), None);
    }
}
