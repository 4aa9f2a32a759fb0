//! The service as a model of the wire contract: one file a content, `name (2)`, signed uploads that expire, folders that
//! are only deleted empty; and the way to it, on which answers are lost and requests limited.

use std::collections::BTreeMap;
use std::path::Path;

use easel_sync::plan::{DeletionRule, names};
use easel_sync::ports::{Drive, DriveError, DriveSeen, Freshness, RemoteSeen, Source, Uploaded};
use easel_sync::tree::{self, ContentHash, Place, RemoteFile, RemoteFolder, Stamp, Standing};
use easel_wire::{FileId, FolderId, ItemRef};
use uuid::Uuid;

use crate::disk::{Mount, Node};
use crate::world::{Content, Sim, World, hash_of, size_of};

/// How long a signed address is good, in milliseconds.
const SIGNED_MS: u64 = 600_000;

#[derive(Debug, Clone)]
pub struct StoredFile {
    pub folder: FolderId,
    pub name: String,
    pub content: Content,
}

#[derive(Debug, Clone)]
struct Staged {
    content: Option<Content>,
    good_until_ms: u64,
}

pub struct Service {
    pub root: FolderId,
    pub folders: BTreeMap<FolderId, RemoteFolder>,
    pub files: BTreeMap<FileId, StoredFile>,
    staged: BTreeMap<String, Staged>,
    consumed: BTreeMap<String, Uploaded>,
    next_id: u128,
    not_before_ms: u64,
    /// The call at which someone heard of it first; 0 while nobody has.
    limit_told_at: u64,
    /// Whether the last list lacked something.
    was_torn: bool,
}

impl Service {
    pub fn new() -> Self {
        let root = FolderId::from_uuid(Uuid::from_u128(1));
        let elsewhere = FolderId::from_uuid(Uuid::from_u128(2));
        let folder = |name: &str| RemoteFolder { parent: None, name: name.to_owned() };
        Self {
            root,
            folders: BTreeMap::from([(root, folder("synced")), (elsewhere, folder("elsewhere"))]),
            files: BTreeMap::new(),
            staged: BTreeMap::new(),
            consumed: BTreeMap::new(),
            next_id: 2,
            not_before_ms: 0,
            limit_told_at: 0,
            was_torn: false,
        }
    }

    fn new_uuid(&mut self) -> Uuid {
        self.next_id += 1;
        Uuid::from_u128(self.next_id)
    }

    /// A program that starts again does not know how long it was told to wait.
    pub const fn forget_limit(&mut self) {
        self.not_before_ms = 0;
    }

    pub fn file_named(&self, folder: FolderId, name: &str) -> Option<FileId> {
        let key = names::key(name);
        let mut files = self.files.iter();
        files.find(|(_, file)| file.folder == folder && names::key(&file.name) == key).map(|(id, _)| *id)
    }

