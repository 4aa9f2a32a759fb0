//! The way to the service: answers are lost, requests limited, refused, or carried out late; lists are torn and old. It
//! keeps a picture of the drive as an adapter does, and the budget as the client does.

mod uploads;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use easel_sync::pointers::Pointer;
use easel_sync::ports::{
    Destination, DiskError, Drive, DriveError, DriveSeen, Fingerprint, Freshness, Hold, RemoteSeen, Route, Source,
    Uploaded, Uploads,
};
use easel_sync::tree::{ContentHash, Place, Record, RemoteFile, RemoteFolder, Stamp};
use easel_sync::unloaded::Lookup;
use easel_sync::{Cause, Waiting};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::disk::{Mount, Node};
use crate::judge;
use crate::service::{MINUTE_MS, Maker, SIGNED_MS, Service, Staged};
use crate::world::{Content, Late, Sim, World, hash_of};

/// A request whose answer was lost is carried out within this time, in milliseconds, or never.
const LATEST_MS: u64 = 1_800;

/// A step that was under way when another was told to wait makes its next request within this time.
const STEP_GOES_ON_MS: u64 = 50;

type Files = BTreeMap<FileId, RemoteFile>;
type Folders = BTreeMap<FolderId, RemoteFolder>;

/// What a running program knows about the way, and forgets when it crashes.
#[derive(Default)]
pub struct Way {
    /// The drive as the adapter has it.
    folders: Folders,
    files: Files,
    /// The last answer, and its cursor.
    answered: Option<(u64, Folders, Files)>,
    /// What own requests have changed since that answer: the next one tells of it, also where it is gone again.
    noted: BTreeSet<ItemRef>,
    is_listed: bool,
    cursor: u64,
    /// When requests came to the service, as far as this program knows, and how many are on their way.
    asked_ms: VecDeque<u64>,
    on_their_way: usize,
    /// When uploads began, by their key, by their destination for a new attempt, or by the file that they came to:
    /// their later requests cannot be called back.
    begun: BTreeMap<String, u64>,
    /// When each file was asked about last, in calls and in milliseconds.
    asked_about: BTreeMap<FileId, (u64, u64)>,
    /// When the last pointer was renamed, in calls and in milliseconds: an upload that it announces follows it.
    announced: Option<(u64, u64)>,
    /// The destination that each key was asked for: a new attempt for it is found by that.
    destinations: BTreeMap<String, String>,
    /// Keys whose signed address was not used yet: each is good for one PUT.
    signed: BTreeSet<String>,
    /// Whether the last list lacked an item.
    was_torn: bool,
}

impl Way {
    /// Whether the adapter has seen a file.
    pub fn knows(&self, file: FileId) -> bool {
        self.files.contains_key(&file)
    }

    /// The adapter knows the effects of its own requests.
    fn note(&mut self, service: &Service, item: ItemRef) {
        self.noted.insert(item);
        match item {
            ItemRef::File(id) => match service.files.get(&id) {
                Some(file) => {
                    self.files.insert(id, service.see(file));
                }
                None => {
                    self.files.remove(&id);
                }
            },
            ItemRef::Folder(id) => match service.folders.get(&id) {
                Some(folder) => {
                    self.folders.insert(id, folder.clone());
                }
                None => {
                    self.folders.remove(&id);
                }
            },
            ItemRef::Canvas(_) => {}
        }
    }

    /// Notes an item's place from an answer, except for what the adapter's own request changed.
    fn note_place(&mut self, item: ItemRef, change: impl FnOnce(&mut Option<FolderId>, &mut String)) {
        self.noted.insert(item);
        match item {
            ItemRef::File(id) => {
                if let Some(known) = self.files.get_mut(&id) {
                    change(&mut known.folder, &mut known.name);
                }
            }
            ItemRef::Folder(id) => {
                if let Some(known) = self.folders.get_mut(&id) {
                    change(&mut known.parent, &mut known.name);
                }
            }
            ItemRef::Canvas(_) => {}
        }
    }

