//! Compares the model of the service with a real studio: the same random calls, and the same answers.
//!
//! Both are asked as the engine asks: the model by the simulated way to it, the studio by the adapter, the client and
//! the network. The studio's answers are translated into the model's ids and contents. Now and then someone else
//! changes the drive without either adapter being told. Not here: faults on the way, of which a studio knows nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use easel_client::{Client, Connection};
use easel_sync::Journal;
use easel_sync::disk::{DiskSettings, LocalDisk};
use easel_sync::ports::{Destination, Disk, Drive, DriveError, DriveSeen, Freshness, RemoteSeen, Source, Uploaded};
use easel_sync::tree::{ContentHash, LocalItem, Place, RemoteFile, RemoteFolder};
use easel_sync::{Cause, Failure};
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};
use easel_wire::{FileId, FolderId, ItemRef};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::disk::Node;
use crate::run::new_world;
use crate::service::{Deviations, Maker, Service};
use crate::world::{Content, Dice, Sim, hash_of, size_of};

/// Sequences of calls in an everyday run.
const FEW: u64 = 50;
/// Calls in one.
const CALLS: u64 = 40;

/// A call, in the model's ids. Sources and keys are counted, because they have other names on the two sides.
#[derive(Debug, Clone)]
enum Call {
    CreateFolder(Place),
    Move(ItemRef, FolderId),
    Rename(ItemRef, String),
    Delete(ItemRef, bool),
    Send(usize, Place),
    Sign(String),
    Put(usize, usize),
    Register(usize, Place),
    Replace(usize, FileId, Option<ContentHash>),
    Get(FileId),
    Fetch(FileId),
    List(Freshness),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    Done,
    Folder(FolderId),
    Key(String),
    Hash(ContentHash),
    File(Option<RemoteFile>),
    Uploaded(Uploaded),
    Fetched(u64, ContentHash),
    Listed,
}

type Answered = Result<Answer, DriveError>;

/// The drive as lists have shown it, kept up to date from list to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Picture {
    folders: BTreeMap<FolderId, RemoteFolder>,
    files: BTreeMap<FileId, RemoteFile>,
}

impl Picture {
    /// Whether it shows the drive as fully as a list of this freshness has to.
    fn is_as_true_as(&self, freshness: Freshness, truth: &Self) -> bool {
        match freshness {
            Freshness::Known => self.clone().learning_of(truth).has(truth),
            Freshness::Recent => self.has(truth),
            Freshness::Whole => self == truth,
        }
    }

    fn take(&mut self, seen: RemoteSeen) {
        match seen {
            RemoteSeen::Whole { folders, files } => (self.folders, self.files) = (folders, files),
            RemoteSeen::Folders { .. } => unreachable!("an answer may have any number of files"),
            RemoteSeen::Changes { folders, files } => {
                change(&mut self.folders, folders);
                change(&mut self.files, files);
            }
        }
    }

    /// With contents that nobody told: a registered file is known by its place until a list is read.
    fn learning_of(mut self, truth: &Self) -> Self {
        for (id, file) in &mut self.files {
            file.hash = file.hash.or_else(|| truth.files.get(id)?.hash);
        }
        self
    }

    /// Whether it has all of `truth`; items that are gone may be in it too.
    fn has(&self, truth: &Self) -> bool {
        truth.folders.iter().all(|(id, folder)| self.folders.get(id) == Some(folder))
            && truth.files.iter().all(|(id, file)| self.files.get(id) == Some(file))
    }
}

fn change<K: Ord, V>(map: &mut BTreeMap<K, V>, changes: Vec<(K, Option<V>)>) {
    for (key, value) in changes {
        match value {
            Some(value) => drop(map.insert(key, value)),
            None => drop(map.remove(&key)),
        }
    }
}

/// One side: what is asked, and its own names for what both sides have.
struct Side<D> {
    drive: D,
    sources: Vec<Source>,
    keys: Vec<String>,
    cursor: Option<u64>,
    picture: Picture,
}

impl<D: Drive> Side<D> {
    const fn new(drive: D) -> Self {
        let picture = Picture { folders: BTreeMap::new(), files: BTreeMap::new() };
        Self { drive, sources: Vec::new(), keys: Vec::new(), cursor: None, picture }
    }