    pub fn folder_named(&self, parent: FolderId, name: &str) -> Option<FolderId> {
        let key = names::key(name);
        let mut folders = self.folders.iter();
        folders.find(|(_, folder)| folder.parent == Some(parent) && names::key(&folder.name) == key).map(|(id, _)| *id)
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

    pub fn see(file: &StoredFile) -> RemoteFile {
        RemoteFile {
            folder: Some(file.folder),
            name: file.name.clone(),
            size_bytes: size_of(file.content),
            hash: Some(hash_of(file.content)),
        }
    }

    /// What `POST /v1/uploads` and register do.
    pub fn upload(&mut self, content: Content, to: &Place) -> Result<Uploaded, DriveError> {
        if let Some(file) = self.holder_of(content) {
            return Ok(Uploaded { file, seen: Self::see(&self.files[&file]), was_duplicate: true });
        }
        if !self.folders.contains_key(&to.folder) {
            return Err(DriveError::NotFound);
        }
        if size_of(content) > 5_000 {
            return Err(DriveError::TooLarge);
        }
        let (stem, extension) = match to.name.rfind('.') {
            Some(at) if at > 0 => to.name.split_at(at),
            _ => (to.name.as_str(), ""),
        };
        let name = std::iter::once(to.name.clone())
            .chain((2..).map(|count: u32| format!("{stem} ({count}){extension}")))
            .find(|name| self.file_named(to.folder, name).is_none())
            .unwrap_or_default();
        let file = FileId::from_uuid(self.new_uuid());
        self.files.insert(file, StoredFile { folder: to.folder, name, content });
        Ok(Uploaded { file, seen: Self::see(&self.files[&file]), was_duplicate: false })
    }

    pub fn create_folder(&mut self, at: &Place) -> Result<FolderId, DriveError> {
        if !self.folders.contains_key(&at.folder) {
            return Err(DriveError::NotFound);
        }
        if self.folder_named(at.folder, &at.name).is_some() {
            return Err(DriveError::NameTaken);
        }
        let folder = FolderId::from_uuid(self.new_uuid());
        self.folders.insert(folder, RemoteFolder { parent: Some(at.folder), name: at.name.clone() });
        Ok(folder)
    }

    /// Both verbs that change an item's place.
    pub fn place(&mut self, item: ItemRef, to: &Place) -> Result<(), DriveError> {
        if !self.folders.contains_key(&to.folder) {
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
                if self.is_inside(to.folder, id) {
                    return Err(DriveError::Circular);
                }
                if self.folder_named(to.folder, &to.name).is_some_and(|other| other != id) {
                    return Err(DriveError::NameTaken);
                }
                if let Some(folder) = self.folders.get_mut(&id) {
                    (folder.parent, folder.name) = (Some(to.folder), to.name.clone());
                }
                Ok(())
            }
            ItemRef::Canvas(_) => Err(DriveError::NotFound),
        }
    }

    /// The contents that went with it.
    pub fn delete(&mut self, item: ItemRef, is_recursive: bool) -> Result<Vec<Content>, DriveError> {
        match item {
            ItemRef::File(id) => Ok(vec![self.files.remove(&id).ok_or(DriveError::NotFound)?.content]),
            ItemRef::Folder(id) => {
                if !self.folders.contains_key(&id) {
                    return Err(DriveError::NotFound);
                }
                let folders: Vec<FolderId> =
                    self.folders.keys().copied().filter(|folder| self.is_inside(*folder, id)).collect();
                let files: Vec<FileId> = self
                    .files
                    .iter()
                    .filter(|(_, file)| folders.contains(&file.folder))
                    .map(|(file, _)| *file)
                    .collect();
                if !is_recursive && (folders.len() > 1 || !files.is_empty()) {
                    return Err(DriveError::NotEmpty);
                }
                for folder in folders {
                    self.folders.remove(&folder);
                }
                Ok(files.into_iter().filter_map(|file| Some(self.files.remove(&file)?.content)).collect())
            }
            ItemRef::Canvas(_) => Err(DriveError::NotFound),
        }
    }

    pub fn place_of(&self, item: ItemRef) -> Option<Place> {
        match item {
            ItemRef::File(id) => self.files.get(&id).map(|file| Place { folder: file.folder, name: file.name.clone() }),
            ItemRef::Folder(id) => {
                let folder = self.folders.get(&id)?;
                Some(Place { folder: folder.parent?, name: folder.name.clone() })
            }
            ItemRef::Canvas(_) => None,
        }
    }
}

impl Sim {
    /// A request: it may be limited, lost on its way there, or on its way back.
    async fn request<T>(
        &self,
        name: &str,
        is_change: bool,
        act: impl FnOnce(&mut World) -> Result<T, DriveError>,
    ) -> Result<T, DriveError> {
        let left_at = self.world().calls;
        self.request_begun(name, left_at, is_change, act).await
    }

