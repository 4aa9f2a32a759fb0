//! Reads the service's lists to their ends, and judges how far each list can be relied on.
//!
//! Always true: a walk ends whatever the service answers, and begins anew, at most three times, where a page after the
//! first is refused. A field that a list did not tell stays "not told": it is filled in from what was known, never
//! guessed. Not here: what follows when a list lacks an item (`look`), and whether the times that it tells are right
//! (`proof`).

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::marker::PhantomData;

use easel_client::{Client, Error as ClientError, PageRequest, Place, Walk};
use easel_wire::drive::{File, Folder};
use easel_wire::id::IdText;
use easel_wire::list::Page;
use easel_wire::{ErrorType, FileId, FolderId, Timestamp};

use crate::shared::drive_file::parse_hash;
use crate::sync::journal::FolderSeen;
use crate::sync::tree::{ContentHash, RemoteFile, RemoteFolder};

/// How far each question reaches back beyond the last one, in seconds: an item that is being written when the service
/// answers may get an earlier time.
pub(super) const OVERLAP_S: i64 = 10;
/// The length of the longest page (contract, "Versions").
const PAGE: u16 = 200;
/// So often a walk begins anew where a page after the first is refused, for instance because its cursor expired.
const MOST_RESTARTS: u32 = 3;
/// A service may round times to whole seconds.
const ROUNDED_US: i64 = 1_000_000;

/// A file as a list told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileTold {
    /// `None` where it was not told, `Some(None)` at the top of the drive.
    pub folder: Option<Option<FolderId>>,
    /// Empty where no name was told.
    pub name: String,
    pub size_bytes: Option<u64>,
    pub hash: Option<ContentHash>,
}

impl FileTold {
    fn of(file: &mut File) -> Self {
        Self {
            folder: file.folder_id,
            name: std::mem::take(&mut file.name),
            size_bytes: file.size_bytes,
            hash: file.content_hash.as_deref().and_then(parse_hash),
        }
    }

    /// The file, with known values for fields that were not told; `None` where that is not enough.
    pub(super) fn filled_in(self, known: Option<&RemoteFile>) -> Option<RemoteFile> {
        let name = if self.name.is_empty() { known?.name.clone() } else { self.name };
        let folder = match self.folder {
            Some(folder) => folder,
            None => known?.folder,
        };
        let size_bytes = self.size_bytes.or(known.map(|known| known.size_bytes)).unwrap_or_default();
        let known_hash = known.filter(|known| known.size_bytes == size_bytes).and_then(|known| known.hash);
        Some(RemoteFile { folder, name, size_bytes, hash: self.hash.or(known_hash) })
    }
}

/// A folder as a list told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FolderTold {
    /// `None` where it was not told, `Some(None)` at the top of the drive.
    pub parent: Option<Option<FolderId>>,
    /// Empty where no name was told.
    pub name: String,
    pub updated_at: Option<Timestamp>,
}

impl FolderTold {
    /// The folder, with known values for fields that were not told; `None` where that is not enough.
    pub(super) fn filled_in(self, known: Option<&FolderSeen>) -> Option<FolderSeen> {
        let name = if self.name.is_empty() { known?.folder.name.clone() } else { self.name };
        let parent = match self.parent {
            Some(parent) => parent,
            None => known?.folder.parent,
        };
        Some(FolderSeen { folder: RemoteFolder { parent, name }, updated_at: self.updated_at })
    }
}

/// The items that lists showed.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub folders: BTreeMap<FolderId, FolderSeen>,
    pub files: BTreeMap<FileId, RemoteFile>,
    /// The files whose size was not told.
    pub sizeless: BTreeSet<FileId>,
    /// The folders of which too little was told; and so with files.
    pub vague_folders: BTreeMap<FolderId, FolderTold>,
    pub vague_files: BTreeMap<FileId, FileTold>,
    /// When each of the files was last changed, where that was told.
    pub times: BTreeMap<FileId, Timestamp>,
    /// Set where the lists are complete, and not only changes: until this moment everything is known.
    pub known_until: Option<Timestamp>,
    /// Whether contents and names are compared with what is known.
    pub are_contents_held: bool,
    pub are_names_held: bool,
    /// How many files and folders each of the folders has.
    pub counts: BTreeMap<FolderId, (u64, u64)>,
    /// The latest time of any item.
    pub newest: Option<Timestamp>,
    /// From when on changes may be missing, by the service's clock, where that is known.
    pub moment: Option<Timestamp>,
}

