//! One simulated world: a disk, a service, a store, a clock, the faults between them, and what people wrote.
//!
//! Everything in it follows from its seed. A port call has a point before and one after its effect: at either the
//! engine may be dropped, which is the crash. Not here: the disk and the service (`disk`, `service`), and people
//! (`person`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use easel_sync::engine::{Intent, OpenUpload};
use easel_sync::plan::Settings;
use easel_sync::ports::{Clock, Loaded, Settlement, Store, StoreError, WallClock};
use easel_sync::tree::{self, Agreed, Agreement, Change, ContentHash, Record, Sides, Stamp};
use easel_sync::unloaded::Lookup;
use easel_wire::{FileId, FolderId};

use crate::conflicts::Conflicts;
use crate::desk::Desk;
use crate::disk::{Node, VirtualDisk};
use crate::history::History;
use crate::service::Service;
use crate::undo::Among;
use crate::way::Way;

/// Random numbers that follow from a seed.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to one less than `end`.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.next() % if end == 0 { 1 } else { end }
    }

    /// True in `percent` of a hundred.
    pub const fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(usize::try_from(self.below(from.len() as u64)).unwrap_or(0))
    }
}

/// A content of a file, as a number: equal numbers are equal bytes.
pub type Content = u64;

/// Sizes are few, so that different contents often have the same.
pub const fn size_of(content: Content) -> u64 {
    match content {
        0 => 0,
        content if content % 40 == 13 => 10_000,
        content if content % 8 == 7 => 1_000 + content % 2,
        content => 10 + content % 3,
    }
}

pub fn hash_of(content: Content) -> ContentHash {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&content.to_be_bytes());
    hash[31] = 1;
    hash
}

/// The content with this hash (see [`hash_of`]).
pub fn content_of(hash: &ContentHash) -> Content {
    hash.first_chunk().map_or(0, |bytes| Content::from_be_bytes(*bytes))
}

/// What people did with each content.
#[derive(Debug, Default, Clone, Copy)]
pub struct Acts {
    pub written_here: usize,
    pub overwritten_here: usize,
    pub deleted_here: usize,
    pub written_there: usize,
    pub removed_there: usize,
}

/// How much goes wrong, in percent of the calls.
#[derive(Debug, Default, Clone, Copy)]
pub struct Chaos {
    pub lost: u64,
    pub rate_limited: u64,
    /// Of the requests: no way to the service, no right, no room.
    pub refused: u64,
    /// Of the looks at the drive that may be old: how many are.
    pub lag: u64,
    /// Of the local changes: how many no event tells of.
    pub dropped: u64,
    /// Of the calls to the disk that write: full, or not permitted.
    pub disk_fails: u64,
    pub store_fails: u64,
    /// Jumps of the clocks, in thousandths of the calls.
    pub jumps: u64,
    /// Whether requests that are on their way at the same time come back in any order.
    pub interleaves: bool,
    pub edits_here: u64,
    pub edits_there: u64,
    /// So many edits on both sides are left: people pause too.
    pub edits_left: u64,
    /// Crash at this call from now.
    pub crash_in: Option<u64>,
}

/// What a request does after its answer was given up.
pub struct Late {
    pub due_ms: u64,
    pub effect: Box<dyn FnOnce(&mut World) + Send>,
}