    /// A request that is part of a call which began earlier, and cannot be held back any more.
    async fn request_begun<T>(
        &self,
        name: &str,
        left_at: u64,
        is_change: bool,
        act: impl FnOnce(&mut World) -> Result<T, DriveError>,
    ) -> Result<T, DriveError> {
        let answer = self.attempt(name, left_at, is_change, act).await;
        if matches!(answer, Err(DriveError::RateLimited { .. })) {
            let mut world = self.world();
            if world.service.limit_told_at == 0 {
                world.service.limit_told_at = world.calls;
            }
        }
        answer
    }

    async fn attempt<T>(
        &self,
        name: &str,
        left_at: u64,
        is_change: bool,
        act: impl FnOnce(&mut World) -> Result<T, DriveError>,
    ) -> Result<T, DriveError> {
        self.call(|world| {
            let now = world.now_ms;
            if now < world.service.not_before_ms {
                // What had left before anyone was told to wait cannot be called back.
                if left_at > world.service.limit_told_at && world.service.limit_told_at > 0 {
                    world.violate(format!("{name}: asked again before the time that the service named"));
                }
                return Err(DriveError::RateLimited { retry_after_ms: world.service.not_before_ms - now });
            }
            let (limited, lost) = (world.chaos.rate_limited, world.chaos.lost);
            if world.dice.percent(limited) {
                let retry_after_ms = 1_000 * (1 + world.dice.below(20));
                world.service.not_before_ms = now + retry_after_ms;
                world.service.limit_told_at = 0;
                world.say(|| format!("request {name}: limited"));
                return Err(DriveError::RateLimited { retry_after_ms });
            }
            let is_lost = world.dice.percent(lost);
            if is_lost {
                world.is_calm = false;
            }
            if is_lost && world.dice.percent(50) {
                world.say(|| format!("request {name}: lost on the way there"));
                return Err(DriveError::Lost);
            }
            if is_change {
                world.effects += 1;
                if !world.touches_here {
                    world.violate(format!("{name}: the drive is changed although nobody touched the disk"));
                }
            }
            let answer = act(world);
            world.say(|| {
                format!(
                    "request {name}: {}{}",
                    if answer.is_ok() { "done" } else { "refused" },
                    if is_lost { ", answer lost" } else { "" }
                )
            });
            if is_lost { Err(DriveError::Lost) } else { answer }
        })
        .await
    }

    async fn list_folders(&self) -> Result<BTreeMap<FolderId, RemoteFolder>, DriveError> {
        self.request("list folders", false, |world| Ok(world.service.folders.clone())).await
    }

    async fn list_files(&self) -> Result<BTreeMap<FileId, RemoteFile>, DriveError> {
        self.request("list files", false, |world| {
            let files = world.service.files.iter();
            let mut files: BTreeMap<_, _> = files.map(|(id, file)| (*id, Service::see(file))).collect();
            // What moves between two pages while they are read stands in neither.
            let was_torn = std::mem::take(&mut world.service.was_torn);
            if world.chaos.edits_there > 0 && world.dice.percent(10) && !files.is_empty() && !was_torn {
                world.service.was_torn = true;
                let at = usize::try_from(world.dice.below(files.len() as u64)).unwrap_or(0);
                world.say(|| "a file is on no page".to_owned());
                if let Some(id) = files.keys().nth(at).copied() {
                    files.remove(&id);
                }
            }
            Ok(files)
        })
        .await
    }

    /// The bytes of a file while they are sent: it must be the same before the first and before the last.
    async fn read_source(&self, source: &Source) -> Result<Content, DriveError> {
        let read = |world: &mut World| match world.disk.nodes.get(&source.path) {
            Some(node @ Node::File { content, .. })
                if node.stamp() == Some(source.stamp) && world.disk.mount == Mount::There =>
            {
                Ok(*content)
            }
            _ => Err(DriveError::SourceChanged),
        };
        self.call(read).await?;
        self.call(read).await
    }
}

