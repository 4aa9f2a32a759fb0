//! The service as a model of the wire contract: one file a content, `name (2)`, signed uploads that expire, folders
//! that are only deleted empty, a limit of requests a minute. Not here: the way to it (`way`).

mod trash;

use std::collections::{BTreeMap, VecDeque};

use easel_sync::plan::names;
use easel_sync::ports::{Destination, DriveError, Uploaded};
use easel_sync::tree::{ContentHash, Place, Remote, RemoteFile, RemoteFolder};
use easel_sync::{Cause, Failure};
use easel_wire::{FileId, FolderId, ItemRef};
use uuid::Uuid;

use self::trash::{Entry, Trash};
use crate::world::{Content, hash_of, size_of};

/// How long a signed address is valid, in milliseconds.
pub const SIGNED_MS: u64 = 600_000;

/// The largest file that is taken, in bytes.
pub const MAX_FILE_BYTES: u64 = 5_000;

/// The first content of pointers; each has forty bytes, so that none is large or of a refused type.
pub const FIRST_POINTER: Content = 1 << 40;

/// The window in which requests are counted.
pub const MINUTE_MS: u64 = 60_000;

/// How this service differs from ours (contract, "A service that others wrote").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deviations {
    /// A direct upload lands at the top of the drive, whatever folder it names.
    pub direct_ignores_folder: bool,
    /// So does a registered file. If a service refuses the field, the client itself repeats the request without it.
    pub register_ignores_folder: bool,
    /// The answer to an upload does not tell the folder.
    pub tells_no_folder: bool,
    /// Hashes are not told.
    pub tells_no_hash: bool,
    /// Files of some types are refused.
    pub refuses_types: bool,
    /// Pointers are refused.
    pub refuses_pointers: bool,
    /// A file is never given new content: the service keeps no versions.
    pub keeps_no_versions: bool,
}

/// Who put a file in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    Person,
    Engine,
    /// The dropped file of this number.
    Drop(u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// `None` at the top of the drive.
    pub folder: Option<FolderId>,
    pub name: String,
    pub content: Content,
    pub maker: Maker,
    /// By the service's clock, in milliseconds.
    pub created_ms: u64,
}

impl StoredFile {
    /// `None` at the top of the drive.
    pub fn place(&self) -> Option<Place> {
        Some(Place { folder: self.folder?, name: self.name.clone() })
    }
}

#[derive(Debug, Clone)]
pub struct Staged {
    pub content: Option<Content>,
    pub good_until_ms: u64,
}

pub struct Service {
    pub deviations: Deviations,
    pub root: FolderId,
    /// The folder beside the watched drive folder.
    pub elsewhere: FolderId,
    pub folders: BTreeMap<FolderId, RemoteFolder>,
    pub files: BTreeMap<FileId, StoredFile>,
    pub staged: BTreeMap<String, Staged>,
    pub consumed: BTreeMap<String, Uploaded>,
    pub trash: Trash,
    pointers_made: u64,
    next_id: u128,
    pub not_before_ms: u64,
    /// The call at which someone was first told of the limit; 0 before.
    pub limit_told_at: u64,
    /// When that was.
    pub limit_told_ms: u64,
    /// The limit of requests in any minute.
    pub requests_a_minute: usize,
    /// When the requests of the last minute came.
    asked_ms: VecDeque<u64>,
}

impl Service {
    pub fn new() -> Self {
        let root = FolderId::imagined(1);
        let elsewhere = FolderId::imagined(2);
        let folder = |name: &str| RemoteFolder { parent: None, name: name.to_owned() };
        Self {
            deviations: Deviations::default(),
            root,
            elsewhere,
            folders: BTreeMap::from([(root, folder("synced")), (elsewhere, folder("elsewhere"))]),
            files: BTreeMap::new(),
            staged: BTreeMap::new(),
            consumed: BTreeMap::new(),
            trash: Trash::default(),
            pointers_made: 0,
            next_id: 2,
            not_before_ms: 0,
            limit_told_at: 0,
            limit_told_ms: 0,
            requests_a_minute: 120,
            asked_ms: VecDeque::new(),
        }
    }