pub struct World {
    pub dice: Dice,
    pub way: Way,
    pub late: Vec<Late>,
    /// How often each kind of thing happened.
    pub counts: BTreeMap<&'static str, u64>,
    /// Whether the program was started anew, so that it does not know its earlier requests.
    pub was_crashed: bool,
    /// A call waits that only has to be polled again.
    pub has_yielded: bool,
    /// An ignored name.
    pub ignored: Option<&'static str>,
    pub now_ms: u64,
    /// By how much the wall clock is off the steady one: it jumps.
    pub wall_offset_us: i64,
    pub calls: u64,
    pub chaos: Chaos,
    pub disk: VirtualDisk,
    pub service: Service,
    pub agreed: Agreed,
    pub history: History,
    pub conflicts: Conflicts,
    /// Going back among everything else that happens.
    pub going_back: Among,
    pub intents: Vec<Intent>,
    pub settings: Settings,
    /// Files on the desk, and which of them were dropped.
    pub desk: Desk,
    /// Whether people drop files at all in this run.
    pub has_desk: bool,
    /// How many items the engine keeps in memory that are the same on both sides; `None` where it keeps them all.
    pub kept_items: Option<usize>,
    /// Whether the engine that rests is the one that works next, and not a new one.
    pub stays_on: bool,
    /// Whether another computer makes copies.
    pub has_copies: bool,
    /// Whether it is known that the service refuses pointers.
    pub has_refused_pointers: bool,
    /// Whether it is known that the service gives files new content.
    pub has_versions: Option<bool>,
    /// Files of the watched folder whose bytes storage has confirmed, by path.
    pub stored: BTreeMap<String, Stamp>,
    /// Files whose refusal by the service is written down.
    pub refused: BTreeMap<String, Stamp>,
    pub acts: BTreeMap<Content, Acts>,
    /// Contents that were gone from where the engine last saw them when another item came there.
    pub replaced: BTreeSet<Content>,
    /// Contents of copies that were in a drive folder which another computer deleted.
    pub went_with_a_folder: BTreeSet<Content>,
    /// Drive files to which other computers gave new content.
    pub given_new_content: BTreeSet<FileId>,
    /// The places of the pointers that people threw away, and their contents.
    pub thrown_away: BTreeMap<FileId, (FolderId, Content)>,
    /// The paths at which the engine last saw each content here.
    pub last_seen: BTreeMap<Content, Vec<String>>,
    pub next_content: Content,
    /// Broken invariants, as they happened.
    pub violations: Vec<String>,
    /// What happened, if it is to be logged.
    pub log: Option<Vec<String>>,
    /// Whether people touch this side at all in this run.
    pub touches_here: bool,
    pub touches_there: bool,
    /// Whether nothing was lost, cut, or crashed so far.
    pub is_calm: bool,
    /// Calls of the engine that changed something.
    pub effects: u64,
    pub is_crashed: bool,
    /// The call after which the run counts as going on for ever.
    pub last_call: u64,
}

impl World {
    pub fn violate(&mut self, words: impl Into<String>) {
        let words = words.into();
        self.say(|| format!("VIOLATION {words}"));
        if self.violations.len() < 20 {
            self.violations.push(words);
        }
    }

    /// Whether a drive file that left the watched folder has new content since: a path that shares it is on its own then,
    /// and is sent.
    pub fn has_left_with_new_content(&self) -> bool {
        let is_inside = |folder: FolderId| self.service.is_inside(folder, self.service.root);
        let is_outside =
            |file: &FileId| self.service.files.get(file).is_some_and(|stored| !stored.folder.is_some_and(is_inside));
        self.given_new_content.iter().any(is_outside)
    }

    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub fn is_ignored(&self, path: &str) -> bool {
        self.ignored.is_some_and(|name| path.split('/').any(|part| part == name))
    }

