//! Reading the service's lists to their ends, and what the lists tell of themselves.
//!
//! Always true: a walk ends whatever the service answers, and begins anew where a page after the first is refused, at most
//! three times. What a list did not tell of an item stays not told: it is filled in from what was known, never guessed. Not
//! here: what follows from what a list lacks (`look`), and whether what it tells of time is so (`proof`).

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

/// How far back a question reaches beyond the last one, in seconds: what is written when the question is answered may
/// bear an earlier moment.
pub(super) const OVERLAP_S: i64 = 10;
/// The longest page (contract, "Versions").
const PAGE: u16 = 200;
/// So often a walk begins anew where a page after the first is refused, as that of a cursor which has expired is.
const MOST_RESTARTS: u32 = 3;
/// A service may write a moment in whole seconds.
const ROUNDED_US: i64 = 1_000_000;

/// What a list told of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileTold {
    /// `None` where it was not told, `Some(None)` at the top of the drive.
    pub folder: Option<Option<FolderId>>,
    /// Empty where it was not told.
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

    /// The file, with what was known of it where it was not told; `None` where that is not enough.
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

/// What a list told of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FolderTold {
    /// `None` where it was not told, `Some(None)` at the top of the drive.
    pub parent: Option<Option<FolderId>>,
    /// Empty where it was not told.
    pub name: String,
    pub updated_at: Option<Timestamp>,
}

impl FolderTold {
    /// The folder, with what was known of it where it was not told; `None` where that is not enough.
    pub(super) fn filled_in(self, known: Option<&FolderSeen>) -> Option<FolderSeen> {
        let name = if self.name.is_empty() { known?.folder.name.clone() } else { self.name };
        let parent = match self.parent {
            Some(parent) => parent,
            None => known?.folder.parent,
        };
        Some(FolderSeen { folder: RemoteFolder { parent, name }, updated_at: self.updated_at })
    }
}

/// What lists showed.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub folders: BTreeMap<FolderId, FolderSeen>,
    pub files: BTreeMap<FileId, RemoteFile>,
    /// Those of the files whose size was not told.
    pub sizeless: BTreeSet<FileId>,
    /// Folders and files of which not enough was told.
    pub vague_folders: BTreeMap<FolderId, FolderTold>,
    pub vague_files: BTreeMap<FileId, FileTold>,
    /// When each of the files was last changed, where that was told.
    pub times: BTreeMap<FileId, Timestamp>,
    /// Where the lists show all there is, and not only what changed: what changed before this is known as it is.
    pub known_until: Option<Timestamp>,
    /// Whether what files hold, and what they are called, is held against what is known.
    pub are_contents_held: bool,
    pub are_names_held: bool,
    /// How many files and folders each of the folders has.
    pub counts: BTreeMap<FolderId, (u64, u64)>,
    /// The last moment that any of it bears.
    pub newest: Option<Timestamp>,
    /// From when on changes may be missing in it, by the service's clock, where that is known.
    pub moment: Option<Timestamp>,
}

impl Found {
    /// Takes in a folder from the list of a place.
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

    /// Leaves out the folders that changed before a moment.
    pub(super) fn forget_folders_before(&mut self, moment: Timestamp) {
        self.folders.retain(|_, seen| seen.updated_at.is_none_or(|at| at >= moment));
        self.counts.retain(|id, _| self.folders.contains_key(id));
    }

    /// Takes in a file from the list of a place.
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

