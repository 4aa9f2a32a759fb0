//! The simulated disk: names by case, identities, times, links, folders that cannot be read, a trash, and one fetched
//! file that waits in its slot.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use easel_sync::plan::Mode;
use easel_sync::ports::{Disk, DiskError, DiskSeen, LocalSeen};
use easel_sync::tree::{self, ChangedUs, ContentHash, Local, LocalFile, LocalItem, Skipped, Stamp};
use easel_wire::FileId;

use crate::world::{Content, Sim, World, hash_of, size_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    Folder(u64),
    File {
        content: Content,
        modified_us: i64,
        identity: u64,
    },
    /// A symbolic link, to wherever.
    Link(u64),
}

impl Node {
    pub const fn identity(&self) -> u64 {
        match self {
            Self::Folder(identity) | Self::File { identity, .. } | Self::Link(identity) => *identity,
        }
    }

    pub const fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Folder(_) | Self::Link(_) => None,
            Self::File { content, modified_us, identity } => {
                Some(Stamp { size_bytes: size_of(*content), modified_us: *modified_us, identity: *identity })
            }
        }
    }
}

/// The state of the watched folder's mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mount {
    There,
    Missing,
    /// The empty folder that the watched one is mounted on.
    Empty,
}

/// What a look shows at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Item(LocalItem),
    /// A folder that cannot be read.
    Closed(u64),
    Link,
}

type Sights = BTreeMap<String, Sight>;

pub struct VirtualDisk {
    pub nodes: BTreeMap<String, Node>,
    /// The identities of the folders that nobody may read or change.
    pub closed: BTreeSet<u64>,
    pub trash: Vec<Content>,
    pub fetched: BTreeMap<FileId, Node>,
    pub next_identity: u64,
    pub mount: Mount,
    /// The items at the last look, and the places of each content at the last three.
    at_last_look: Sights,
    places: [BTreeMap<Content, String>; 3],
    looks: Looks,
}

/// What the adapter of a running program knows: its looks, and the events since.
#[derive(Default)]
struct Looks {
    seen: Sights,
    is_whole: bool,
    /// The last answer, and its cursor.
    answered: Option<(u64, Sights)>,
    cursor: u64,
    /// Whether the last complete look missed an item.
    was_torn: bool,
    /// The old and the new paths of what the engine moved since the last answer.
    moved: BTreeSet<String>,
}

impl VirtualDisk {
    pub fn new() -> Self {
        Self {
            nodes: BTreeMap::new(),
            closed: BTreeSet::new(),
            trash: Vec::new(),
            fetched: BTreeMap::new(),
            next_identity: 1,
            mount: Mount::There,
            at_last_look: BTreeMap::new(),
            places: Default::default(),
            looks: Looks::default(),
        }
    }

    pub const fn new_identity(&mut self) -> u64 {
        self.next_identity += 1;
        self.next_identity
    }

    pub fn has_folder(&self, path: &str) -> bool {
        path.is_empty() || matches!(self.nodes.get(path), Some(Node::Folder(_)))
    }

    pub fn rename(&mut self, from: &str, to: &str) {
        let moved: Vec<String> =
            self.nodes.keys().filter(|path| *path == from || tree::is_below(path, from)).cloned().collect();
        let taken: Vec<_> = moved.into_iter().filter_map(|path| self.nodes.remove_entry(&path)).collect();
        for (path, node) in taken {
            self.nodes.insert(tree::rebased(&path, from, to), node);
        }
    }

    /// A program that starts again knows nothing.
    pub fn forget_looks(&mut self) {
        self.looks = Looks::default();
    }

    /// Notes everything that is about to be moved, at its old path and at its new one.
    fn note_moved(&mut self, from: &str, to: &str) {
        // An item that is gone already may not have been missed yet.
        let all = self.nodes.keys().chain(self.looks.seen.keys());
        let moved = all.filter(|path| *path == from || tree::is_below(path, from));
        self.looks.moved.extend(moved.flat_map(|path| [path.clone(), tree::rebased(path, from, to)]));
    }