    pub fn say(&mut self, words: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(words());
        }
    }

    /// A record of a file that is only in the drive: a local file at its path does not replace it.
    fn keep(&mut self, change: &Change) {
        if let Change::Put(path, Record { agreement: Agreement::File(file), sides: Sides::OnlyInDrive, .. }) = change
            && let Some(paths) = self.last_seen.get_mut(&content_of(&file.hash))
        {
            paths.retain(|seen| seen != path);
        }
    }

    pub fn acts(&mut self, content: Content) -> &mut Acts {
        self.acts.entry(content).or_default()
    }

    /// The program ends in the middle of something, and loses its memory.
    pub fn crash(&mut self) {
        (self.is_crashed, self.was_crashed, self.is_calm) = (true, true, false);
        self.service.forget_limit();
        self.way = Way::default();
        self.desk.forget();
        self.disk.forget_looks();
        self.history.crash();
        self.conflicts.forget();
        self.count("crashes");
        self.say(|| "CRASH".to_owned());
    }

    /// The wall clock is set, or the machine sleeps for hours.
    pub fn jump(&mut self) {
        self.count("clock jumps");
        // If no hash is told, only the time tells which file is new.
        if self.dice.percent(50) && !self.service.deviations.tells_no_hash {
            let by = self.dice.below(7_200_000_000);
            self.wall_offset_us += i64::try_from(by).unwrap_or(0) - 3_600_000_000;
        } else {
            self.now_ms += self.dice.below(14_400_000);
        }
    }

    /// Lets time pass until every request on its way has come or is lost for good.
    pub fn let_all_come(&mut self) {
        let last_ms = self.late.iter().map(|late| late.due_ms).max().unwrap_or_default();
        self.now_ms = self.now_ms.max(last_ms);
        self.carry_out_late();
    }

    /// Carries out the requests on their way, in the order of their times.
    fn carry_out_late(&mut self) {
        while let Some(at) = self.late.iter().position(|late| late.due_ms <= self.now_ms) {
            let late = self.late.remove(at);
            (late.effect)(self);
        }
    }

    pub const fn wall_us(&self) -> i64 {
        #[expect(clippy::cast_possible_wrap, reason = "simulated days, far below the limit")]
        let now = (self.now_ms * 1_000) as i64;
        now + self.wall_offset_us
    }

    /// A content that nobody has written yet, or now and then an old one, or an empty one.
    pub fn new_content(&mut self) -> Content {
        if self.dice.percent(4) {
            return 0;
        }
        if self.dice.percent(12) && self.next_content > 1 {
            return 1 + self.dice.below(self.next_content - 1);
        }
        self.next_content += 1;
        self.next_content - 1
    }
}

/// The engine's view of a world.
#[derive(Clone)]
pub struct Sim(Arc<Mutex<World>>);