    /// The picture, or what changed in it since an answer.
    fn answer(&mut self, since: Option<u64>, most: usize) -> DriveSeen {
        self.cursor += 1;
        let before = self.answered.take().filter(|(cursor, ..)| Some(*cursor) == since);
        let noted = std::mem::take(&mut self.noted);
        let remote = match before {
            Some((_, folders, files)) => {
                let mut folders = differences(&folders, &self.folders);
                let mut files = differences(&files, &self.files);
                for item in noted {
                    match item {
                        ItemRef::Folder(id) => folders.push((id, self.folders.get(&id).cloned())),
                        ItemRef::File(id) => files.push((id, self.files.get(&id).cloned())),
                        ItemRef::Canvas(_) => {}
                    }
                }
                RemoteSeen::Changes { folders, files }
            }
            None if self.files.len() > most => {
                let pointers = self.files.iter().filter(|(_, file)| Pointer::read(&file.name).is_some());
                let pointers = pointers.map(|(id, file)| (*id, file.clone())).collect();
                RemoteSeen::Folders { folders: self.folders.clone(), pointers }
            }
            None => RemoteSeen::Whole { folders: self.folders.clone(), files: self.files.clone() },
        };
        self.answered = Some((self.cursor, self.folders.clone(), self.files.clone()));
        DriveSeen { cursor: self.cursor, remote, went_back: BTreeSet::new() }
    }
}

/// The entries of `new` that differ.
pub fn differences<K: Ord + Clone, V: Clone + PartialEq>(
    old: &BTreeMap<K, V>,
    new: &BTreeMap<K, V>,
) -> Vec<(K, Option<V>)> {
    let gone = old.keys().filter(|key| !new.contains_key(*key)).map(|key| (key.clone(), None));
    let other = new.iter().filter(|(key, value)| old.get(*key) != Some(*value));
    gone.chain(other.map(|(key, value)| (key.clone(), Some(value.clone())))).collect()
}

/// The error for a request whose result is unknown.
pub fn lost() -> DriveError {
    DriveError::Unanswered(Hold {
        failure_if_repeated: Some(Box::new(Cause::ConnectionBroken.into())),
        ..Waiting::Offline.into()
    })
}

fn limited(retry_after_ms: u64) -> DriveError {
    DriveError::Deferred(Hold { after_ms: Some(retry_after_ms), ..Waiting::RateLimited.into() })
}

/// A request, and what it would change.
pub struct Request {
    name: String,
    is_change: bool,
    /// The call at which the request was made.
    left_at: u64,
    /// The dropped file that it is for; `None` for the engine's.
    dropped: Option<u64>,
}

impl Request {
    pub fn of_drop(self, number: u64) -> Self {
        Self { dropped: Some(number), ..self }
    }
}

/// The content of a file of the watched folder, if its stamp is still the same.
fn read(source: &Source) -> impl FnOnce(&mut World) -> Result<Content, DriveError> {
    let source = source.clone();
    move |world| match world.disk.nodes.get(&source.path) {
        _ if world.disk.is_shut_in(&source.path) => Err(DriveError::Disk(DiskError::Denied)),
        Some(node @ Node::File { content, .. })
            if node.stamp() == Some(source.stamp) && world.disk.mount == Mount::There =>
        {
            Ok(*content)
        }
        _ => Err(DriveError::SourceChanged),
    }
}