    async fn ask(&mut self, call: &Call, slot: &Path) -> Answered {
        let drive = &self.drive;
        let done = |()| Answer::Done;
        match call {
            Call::CreateFolder(at) => drive.create_folder(at).await.map(Answer::Folder),
            Call::Move(item, folder) => drive.move_item(*item, Some(*folder)).await.map(done),
            Call::Rename(item, name) => drive.rename_item(*item, name).await.map(done),
            Call::Delete(item, is_recursive) => drive.delete_item(*item, *is_recursive).await.map(done),
            Call::Send(source, to) => {
                drive.send_direct(&self.sources[*source], &wanted(to)).await.map(Answer::Uploaded)
            }
            Call::Sign(name) => {
                let key = drive.sign_upload(&Destination { folder: None, name: name.clone() }).await?;
                self.keys.push(key.clone());
                Ok(Answer::Key(key))
            }
            Call::Put(key, source) => {
                drive.put_signed(&self.keys[*key], &self.sources[*source]).await.map(Answer::Hash)
            }
            Call::Register(key, to) => drive.register(&self.keys[*key], &wanted(to)).await.map(Answer::Uploaded),
            Call::Replace(key, file, expected) => {
                drive.replace(&self.keys[*key], *file, *expected).await.map(|seen| Answer::File(Some(seen)))
            }
            Call::Get(file) => drive.get_file(*file).await.map(Answer::File),
            Call::Fetch(file) => {
                let (stamp, hash) = drive.fetch(*file, *file, slot).await?;
                Ok(Answer::Fetched(stamp.size_bytes, hash))
            }
            Call::List(freshness) => {
                let DriveSeen { cursor, remote, .. } = drive.list(self.cursor, *freshness, usize::MAX).await?;
                self.cursor = Some(cursor);
                self.picture.take(remote);
                Ok(Answer::Listed)
            }
        }
    }
}

/// The studio's names for what the model names otherwise.
#[derive(Default)]
struct Names {
    folders: BTreeMap<FolderId, FolderId>,
    files: BTreeMap<FileId, FileId>,
    contents: BTreeMap<ContentHash, ContentHash>,
    /// The folders at the top, by the model's ids, which may have any name in the studio.
    tops: BTreeMap<FolderId, RemoteFolder>,
}

fn back<T: Ord + Copy + std::fmt::Display>(map: &BTreeMap<T, T>, id: T) -> T {
    let known = map.iter().find(|(_, there)| **there == id);
    known.map(|(model, _)| *model).unwrap_or_else(|| panic!("the studio tells of {id}, which nobody made"))
}

impl Names {
    fn place(&self, place: &Place) -> Place {
        Place { folder: self.folders[&place.folder], name: place.name.clone() }
    }

    fn item(&self, item: ItemRef) -> ItemRef {
        match item {
            ItemRef::Folder(id) => ItemRef::Folder(self.folders[&id]),
            ItemRef::File(id) => ItemRef::File(self.files[&id]),
            ItemRef::Canvas(id) => ItemRef::Canvas(id),
        }
    }

    /// The call in the studio's ids.
    fn call(&self, call: &Call) -> Call {
        match call {
            Call::CreateFolder(at) => Call::CreateFolder(self.place(at)),
            Call::Move(item, folder) => Call::Move(self.item(*item), self.folders[folder]),
            Call::Rename(item, name) => Call::Rename(self.item(*item), name.clone()),
            Call::Delete(item, is_recursive) => Call::Delete(self.item(*item), *is_recursive),
            Call::Send(source, to) => Call::Send(*source, self.place(to)),
            Call::Register(key, to) => Call::Register(*key, self.place(to)),
            Call::Replace(key, file, expected) => {
                let there = |model: &ContentHash| self.contents.iter().find(|(_, known)| *known == model);
                let expected = expected.as_ref().and_then(there).map(|(there, _)| *there);
                Call::Replace(*key, self.files[file], expected)
            }
            Call::Get(file) => Call::Get(self.files[file]),
            Call::Fetch(file) => Call::Fetch(self.files[file]),
            Call::Sign(_) | Call::Put(..) | Call::List(_) => call.clone(),
        }
    }