/// Whether the engine may delete what it deletes.
fn judge_deletion(world: &mut World, item: ItemRef, contents: &[Content], place: Option<&Place>) {
    let file = match item {
        ItemRef::File(file) => Some(file),
        _ => None,
    };
    if world.disk.mount != Mount::There {
        world.violate("something is deleted in the drive while the watched folder is not there");
    }
    // While people move things about, what is deleted there may be here under another name, and is sent again.
    let is_watched = world.is_calm && world.chaos.edits_here == 0 && world.chaos.stale_scans == 0;
    let path = place.and_then(|place| crate::check::path_of(&world.service, place));
    for content in contents {
        let deeds = *world.deeds(*content);
        let was_replaced = deeds.overwritten_here > 0 || world.replaced.contains(content);
        let was_removed = was_replaced || (deeds.deleted_here > 0 && world.settings.deletions == DeletionRule::Delete);
        // What was deleted in the drive and is left here is not to be there.
        let is_wanted =
            |path: &String| world.agreed.records.get(path).is_none_or(|record| record.standing != Standing::OnlyHere);
        let mut nodes = world.disk.nodes.iter();
        let is_here = nodes.any(|(path, node)| {
            matches!(node, Node::File { content: other, .. } if other == content) && is_wanted(path)
        });
        if !was_removed && (is_watched || !is_here) {
            world.violate(format!("content {content} is deleted in the drive although nobody removed it here"));
        } else if is_watched && is_here {
            world.violate(format!("content {content} is deleted in the drive although it is still here"));
        }
    }
    // A replaced file goes after its next version has come.
    if let Some(path) = path
        && let Some(record) = world.agreed.records.get(&path).and_then(|record| record.as_file())
        && (Some(record.file) == file || record.replaces.iter().any(|old| Some(old.file) == file))
        && let Some(Node::File { content, .. }) = world.disk.nodes.get(&path).copied()
        && world.is_calm
        && world.chaos.edits_here == 0
        && !world.touches_there
        && !contents.contains(&content)
        && size_of(content) <= 5_000
        && world.service.holder_of(content).is_none()
    {
        world.violate(format!("{path}: the old version is deleted before content {content} is in the drive"));
    }
}

impl Drive for Sim {
    async fn list(&self, _since: Option<u64>, _freshness: Freshness) -> Result<DriveSeen, DriveError> {
        let folders = self.list_folders().await?;
        let files = self.list_files().await?;
        Ok(DriveSeen { cursor: 0, remote: RemoteSeen::Whole { folders, files } })
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        self.request("get file", false, |world| Ok(world.service.files.get(&file).map(Service::see))).await
    }

    async fn create_folder(&self, at: &Place) -> Result<FolderId, DriveError> {
        self.request(&format!("create folder {}", at.name), true, |world| world.service.create_folder(at)).await
    }

    async fn move_item(&self, item: ItemRef, folder: FolderId) -> Result<(), DriveError> {
        self.request(&format!("move {item}"), true, |world| {
            let place = world.service.place_of(item).ok_or(DriveError::NotFound)?;
            world.service.place(item, &Place { folder, name: place.name })
        })
        .await
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        self.request(&format!("rename {item} to {name}"), true, |world| {
            let place = world.service.place_of(item).ok_or(DriveError::NotFound)?;
            world.service.place(item, &Place { folder: place.folder, name: name.to_owned() })
        })
        .await
    }

    async fn delete_item(&self, item: ItemRef, is_recursive: bool) -> Result<(), DriveError> {
        self.request(&format!("delete {item}"), true, |world| {
            let place = world.service.place_of(item);
            let contents = world.service.delete(item, is_recursive)?;
            let place = place.filter(|_| matches!(item, ItemRef::File(_)));
            judge_deletion(world, item, &contents, place.as_ref());
            Ok(())
        })
        .await
    }

