//! The way to the service: answers are lost, requests limited, refused, or carried out late; lists are torn and old. It
//! keeps a picture of the drive as an adapter does, and the budget as the client does.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use easel_sync::ports::{DiskError, Drive, DriveError, DriveSeen, Freshness, RemoteSeen, Source, Uploaded};
use easel_sync::tree::{self, ContentHash, Place, RemoteFile, RemoteFolder, Stamp};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::disk::{Mount, Node};
use crate::judge;
use crate::service::{MAX_FILE_BYTES, MINUTE_MS, SIGNED_MS, Service, Staged};
use crate::world::{Content, Late, Sim, World, hash_of, size_of};

/// A request whose answer was lost is carried out within this, in milliseconds, or never.
const LATEST_MS: u64 = 1_800;

type Files = BTreeMap<FileId, RemoteFile>;
type Folders = BTreeMap<FolderId, RemoteFolder>;

/// What a program that runs knows about the way, and forgets when it crashes.
#[derive(Default)]
pub struct Way {
    /// The drive as the adapter has it.
    folders: Folders,
    files: Files,
    /// What was answered last, and the cursor that stands for it.
    answered: Option<(u64, Folders, Files)>,
    is_listed: bool,
    cursor: u64,
    /// When requests came to the service, as far as this program knows, and how many are on their way.
    asked_ms: VecDeque<u64>,
    on_their_way: usize,
    /// When the uploads began that are under these keys, or under these names again: their later requests cannot be called back.
    begun: BTreeMap<String, u64>,
    /// Keys whose signed address was not used yet: each is good for one PUT.
    signed: BTreeSet<String>,
    /// Whether the last list lacked something.
    was_torn: bool,
}

impl Way {
    /// What the adapter's own request did it knows.
    fn note(&mut self, service: &Service, item: ItemRef) {
        match item {
            ItemRef::File(id) => match service.files.get(&id) {
                Some(file) => {
                    self.files.insert(id, Service::see(file));
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

    /// What is known of an item's place, but for what the adapter's own request changed of it.
    fn note_place(&mut self, item: ItemRef, change: impl FnOnce(&mut Option<FolderId>, &mut String)) {
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
    fn answer(&mut self, since: Option<u64>) -> DriveSeen {
        self.cursor += 1;
        let before = self.answered.take().filter(|(cursor, ..)| Some(*cursor) == since);
        let remote = match before {
            Some((_, folders, files)) => RemoteSeen::Changes {
                folders: differences(&folders, &self.folders),
                files: differences(&files, &self.files),
            },
            None => RemoteSeen::Whole { folders: self.folders.clone(), files: self.files.clone() },
        };
        self.answered = Some((self.cursor, self.folders.clone(), self.files.clone()));
        DriveSeen { cursor: self.cursor, remote }
    }
}

/// What is other in `new`.
pub fn differences<K: Ord + Clone, V: Clone + PartialEq>(
    old: &BTreeMap<K, V>,
    new: &BTreeMap<K, V>,
) -> Vec<(K, Option<V>)> {
    let gone = old.keys().filter(|key| !new.contains_key(*key)).map(|key| (key.clone(), None));
    let other = new.iter().filter(|(key, value)| old.get(*key) != Some(*value));
    gone.chain(other.map(|(key, value)| (key.clone(), Some(value.clone())))).collect()
}

/// What a request is, and what it would change.
struct Request {
    name: String,
    is_change: bool,
    /// The call at which the engine asked for it.
    left_at: u64,
}

impl Sim {
    fn request(&self, name: String, is_change: bool) -> Request {
        Request { name, is_change, left_at: self.world().calls }
    }

    /// Waits for a place in the budget, as the client does.
    fn take_place(&self) {
        let mut world = self.world();
        let limit = world.service.requests_a_minute;
        loop {
            let now = world.now_ms;
            let way = &mut world.way;
            while way.asked_ms.front().is_some_and(|asked| asked + MINUTE_MS <= now) {
                way.asked_ms.pop_front();
            }
            if way.asked_ms.len() + way.on_their_way < limit {
                way.on_their_way += 1;
                return;
            }
            let Some(first) = way.asked_ms.front().copied() else { return };
            world.now_ms = first + MINUTE_MS;
            world.count("waits for the budget");
        }
    }

    /// A request: it may be limited, refused, lost on its way there, late, or lost on its way back.
    async fn ask<T: Send + 'static>(
        &self,
        request: Request,
        act: impl FnOnce(&mut World) -> Result<T, DriveError> + Send + 'static,
    ) -> Result<T, DriveError> {
        self.take_place();
        let answer = self.call(move |world| come(world, request, act)).await;
        if matches!(answer, Err(DriveError::RateLimited { .. })) {
            let mut world = self.world();
            if world.service.limit_told_at == 0 {
                world.service.limit_told_at = world.calls;
            }
        }
        answer
    }

    /// The bytes of a file while they are sent: it must be the same before the first and before the last, and none is sent
    /// of one that is too large.
    async fn read_source(&self, source: &Source, most_bytes: u64) -> Result<Content, DriveError> {
        let read = |world: &mut World| match world.disk.nodes.get(&source.path) {
            _ if world.disk.is_shut_in(&source.path) => Err(DriveError::Disk(DiskError::Denied)),
            Some(node @ Node::File { content, .. })
                if node.stamp() == Some(source.stamp) && world.disk.mount == Mount::There =>
            {
                Ok(*content)
            }
            _ => Err(DriveError::SourceChanged),
        };
        if size_of(self.call(read).await?) > most_bytes {
            return Err(DriveError::TooLarge);
        }
        self.call(read).await
    }
}

/// A request comes to the service, or does not.
fn come<T: 'static>(
    world: &mut World,
    request: Request,
    act: impl FnOnce(&mut World) -> Result<T, DriveError> + Send + 'static,
) -> Result<T, DriveError> {
    let Request { name, is_change, left_at } = request;
    let now = world.now_ms;
    world.way.on_their_way = world.way.on_their_way.saturating_sub(1);
    world.way.asked_ms.push_back(now);
    world.count("requests");
    if now < world.service.not_before_ms {
        // What had left before anyone was told to wait cannot be called back.
        if left_at > world.service.limit_told_at && world.service.limit_told_at > 0 {
            world.violate(format!("{name}: asked again before the time that the service named"));
        }
        return Err(DriveError::RateLimited { retry_after_ms: world.service.not_before_ms - now });
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
        let refusals = [DriveError::Offline, DriveError::KeyRefused, DriveError::Forbidden, DriveError::StorageFull];
        let refusal = world.dice.pick(&refusals).cloned().unwrap_or(DriveError::Refused);
        world.say(|| format!("request {name}: {refusal}"));
        world.is_calm = false;
        return Err(refusal);
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
                let done = act(world);
                world.effects += 1;
                world.say(|| format!("late request {name}: {}", if done.is_ok() { "done" } else { "refused" }));
            });
            world.late.push(Late { due_ms, effect });
        } else {
            world.count("requests lost");
            world.say(|| format!("request {name}: lost on the way there"));
        }
        return Err(DriveError::Lost);
    }
    let before =
        (is_change && !world.touches_here).then(|| (world.service.folders.clone(), world.service.files.clone()));
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
    if is_lost { Err(DriveError::Lost) } else { answer }
}