    fn file(&self, seen: &RemoteFile) -> RemoteFile {
        RemoteFile {
            folder: seen.folder.map(|folder| back(&self.folders, folder)),
            hash: seen.hash.map(|hash| self.contents[&hash]),
            ..seen.clone()
        }
    }

    fn folder(&self, id: FolderId, seen: &RemoteFolder) -> RemoteFolder {
        let parent = seen.parent.map(|parent| back(&self.folders, parent));
        self.tops.get(&id).cloned().unwrap_or_else(|| RemoteFolder { parent, name: seen.name.clone() })
    }

    /// The studio's answer in the model's ids. Items that are new in both become known.
    fn answer(&mut self, there: &Answered, model: &Answered) -> Answered {
        Ok(match (there.clone()?, model) {
            (Answer::Folder(there), Ok(Answer::Folder(model))) => {
                self.folders.insert(*model, there);
                Answer::Folder(*model)
            }
            (Answer::Key(_), Ok(Answer::Key(model))) => Answer::Key(model.clone()),
            (Answer::Uploaded(there), model) => {
                if let Ok(Answer::Uploaded(model)) = model {
                    self.files.entry(model.file).or_insert(there.file);
                }
                let file = back(&self.files, there.file);
                let folder = there.folder.map(|folder| folder.map(|folder| back(&self.folders, folder)));
                let hash = there.hash.map(|hash| self.contents[&hash]);
                Answer::Uploaded(Uploaded { file, folder, hash, ..there })
            }
            (Answer::Hash(hash), _) => Answer::Hash(self.contents[&hash]),
            (Answer::File(seen), _) => Answer::File(seen.as_ref().map(|seen| self.file(seen))),
            (Answer::Fetched(size_bytes, hash), _) => Answer::Fetched(size_bytes, self.contents[&hash]),
            (other, _) => other,
        })
    }

    fn picture(&self, there: &Picture) -> Picture {
        let folders = there.folders.iter().map(|(id, seen)| {
            let id = back(&self.folders, *id);
            (id, self.folder(id, seen))
        });
        let files = there.files.iter().map(|(id, seen)| (back(&self.files, *id), self.file(seen)));
        Picture { folders: folders.collect(), files: files.collect() }
    }
}

fn wanted(place: &Place) -> Destination {
    Destination { folder: Some(place.folder), name: place.name.clone() }
}

/// An error for a file that is too large, without its size: register tells only the limit, while the model knows the
/// size.
fn without_size(answer: Answered) -> Answered {
    match answer {
        Err(DriveError::Refused(Failure { cause: Cause::TooLarge { .. } | Cause::SizeNotTaken { .. }, .. })) => {
            Err(DriveError::Refused(Cause::SizeNotTaken { message: String::new() }.into()))
        }
        other => other,
    }
}

/// A refusal without the words that only a service has for it.
fn plain(answered: Answered) -> Answered {
    answered.map_err(|error| match error {
        DriveError::Refused(Failure { cause: Cause::NameNotAllowed { .. }, .. }) => {
            DriveError::Refused(Cause::NameNotAllowed { message: String::new() }.into())
        }
        DriveError::Refused(Failure { cause, .. }) => DriveError::Refused(cause.into()),
        error => error,
    })
}

/// The kind of a failure.
fn kind_of(error: &DriveError) -> String {
    match error {
        DriveError::Refused(failure) => format!("{:?}", failure.cause),
        error => format!("{error:?}"),
    }
}

/// An act of someone else in the model.
fn ask_service(service: &mut Service, call: &Call, content: Option<Content>) -> Answered {
    match call {
        Call::CreateFolder(at) => service.create_folder(at).map(Answer::Folder),
        Call::Move(item, folder) => service.move_to(*item, Some(*folder)).map(|()| Answer::Done),
        Call::Rename(item, name) => service.rename(*item, name).map(|()| Answer::Done),
        Call::Delete(item, is_recursive) => service.delete(*item, *is_recursive).map(|_| Answer::Done),
        Call::Send(_, to) => {
            let content = content.ok_or(DriveError::SourceChanged)?;
            let uploaded = service.upload(content, &wanted(to), Maker::Person, 0)?;
            Ok(Answer::Uploaded(Uploaded { hash: Some(hash_of(content)), ..uploaded }))
        }
        other => panic!("nobody else does this: {other:?}"),
    }
}