    async fn send_direct(&self, source: &Source, to: &Place) -> Result<Uploaded, DriveError> {
        let left_at = self.world().calls;
        let content = self.read_source(source).await?;
        let name = format!("send {} (content {content})", source.path);
        self.request_begun(&name, left_at, true, |world| {
            judge_sending(world, content);
            judge_name(world, &source.path);
            world.service.upload(content, to)
        })
        .await
    }

    async fn sign_upload(&self, name: &str) -> Result<String, DriveError> {
        self.request(&format!("sign {name}"), false, |world| {
            let key = format!("pending/{}", world.service.new_uuid());
            let good_until_ms = world.now_ms + SIGNED_MS;
            world.service.staged.insert(key.clone(), Staged { content: None, good_until_ms });
            Ok(key)
        })
        .await
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        let content = self.read_source(source).await?;
        self.call(|world| {
            let lost = world.chaos.lost;
            let is_lost = world.dice.percent(lost);
            if is_lost && world.dice.percent(30) {
                // Cut half-way: nothing is stored.
                world.is_calm = false;
                return Err(DriveError::Lost);
            }
            if lost > 0 && world.dice.percent(10) {
                world.now_ms += SIGNED_MS + 1;
            }
            judge_sending(world, content);
            judge_name(world, &source.path);
            let now = world.now_ms;
            match world.service.staged.get_mut(key) {
                Some(staged) if staged.good_until_ms >= now => staged.content = Some(content),
                _ => return Err(DriveError::Expired),
            }
            world.say(|| format!("put {key} (content {content})"));
            if is_lost {
                world.is_calm = false;
                return Err(DriveError::Lost);
            }
            Ok(hash_of(content))
        })
        .await
    }

    async fn register(&self, key: &str, to: &Place) -> Result<Uploaded, DriveError> {
        self.request(&format!("register {key} as {}", to.name), true, |world| {
            if let Some(done) = world.service.consumed.get(key) {
                return Ok(done.clone());
            }
            let content =
                world.service.staged.get(key).and_then(|staged| staged.content).ok_or(DriveError::NotFound)?;
            let uploaded = world.service.upload(content, to)?;
            world.service.staged.remove(key);
            world.service.consumed.insert(key.to_owned(), uploaded.clone());
            Ok(uploaded)
        })
        .await
    }

    async fn fetch(&self, file: FileId, _slot: &Path) -> Result<(Stamp, ContentHash), DriveError> {
        self.request(&format!("fetch {file}"), false, |world| {
            let content = world.service.files.get(&file).ok_or(DriveError::NotFound)?.content;
            let node = Node::File { content, modified_us: world.wall_us(), identity: world.disk.new_identity() };
            world.disk.fetched.insert(file, node);
            node.stamp().map(|stamp| (stamp, hash_of(content))).ok_or(DriveError::Refused)
        })
        .await
    }
}

/// Of two names beside each other that are one to the drive, the one that came later is not sent under a number: it is
/// said to clash.
fn judge_name(world: &mut World, path: &str) {
    let is_watched = world.chaos.edits_here == 0 && world.chaos.stale_scans == 0;
    let is_file = |path: &String| matches!(world.disk.nodes.get(path), Some(Node::File { .. }));
    let is_twin = |other: &String| {
        other != path
            && tree::parent(other) == tree::parent(path)
            && names::key(tree::name(other)) == names::key(tree::name(path))
    };
    let mut agreed = world.agreed.records.iter().filter(|(_, record)| record.as_file().is_some());
    let has_twin = agreed.any(|(other, _)| is_twin(other) && is_file(other));
    if is_watched && has_twin && !world.agreed.records.contains_key(path) {
        world.violate(format!("{path} is sent although a name beside it is the same to the drive"));
    }
}

/// Content that the drive has is not sent, unless someone else just brought it or a fault hid it.
fn judge_sending(world: &mut World, content: Content) {
    if world.is_calm && !world.touches_there && world.service.holder_of(content).is_some() {
        world.violate(format!("content {content} is sent although the drive has it"));
    }
}
