//! Reading the drive, and making folders in it (specification, "Endpoints"; contract, "Drive").
//!
//! Always true: lists are read in any form that the contract tolerates. Not here: changes to items that exist (`items`)
//! and file bytes (`download`).

use easel_wire::drive::{CreateFolder, Download, File, Folder, Tree, read_folder};
use easel_wire::error::code;
use easel_wire::list::Page;
use easel_wire::{ErrorType, FileId, FolderId, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::{BytesAt, Client};
use crate::download::read_url;
use crate::error::Error;
use crate::paging::{PageRequest, Walk};
use crate::retry::Repeat;

/// The longest page that is asked for (contract, "Versions").
const LONGEST_PAGE: u16 = 200;
/// So many pages of the list of all files are read at most to find one file.
const MOST_PAGES: u32 = 50;

/// The part of the drive that a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// All items, flat.
    Everywhere,
    /// The items at the top.
    Top,
    /// The items directly in a folder.
    In(FolderId),
}

impl Place {
    /// The value of the list's filter; `None` for no filter.
    ///
    /// # Errors
    /// [`Error::Id`] for a folder whose id has no prefix (specification, Identifiers, rule 3).
    pub(crate) fn filter(&self) -> Result<Option<String>, Error> {
        Ok(match self {
            Self::Everywhere => None,
            Self::Top => Some("root".to_owned()),
            Self::In(folder) => Some(folder.prefixed()?.to_string()),
        })
    }
}

impl Client {
    /// One page of the folders in `place`.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_folders(&self, place: &Place, page: &PageRequest) -> Result<Page<Folder>, Error> {
        let call = self
            .call(Method::GET, &["drive", "folders"])
            .needs(Scope::CanvasesRead)
            .query("parent_id", place.filter()?.as_deref());
        self.get_page(call, page, "folders").await
    }

    /// One page of the files in `place`.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_files(&self, place: &Place, page: &PageRequest) -> Result<Page<File>, Error> {
        let call = self
            .call(Method::GET, &["drive", "files"])
            .needs(Scope::CanvasesRead)
            .query("folder_id", place.filter()?.as_deref());
        self.get_page(call, page, "files").await
    }

    /// The folders from the top, `depth` levels of them (1 to 10).
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn get_tree(&self, depth: u8) -> Result<Tree, Error> {
        let call = self
            .call(Method::GET, &["drive", "tree"])
            .of(Feature::Tree)
            .needs(Scope::CanvasesRead)
            .query("depth", Some(&depth.to_string()));
        self.get_json(&call).await
    }

    /// The drive's record of a file. If a service has no route for a single file, its list of all files is read, which
    /// takes a request for each page.
    ///
    /// # Errors
    /// What the service answers, or why it did not; [`Error::RouteMissing`] where it has no route for a single file and
    /// the list is longer than 50 pages.
    pub async fn get_file(&self, file: FileId) -> Result<File, Error> {
        let call = self
            .call(Method::GET, &["drive", "files", &file.text()])
            .needs(Scope::CanvasesRead)
            .of(Feature::FileRecord);
        match self.get_record(&call, &file.text(), "file", &["name", "size_bytes", "folder_id"]).await {
            Ok(record) => Ok(record),
            Err(Error::RouteMissing) => self.find_in_list(file).await,
            Err(error) => Err(error),
        }
    }

    async fn find_in_list(&self, file: FileId) -> Result<File, Error> {
        let mut walk = Walk::new(PageRequest { limit: Some(LONGEST_PAGE), ..PageRequest::default() });
        for _ in 0..MOST_PAGES {
            let page = self.list_files(&Place::Everywhere, walk.request()).await?;
            if let Some(found) = page.items.iter().find(|listed| listed.id == file) {
                return Ok(found.clone());
            }
            if !walk.go_on(&page, page.items.first().map(|first| first.id.text()).as_deref())? {
                // A file that is not in the whole list does not exist.
                return Err(Error::bare(404, ErrorType::NotFound, code::FILE_NOT_FOUND));
            }
        }
        Err(Error::RouteMissing)
    }

    /// The source of a file's bytes: a signed URL, which services name or redirect to, or the service itself. Returned
    /// with what the service says about the file besides.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub(crate) async fn locate_bytes(&self, file: FileId) -> Result<(BytesAt, Option<Download>), Error> {
        let call = self.call(Method::GET, &["drive", "files", &file.text(), "download"]);
        if self.offers(Feature::SignedDownloads) == Some(false) {
            return Ok((BytesAt::Service(call.url().clone()), None));
        }
        let answer = self.send(&call.needs(Scope::FilesRead).for_bytes()).await?;
        match answer.bytes_at {
            Some(bytes_at) => {
                self.learn(Feature::SignedDownloads, matches!(bytes_at, BytesAt::Signed(_)));
                Ok((bytes_at, None))
            }
            None => {
                let told: Download = answer.json()?;
                Ok((BytesAt::Signed(read_url(&told.download_url)?), Some(told)))
            }
        }
    }

    /// Makes a folder. `idempotency_key` makes a repeat within 24 hours harmless, by this call itself after a lost
    /// answer or by another after a crash; choose a new key for every folder to be made.
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
        let call = self
            .call(Method::POST, &["drive", "folders"])
            .needs(Scope::CanvasesWrite)
            .json(&request)?
            .repeat(Repeat::Harmless);
        let answer = self.send(&call).await?;
        read_folder(answer.json()?).map_err(|_| answer.other_shape())
    }
}