/// A studio, and a place for files.
struct Stage {
    client: Client,
    journal: Journal,
    /// The journal of someone else, who does not tell of their changes.
    other_journal: Journal,
    place: tempfile::TempDir,
    _studio: Studio,
}

impl Stage {
    async fn prepare() -> Self {
        // The model's ceiling.
        let studio = Studio::start(Options::new().with("--max-file-bytes", "5000"));
        let key = studio.create_key("likeness");
        let connection = Connection::new(&studio.base_url, key.key.into()).expect("a connection");
        let client = Client::new(connection).expect("a client");
        // Tells the client that there is no rate to keep to.
        client.whoami().await.expect("an answer");
        let place = tempfile::TempDir::with_prefix("easel-likeness-").expect("a folder");
        let journal = Journal::open(&place.path().join("journal")).await.expect("a journal");
        let other_journal = Journal::open(&place.path().join("other")).await.expect("a journal");
        Self { client, journal, other_journal, place, _studio: studio }
    }

    async fn make_top(&self, name: &str) -> FolderId {
        let key = Uuid::new_v4().to_string();
        self.client.create_folder(name, None, &key).await.expect("a folder").id
    }

    /// Runs one sequence, and adds the kinds of its answers.
    async fn run(&self, seed: u64, kinds: &mut BTreeSet<String>) {
        let root = self.place.path().join(format!("files {seed}"));
        std::fs::create_dir(&root).expect("a folder");
        let disk = LocalDisk::open(&root, DiskSettings::default()).expect("a disk");
        let connection = format!("likeness {seed}");
        let drive_of =
            |journal: &Journal| easel_sync::drive_of(&self.client, journal.clone(), &connection, disk.clone());
        let mut real = Side::new(drive_of(&self.journal));
        let mut other = Side::new(drive_of(&self.other_journal));
        let sim = Sim::new(new_world(seed, None, false));
        // The studio decides as the contract does.
        sim.world().service.deviations = Deviations::default();
        let mut model = Side::new(sim.clone());
        let mut names = Names::default();
        {
            let mut world = sim.world();
            world.service.requests_a_minute = usize::MAX;
            world.last_call = u64::MAX;
            names.tops.clone_from(&world.service.folders);
        }
        for (id, top) in names.tops.clone() {
            names.folders.insert(id, self.make_top(&format!("{} {seed}", top.name)).await);
        }
        let mut dice = Dice::new(seed ^ 0x11E);
        let mut is_told = true;
        let mut told = Vec::new();
        for _ in 0..CALLS {
            if dice.percent(30) || model.sources.is_empty() {
                write(&sim, &disk, seed, &mut dice, &mut model, &mut real, &mut names).await;
            }
            let Some(call) = pick(&sim, &model, &mut dice, is_told) else { continue };
            let is_other = is_others(&call, &sim, &model) && dice.percent(15);
            let (here, there) = if is_other {
                is_told = false;
                let content = match &call {
                    Call::Send(source, _) => content_of(&sim, &model.sources[*source]),
                    _ => None,
                };
                other.sources.clone_from(&real.sources);
                let here = ask_service(&mut sim.world().service, &call, content);
                (here, other.ask(&names.call(&call), Path::new("")).await)
            } else {
                let call_there = names.call(&call);
                let slot = match &call_there {
                    Call::Fetch(file) => disk.slot(*file),
                    _ => root.clone(),
                };
                let here = model.ask(&call, Path::new("")).await;
                let there = real.ask(&call_there, &slot).await;
                if let Call::Fetch(file) = call_there {
                    disk.discard_fetched(&[file]).await.expect("thrown away");
                }
                (here, there)
            };
            let (here, there) = (without_size(plain(here)), without_size(plain(there)));
            let there = names.answer(&there, &here);
            let (here, there) =
                if matches!(call, Call::Register(..)) { without_hearsay(here, there) } else { (here, there) };
            let who = if is_other { "someone else: " } else { "" };
            told.push(format!("{who}{call:?}: {here:?}"));
            let story = || format!("replay with EASEL_SEED={seed}\n{}", told.join("\n"));
            assert_eq!(here, there, "the model and the studio: {}", story());
            kinds.insert(match &here {
                Ok(answer) => format!("{call:?} {answer:?}").chars().take_while(|c| c.is_alphabetic()).collect(),
                Err(error) => kind_of(error).chars().take_while(|c| c.is_alphabetic()).collect(),
            });
            // A file that is registered once more is told as it was at first, whatever became of it.
            is_told &= !matches!(call, Call::Register(..));
            if let Call::List(freshness) = call {
                let truth = truth(&sim.world().service);
                for (side, picture) in [("model", &model.picture), ("studio", &names.picture(&real.picture))] {
                    let is_true = picture.is_as_true_as(freshness, &truth);
                    assert!(is_true, "the {side} shows {picture:#?}, and there is {truth:#?}: {}", story());
                }
                is_told |= freshness == Freshness::Whole;
            }
        }
        for id in names.tops.keys() {
            let top = ItemRef::Folder(names.folders[id]);
            self.client.delete_item(top, true).await.expect("the folder is deleted");
        }
    }
}