    pub fn new_uuid(&mut self) -> Uuid {
        self.next_id += 1;
        Uuid::from_u128(self.next_id)
    }

    /// Counts a request. If it is one too many in a minute, returns how long to wait, in milliseconds.
    pub fn count_request(&mut self, now_ms: u64) -> Option<u64> {
        while self.asked_ms.front().is_some_and(|asked| asked + MINUTE_MS <= now_ms) {
            self.asked_ms.pop_front();
        }
        if self.asked_ms.len() >= self.requests_a_minute {
            return self.asked_ms.front().map(|first| first + MINUTE_MS - now_ms);
        }
        self.asked_ms.push_back(now_ms);
        None
    }

    /// A program that starts again does not know how long it was told to wait.
    pub const fn forget_limit(&mut self) {
        self.not_before_ms = 0;
    }

    pub fn file_named(&self, folder: Option<FolderId>, name: &str) -> Option<FileId> {
        let key = names::key(name);
        let mut files = self.files.iter();
        files.find(|(_, file)| file.folder == folder && names::key(&file.name) == key).map(|(id, _)| *id)
    }

    pub fn folder_named(&self, parent: Option<FolderId>, name: &str) -> Option<FolderId> {
        let key = names::key(name);
        let mut folders = self.folders.iter();
        folders.find(|(_, folder)| folder.parent == parent && names::key(&folder.name) == key).map(|(id, _)| *id)
    }

    /// Makes a small text file with bytes that no other file has.
    pub fn write_text(&mut self, at: &Place, maker: Maker, now_ms: u64) -> Result<FileId, DriveError> {
        if self.deviations.refuses_pointers {
            return Err(name_not_allowed());
        }
        self.pointers_made += 1;
        let content = FIRST_POINTER + 40 * self.pointers_made;
        let to = Destination { folder: Some(at.folder), name: at.name.clone() };
        self.upload(content, &to, maker, now_ms).map(|uploaded| uploaded.file)
    }

    /// The files of the drive with the copies that pointers stand for, as a reader who knows pointers sees them.
    pub fn expand_pointers(&self) -> Remote {
        let mut remote = Remote::new(self.root);
        let see = |file: &StoredFile| RemoteFile { hash: Some(hash_of(file.content)), ..self.see(file) };
        remote.replace_files(self.files.iter().map(|(id, file)| (*id, see(file))).collect());
        remote.expand_pointers();
        remote
    }

    pub fn holder_of(&self, content: Content) -> Option<FileId> {
        self.files.iter().find(|(_, file)| file.content == content).map(|(id, _)| *id)
    }

    pub fn is_inside(&self, folder: FolderId, above: FolderId) -> bool {
        let mut at = Some(folder);
        while let Some(id) = at {
            if id == above {
                return true;
            }
            at = self.folders.get(&id).and_then(|folder| folder.parent);
        }
        false
    }

    pub fn see(&self, file: &StoredFile) -> RemoteFile {
        RemoteFile {
            folder: file.folder,
            name: file.name.clone(),
            size_bytes: size_of(file.content),
            hash: (!self.deviations.tells_no_hash).then(|| hash_of(file.content)),
        }
    }

    /// Whether the service takes files of this content's type.
    pub const fn takes(&self, content: Content) -> bool {
        !(self.deviations.refuses_types && content % 5 == 3)
    }

