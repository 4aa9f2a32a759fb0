//! One simulated world: a disk, a service, a store, a clock, the faults between them, and what people wrote.
//!
//! Everything in it follows from its seed. A port call has a point before and one after its effect: at either the engine
//! may be dropped, which is the crash. Not here: what the disk and the service do (`disk`, `service`), and what people do
//! (`person`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use easel_sync::engine::Intent;
use easel_sync::plan::Settings;
use easel_sync::ports::{Clock, Settlement, Store, StoreError};
use easel_sync::tree::{Agreed, Agreement, Change, ContentHash, Record, Standing};

use crate::disk::VirtualDisk;
use crate::service::Service;

/// Numbers that follow from a seed.
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

/// What a file holds, as a number: equal numbers are equal bytes.
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

/// The content that [`hash_of`] is of.
fn content_of(hash: &ContentHash) -> Content {
    hash.first_chunk().map_or(0, |bytes| Content::from_be_bytes(*bytes))
}

/// What people did with each content.
#[derive(Debug, Default, Clone, Copy)]
pub struct Deeds {
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
    pub stale_scans: u64,
    pub edits_here: u64,
    pub edits_there: u64,
    /// So many of both: people pause too.
    pub edits_left: u64,
    /// Crash at this call from now.
    pub crash_in: Option<u64>,
}

pub struct World {
    pub dice: Dice,
    pub now_ms: u64,
    /// Wall clock beside the steady one: it jumps.
    pub wall_offset_us: i64,
    pub calls: u64,
    pub chaos: Chaos,
    pub disk: VirtualDisk,
    pub service: Service,
    pub agreed: Agreed,
    pub intents: Vec<Intent>,
    pub settings: Settings,
    pub deeds: BTreeMap<Content, Deeds>,
    /// What was gone from where the engine last saw it when something else came there.
    pub replaced: BTreeSet<Content>,
    /// Where each content was when it was last seen here by the engine.
    pub last_seen: BTreeMap<Content, Vec<String>>,
    pub next_content: Content,
    /// Broken invariants, as they happened.
    pub violations: Vec<String>,
    /// What happened, where it is asked for.
    pub log: Option<Vec<String>>,
    /// Whether people touch this side at all in this run.
    pub touches_here: bool,
    pub touches_there: bool,
    /// Whether anything was lost, cut, or crashed so far.
    pub is_calm: bool,
    /// Calls of the engine that changed something.
    pub effects: u64,
    pub is_crashed: bool,
    /// The call after which it is taken to go on for ever.
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

    pub fn say(&mut self, words: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(words());
        }
    }

    /// What is agreed to be only in the drive is nothing that a file at its path replaces.
    fn keep(&mut self, change: &Change) {
        if let Change::Put(path, Record { agreement: Agreement::File(file), standing: Standing::OnlyInDrive, .. }) =
            change
            && let Some(paths) = self.last_seen.get_mut(&content_of(&file.hash))
        {
            paths.retain(|seen| seen != path);
        }
    }

    pub fn deeds(&mut self, content: Content) -> &mut Deeds {
        self.deeds.entry(content).or_default()
    }

    pub const fn wall_us(&self) -> i64 {
        #[expect(clippy::cast_possible_wrap, reason = "simulated days, far below the limit")]
        let now = (self.now_ms * 1_000) as i64;
        now + self.wall_offset_us
    }

    /// Something nobody has written yet, or now and then something old, or nothing.
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

    /// A point where the engine may crash, and where people go on working.
    pub async fn pass(&self) {
        if self.step() {
            std::future::pending::<()>().await;
        }
    }

    /// Whether this is where it ends.
    fn step(&self) -> bool {
        let mut world = self.world();
        world.calls += 1;
        world.now_ms += 1;
        crate::person::interrupt(&mut world);
        // What is on its way beside the call that crashed is gone with it.
        if world.calls > world.last_call || world.is_crashed {
            return true;
        }
        match &mut world.chaos.crash_in {
            Some(0) => {
                world.chaos.crash_in = None;
                world.is_crashed = true;
                world.is_calm = false;
                world.service.forget_limit();
                world.say(|| "CRASH".to_owned());
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
    async fn load(&self) -> Result<(Agreed, Vec<Intent>), StoreError> {
        self.call(|world| Ok((world.agreed.clone(), world.intents.clone()))).await
    }

    async fn intend(&self, intents: &[Intent]) -> Result<(), StoreError> {
        self.call(|world| {
            for intent in intents {
                world.say(|| format!("intend {intent:?}"));
                world.intents.retain(|other| other.path() != intent.path());
                world.intents.push(intent.clone());
            }
            Ok(())
        })
        .await
    }

    async fn settle(&self, settlement: &Settlement) -> Result<(), StoreError> {
        self.call(|world| {
            for change in &settlement.changes {
                world.say(|| format!("agree {change:?}"));
                world.agreed.apply(change);
                world.keep(change);
            }
            world.intents.retain(|intent| !settlement.done.iter().any(|path| path == intent.path()));
            Ok(())
        })
        .await
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