    /// A running program reads everything from time to time, in case no event told of a change.
    pub const fn doubt_looks(&mut self) {
        self.looks.is_whole = false;
    }

    /// Whether a folder that cannot be read is at `path`.
    pub fn is_closed(&self, path: &str) -> bool {
        matches!(self.nodes.get(path), Some(Node::Folder(identity)) if self.closed.contains(identity))
    }

    /// Whether `path` lies in a folder that cannot be read.
    pub fn is_shut_in(&self, path: &str) -> bool {
        !self.closed.is_empty() && tree::above(path).any(|folder| self.is_closed(folder))
    }

    pub fn item(&self, path: &str) -> Option<LocalItem> {
        match self.nodes.get(path)? {
            Node::Folder(identity) => Some(LocalItem::Folder(*identity)),
            node @ Node::File { .. } => {
                let stamp = node.stamp()?;
                Some(LocalItem::File(LocalFile { stamp, changed_us: None, hash: None, is_settled: true, still_ms: 0 }))
            }
            Node::Link(_) => None,
        }
    }

    fn sight(&self, path: &str) -> Option<Sight> {
        if self.is_shut_in(path) {
            return None;
        }
        Some(match self.nodes.get(path)? {
            Node::Link(_) => Sight::Link,
            Node::Folder(identity) if self.is_closed(path) => Sight::Closed(*identity),
            Node::Folder(_) | Node::File { .. } => Sight::Item(self.item(path)?),
        })
    }

    /// Whether a content did not move between two of the last three looks, whatever they showed.
    pub fn lay_still(&self, content: Content) -> bool {
        let [first, second, third] = self.places.each_ref().map(|places| places.get(&content));
        second.is_some() && (first == second || second == third)
    }

    /// The adapter sees the engine's own changes.
    fn see(&mut self, path: &str) {
        let below: Vec<String> = self.nodes.keys().filter(|other| tree::is_below(other, path)).cloned().collect();
        self.looks.seen.retain(|other, _| other != path && !tree::is_below(other, path));
        for path in below.into_iter().chain([path.to_owned()]) {
            if let Some(sight) = self.sight(&path) {
                self.looks.seen.insert(path, sight);
            }
        }
    }
}

/// Looks at everything, or hears of changes; a few items go unseen.
fn look_around(world: &mut World, since: Option<u64>) -> DiskSeen {
    let actual: Sights = world
        .disk
        .nodes
        .keys()
        .filter(|path| !world.is_ignored(path))
        .filter_map(|path| Some((path.clone(), world.disk.sight(path)?)))
        .collect();
    if actual.values().any(|sight| matches!(sight, Sight::Closed(_))) {
        world.count("looks at folders that cannot be read");
    }
    if actual.values().any(|sight| *sight == Sight::Link) {
        world.count("looks at links");
    }
    let places = world.disk.nodes.iter().filter_map(|(path, node)| match node {
        Node::File { content, .. } => Some((*content, path.clone())),
        Node::Folder(_) | Node::Link(_) => None,
    });
    let places = places.collect();
    world.disk.places.rotate_left(1);
    world.disk.places[2] = places;
    let moved = crate::way::differences(&world.disk.at_last_look, &actual);
    world.disk.at_last_look = actual.clone();
    let known = since.filter(|_| world.disk.looks.is_whole);
    if known.is_none() {
        world.count("whole looks at the disk");
        let was_torn = std::mem::take(&mut world.disk.looks.was_torn);
        world.disk.looks.seen = actual;
        world.disk.looks.is_whole = true;
        if world.chaos.edits_here > 0 && !was_torn && world.dice.percent(40) {
            // A file that moves while the folders are read can be in none of them.
            let files = moved.into_iter().filter(|(_, item)| matches!(item, Some(Sight::Item(LocalItem::File(_)))));
            let files: Vec<String> = files.map(|(path, _)| path).collect();
            if let Some(path) = world.dice.pick(&files).cloned() {
                world.disk.looks.seen.remove(&path);
                world.disk.looks.was_torn = true;
                world.count("torn looks at the disk");
                world.say(|| format!("{path} was in no folder"));
            }
        }
    } else {
        hear(world, &actual);
    }
    remember(world);
    let looks = &mut world.disk.looks;
    looks.cursor += 1;
    let before = looks.answered.take().filter(|(cursor, _)| Some(*cursor) == since);
    let Local { items, unreadable, skipped, .. } = to_local(&looks.seen);
    let moved = std::mem::take(&mut looks.moved);
    let local = match before {
        Some((_, before)) => {
            let mut changes = crate::way::differences(&to_local(&before).items, &items);
            changes.extend(moved.into_iter().map(|path| (path.clone(), items.get(&path).copied())));
            LocalSeen::Changes { items: changes, unreadable, skipped }
        }
        None => LocalSeen::Whole(Local { items, unreadable, skipped, ..Local::default() }),
    };
    looks.answered = Some((looks.cursor, looks.seen.clone()));
    DiskSeen { cursor: looks.cursor, local }
}