    /// What `POST /v1/uploads` and register do.
    pub fn upload(
        &mut self,
        content: Content,
        to: &Destination,
        maker: Maker,
        now_ms: u64,
    ) -> Result<Uploaded, DriveError> {
        if size_of(content) > MAX_FILE_BYTES {
            return Err(too_large(content));
        }
        if !self.takes(content) {
            let cause = Cause::MediaTypeNotTaken { mime_type: "image/tiff".to_owned(), message: String::new() };
            return Err(DriveError::Refused(cause.into()));
        }
        if to.folder.is_some_and(|folder| !self.folders.contains_key(&folder)) {
            return Err(DriveError::NotFound);
        }
        if let Some(file) = self.holder_of(content) {
            return Ok(self.tell(file, true));
        }
        let name = names::numbered(&to.name, |name| self.file_named(to.folder, name).is_some());
        let file = FileId::imagined(self.new_uuid().as_u128());
        self.files.insert(file, StoredFile { folder: to.folder, name, content, maker, created_ms: now_ms });
        Ok(self.tell(file, false))
    }

    /// What `POST /v1/drive/files/{file_id}/content` does: gives a file new content, and returns what it had.
    pub fn replace(
        &mut self,
        file: FileId,
        content: Content,
        expected: Option<ContentHash>,
    ) -> Result<Content, DriveError> {
        if self.deviations.keeps_no_versions {
            return Err(DriveError::RouteMissing);
        }
        if size_of(content) > MAX_FILE_BYTES {
            return Err(too_large(content));
        }
        let stored = self.files.get_mut(&file).ok_or(DriveError::NotFound)?;
        let old = stored.content;
        if old != content && expected.is_some_and(|expected| expected != hash_of(old)) {
            return Err(DriveError::ContentChanged);
        }
        stored.content = content;
        if old != content {
            self.trash.versions.entry(file).or_default().push(old);
        }
        Ok(old)
    }

    fn tell(&self, file: FileId, was_duplicate: bool) -> Uploaded {
        let RemoteFile { folder, name, size_bytes, hash } = self.see(&self.files[&file]);
        let folder = (!self.deviations.tells_no_folder).then_some(folder);
        Uploaded { file, name: Some(name), folder, size_bytes: Some(size_bytes), hash, was_duplicate }
    }

    pub fn create_folder(&mut self, at: &Place) -> Result<FolderId, DriveError> {
        if !names::fits_the_drive(&at.name) {
            return Err(name_not_allowed());
        }
        if !self.folders.contains_key(&at.folder) {
            return Err(DriveError::NotFound);
        }
        if self.folder_named(Some(at.folder), &at.name).is_some() {
            return Err(DriveError::NameTaken);
        }
        let folder = FolderId::imagined(self.new_uuid().as_u128());
        self.folders.insert(folder, RemoteFolder { parent: Some(at.folder), name: at.name.clone() });
        Ok(folder)
    }

    /// Renames an item where it is.
    pub fn rename(&mut self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        // An invalid name is refused before the item is looked for.
        if !names::fits_the_drive(name) {
            return Err(name_not_allowed());
        }
        let folder = self.seat_of(item).ok_or(DriveError::NotFound)?.folder;
        self.seat(item, &Destination { folder, name: name.to_owned() })
    }

    /// Moves an item, under the name it has; `None` is the top of the drive.
    pub fn move_to(&mut self, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
        let name = self.seat_of(item).ok_or(DriveError::NotFound)?.name;
        self.seat(item, &Destination { folder, name })
    }

    /// Puts an item in a folder under a name.
    pub fn place(&mut self, item: ItemRef, to: &Place) -> Result<(), DriveError> {
        self.seat(item, &Destination { folder: Some(to.folder), name: to.name.clone() })
    }