fn limit<T>(world: &mut World, name: &str, retry_after_ms: u64) -> Result<T, DriveError> {
    world.service.not_before_ms = world.now_ms + retry_after_ms;
    world.service.limit_told_at = 0;
    world.count("limits");
    world.say(|| format!("request {name}: limited"));
    Err(DriveError::RateLimited { retry_after_ms })
}

/// Brings the adapter's picture up to date.
fn list(world: &mut World, freshness: Freshness) {
    let mut folders = world.service.folders.clone();
    let mut files: Files = world.service.files.iter().map(|(id, file)| (*id, Service::see(file))).collect();
    // What moves between two pages while they are read stands in neither.
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

impl Drive for Sim {
    async fn list(&self, since: Option<u64>, freshness: Freshness) -> Result<DriveSeen, DriveError> {
        let is_lagging = {
            let mut world = self.world();
            let lag = world.chaos.lag;
            freshness == Freshness::Known && world.way.is_listed && world.dice.percent(lag)
        };
        if is_lagging {
            return self
                .call(move |world| {
                    world.count("old pictures of the drive");
                    Ok(world.way.answer(since))
                })
                .await;
        }
        let request = self.request(format!("list, {freshness:?}"), false);
        self.ask(request, move |world| {
            list(world, freshness);
            Ok(world.way.answer(since))
        })
        .await
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        let request = self.request("get file".to_owned(), false);
        let seen = self.ask(request, move |world| Ok(world.service.files.get(&file).map(Service::see))).await?;
        self.noted(ItemRef::File(file));
        Ok(seen)
    }

    async fn create_folder(&self, at: &Place) -> Result<FolderId, DriveError> {
        let request = self.request(format!("create folder {}", at.name), true);
        let at = at.clone();
        let made = self.ask(request, move |world| world.service.create_folder(&at)).await?;
        self.noted(ItemRef::Folder(made));
        Ok(made)
    }

    async fn move_item(&self, item: ItemRef, folder: FolderId) -> Result<(), DriveError> {
        let request = self.request(format!("move {item}"), true);
        self.ask(request, move |world| world.service.move_to(item, folder)).await?;
        self.world().way.note_place(item, |at, _| *at = Some(folder));
        Ok(())
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        let request = self.request(format!("rename {item} to {name}"), true);
        let new = name.to_owned();
        self.ask(request, move |world| world.service.rename(item, &new)).await?;
        self.world().way.note_place(item, |_, known| name.clone_into(known));
        Ok(())
    }

    async fn delete_item(&self, item: ItemRef, is_recursive: bool) -> Result<(), DriveError> {
        if self.world().disk.mount != Mount::There {
            self.world().violate("something is deleted in the drive while the watched folder is not there");
        }
        let request = self.request(format!("delete {item}"), true);
        let done = self
            .ask(request, move |world| {
                let place = world.service.place_of(item);
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

    async fn send_direct(&self, source: &Source, to: &Place) -> Result<Uploaded, DriveError> {
        let mut request = self.request(String::new(), true);
        let content = self.read_source(source, MAX_FILE_BYTES).await?;
        request.name = format!("send {} (content {content})", source.path);
        let (path, to) = (source.path.clone(), to.clone());
        let uploaded = self
            .ask(request, move |world| {
                judge::judge_sending(world, content);
                judge::judge_name(world, &path);
                world.count("files sent");
                world.service.upload(content, &to)
            })
            .await?;
        self.noted(ItemRef::File(uploaded.file));
        Ok(uploaded)
    }

    async fn sign_upload(&self, name: &str) -> Result<String, DriveError> {
        let mut request = self.request(format!("sign {name}"), false);
        if let Some(begun) = self.world().way.begun.remove(name) {
            request.left_at = begun;
        }
        let left_at = request.left_at;
        self.ask(request, move |world| {
            let key = format!("pending/{}", world.service.new_uuid());
            let good_until_ms = world.now_ms + SIGNED_MS;
            world.service.staged.insert(key.clone(), Staged { content: None, good_until_ms });
            world.way.begun.insert(key.clone(), left_at);
            world.way.signed.insert(key.clone());
            Ok(key)
        })
        .await
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        if !self.world().way.signed.remove(key) {
            return Err(DriveError::Expired);
        }
        let content = self.read_source(source, u64::MAX).await?;
        self.call(|world| {
            let lost = world.chaos.lost;
            let is_lost = world.dice.percent(lost);
            if is_lost && world.dice.percent(30) {
                // Cut half-way: nothing is stored.
                world.is_calm = false;
                world.count("uploads cut");
                return Err(DriveError::Lost);
            }
            if lost > 0 && world.dice.percent(10) {
                world.now_ms += SIGNED_MS + 1;
            }
            judge::judge_sending(world, content);
            judge::judge_name(world, &source.path);
            let now = world.now_ms;
            match world.service.staged.get_mut(key) {
                Some(staged) if staged.good_until_ms >= now => staged.content = Some(content),
                _ => {
                    world.count("addresses that expired");
                    if let Some(begun) = world.way.begun.remove(key) {
                        world.way.begun.insert(tree::name(&source.path).to_owned(), begun);
                    }
                    return Err(DriveError::Expired);
                }
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
        let mut request = self.request(format!("register {key} as {}", to.name), true);
        if let Some(begun) = self.world().way.begun.remove(key) {
            request.left_at = begun;
        }
        let (key, to) = (key.to_owned(), to.clone());
        let mut uploaded = self
            .ask(request, move |world| {
                if let Some(done) = world.service.consumed.get(&key) {
                    return Ok(done.clone());
                }
                let staged = world.service.staged.get(&key);
                let content = staged.and_then(|staged| staged.content).ok_or(DriveError::NotFound)?;
                let uploaded = world.service.upload(content, &to)?;
                world.count("files sent");
                world.service.staged.remove(&key);
                world.service.consumed.insert(key, uploaded.clone());
                Ok(uploaded)
            })
            .await?;
        // The service does not tell of the content; who asks for a list hears of it.
        let way = &mut self.world().way;
        uploaded.seen.hash = way.files.get(&uploaded.file).and_then(|known| known.hash);
        way.files.insert(uploaded.file, uploaded.seen.clone());
        Ok(uploaded)
    }

    async fn fetch(&self, file: FileId, _slot: &Path) -> Result<(Stamp, ContentHash), DriveError> {
        let request = self.request(format!("fetch {file}"), false);
        self.ask(request, move |world| {
            let content = world.service.files.get(&file).ok_or(DriveError::NotFound)?.content;
            let node = Node::File { content, modified_us: world.wall_us(), identity: world.disk.new_identity() };
            world.disk.fetched.insert(file, node);
            world.count("files fetched");
            node.stamp().map(|stamp| (stamp, hash_of(content))).ok_or(DriveError::Refused)
        })
        .await
    }
}

impl Sim {
    /// What the adapter's own request did it knows.
    fn noted(&self, item: ItemRef) {
        let mut world = self.world();
        let World { way, service, .. } = &mut *world;
        way.note(service, item);
    }
}