impl Found {
    /// Adds a folder from the list of a place.
    pub(super) fn add_folder(&mut self, folder: Folder, place: &Place) {
        self.newest = self.newest.max(folder.updated_at);
        self.counts.insert(folder.id, (folder.file_count, folder.subfolder_count));
        let parent = folder.parent_folder_id.or_else(|| folder_of(place));
        let told = FolderTold { parent, name: folder.name, updated_at: folder.updated_at };
        match told.clone().filled_in(None) {
            Some(seen) => drop(self.folders.insert(folder.id, seen)),
            None => drop(self.vague_folders.insert(folder.id, told)),
        }
    }

    /// Drops the folders that changed before a moment.
    pub(super) fn forget_folders_before(&mut self, moment: Timestamp) {
        self.folders.retain(|_, seen| seen.updated_at.is_none_or(|at| at >= moment));
        self.counts.retain(|id, _| self.folders.contains_key(id));
    }

    /// Adds a file from the list of a place.
    pub(super) fn add_file(&mut self, mut file: File, place: &Place) {
        self.newest = self.newest.max(file.updated_at);
        self.times.extend(file.updated_at.map(|at| (file.id, at)));
        let mut told = FileTold::of(&mut file);
        told.folder = told.folder.or_else(|| folder_of(place));
        if told.size_bytes.is_none() {
            self.sizeless.insert(file.id);
        }
        match told.clone().filled_in(None) {
            Some(seen) => drop(self.files.insert(file.id, seen)),
            None => drop(self.vague_files.insert(file.id, told)),
        }
    }

    /// Fills in fields that were not told from what is known.
    pub(super) fn fill_in(&mut self, files: &BTreeMap<FileId, RemoteFile>, folders: &BTreeMap<FolderId, FolderSeen>) {
        for (id, seen) in &mut self.files {
            let Some(known) = files.get(id) else { continue };
            if self.sizeless.contains(id) {
                seen.size_bytes = known.size_bytes;
            }
            // A service that tells no hash is taken not to change contents: with the same size, the known hash still
            // holds.
            if seen.hash.is_none() && seen.size_bytes == known.size_bytes {
                seen.hash = known.hash;
            }
        }
        for (id, told) in std::mem::take(&mut self.vague_files) {
            self.files.extend(told.filled_in(files.get(&id)).map(|seen| (id, seen)));
        }
        for (id, told) in std::mem::take(&mut self.vague_folders) {
            self.folders.extend(told.filled_in(folders.get(&id)).map(|seen| (id, seen)));
        }
    }

    pub(super) fn has_file(&self, id: &FileId) -> bool {
        self.files.contains_key(id) || self.vague_files.contains_key(id)
    }

    pub(super) fn has_folder(&self, id: &FolderId) -> bool {
        self.folders.contains_key(id) || self.vague_folders.contains_key(id)
    }

    /// Whether too little was told of some item.
    pub(super) fn is_vague(&self) -> bool {
        !self.vague_files.is_empty() || !self.vague_folders.is_empty()
    }
}

/// The folder that all items of a place's list lie in; `None` where that is no single folder.
const fn folder_of(place: &Place) -> Option<Option<FolderId>> {
    match place {
        Place::Everywhere => None,
        Place::Top => Some(None),
        Place::In(folder) => Some(Some(*folder)),
    }
}

/// One file as the service told it.
pub(super) fn told_of(mut file: File) -> FileTold {
    FileTold::of(&mut file)
}

/// The moment until which the picture will be complete once the coming answers are in it, with room for items that are
/// being written.
pub(super) fn moment_of(client: &Client, newest: Option<Timestamp>) -> Option<Timestamp> {
    let at = client.service_time().or(newest)?;
    Some(Timestamp::from_micros(at.as_micros().saturating_sub(OVERLAP_S * 1_000_000)))
}

/// The same for one answer, by the service's clock before the request and after the answer: the earlier one counts. If
/// this computer's clock was set, or the computer slept while the answer was on its way, one of the two is too late.
pub(super) fn moment_before(client: &Client, before: Option<Timestamp>) -> Option<Timestamp> {
    moment_between(before, client.service_time())
}

fn moment_between(before: Option<Timestamp>, after: Option<Timestamp>) -> Option<Timestamp> {
    let at = before.zip(after).map(|(before, after)| before.min(after)).or(before).or(after)?;
    Some(Timestamp::from_micros(at.as_micros().saturating_sub(OVERLAP_S * 1_000_000)))
}

/// An item of a list.
pub(super) trait Listed: Sized {
    fn id(&self) -> IdText;
    fn updated_at(&self) -> Option<Timestamp>;
    /// One page.
    fn ask(
        client: &Client,
        place: &Place,
        request: &PageRequest,
    ) -> impl Future<Output = Result<Page<Self>, ClientError>> + Send;
}