    /// Moves and renames: both verbs that change an item's place.
    fn seat(&mut self, item: ItemRef, to: &Destination) -> Result<(), DriveError> {
        if !names::fits_the_drive(&to.name) {
            return Err(name_not_allowed());
        }
        if to.folder.is_some_and(|folder| !self.folders.contains_key(&folder)) {
            return Err(DriveError::NotFound);
        }
        match item {
            ItemRef::File(id) => {
                if !self.files.contains_key(&id) {
                    return Err(DriveError::NotFound);
                }
                if self.file_named(to.folder, &to.name).is_some_and(|other| other != id) {
                    return Err(DriveError::NameTaken);
                }
                if let Some(file) = self.files.get_mut(&id) {
                    (file.folder, file.name) = (to.folder, to.name.clone());
                }
                Ok(())
            }
            ItemRef::Folder(id) => {
                if !self.folders.contains_key(&id) {
                    return Err(DriveError::NotFound);
                }
                if to.folder.is_some_and(|folder| self.is_inside(folder, id)) {
                    return Err(DriveError::Circular);
                }
                if self.folder_named(to.folder, &to.name).is_some_and(|other| other != id) {
                    return Err(DriveError::NameTaken);
                }
                if let Some(folder) = self.folders.get_mut(&id) {
                    (folder.parent, folder.name) = (to.folder, to.name.clone());
                }
                Ok(())
            }
            ItemRef::Canvas(_) => Err(DriveError::NotFound),
        }
    }

    /// Whether a file has the expected content; a service that keeps no versions does not check.
    pub fn expect(&self, item: ItemRef, expected: Option<ContentHash>) -> Result<(), DriveError> {
        let ItemRef::File(file) = item else { return Ok(()) };
        let has = self.files.get(&file).map(|file| hash_of(file.content));
        let is_other = has.zip(expected).is_some_and(|(has, expected)| has != expected);
        if is_other && !self.deviations.keeps_no_versions { Err(DriveError::ContentChanged) } else { Ok(()) }
    }

    /// Deletes an item; returns the contents that went with it.
    pub fn delete(&mut self, item: ItemRef, is_recursive: bool) -> Result<Vec<Content>, DriveError> {
        match item {
            ItemRef::File(id) => {
                let file = self.files.remove(&id).ok_or(DriveError::NotFound)?;
                let content = file.content;
                self.trash.entries.push(Entry { item, folders: BTreeMap::new(), files: BTreeMap::from([(id, file)]) });
                Ok(vec![content])
            }
            ItemRef::Folder(id) => {
                if !self.folders.contains_key(&id) {
                    return Err(DriveError::NotFound);
                }
                let inside: Vec<FolderId> =
                    self.folders.keys().copied().filter(|folder| self.is_inside(*folder, id)).collect();
                let is_inside = |file: &StoredFile| file.folder.is_some_and(|folder| inside.contains(&folder));
                if !is_recursive && (inside.len() > 1 || self.files.values().any(is_inside)) {
                    return Err(DriveError::NotEmpty);
                }
                let files: BTreeMap<FileId, StoredFile> =
                    self.files.extract_if(.., |_, file| is_inside(file)).collect();
                let folders = inside.iter().filter_map(|folder| self.folders.remove_entry(folder)).collect();
                let contents = files.values().map(|file| file.content).collect();
                self.trash.entries.push(Entry { item, folders, files });
                Ok(contents)
            }
            ItemRef::Canvas(_) => Err(DriveError::NotFound),
        }
    }

    pub fn place_of(&self, item: ItemRef) -> Option<Place> {
        let Destination { folder, name } = self.seat_of(item)?;
        Some(Place { folder: folder?, name })
    }

    fn seat_of(&self, item: ItemRef) -> Option<Destination> {
        match item {
            ItemRef::File(id) => {
                let file = self.files.get(&id)?;
                Some(Destination { folder: file.folder, name: file.name.clone() })
            }
            ItemRef::Folder(id) => {
                let folder = self.folders.get(&id)?;
                // The folders at the top have names of their own.
                folder.parent.map(|parent| Destination { folder: Some(parent), name: folder.name.clone() })
            }
            ItemRef::Canvas(_) => None,
        }
    }
}

/// The refusal of a file for its size.
pub fn too_large(content: Content) -> DriveError {
    let (size_bytes, max_file_bytes) = (size_of(content), MAX_FILE_BYTES);
    DriveError::Refused(Cause::TooLarge { size_bytes, max_file_bytes, is_plan_limit: true }.into())
}

/// The refusal of a file for its name.
pub fn name_not_allowed() -> DriveError {
    DriveError::Refused(Failure::from(Cause::NameNotAllowed { message: String::new() }))
}
