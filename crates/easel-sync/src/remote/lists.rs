//! Reading the service's lists to their ends, and what they tell of time.

use std::collections::BTreeMap;

use easel_client::{Client, Error as ClientError, PageRequest, Place};
use easel_wire::drive::{File, Folder};
use easel_wire::list::Page;
use easel_wire::{ErrorType, FileId, FolderId, Timestamp};

use super::OVERLAP_S;
use crate::journal::FolderSeen;
use crate::tree::{ContentHash, RemoteFile, RemoteFolder};

/// The longest page (contract, "Versions").
const PAGE: u16 = 200;
/// So many pages of the list of all files are taken in together.
const PAGES_AT_ONCE: usize = 10;
const A_DAY_US: i64 = 24 * 3_600 * 1_000_000;

/// What lists showed.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub folders: BTreeMap<FolderId, FolderSeen>,
    pub files: BTreeMap<FileId, RemoteFile>,
    /// How many files and folders each of the folders has.
    pub counts: BTreeMap<FolderId, (u64, u64)>,
    /// The last moment that any of it bears.
    pub newest: Option<Timestamp>,
}

impl Found {
    fn add_folder(&mut self, folder: Folder) {
        self.newest = self.newest.max(folder.updated_at);
        self.counts.insert(folder.id, (folder.file_count, folder.subfolder_count));
        let seen = RemoteFolder { parent: folder.parent_folder_id, name: folder.name };
        self.folders.insert(folder.id, FolderSeen { folder: seen, updated_at: folder.updated_at });
    }

    fn add_file(&mut self, file: File) {
        self.newest = self.newest.max(file.updated_at);
        self.files.insert(file.id, remote_file(file));
    }
}

/// A file as the engine sees it.
pub(super) fn remote_file(file: File) -> RemoteFile {
    RemoteFile {
        folder: file.folder_id,
        name: file.name,
        size_bytes: file.size_bytes.unwrap_or_default(),
        hash: file.content_hash.as_deref().and_then(parse_hash),
    }
}

/// The digest of `sha256:` and 64 hex digits.
fn parse_hash(text: &str) -> Option<ContentHash> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut hash = [0; 32];
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}

/// Until when the picture is true once these answers are in it, with room for what was being written meanwhile.
pub(super) fn moment_of(client: &Client, newest: Option<Timestamp>) -> Option<Timestamp> {
    let at = client.service_time().or(newest)?;
    Some(Timestamp::from_micros(at.as_micros().saturating_sub(OVERLAP_S * 1_000_000)))
}

/// What changed since a moment; `None` where the service does not tell.
pub(super) async fn read_since(
    client: &Client,
    since: Timestamp,
    asked: &mut u64,
) -> Result<Option<Found>, ClientError> {
    let first = PageRequest { limit: Some(PAGE), updated_since: Some(since), ..PageRequest::default() };
    // A service that does not know the question answers with everything, older things included.
    let is_older = |at: Option<Timestamp>| at.is_none_or(|at| at < since);
    let mut found = Found::default();
    let mut request = first.clone();
    loop {
        *asked += 1;
        let page = client.list_folders(&Place::Everywhere, &request).await?;
        if page.items.iter().any(|folder| is_older(folder.updated_at)) {
            return Ok(None);
        }
        let next = request.after(&page);
        page.items.into_iter().for_each(|folder| found.add_folder(folder));
        match next {
            Some(next) => request = next,
            None => break,
        }
    }
    request = first;
    loop {
        *asked += 1;
        let page = client.list_files(&Place::Everywhere, &request).await?;
        if page.items.iter().any(|file| is_older(file.updated_at)) {
            return Ok(None);
        }
        let next = request.after(&page);
        page.items.into_iter().for_each(|file| found.add_file(file));
        match next {
            Some(next) => request = next,
            None => return Ok(Some(found)),
        }
    }
}

/// Whether the service tells what changed since a moment: asked about one that is to come, it has nothing to tell.
pub(super) async fn does_tell(
    client: &Client,
    newest: Option<Timestamp>,
    (has_folders, has_files): (bool, bool),
    asked: &mut u64,
) -> Result<bool, ClientError> {
    let Some(now) = client.service_time().or(newest) else { return Ok(false) };
    let to_come = Timestamp::from_micros(now.as_micros().saturating_add(A_DAY_US));
    let request = PageRequest { limit: Some(1), updated_since: Some(to_come), ..PageRequest::default() };
    *asked += 1;
    // Where nothing is there, nothing is told either way.
    if has_folders {
        return Ok(client.list_folders(&Place::Everywhere, &request).await?.items.is_empty());
    }
    Ok(has_files && client.list_files(&Place::Everywhere, &request).await?.items.is_empty())
}