impl Listed for File {
    fn id(&self) -> IdText {
        self.id.text()
    }

    fn updated_at(&self) -> Option<Timestamp> {
        self.updated_at
    }

    async fn ask(client: &Client, place: &Place, request: &PageRequest) -> Result<Page<Self>, ClientError> {
        client.list_files(place, request).await
    }
}

impl Listed for Folder {
    fn id(&self) -> IdText {
        self.id.text()
    }

    fn updated_at(&self) -> Option<Timestamp> {
        self.updated_at
    }

    async fn ask(client: &Client, place: &Place, request: &PageRequest) -> Result<Page<Self>, ClientError> {
        client.list_folders(place, request).await
    }
}

/// What can be concluded about an item that a walk did not find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// Nothing: part of the list could not be had. Only an answer about the item itself tells.
    InPart,
    /// Nothing until another answer agrees: the list may have moved on between two pages.
    Doubtful,
    /// The item is not in the list.
    Certain,
}

/// What a walk has shown about the list as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Walked {
    /// The number of its pages.
    pub pages: u32,
    /// Items that could not be read.
    unreadable: u64,
    /// How many items there are, by the first and by the last page.
    totals: (Option<u64>, Option<u64>),
    is_by_offset: bool,
    is_restarted: bool,
    /// More pages were announced and did not come; or no page said that it is the last.
    is_cut: bool,
}

impl Walked {
    /// What can be concluded from the walk. `items`: how many different ones came.
    pub(super) fn trust(&self, items: u64) -> Trust {
        let is_short = self.totals.1.is_some_and(|total| items < total);
        if self.unreadable > 0 || self.is_cut || is_short {
            return Trust::InPart;
        }
        let is_still = self.totals.0 == self.totals.1 && self.totals.1 == Some(items);
        let is_at_one_moment = self.pages == 1 || (is_still && !self.is_by_offset && !self.is_restarted);
        if is_at_one_moment { Trust::Certain } else { Trust::Doubtful }
    }

    /// Whether as many items came as the service said there are; `None` where the list changed meanwhile.
    pub(super) fn has_true_total(&self, items: u64) -> Option<bool> {
        match self.totals {
            (Some(first), Some(last)) if first == last && last == items => Some(true),
            (Some(_), Some(_)) if self.pages > 1 || self.unreadable > 0 => None,
            _ => Some(false),
        }
    }
}

/// A walk through a list, page by page.
pub(super) struct Reader<'a, T> {
    client: &'a Client,
    place: Place,
    first: PageRequest,
    /// `None` after the last page.
    walk: Option<Walk>,
    restarts: u32,
    /// What the walk has shown so far.
    pub walked: Walked,
    items: PhantomData<T>,
}

impl<'a, T: Listed> Reader<'a, T> {
    pub(super) fn new(client: &'a Client, place: Place) -> Self {
        Self::since(client, place, None)
    }

    fn since(client: &'a Client, place: Place, updated_since: Option<Timestamp>) -> Self {
        let first = PageRequest { limit: Some(PAGE), updated_since, ..PageRequest::default() };
        let walk = Some(Walk::new(first.clone()));
        Self { client, place, first, walk, restarts: 0, walked: Walked::default(), items: PhantomData }
    }

    /// The next page; `None` after the last. After a refusal, the walk begins anew and items may come again.
    pub(super) async fn next(&mut self, asked: &mut u64) -> Result<Option<Vec<T>>, ClientError> {
        loop {
            let Some(walk) = &mut self.walk else { return Ok(None) };
            *asked += 1;
            let page = match T::ask(self.client, &self.place, walk.request()).await {
                Ok(page) => page,
                Err(error) if self.walked.pages > 0 && is_of_its_place(&error) => {
                    if self.restarts == MOST_RESTARTS {
                        return Err(ClientError::Contradiction { what: "a list breaks off" });
                    }
                    self.restarts += 1;
                    self.walk = Some(Walk::new(self.first.clone()));
                    self.walked =
                        Walked { is_restarted: true, unreadable: self.walked.unreadable, ..Walked::default() };
                    continue;
                }
                Err(error) => return Err(error),
            };
            let is_said = page.next_cursor.is_some() || page.has_more.is_some() || page.total.is_some();
            let came = page.items.len() + page.unreadable;
            let walked = &mut self.walked;
            walked.pages += 1;
            walked.unreadable += page.unreadable as u64;
            walked.totals = (if walked.pages == 1 { page.total } else { walked.totals.0 }, page.total);
            let is_more_wanted = walk.request().after(&page).is_some();
            let goes_on = walk.go_on(&page, page.items.first().map(T::id).as_deref())?;
            walked.is_by_offset |= goes_on && walk.request().offset.is_some();
            if !goes_on {
                // Where the service does not say whether more follows, a round number of items may be its longest page.
                let is_round = !is_said && walked.pages == 1 && came > 0 && came.is_multiple_of(5);
                walked.is_cut = is_more_wanted || page.has_more == Some(true) || is_round;
                self.walk = None;
            }
            return Ok(Some(page.items));
        }
    }
}