fn truth(service: &Service) -> Picture {
    let files = service.files.iter().map(|(id, file)| (*id, service.see(file)));
    Picture { folders: service.folders.clone(), files: files.collect() }
}

/// The content at a source's path on the model's disk, while its stamp is the same.
fn content_of(sim: &Sim, source: &Source) -> Option<Content> {
    match sim.world().disk.nodes.get(&source.path) {
        Some(node @ Node::File { content, .. }) if node.stamp() == Some(source.stamp) => Some(*content),
        _ => None,
    }
}

/// Bytes that no other content has, in this sequence or another; the empty content is empty in each.
fn bytes_of(seed: u64, content: Content) -> Vec<u8> {
    let size = usize::try_from(size_of(content)).unwrap_or(0);
    let mark = [&seed.to_be_bytes()[4..], &content.to_be_bytes()[2..]].concat();
    mark.into_iter().cycle().take(size).collect()
}

/// Writes a file on both disks, or over one.
async fn write<A, B>(
    sim: &Sim,
    disk: &LocalDisk,
    seed: u64,
    dice: &mut Dice,
    model: &mut Side<A>,
    real: &mut Side<B>,
    names: &mut Names,
) {
    let path = format!("file {}", dice.below(4));
    let content = dice.below(60);
    let bytes = bytes_of(seed, content);
    names.contents.insert(Sha256::digest(&bytes).into(), hash_of(content));
    let file = disk.path().join(&path);
    // A new file each time, so that an older source never has the same stamp.
    let _there = std::fs::remove_file(&file);
    std::fs::write(&file, bytes).expect("a file");
    let found = disk.look(&path).await.expect("a look");
    let Some(LocalItem::File(found)) = found else { panic!("no file: {found:?}") };
    real.sources.push(Source { path: path.clone(), stamp: found.stamp });
    let mut world = sim.world();
    let node = Node::File { content, modified_us: world.wall_us(), identity: world.disk.new_identity() };
    world.disk.nodes.insert(path.clone(), node);
    model.sources.push(Source { path, stamp: node.stamp().expect("a file") });
}

fn pick_name(dice: &mut Dice) -> String {
    const NAMES: [&str; 10] =
        ["a.txt", "b.txt", "c", "A.txt", "\u{e9}.txt", "e\u{301}.txt", ".d", "a (2).txt", "x. y", "stra\u{df}e"];
    match dice.below(20) {
        0 => format!("{}.txt", "n".repeat(251)),
        1 => "\u{e4}".repeat(255),
        2 => "STRASSE".to_owned(),
        _ => dice.pick(&NAMES).map_or_else(String::new, |name| (*name).to_owned()),
    }
}