/// A request comes to the service, or does not.
fn come<T: 'static>(
    world: &mut World,
    request: Request,
    act: impl FnOnce(&mut World) -> Result<T, DriveError> + Send + 'static,
) -> Result<T, DriveError> {
    let Request { name, is_change, left_at, dropped } = request;
    let now = world.now_ms;
    world.way.on_their_way = world.way.on_their_way.saturating_sub(1);
    world.way.asked_ms.push_back(now);
    world.count("requests");
    if now < world.service.not_before_ms {
        // A request that had left before anyone was told to wait cannot be called back. Of a step that was under way beside the one that
        // was told, the next request follows at once; the real client holds that back, for all of its requests.
        let goes_on = now < world.service.limit_told_ms + STEP_GOES_ON_MS;
        let was_told = left_at > world.service.limit_told_at && world.service.limit_told_at > 0 && !goes_on;
        if dropped.is_none() && was_told {
            world.violate(format!("{name}: asked again before the time that the service named"));
        }
        let left_ms = world.service.not_before_ms - now;
        world.say(|| format!("request {name}: too early by {left_ms} ms"));
        return Err(limited(world.service.not_before_ms - now));
    }
    if let Some(retry_after_ms) = world.service.count_request(now) {
        if !world.was_crashed {
            world.violate(format!("{name}: more requests in a minute than the service lets through"));
        }
        return limit(world, &name, retry_after_ms);
    }
    let chaos = world.chaos;
    if world.dice.percent(chaos.rate_limited) {
        let retry_after_ms = 1_000 * (1 + world.dice.below(20));
        return limit(world, &name, retry_after_ms);
    }
    if world.dice.percent(chaos.refused) {
        world.count("refusals");
        let refusals = [Waiting::Offline, Waiting::KeyRefused, Waiting::NotPermitted, Waiting::StorageFull];
        let refusal = world.dice.pick(&refusals).cloned().unwrap_or(Waiting::Offline);
        world.say(|| format!("request {name}: {refusal:?}"));
        world.is_calm = false;
        return Err(DriveError::Deferred(refusal.into()));
    }
    let is_lost = world.dice.percent(chaos.lost);
    if is_lost {
        world.is_calm = false;
    }
    if is_lost && world.dice.percent(50) {
        if is_change && world.dice.percent(50) {
            let due_ms = now + 1 + world.dice.below(LATEST_MS);
            world.say(|| format!("request {name}: on its way until {due_ms}"));
            let effect = Box::new(move |world: &mut World| {
                world.count("effects that came late");
                if let Some(number) = dropped {
                    let late = world.desk.drop_of(number);
                    late.was_late = true;
                    late.was_moved_late |= name.ends_with("move");
                }
                let done = act(world);
                world.effects += 1;
                world.say(|| format!("late request {name}: {}", if done.is_ok() { "done" } else { "refused" }));
            });
            world.late.push(Late { due_ms, effect });
        } else {
            world.count("requests lost");
            world.say(|| format!("request {name}: lost on the way there"));
        }
        return Err(lost());
    }
    // A copy's content is sent again if someone deletes its original. A file that makes way here for one from the drive
    // is new there.
    let makes_way = name.contains("(conflict");
    let is_expected = world.touches_here || world.has_copies || makes_way || world.has_left_with_new_content();
    let is_watched = is_change && dropped.is_none() && !is_expected;
    let before = is_watched.then(|| (world.service.folders.clone(), world.service.files.clone()));
    let answer = act(world);
    world.effects += u64::from(is_change);
    if before.is_some_and(|(folders, files)| folders != world.service.folders || files != world.service.files) {
        world.violate(format!("{name}: the drive is changed although nobody touched the disk"));
    }
    if is_lost {
        world.count("answers lost");
    }
    world.say(|| {
        let lost = if is_lost { ", answer lost" } else { "" };
        format!("request {name}: {}{lost}", if answer.is_ok() { "done" } else { "refused" })
    });
    if is_lost { Err(lost()) } else { answer }
}

fn limit<T>(world: &mut World, name: &str, retry_after_ms: u64) -> Result<T, DriveError> {
    world.service.not_before_ms = world.now_ms + retry_after_ms;
    world.service.limit_told_at = 0;
    world.count("limits");
    world.say(|| format!("request {name}: limited"));
    Err(limited(retry_after_ms))
}

/// Brings the adapter's picture up to date.
fn list(world: &mut World, freshness: Freshness) {
    let mut folders = world.service.folders.clone();
    let mut files: Files = world.service.files.iter().map(|(id, file)| (*id, world.service.see(file))).collect();
    // An item that moves between two pages while they are read is in neither.
    let was_torn = std::mem::take(&mut world.way.was_torn);
    if world.chaos.edits_there > 0 && world.dice.percent(10) && !files.is_empty() && !was_torn {
        world.way.was_torn = true;
        world.count("torn lists");
        let inside = folders.keys().copied().filter(|id| folders[id].parent.is_some()).collect::<Vec<_>>();
        let lost_folder = world.dice.pick(&inside).copied().filter(|_| world.dice.percent(25));
        let all = files.keys().copied().collect::<Vec<_>>();
        match (lost_folder, world.dice.pick(&all).copied()) {
            (Some(id), _) => {
                folders.remove(&id);
                world.say(|| format!("{id} is on no page"));
            }
            (None, Some(id)) => {
                files.remove(&id);
                world.say(|| format!("{id} is on no page"));
            }
            (None, None) => {}
        }
    }
    let way = &mut world.way;
    if freshness == Freshness::Recent && way.is_listed {
        way.folders.extend(folders);
        way.files.extend(files);
    } else {
        (way.folders, way.files, way.is_listed) = (folders, files, true);
    }
}

impl Uploads for Sim {
    type Source = Source;

    async fn route(&self, source: &Source, _to: &Destination) -> Result<Route, DriveError> {
        self.route_of(source.stamp.size_bytes)
    }

    async fn send_direct(&self, source: &Source, to: &Destination) -> Result<Uploaded, DriveError> {
        let mut request = self.request(String::new(), true);
        let content = self.read_source(source).await?;
        request.name = format!("send {} (content {content})", source.path);
        let is_copy = |record: &Record| record.as_file().is_some_and(|file| file.is_pointer);
        if self.world().agreed.records.get(&source.path).is_some_and(is_copy) {
            // Its pointer was told first.
            request.left_at = 0;
        }
        {
            let mut world = self.world();
            judge::judge_sending(&mut world, content);
            judge::judge_name(&mut world, &source.path);
            judge::judge_repeat(&mut world, source);
        }
        self.upload_direct(request, content, to, Maker::Engine).await
    }