/// Events tell of changes since the last look, or fail to. A folder that was closed or opened is read again as a whole,
/// or not at all.
fn hear(world: &mut World, actual: &Sights) {
    let changes = crate::way::differences(&world.disk.looks.seen, actual);
    let is_closed = |sight: Option<&Sight>| matches!(sight, Some(Sight::Closed(_)));
    let seen = &world.disk.looks.seen;
    let turned: Vec<String> = changes
        .iter()
        .filter(|(path, sight)| is_closed(sight.as_ref()) != is_closed(seen.get(path)))
        .map(|(path, _)| path.clone())
        .collect();
    let is_part = |path: &str| turned.iter().any(|folder| path == folder || tree::is_below(path, folder));
    let is_dropped = |world: &mut World, path: &str| {
        let dropped = world.chaos.dropped;
        let is_dropped = world.dice.percent(dropped);
        if is_dropped {
            world.count("events dropped");
            world.say(|| format!("nothing tells of {path}"));
        }
        is_dropped
    };
    let unheard = turned.first().is_some_and(|first| is_dropped(world, first));
    for (path, sight) in changes {
        if if is_part(&path) { unheard } else { is_dropped(world, &path) } {
            continue;
        }
        let above = tree::parent(&path);
        if sight.is_some() && !above.is_empty() && !world.disk.looks.seen.contains_key(above) {
            // Folders are read from the top: nothing is known of what is in an unheard one.
            continue;
        }
        let seen = &mut world.disk.looks.seen;
        match sight {
            Some(sight) => drop(seen.insert(path, sight)),
            // What was in a folder goes with it, whether anything tells of it or not.
            None => seen.retain(|other, _| *other != path && !tree::is_below(other, &path)),
        }
    }
}

fn to_local(seen: &Sights) -> Local {
    let mut local = Local::default();
    for (path, sight) in seen {
        match sight {
            Sight::Item(item) => drop(local.items.insert(path.clone(), *item)),
            Sight::Closed(identity) => {
                local.items.insert(path.clone(), LocalItem::Folder(*identity));
                local.unreadable.insert(path.clone());
            }
            Sight::Link => drop(local.skipped.insert(path.clone(), Skipped::SymbolicLink)),
        }
    }
    local
}

/// Notes where the engine has now seen each content.
fn remember(world: &mut World) {
    let mut seen: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (path, node) in &world.disk.nodes {
        let is_seen = world.disk.looks.seen.get(path).copied() == world.disk.sight(path);
        if let (Node::File { content, .. }, true) = (node, is_seen) {
            seen.entry(*content).or_default().push(path.clone());
        }
    }
    world.last_seen.extend(seen);
}