    /// Fills in what was not told from what is known.
    pub(super) fn fill_in(&mut self, files: &BTreeMap<FileId, RemoteFile>, folders: &BTreeMap<FolderId, FolderSeen>) {
        for (id, seen) in &mut self.files {
            let Some(known) = files.get(id) else { continue };
            if self.sizeless.contains(id) {
                seen.size_bytes = known.size_bytes;
            }
            // Content never changes: what was known of it still is.
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

    /// Whether something stands in it of which not enough was told.
    pub(super) fn is_vague(&self) -> bool {
        !self.vague_files.is_empty() || !self.vague_folders.is_empty()
    }
}

/// The folder that everything in the list of a place lies in; `None` where that is no one folder.
const fn folder_of(place: &Place) -> Option<Option<FolderId>> {
    match place {
        Place::Everywhere => None,
        Place::Top => Some(None),
        Place::In(folder) => Some(Some(*folder)),
    }
}

/// What the service told of one file.
pub(super) fn told_of(mut file: File) -> FileTold {
    FileTold::of(&mut file)
}

/// Until when the picture is true once the answers that come from now on are in it, with room for what was being written.
pub(super) fn moment_of(client: &Client, newest: Option<Timestamp>) -> Option<Timestamp> {
    let at = client.service_time().or(newest)?;
    Some(Timestamp::from_micros(at.as_micros().saturating_sub(OVERLAP_S * 1_000_000)))
}

/// The same for an answer, by what the service's clock was said to be before it was asked, and is now that it answered: the
/// earlier counts. Where this computer's clock was set, or it slept while the answer was on its way, one of them is too late.
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

/// How far what a walk did not come by can be taken for gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// Some of the list was not to be had: only an answer about the item itself tells.
    InPart,
    /// The list may have moved on between two pages: not before another answer agrees.
    Doubtful,
    /// It is not in the list.
    Certain,
}

/// What a walk through a list has shown of the list as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Walked {
    /// Pages of it.
    pub pages: u32,
    /// Items that could not be read.
    unreadable: u64,
    /// How many there are, as the first and the last page said.
    totals: (Option<u64>, Option<u64>),
    is_by_offset: bool,
    is_restarted: bool,
    /// More was to come, and did not; or nothing said that no more is to come.
    is_cut: bool,
}

impl Walked {
    /// `items`: how many different ones came.
    pub(super) fn trust(&self, items: u64) -> Trust {
        let is_short = self.totals.1.is_some_and(|total| items < total);
        if self.unreadable > 0 || self.is_cut || is_short {
            return Trust::InPart;
        }
        let is_still = self.totals.0 == self.totals.1 && self.totals.1 == Some(items);
        let is_at_one_moment = self.pages == 1 || (is_still && !self.is_by_offset && !self.is_restarted);
        if is_at_one_moment { Trust::Certain } else { Trust::Doubtful }
    }

    /// Whether the service said how many there are, and so many came; `None` where the list changed under way.
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
    /// What it has shown so far.
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

    /// The next page; `None` after the last. After a refusal under way, items may come again.
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
                // Without a word about what follows, a round number may be as many as the service gives at once.
                let is_round = !is_said && walked.pages == 1 && came > 0 && came.is_multiple_of(5);
                walked.is_cut = is_more_wanted || page.has_more == Some(true) || is_round;
                self.walk = None;
            }
            return Ok(Some(page.items));
        }
    }
}

/// Whether a page was refused for where in the list it begins, as that of an expired cursor is.
const fn is_of_its_place(error: &ClientError) -> bool {
    matches!(error, ClientError::Api { status: 400 | 404 | 410 | 422, .. } | ClientError::RouteMissing)
}

/// What a service answered that was asked what changed since a moment.
pub(super) enum Since {
    /// What changed.
    Told(Box<Found>),
    /// Not all of it could be understood.
    InPart,
    /// It refused the question, or told of what did not change.
    NotKept,
}

/// What changed since a moment: of the folders since the first, of the files since the second.
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
    Ok(Since::Told(Box::new(found)))
}

/// The next page of what changed, or why there is none to go on with.
async fn next_since<T: Listed>(
    reader: &mut Reader<'_, T>,
    since: Timestamp,
    asked: &mut u64,
) -> Result<Result<Option<Vec<T>>, Since>, ClientError> {
    // A service that does not know the question answers with everything, older things included.
    let is_older = |at: Option<Timestamp>| at.is_none_or(|at| at.as_micros() < since.as_micros() - ROUNDED_US);
    let is_first = reader.walked.pages == 0;
    match reader.next(asked).await {
        Ok(Some(page)) if page.iter().any(|item| is_older(item.updated_at())) => Ok(Err(Since::NotKept)),
        Ok(page) => Ok(Ok(page)),
        Err(ClientError::Api { status: 400 | 422, .. }) if is_first => Ok(Err(Since::NotKept)),
        Err(error) => Err(error),
    }
}

/// The files of a place, and how far what is not among them is gone from it; `None` where the place itself is.
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

/// Whether the service says that there is no such folder: asked for its inside, it says so.
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
        for nonsense in ["", "sha256:", "sha256:00", "sha1:e3b0", &format!("sha256:{}", "é".repeat(32))] {
            assert_eq!(parse_hash(nonsense), None, "{nonsense}");
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
        // The answer was sixteen seconds on its way.
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