/// A random call, about items that are there or were.
fn pick(sim: &Sim, model: &Side<Sim>, dice: &mut Dice, is_told: bool) -> Option<Call> {
    let world = sim.world();
    let tops: BTreeSet<FolderId> =
        world.service.folders.iter().filter(|(_, seen)| seen.parent.is_none()).map(|(id, _)| *id).collect();
    // Items that were made once and are gone by now are asked about too.
    let folders: Vec<FolderId> = world.service.folders.keys().chain(model.picture.folders.keys()).copied().collect();
    let below: Vec<FolderId> = folders.iter().filter(|id| !tops.contains(id)).copied().collect();
    let files: Vec<FileId> = world.service.files.keys().chain(model.picture.files.keys()).copied().collect();
    drop(world);
    let folder = dice.pick(&folders).copied()?;
    let file = dice.pick(&files).copied();
    let item = match (dice.pick(&below).copied(), file) {
        (Some(folder), _) if dice.percent(40) || file.is_none() => Some(ItemRef::Folder(folder)),
        (_, file) => file.map(ItemRef::File),
    };
    let to = Place { folder, name: pick_name(dice) };
    let count = |dice: &mut Dice, of: usize| usize::try_from(dice.below(of as u64)).unwrap_or(0);
    // Mostly the newest source, which is still unchanged.
    let source = model.sources.len().checked_sub(1)?;
    let source = if dice.percent(80) { source } else { count(dice, source + 1) };
    let key = (!model.keys.is_empty()).then(|| model.keys.len() - 1);
    let key = key.map(|last| if dice.percent(70) { last } else { count(dice, last + 1) });
    let expected = model.picture.files.values().find_map(|seen| seen.hash);
    Some(match dice.below(24) {
        0..=2 => Call::CreateFolder(to),
        3..=4 => Call::Move(item?, folder),
        5..=6 => {
            // A name that no engine asks for, but a newer one might.
            let name = if dice.percent(10) { "n".repeat(256) } else { to.name };
            Call::Rename(item?, name)
        }
        7 => Call::Delete(item?, dice.percent(30)),
        8..=12 => Call::Send(source, to),
        13 => Call::Sign(to.name),
        14..=15 => Call::Put(key?, source),
        16..=17 => Call::Register(key?, to),
        18 => Call::Get(file?),
        19 => Call::Fetch(file?),
        20..=21 => {
            let known = model.picture.files.get(&file?).and_then(|seen| seen.hash);
            Call::Replace(key?, file?, if dice.percent(80) { known } else { expected })
        }
        _ => Call::List(match dice.below(3) {
            0 if is_told => Freshness::Known,
            1 => Freshness::Recent,
            _ => Freshness::Whole,
        }),
    })
}

/// Whether someone else may make this call: one about the drive alone, or with a file that is unchanged.
fn is_others(call: &Call, sim: &Sim, model: &Side<Sim>) -> bool {
    match call {
        Call::Send(source, _) => content_of(sim, &model.sources[*source]).is_some(),
        Call::CreateFolder(_) | Call::Move(..) | Call::Rename(..) | Call::Delete(..) => true,
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_answers_as_a_studio_does() {
    const KINDS: [&str; 19] = [
        "Circular",
        "ContentChanged",
        "CreateFolder",
        "Delete",
        "Expired",
        "Fetch",
        "Get",
        "List",
        "Move",
        "NameNotAllowed",
        "NameTaken",
        "NotEmpty",
        "NotFound",
        "Put",
        "Register",
        "Rename",
        "Replace",
        "Send",
        "Sign",
    ];
    let stage = Stage::prepare().await;
    let count = soak::number("EASEL_SOAK_SEQUENCES").unwrap_or(FEW);
    // The same seeds every day; `EASEL_SEED` begins elsewhere.
    let first = soak::number("EASEL_SEED").unwrap_or(7_000);
    let mut kinds = BTreeSet::new();
    for seed in first..first + count {
        stage.run(seed, &mut kinds).await;
    }
    let missing: Vec<&str> = KINDS.into_iter().filter(|kind| !kinds.contains(*kind)).collect();
    assert!(missing.is_empty() || count < FEW, "never happened: {missing:?}; what did: {kinds:?}");
}

/// Removes contents that registration does not tell on the wire: each side adds what it remembers of the file, or has
/// forgotten.
fn without_hearsay(mut here: Answered, mut there: Answered) -> (Answered, Answered) {
    if let (Ok(Answer::Uploaded(one)), Ok(Answer::Uploaded(other))) = (&mut here, &mut there)
        && (one.hash.is_none() || other.hash.is_none())
    {
        (one.hash, other.hash) = (None, None);
    }
    (here, there)
}