/// Whether a page was refused because of its position in the list, as for an expired cursor.
const fn is_of_its_place(error: &ClientError) -> bool {
    matches!(error, ClientError::Api { status: 400 | 404 | 410 | 422, .. } | ClientError::RouteMissing)
}

/// A service's answer about the changes since a moment.
pub(super) enum Since {
    /// The changes.
    Changes(Box<Found>),
    /// The changes, some of which could not be read.
    InPart,
    /// The service refused the question, or told of unchanged items.
    NotKept,
}

/// The changes since a moment: of folders since the first, of files since the second.
pub(super) async fn read_since(
    client: &Client,
    since: (Timestamp, Timestamp),
    asked: &mut u64,
) -> Result<Since, ClientError> {
    let mut found = Found::default();
    let before = client.service_time();
    let mut folders = Reader::<Folder>::since(client, Place::Everywhere, Some(since.0));
    while let Some(page) = match next_since(&mut folders, since.0, asked).await? {
        Ok(page) => page,
        Err(answer) => return Ok(answer),
    } {
        found.moment = found.moment.or_else(|| moment_before(client, before));
        page.into_iter().for_each(|folder| found.add_folder(folder, &Place::Everywhere));
    }
    let mut files = Reader::<File>::since(client, Place::Everywhere, Some(since.1));
    while let Some(page) = match next_since(&mut files, since.1, asked).await? {
        Ok(page) => page,
        Err(answer) => return Ok(answer),
    } {
        page.into_iter().for_each(|file| found.add_file(file, &Place::Everywhere));
    }
    let is_in_part = |walked: &Walked| walked.unreadable > 0 || walked.is_cut;
    if found.is_vague() || is_in_part(&folders.walked) || is_in_part(&files.walked) {
        return Ok(Since::InPart);
    }
    Ok(Since::Changes(Box::new(found)))
}

/// The next page of changes, or why there is none to go on with.
async fn next_since<T: Listed>(
    reader: &mut Reader<'_, T>,
    since: Timestamp,
    asked: &mut u64,
) -> Result<Result<Option<Vec<T>>, Since>, ClientError> {
    // A service that does not know the question answers with all items, older ones included.
    let is_older = |at: Option<Timestamp>| at.is_none_or(|at| at.as_micros() < since.as_micros() - ROUNDED_US);
    let is_first = reader.walked.pages == 0;
    match reader.next(asked).await {
        Ok(Some(page)) if page.iter().any(|item| is_older(item.updated_at())) => Ok(Err(Since::NotKept)),
        Ok(page) => Ok(Ok(page)),
        Err(ClientError::Api { status: 400 | 422, .. }) if is_first => Ok(Err(Since::NotKept)),
        Err(error) => Err(error),
    }
}

/// The files of a place, and what can be concluded about others; `None` where the place itself is gone.
pub(super) async fn list_files(
    client: &Client,
    place: Place,
    asked: &mut u64,
) -> Result<Option<(Found, Trust)>, ClientError> {
    let mut reader = Reader::<File>::new(client, place);
    let mut found = Found::default();
    while let Some(page) = unless_gone(reader.next(asked).await)? {
        page.into_iter().for_each(|file| found.add_file(file, &place));
    }
    let items = (found.files.len() + found.vague_files.len()) as u64;
    Ok((reader.walked.pages > 0).then(|| (found, reader.walked.trust(items))))
}