/// Notes a change of the disk by the engine, and decides whether it fails.
fn touch(world: &mut World, what: &str, path: &str) -> Result<(), DiskError> {
    world.say(|| format!("disk {what} {path}"));
    if path.split(" -> ").any(|path| world.disk.is_shut_in(path)) {
        world.count("refusals of folders that cannot be read");
        return Err(DiskError::Denied);
    }
    world.effects += 1;
    let fails = world.chaos.disk_fails;
    if world.dice.percent(fails) {
        world.count("failures of the disk");
        world.is_calm = false;
        let failures = [DiskError::Full, DiskError::Denied, DiskError::Refused];
        return Err(world.dice.pick(&failures).copied().unwrap_or(DiskError::Refused));
    }
    if world.settings.mode == Mode::UploadOnly {
        world.violate(format!("{what} {path}: the disk is touched while only uploads are wanted"));
    }
    if !world.touches_there {
        world.violate(format!("{what} {path}: the disk is touched although nobody touched the drive"));
    }
    if world.disk.mount == Mount::There { Ok(()) } else { Err(DiskError::RootMissing) }
}

impl Disk for Sim {
    fn doubt(&self) {
        self.world().disk.looks.is_whole = false;
    }

    async fn list_files(&self, folder: &str) -> Result<BTreeMap<String, LocalFile>, DiskError> {
        self.call(|world| {
            let seen = to_local(&world.disk.looks.seen).items.into_iter();
            let files = seen.filter(|(path, _)| tree::parent(path) == folder).filter_map(|(path, item)| match item {
                LocalItem::File(file) => Some((path, file)),
                LocalItem::Folder(_) => None,
            });
            Ok(files.collect())
        })
        .await
    }

    async fn look_around(&self, since: Option<u64>, most: usize) -> Result<DiskSeen, DiskError> {
        let seen = self.call(|world| match world.disk.mount {
            Mount::Missing => Err(DiskError::RootMissing),
            Mount::Empty => {
                world.disk.forget_looks();
                let nothing = Local::default();
                let local = match since {
                    // The last look saw the same.
                    Some(0) => LocalSeen::Changes {
                        items: Vec::new(),
                        unreadable: nothing.unreadable,
                        skipped: nothing.skipped,
                    },
                    _ => LocalSeen::Whole(nothing),
                };
                Ok(DiskSeen { cursor: 0, local })
            }
            Mount::There => Ok(look_around(world, since)),
        });
        let DiskSeen { cursor, local } = seen.await?;
        let local = match local {
            LocalSeen::Whole(mut local) if local.items.len() > most => {
                local.items.retain(|_, item| matches!(item, LocalItem::Folder(_)));
                LocalSeen::Folders(local)
            }
            local => local,
        };
        Ok(DiskSeen { cursor, local })
    }

    fn is_ignored(&self, path: &str, _is_folder: bool) -> bool {
        self.world().is_ignored(path)
    }