    async fn sign_upload(&self, to: &Destination) -> Result<String, DriveError> {
        self.sign_for(self.request_for_signature(to), to).await
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        if !self.take_address(key) {
            return Err(DriveError::Expired);
        }
        let content = self.read_source(source).await?;
        let judge = |world: &mut World| {
            judge::judge_sending(world, content);
            judge::judge_name(world, &source.path);
            judge::judge_repeat(world, source);
        };
        let hash = self.put(key, content, judge).await?;
        self.world().stored.insert(source.path.clone(), source.stamp);
        Ok(hash)
    }

    async fn register(&self, key: &str, to: &Destination) -> Result<Uploaded, DriveError> {
        let request = self.request(format!("register {key} as {}", to.name), true);
        let registered = self.register_for(request, key, to, Maker::Engine).await;
        if registered == Err(DriveError::NotStaged) {
            // The service itself has lost the bytes.
            self.world().stored.clear();
        }
        registered
    }

    async fn replace(&self, key: &str, file: FileId, expected: Option<ContentHash>) -> Result<RemoteFile, DriveError> {
        let replaced = self.replace_under(self.request(format!("replace {file} by {key}"), true), key, file, expected);
        let replaced = replaced.await;
        let mut world = self.world();
        match &replaced {
            // The service itself has lost the bytes.
            Err(DriveError::NotStaged) => world.stored.clear(),
            Err(DriveError::RouteMissing) => world.has_versions = Some(false),
            Ok(_) => world.has_versions = Some(true),
            Err(_) => {}
        }
        replaced
    }

    async fn hash(&self, source: &Source) -> Result<ContentHash, DriveError> {
        self.call(read(source)).await.map(hash_of)
    }

    async fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
        let request = self.request(format!("look for {}", sent.filename), false);
        let found = self.look_for(request, sent, folder).await?;
        if let Some((file, _)) = &found {
            self.noted(ItemRef::File(*file));
        }
        Ok(found)
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        let request = self.request_about("get file".to_owned(), false, file);
        let left_at = request.left_at;
        let see = move |world: &mut World| Ok(world.service.files.get(&file).map(|seen| world.service.see(seen)));
        let seen = self.ask(request, see).await?;
        let mut world = self.world();
        let now_ms = world.now_ms;
        world.way.asked_about.insert(file, (left_at, now_ms));
        drop(world);
        self.noted(ItemRef::File(file));
        Ok(seen)
    }

    fn assume(&self, file: FileId, seen: &RemoteFile) {
        let mut world = self.world();
        world.way.files.insert(file, seen.clone());
        world.way.noted.insert(ItemRef::File(file));
    }

    async fn move_item(&self, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
        let request = match item {
            ItemRef::File(file) => self.request_about(format!("move {item}"), true, file),
            _ => self.request(format!("move {item}"), true),
        };
        self.ask(request, move |world| world.service.move_to(item, folder)).await?;
        self.world().way.note_place(item, |at, _| *at = folder);
        Ok(())
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        let words = format!("rename {item} to {name}");
        let request = match item {
            // It may come after another request of the same step, before which nobody was told to wait.
            ItemRef::File(_) if Pointer::read(name).is_some() => {
                let request = self.request(words, true);
                let mut world = self.world();
                world.way.announced = Some((request.left_at, world.now_ms));
                Request { left_at: 0, ..request }
            }
            ItemRef::File(file) => self.request_about(words, true, file),
            _ => self.request(words, true),
        };
        let new = name.to_owned();
        self.ask(request, move |world| world.service.rename(item, &new)).await?;
        self.world().way.note_place(item, |_, known| name.clone_into(known));
        Ok(())
    }
}

impl Drive for Sim {
    async fn list(&self, since: Option<u64>, freshness: Freshness, most: usize) -> Result<DriveSeen, DriveError> {
        let is_lagging = {
            let mut world = self.world();
            let lag = world.chaos.lag;
            freshness == Freshness::Known && world.way.is_listed && world.dice.percent(lag)
        };
        if is_lagging {
            return self
                .call(move |world| {
                    world.count("old pictures of the drive");
                    Ok(world.way.answer(since, most))
                })
                .await;
        }
        let request = self.request(format!("list, {freshness:?}"), false);
        self.ask(request, move |world| {
            list(world, freshness);
            Ok(world.way.answer(since, most))
        })
        .await
    }