/// The folders of a place, as [`list_files`].
pub(super) async fn list_folders(
    client: &Client,
    place: Place,
    asked: &mut u64,
) -> Result<Option<(Found, Trust)>, ClientError> {
    let mut reader = Reader::<Folder>::new(client, place);
    let mut found = Found::default();
    while let Some(page) = unless_gone(reader.next(asked).await)? {
        page.into_iter().for_each(|folder| found.add_folder(folder, &place));
    }
    let items = (found.folders.len() + found.vague_folders.len()) as u64;
    Ok((reader.walked.pages > 0).then(|| (found, reader.walked.trust(items))))
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

/// A file by its id; `None` where the service says that there is none.
pub(super) async fn get_file(client: &Client, id: FileId, asked: &mut u64) -> Result<Option<File>, ClientError> {
    *asked += 1;
    unless_gone(client.get_file(id).await.map(Some))
}

/// Whether the service says that there is no such folder, when it is asked for the folder's items.
pub(super) async fn is_folder_denied(client: &Client, id: FolderId, asked: &mut u64) -> Result<bool, ClientError> {
    *asked += 1;
    let request = PageRequest { limit: Some(1), ..PageRequest::default() };
    Ok(unless_gone(client.list_folders(&Place::In(id), &request).await.map(Some))?.is_none())
}

fn unless_gone<T>(answer: Result<Option<T>, ClientError>) -> Result<Option<T>, ClientError> {
    match answer {
        Err(error) if error.error_type() == Some(&ErrorType::NotFound) => Ok(None),
        answer => answer,
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
        for wrong in ["", "sha256:", "sha256:00", "sha1:e3b0", &format!("sha256:{}", "é".repeat(32))] {
            assert_eq!(parse_hash(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_was_not_told_is_what_was_known_and_never_the_top_of_the_drive() {
        let folder = "fld_1".parse().unwrap();
        let known = RemoteFile { folder: Some(folder), name: "a".to_owned(), size_bytes: 7, hash: Some([1; 32]) };
        let nothing = FileTold { folder: None, name: String::new(), size_bytes: None, hash: None };
        assert_eq!(nothing.clone().filled_in(Some(&known)), Some(known.clone()));
        assert_eq!(nothing.clone().filled_in(None), None);
        let nameless = FileTold { folder: Some(None), ..nothing.clone() };
        assert_eq!(nameless.clone().filled_in(None), None);
        assert_eq!(nameless.filled_in(Some(&known)), Some(RemoteFile { folder: None, ..known.clone() }));
        let placeless = FileTold { name: "b".to_owned(), size_bytes: Some(8), ..nothing };
        assert_eq!(placeless.clone().filled_in(None), None);
        let seen = placeless.filled_in(Some(&known)).unwrap();
        assert_eq!((seen.folder, seen.name.as_str(), seen.size_bytes), (Some(folder), "b", 8));
    }

    #[test]
    fn of_two_readings_of_a_clock_the_earlier_is_the_moment_with_room_for_what_was_being_written() {
        let check = |before: Option<i64>, after: Option<i64>, expected: Option<i64>| {
            let at = |seconds: Option<i64>| seconds.map(|seconds| Timestamp::from_micros(seconds * 1_000_000));
            assert_eq!(moment_between(at(before), at(after)), at(expected), "{before:?} {after:?}");
        };
        check(Some(5_000), Some(5_001), Some(4_990));
        // The answer took sixteen seconds.
        check(Some(5_000), Some(5_016), Some(4_990));
        // The computer slept for an hour meanwhile, or its clock was set ahead; or it was set back.
        check(Some(5_000), Some(8_600), Some(4_990));
        check(Some(5_000), Some(1_400), Some(1_390));
        check(None, Some(5_000), Some(4_990));
        check(Some(5_000), None, Some(4_990));
        check(None, None, None);
    }

    #[test]
    fn what_a_walk_lacks_is_gone_only_where_the_list_stood_still() {
        let check = |walked: Walked, items: u64, expected: Trust| {
            assert_eq!(walked.trust(items), expected, "{walked:?}");
        };
        let walked = |pages: u32, first: Option<u64>, last: Option<u64>| Walked {
            pages,
            totals: (first, last),
            ..Walked::default()
        };
        check(walked(1, None, None), 7, Trust::Certain);
        check(walked(3, Some(7), Some(7)), 7, Trust::Certain);
        check(walked(3, Some(8), Some(7)), 7, Trust::Doubtful);
        check(walked(3, None, None), 7, Trust::Doubtful);
        check(walked(3, Some(8), Some(8)), 7, Trust::InPart);
        check(Walked { is_by_offset: true, ..walked(3, Some(7), Some(7)) }, 7, Trust::Doubtful);
        check(Walked { is_restarted: true, ..walked(3, Some(7), Some(7)) }, 7, Trust::Doubtful);
        check(Walked { unreadable: 1, ..walked(1, None, None) }, 7, Trust::InPart);
        check(Walked { is_cut: true, ..walked(1, None, None) }, 7, Trust::InPart);
    }
}