    async fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        self.call(|world| {
            let found = match world.disk.mount {
                Mount::There if world.disk.is_shut_in(path) => Err(DiskError::Denied),
                Mount::There => Ok(world.disk.item(path)),
                Mount::Missing => Err(DiskError::RootMissing),
                Mount::Empty => Ok(None),
            };
            world.say(|| format!("disk look {path}: {found:?}"));
            found
        })
        .await
    }

    async fn hash(&self, path: &str, stamp: &Stamp) -> Result<ContentHash, DiskError> {
        self.call(|world| match world.disk.nodes.get(path) {
            _ if world.disk.is_shut_in(path) => Err(DiskError::Denied),
            Some(node @ Node::File { content, .. }) if node.stamp() == Some(*stamp) => Ok(hash_of(*content)),
            _ => Err(DiskError::Changed),
        })
        .await
    }

    async fn make_folder(&self, path: &str) -> Result<u64, DiskError> {
        self.call(|world| {
            touch(world, "make folder", path)?;
            if world.disk.nodes.contains_key(path) || !world.disk.has_folder(tree::parent(path)) {
                return Err(DiskError::Exists);
            }
            let identity = world.disk.new_identity();
            world.disk.nodes.insert(path.to_owned(), Node::Folder(identity));
            world.disk.see(path);
            Ok(identity)
        })
        .await
    }

    async fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        self.call(|world| {
            // A folder that nobody may change cannot get another parent.
            if world.disk.is_closed(from) && tree::parent(from) != tree::parent(to) {
                world.count("refusals of folders that cannot be read");
                return Err(DiskError::Denied);
            }
            touch(world, "rename", &format!("{from} -> {to}"))?;
            if world.disk.nodes.get(from).map(Node::identity) != Some(identity) {
                return Err(DiskError::Changed);
            }
            if world.disk.nodes.contains_key(to) || !world.disk.has_folder(tree::parent(to)) || tree::is_below(to, from)
            {
                return Err(DiskError::Exists);
            }
            world.disk.note_moved(from, to);
            world.disk.rename(from, to);
            world.disk.see(from);
            world.disk.see(to);
            crate::person::follow(world, from, to);
            world.count("moves here");
            remember(world);
            Ok(())
        })
        .await
    }

    async fn trash(&self, path: &str, stamp: &Stamp) -> Result<(), DiskError> {
        self.call(|world| {
            touch(world, "trash", path)?;
            match world.disk.nodes.get(path).copied() {
                Some(node @ Node::File { content, .. }) if node.stamp() == Some(*stamp) => {
                    throw_away(world, path, content);
                    Ok(())
                }
                _ => Err(DiskError::Changed),
            }
        })
        .await
    }

    async fn remove_folder(&self, path: &str) -> Result<(), DiskError> {
        self.call(|world| {
            touch(world, "remove folder", path)?;
            if world.disk.nodes.keys().any(|other| tree::is_below(other, path)) {
                return Err(DiskError::NotEmpty);
            }
            match world.disk.nodes.get(path) {
                Some(Node::Folder(_)) => {
                    world.disk.nodes.remove(path);
                    world.disk.see(path);
                    Ok(())
                }
                _ => Err(DiskError::Changed),
            }
        })
        .await
    }

    fn slot(&self, file: FileId) -> PathBuf {
        PathBuf::from(file.to_string())
    }

    async fn fetched(&self) -> Result<Vec<(FileId, Stamp)>, DiskError> {
        self.call(|world| {
            let waiting = world.disk.fetched.iter();
            Ok(waiting.filter_map(|(file, node)| Some((*file, node.stamp()?))).collect())
        })
        .await
    }

    async fn discard_fetched(&self, files: &[FileId]) -> Result<(), DiskError> {
        self.call(|world| {
            world.say(|| format!("disk discards {files:?}"));
            world.disk.fetched.retain(|file, _| !files.contains(file));
            Ok(())
        })
        .await
    }

    async fn place_fetched(&self, file: FileId, path: &str, replacing: Option<Stamp>) -> Result<ChangedUs, DiskError> {
        self.call(|world| {
            touch(world, "place", path)?;
            let Some(fetched) = world.disk.fetched.get(&file).copied() else { return Err(DiskError::Changed) };
            if !world.disk.has_folder(tree::parent(path)) {
                return Err(DiskError::Changed);
            }
            let present = world.disk.nodes.get(path).copied();
            match (present, replacing) {
                (None, None) => {}
                (Some(node @ Node::File { content, .. }), Some(stamp)) if node.stamp() == Some(stamp) => {
                    throw_away(world, path, content);
                }
                _ => return Err(DiskError::Exists),
            }
            world.disk.fetched.remove(&file);
            world.disk.nodes.insert(path.to_owned(), fetched);
            world.disk.see(path);
            remember(world);
            Ok(None)
        })
        .await
    }
}

/// Checks a file that goes to the trash: someone must have removed it in the drive.
fn throw_away(world: &mut World, path: &str, content: Content) {
    world.disk.nodes.remove(path);
    world.disk.see(path);
    world.count("files in the trash");
    world.disk.trash.push(content);
    if world.acts(content).removed_there == 0 {
        world.violate(format!("{path} (content {content}) went to the trash although nobody removed it in the drive"));
    }
}