/// All folders, and the moment of the first answer by the service's clock, where that is known.
pub(super) async fn read_folders(client: &Client, asked: &mut u64) -> Result<(Found, Option<Timestamp>), ClientError> {
    let mut moment = None;
    let mut found = Found::default();
    let mut request = PageRequest { limit: Some(PAGE), ..PageRequest::default() };
    loop {
        *asked += 1;
        let page = client.list_folders(&Place::Everywhere, &request).await?;
        // By the clock at the first answer: what changes while the rest is read is asked for again.
        moment = moment.or_else(|| moment_of(client, None));
        let next = request.after(&page);
        page.items.into_iter().for_each(|folder| found.add_folder(folder));
        match next {
            Some(next) => request = next,
            None => break,
        }
    }
    Ok((found, moment))
}

/// All files, a few pages at a time: a large drive is never held whole.
pub(super) struct AllFiles<'a> {
    client: &'a Client,
    /// `None` after the last page.
    request: Option<PageRequest>,
}

impl<'a> AllFiles<'a> {
    pub(super) fn new(client: &'a Client) -> Self {
        Self { client, request: Some(PageRequest { limit: Some(PAGE), ..PageRequest::default() }) }
    }

    /// The next of them; `None` after the last.
    pub(super) async fn next(&mut self, asked: &mut u64) -> Result<Option<Found>, ClientError> {
        if self.request.is_none() {
            return Ok(None);
        }
        let mut found = Found::default();
        for _ in 0..PAGES_AT_ONCE {
            let Some(request) = self.request.take() else { break };
            *asked += 1;
            let page = self.client.list_files(&Place::Everywhere, &request).await?;
            self.request = request.after(&page);
            page.items.into_iter().for_each(|file| found.add_file(file));
        }
        Ok(Some(found))
    }
}

/// The files of a place; `None` where it is gone.
pub(super) async fn list_files(client: &Client, place: &Place, asked: &mut u64) -> Result<Option<Found>, ClientError> {
    let mut found = Found::default();
    let mut request = PageRequest { limit: Some(PAGE), ..PageRequest::default() };
    loop {
        *asked += 1;
        let Some(page) = unless_gone(client.list_files(place, &request).await)? else { return Ok(None) };
        let next = request.after(&page);
        page.items.into_iter().for_each(|file| found.add_file(file));
        match next {
            Some(next) => request = next,
            None => return Ok(Some(found)),
        }
    }
}

/// The folders of a place; `None` where it is gone.
pub(super) async fn list_folders(
    client: &Client,
    place: &Place,
    asked: &mut u64,
) -> Result<Option<Found>, ClientError> {
    let mut found = Found::default();
    let mut request = PageRequest { limit: Some(PAGE), ..PageRequest::default() };
    loop {
        *asked += 1;
        let Some(page) = unless_gone(client.list_folders(place, &request).await)? else { return Ok(None) };
        let next = request.after(&page);
        page.items.into_iter().for_each(|folder| found.add_folder(folder));
        match next {
            Some(next) => request = next,
            None => return Ok(Some(found)),
        }
    }
}

/// How many folders there are in all, where the service says so.
pub(super) async fn count_folders(client: &Client, asked: &mut u64) -> Result<Option<u64>, ClientError> {
    *asked += 1;
    let request = PageRequest { limit: Some(1), ..PageRequest::default() };
    Ok(client.list_folders(&Place::Everywhere, &request).await?.total)
}

/// How many files there are in all, where the service says so.
pub(super) async fn count_files(client: &Client, asked: &mut u64) -> Result<Option<u64>, ClientError> {
    *asked += 1;
    let request = PageRequest { limit: Some(1), ..PageRequest::default() };
    Ok(client.list_files(&Place::Everywhere, &request).await?.total)
}

fn unless_gone<T>(answer: Result<Page<T>, ClientError>) -> Result<Option<Page<T>>, ClientError> {
    match answer {
        Ok(page) => Ok(Some(page)),
        Err(error) if error.error_type() == Some(&ErrorType::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_the_service_writes_it() {
        let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let empty = parse_hash(&format!("sha256:{digits}")).unwrap();
        assert_eq!((empty[0], empty[31]), (0xe3, 0x55));
        assert_eq!(parse_hash(&digits.to_uppercase()), Some(empty));
        for nonsense in ["", "sha256:", "sha256:00", "sha1:e3b0", &format!("sha256:{}", "é".repeat(32))] {
            assert_eq!(parse_hash(nonsense), None, "{nonsense}");
        }
    }
}