impl Sim {
    pub fn new(world: World) -> Self {
        Self(Arc::new(Mutex::new(world)))
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A point where the engine may crash, where people go on working, and where other calls may come first.
    pub async fn pass(&self) {
        if self.step() {
            std::future::pending::<()>().await;
        }
        let turns = {
            let mut world = self.world();
            if world.chaos.interleaves && world.dice.percent(35) { 1 + world.dice.below(3) } else { 0 }
        };
        for _ in 0..turns {
            self.let_others_go_first().await;
        }
    }

    async fn let_others_go_first(&self) {
        let mut has_waited = false;
        std::future::poll_fn(|context| {
            let mut world = self.world();
            if world.is_crashed {
                return Poll::Pending;
            }
            if std::mem::replace(&mut has_waited, true) {
                return Poll::Ready(());
            }
            world.has_yielded = true;
            world.count("calls that let others go first");
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Whether the engine crashes here.
    fn step(&self) -> bool {
        let mut world = self.world();
        world.calls += 1;
        world.now_ms += 1;
        let jumps = world.chaos.jumps;
        if world.dice.below(1_000) < jumps {
            world.jump();
        }
        world.carry_out_late();
        crate::person::interrupt(&mut world);
        // Requests on their way beside the call that crashed are gone with it.
        if world.calls > world.last_call || world.is_crashed {
            return true;
        }
        match &mut world.chaos.crash_in {
            Some(0) => {
                world.chaos.crash_in = None;
                world.crash();
                true
            }
            Some(calls) => {
                *calls -= 1;
                false
            }
            None => false,
        }
    }

    /// A call: a point before, the effect, a point after.
    pub async fn call<T>(&self, effect: impl FnOnce(&mut World) -> T) -> T {
        self.pass().await;
        let answer = effect(&mut self.world());
        self.pass().await;
        answer
    }
}

impl Store for Sim {
    async fn load(&self, most: usize) -> Result<Loaded, StoreError> {
        self.keep(move |world| {
            let (mut agreed, intents) = (world.agreed.clone(), world.intents.clone());
            let has_files = agreed.records.len() <= most;
            if !has_files {
                agreed.keep_folders();
            }
            Loaded { agreed, intents, has_files }
        })
        .await
    }

    async fn find_records(&self, lookup: &Lookup) -> Result<BTreeMap<String, Record>, StoreError> {
        self.keep(|world| {
            let is_meant = |(path, record): &(&String, &Record)| {
                record.as_file().is_some_and(|file| {
                    lookup.folders.contains(tree::parent(path))
                        || lookup.files.contains(&file.file)
                        || file.replaces.iter().any(|old| lookup.files.contains(&old.file))
                        || lookup.sizes.contains(&file.stamp.size_bytes)
                        || lookup.identities.contains(&file.stamp.identity)
                        || lookup.contents.contains(&file.hash)
                })
            };
            let records = world.agreed.records.iter().filter(is_meant);
            records.map(|(path, record)| (path.clone(), record.clone())).collect()
        })
        .await
    }

    async fn intend(&self, intents: &[Intent]) -> Result<(), StoreError> {
        self.keep(|world| {
            for intent in intents {
                world.say(|| format!("intend {intent:?}"));
                world.intents.retain(|other| other.path() != intent.path());
                world.intents.push(intent.clone());
                match intent {
                    Intent::Upload(OpenUpload { path, stamp, refused: Some(_), .. }) => {
                        world.count("files that were refused");
                        world.refused.insert(path.clone(), *stamp);
                    }
                    other => drop(world.refused.remove(other.path())),
                }
            }
        })
        .await
    }

    async fn settle(&self, settlement: &Settlement) -> Result<(), StoreError> {
        self.keep(|world| {
            let recorded = world.history.record(&world.agreed, settlement);
            let before = world.agreed.clone();
            for change in &settlement.changes {
                world.say(|| format!("agree {change:?}"));
                world.agreed.apply(change);
                if let Change::Rename { from, to } = change {
                    world.conflicts.follow(from, to);
                }
                world.keep(change);
                if let Change::Put(_, record) = change
                    && let Some(file) = record.as_file()
                {
                    // Under any path by now.
                    world.stored.retain(|_, stamp| *stamp != file.stamp);
                }
            }
            world.conflicts.record(&settlement.applied);
            let silent = world.history.write(&before, &world.agreed, &settlement.applied, recorded);
            // A folder that others deleted stays here where something is in it: nothing was done.
            let stays = |path: &String| {
                let now = world.agreed.records.get(path).filter(|now| now.sides == Sides::OnlyHere);
                let was = before.records.get(path).filter(|was| was.sides == Sides::Both);
                now.and_then(Record::as_folder).is_some_and(|now| was.and_then(Record::as_folder) == Some(now))
            };
            if silent.iter().any(|path| settlement.done.contains(path) && !stays(path)) {
                world.violate(format!("the history does not tell of {settlement:?}"));
            }
            world.intents.retain(|intent| !settlement.done.iter().any(|path| path == intent.path()));
            for path in &settlement.done {
                world.refused.remove(path);
                // Another file is there by now, and the one that storage has is where nothing is looked at.
                let is_there = world.disk.nodes.get(path).and_then(Node::stamp);
                if is_there.is_some_and(|stamp| world.stored.get(path) != Some(&stamp)) {
                    world.stored.remove(path);
                }
            }
        })
        .await
    }
}

impl Sim {
    /// An access to the store, which may fail with or without its effect.
    pub async fn keep<T>(&self, access: impl FnOnce(&mut World) -> T) -> Result<T, StoreError> {
        self.call(|world| {
            let fails = world.chaos.store_fails;
            if !world.dice.percent(fails) {
                return Ok(access(world));
            }
            world.count("failures of the store");
            world.is_calm = false;
            if world.dice.percent(50) {
                access(world);
            }
            Err(StoreError::Unavailable { detail: "simulated".to_owned() })
        })
        .await
    }
}

impl WallClock for Sim {
    fn wall_us(&self) -> i64 {
        self.world().wall_us()
    }
}

impl Clock for Sim {
    fn now_ms(&self) -> u64 {
        self.world().now_ms
    }

    fn today(&self) -> String {
        "2026-11-20".to_owned()
    }

    async fn wait_ms(&self, milliseconds: u64) {
        self.pass().await;
        let mut world = self.world();
        world.say(|| format!("waits {milliseconds} ms"));
        world.now_ms += milliseconds;
    }
}