    async fn find_files(&self, lookup: &Lookup) -> Result<BTreeMap<FileId, RemoteFile>, DriveError> {
        let lookup = lookup.clone();
        self.call(move |world| {
            let is_meant = |(id, file): &(&FileId, &RemoteFile)| {
                lookup.files.contains(id)
                    || lookup.sizes.contains(&file.size_bytes)
                    || file.folder.is_some_and(|folder| lookup.drive_folders.contains(&folder))
                    || file.hash.is_some_and(|hash| lookup.contents.contains(&hash))
            };
            Ok(world.way.files.iter().filter(is_meant).map(|(id, file)| (*id, file.clone())).collect())
        })
        .await
    }

    fn keeps_versions(&self) -> Option<bool> {
        self.world().has_versions
    }

    async fn ask_for_versions(&self, file: FileId) -> Result<(), DriveError> {
        let request = self.request_about("list versions".to_owned(), false, file);
        let has_versions = self.ask(request, move |world| Ok(!world.service.deviations.keeps_no_versions)).await?;
        self.world().has_versions = Some(has_versions);
        Ok(())
    }

    async fn create_folder(&self, at: &Place) -> Result<FolderId, DriveError> {
        let request = self.request(format!("create folder {}", at.name), true);
        let at = at.clone();
        let made = self.ask(request, move |world| world.service.create_folder(&at)).await?;
        self.noted(ItemRef::Folder(made));
        Ok(made)
    }

    async fn delete_file(&self, file: FileId, expected: Option<ContentHash>) -> Result<(), DriveError> {
        self.delete(ItemRef::File(file), false, expected).await
    }

    async fn delete_item(&self, item: ItemRef, is_recursive: bool) -> Result<(), DriveError> {
        self.delete(item, is_recursive, None).await
    }

    async fn write_text(&self, at: &Place, _text: &str) -> Result<FileId, DriveError> {
        // It may come after another request of the same step, before which nobody was told to wait.
        let request = Request { left_at: 0, ..self.request(format!("write {}", at.name), true) };
        // Without hashes nobody could tell which file a pointer stands for.
        let tells_no_hash = self.world().service.deviations.tells_no_hash;
        if self.world().has_refused_pointers || tells_no_hash {
            return Err(crate::service::name_not_allowed());
        }
        let at = at.clone();
        let made = self
            .ask(request, move |world| {
                world.count("pointers made");
                let now_ms = world.now_ms;
                world.service.write_text(&at, Maker::Engine, now_ms)
            })
            .await;
        if matches!(made, Err(DriveError::Refused(_))) {
            // A refusal of pointers is remembered with the connection.
            self.world().has_refused_pointers = true;
        }
        let made = made?;
        self.noted(ItemRef::File(made));
        Ok(made)
    }

    async fn fetch(&self, file: FileId, waits_as: FileId, _slot: &Path) -> Result<(Stamp, ContentHash), DriveError> {
        let request = self.request(format!("fetch {file}"), false);
        self.ask(request, move |world| {
            let content = world.service.files.get(&file).ok_or(DriveError::NotFound)?.content;
            let node = Node::File { content, modified_us: world.wall_us(), identity: world.disk.new_identity() };
            world.disk.fetched.insert(waits_as, node);
            world.count("files fetched");
            node.stamp().map(|stamp| (stamp, hash_of(content))).ok_or(DriveError::NotFound)
        })
        .await
    }
}

impl Sim {
    async fn delete(&self, item: ItemRef, is_recursive: bool, expected: Option<ContentHash>) -> Result<(), DriveError> {
        if self.world().disk.mount != Mount::There {
            self.world().violate("something is deleted in the drive while the watched folder is not there");
        }
        let request = self.request(format!("delete {item}"), true);
        let done = self
            .ask(request, move |world| {
                let place = world.service.place_of(item);
                world.service.expect(item, expected)?;
                let contents = world.service.delete(item, is_recursive)?;
                let place = place.filter(|_| matches!(item, ItemRef::File(_)));
                judge::judge_deletion(world, item, &contents, place.as_ref());
                Ok(())
            })
            .await;
        if matches!(done, Ok(()) | Err(DriveError::NotFound)) {
            self.noted(item);
        }
        done
    }

    /// The adapter notes the effect of its own request.
    fn noted(&self, item: ItemRef) {
        let mut world = self.world();
        let World { way, service, .. } = &mut *world;
        way.note(service, item);
    }
}
