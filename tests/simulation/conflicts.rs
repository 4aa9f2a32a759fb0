//! Settling conflicts in the simulation: a person is shown two versions, thinks about them, and chooses; between two runs of the engine,
//! in the middle of its calls, and with the program ending in the middle of what was chosen.
//!
//! What is done is `easel_sync::conflicts`, on the disk as a person's hand finds it. Judged is that only what was shown goes to the trash,
//! that the version which was chosen has the name afterwards, and that it gets it also where the program ended on the way.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use easel_sync::Error;
use easel_sync::conflicts::{self, ConflictDisk, ConflictStore, Conflicting, ShownVersion, Side};
use easel_sync::engine::{AppliedChange, ChangeKind};
use easel_sync::folders::ConflictId;
use easel_sync::plan::names;
use easel_sync::ports::{Disk, DiskError};
use easel_sync::tree::{self, LocalItem, Stamp};
use easel_wire::Timestamp;

use crate::disk::{Mount, Node};
use crate::person;
use crate::run::SimEngine;
use crate::world::{Content, Dice, Sim, World};

/// The conflicts of the watched folder, as its journal has them.
pub struct Conflicts {
    /// Whether people settle conflicts in this run.
    are_settled: bool,
    pub dice: Dice,
    rows: Vec<Conflicting>,
    last: i64,
    /// The program finds out which are over: nobody settles one meanwhile.
    is_judging: bool,
    /// Choices for a copy during which the program ended, and the copy's identity.
    cut_off: BTreeMap<ConflictId, u64>,
}

impl Conflicts {
    pub const fn new(are_settled: bool, dice: Dice) -> Self {
        Self { are_settled, dice, rows: Vec::new(), last: 0, is_judging: false, cut_off: BTreeMap::new() }
    }

    /// Writes down the conflicts among what the engine applied.
    pub fn record(&mut self, applied: &[AppliedChange]) {
        for AppliedChange { path: kept_as, what, .. } in applied {
            let ChangeKind::ConflictKept { from } = what else { continue };
            self.last += 1;
            self.rows.retain(|row| row.kept_as != *kept_as);
            self.rows.push(Conflicting {
                id: ConflictId(self.last),
                at: Timestamp::from_micros(self.last),
                path: from.clone(),
                kept_as: kept_as.clone(),
                is_whole: false,
                is_settled: false,
                copy_identity: None,
            });
        }
    }

    /// A folder has another path.
    pub fn follow(&mut self, from: &str, to: &str) {
        if names::is_kept(to) {
            return;
        }
        for row in &mut self.rows {
            if tree::is_below(&row.path, from) && tree::is_below(&row.kept_as, from) {
                row.path = tree::rebased(&row.path, from, to);
                row.kept_as = tree::rebased(&row.kept_as, from, to);
            }
        }
    }

    /// The program ends.
    pub const fn forget(&mut self) {
        self.is_judging = false;
    }

    fn record_copy(&mut self, id: ConflictId, identity: Option<u64>) -> bool {
        if identity.is_none() {
            self.cut_off.remove(&id);
        }
        let row = self.rows.iter_mut().find(|row| row.id == id);
        row.map(|row| row.copy_identity = identity).is_some()
    }

    fn record_over(&mut self, id: ConflictId) {
        self.cut_off.remove(&id);
        self.rows.retain(|row| row.id != id);
    }
}

/// A person opens the list of conflicts, chooses one of it, and settles that.
pub fn act(world: &mut World) {
    if !world.conflicts.are_settled || world.conflicts.is_judging || world.disk.mount != Mount::There {
        return;
    }
    finish_begun(world);
    let is_open = |row: &&Conflicting| row.is_whole && !row.is_settled && row.copy_identity.is_none();
    let open: Vec<Conflicting> = world.conflicts.rows.iter().filter(is_open).cloned().collect();
    let Some(conflict) = world.conflicts.dice.pick(&open).cloned() else { return };
    let is_shown = |path: &String| {
        let shown = ShownVersion::of(world.disk.item(path).filter(|_| !world.disk.is_shut_in(path)));
        shown.zip(person::content_at(world, path))
    };
    let (Some(original), Some(copy)) = (is_shown(&conflict.path), is_shown(&conflict.kept_as)) else { return };
    match world.conflicts.dice.below(10) {
        0 => {
            world.say(|| format!("person keeps both, {} and {}", conflict.path, conflict.kept_as));
            world.count("conflicts of which both were kept");
            let rows = world.conflicts.rows.iter_mut().filter(|row| row.id == conflict.id);
            rows.for_each(|row| row.is_settled = true);
        }
        1..=4 => keep_one(world, &conflict, Side::Original, (original, copy)),
        _ => keep_one(world, &conflict, Side::Copy, (original, copy)),
    }
}

type Shown = (ShownVersion, Content);

fn keep_one(world: &mut World, conflict: &Conflicting, side: Side, (original, copy): (Shown, Shown)) {
    let Conflicting { id, path, kept_as, .. } = conflict;
    world.touches_here = true;
    world.say(|| format!("person keeps the {side:?} of {path} and {kept_as}"));
    // Somebody goes on writing while the two are looked at.
    let edited =
        world.conflicts.dice.percent(30).then(|| if world.conflicts.dice.percent(50) { path } else { kept_as });
    if let Some(path) = edited {
        let (content, keeps_identity) = (world.new_content(), world.conflicts.dice.percent(50));
        person::write(world, path, content, keeps_identity, false);
    }
    let copy_identity = world.disk.nodes.get(kept_as).map(Node::identity);
    let ends_in = world.conflicts.dice.percent(25).then(|| world.conflicts.dice.below(12));
    let planted = world.settings.planted;
    let hand = Hand {
        shown: BTreeMap::from([(path.clone(), original.1), (kept_as.clone(), copy.1)]),
        ends_in: Mutex::new(ends_in),
        world: Mutex::new(world),
    };
    let settled = poll(conflicts::settle(&hand, &hand, conflict, side, (original.0, copy.0), planted));
    drop(hand);
    let held = |world: &World, path: &str| person::content_at(world, path);
    let what = format!("keeping the {side:?} of {path} and {kept_as}");
    match (settled, side) {
        (Some(Ok(())), _) if edited.is_some() => {
            world.violate(format!("{what} went on although one had changed since it was shown"));
        }
        (Some(Ok(())), Side::Original) => {
            world.count("conflicts settled for the original");
            if held(world, path) != Some(original.1) || world.disk.nodes.contains_key(kept_as) {
                world.violate(format!("{what} did something else"));
            }
        }
        (Some(Ok(())), Side::Copy) => {
            world.count("conflicts settled for the copy");
            if held(world, path) != Some(copy.1) || world.disk.nodes.contains_key(kept_as) {
                world.violate(format!("{what} did something else"));
            }
        }
        (Some(Err(Error::ChangedSinceShown { .. })), _) if edited.is_some() => {
            world.count("conflicts that had changed");
        }
        (Some(Err(Error::Disk { cause: DiskError::Denied, .. })), _) => {}
        (Some(Err(error)), _) => world.violate(format!("{what} was refused: {error}")),
        (None, _) => {
            world.count("conflicts half settled");
            world.say(|| "the program ends".to_owned());
            let is_trashed = !world.disk.nodes.contains_key(path);
            if let (true, Side::Copy, Some(identity)) = (is_trashed, side, copy_identity) {
                world.conflicts.cut_off.insert(*id, identity);
            }
        }
    }
}

/// What the list of conflicts does first.
fn finish_begun(world: &mut World) {
    let begun = world.conflicts.rows.iter().filter_map(|row| Some((row.clone(), row.copy_identity?)));
    let begun: Vec<(Conflicting, u64)> = begun.collect();
    for (conflict, identity) in begun {
        let hand = Hand { shown: BTreeMap::new(), ends_in: Mutex::new(None), world: Mutex::new(world) };
        let finished = poll(conflicts::finish(&hand, &hand, &conflict, identity));
        drop(hand);
        world.say(|| format!("what was begun of {conflict:?} is finished: {finished:?}"));
    }
    judge_cut_off(world);
}

/// A copy that was chosen gets the name, unless that is taken, or the copy is another file by now.
fn judge_cut_off(world: &mut World) {
    let mut wrong = Vec::new();
    for (id, identity) in &world.conflicts.cut_off {
        let Some(row) = world.conflicts.rows.iter().find(|row| row.id == *id) else { continue };
        let is_copy = world.disk.nodes.get(&row.kept_as).map(Node::identity) == Some(*identity);
        if row.copy_identity.is_none() && is_copy && !world.disk.nodes.contains_key(&row.path) {
            wrong.push(format!("{} was chosen, and nobody gives it the name {} any more", row.kept_as, row.path));
        }
    }
    for words in wrong {
        world.violate(words);
    }
}

/// What the program does when the engine rests: it finishes what was begun, and writes down which conflicts are over.
pub async fn judge(sim: &Sim, engine: &mut SimEngine) {
    {
        let mut world = sim.world();
        if !world.conflicts.are_settled || world.conflicts.rows.is_empty() {
            return;
        }
        world.conflicts.is_judging = true;
    }
    let begun = sim.world().conflicts.rows.clone();
    for (conflict, identity) in begun.iter().filter_map(|row| Some((row, row.copy_identity?))) {
        let finished = conflicts::finish(&Finishing(sim), &Finishing(sim), conflict, identity).await;
        sim.world().say(|| format!("what was begun of {conflict:?} is finished: {finished:?}"));
    }
    judge_cut_off(&mut sim.world());
    let rows = sim.world().conflicts.rows.clone();
    let paths = rows.iter().flat_map(|row| [row.path.as_str(), row.kept_as.as_str()]);
    if engine.load_around(paths).await.is_ok() {
        let is_ignored = |path: &str| sim.world().is_ignored(path);
        let judged = conflicts::judge(&rows, engine.local(), engine.agreed(), is_ignored);
        let written = sim.keep(|world| {
            world.say(|| format!("conflicts: {judged:?}"));
            let whole = |row: &&mut Conflicting| judged.whole.contains(&row.id);
            world.conflicts.rows.iter_mut().filter(whole).for_each(|row| row.is_whole = true);
            judged.over.iter().for_each(|id| world.conflicts.record_over(*id));
        });
        let _found_again_by_the_next_look = written.await;
    }
    sim.world().conflicts.is_judging = false;
}

/// The engine's own disk, with which the program finishes what was begun.
struct Finishing<'a>(&'a Sim);

impl ConflictDisk for Finishing<'_> {
    async fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        Disk::look(self.0, path).await
    }

    async fn trash(&self, path: &str, stamp: &Stamp) -> Result<(), DiskError> {
        Disk::trash(self.0, path, stamp).await
    }

    async fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        Disk::rename(self.0, from, to, identity).await?;
        let mut world = self.0.world();
        let content = person::content_at(&world, to);
        person::count_left_out(&mut world, content, from, to);
        person::arrive(&mut world, to);
        Ok(())
    }
}

impl ConflictStore for Finishing<'_> {
    async fn record_copy(&self, id: ConflictId, identity: Option<u64>) -> Result<bool, Error> {
        let recorded = self.0.keep(|world| world.conflicts.record_copy(id, identity)).await;
        recorded.map_err(|_| Error::DiskFull)
    }

    async fn record_over(&self, id: ConflictId) -> Result<(), Error> {
        self.0.keep(|world| world.conflicts.record_over(id)).await.map_err(|_| Error::DiskFull)
    }
}

/// A person's hand in the watched folder, in the middle of which the program may end.
struct Hand<'a> {
    world: Mutex<&'a mut World>,
    /// So many calls later the program ends.
    ends_in: Mutex<Option<u64>>,
    /// What the person was shown, by path.
    shown: BTreeMap<String, Content>,
}

impl<'a> Hand<'a> {
    fn world(&self) -> MutexGuard<'_, &'a mut World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A point before or after an effect.
    async fn pass(&self) {
        let is_over = {
            let mut ends_in = self.ends_in.lock().unwrap_or_else(PoisonError::into_inner);
            let is_over = *ends_in == Some(0);
            *ends_in = ends_in.map(|calls| calls.saturating_sub(1));
            is_over
        };
        if is_over {
            std::future::pending::<()>().await;
        }
    }

    async fn call<T>(&self, effect: impl FnOnce(&mut World) -> T) -> T {
        self.pass().await;
        let answer = effect(&mut self.world());
        self.pass().await;
        answer
    }
}

impl ConflictDisk for Hand<'_> {
    async fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        self.call(|world| if world.disk.is_shut_in(path) { Err(DiskError::Denied) } else { Ok(world.disk.item(path)) })
            .await
    }

    async fn trash(&self, path: &str, stamp: &Stamp) -> Result<(), DiskError> {
        self.call(|world| {
            if world.disk.is_shut_in(path) {
                return Err(DiskError::Denied);
            }
            let is_it = world.disk.nodes.get(path).and_then(Node::stamp) == Some(*stamp);
            let content = person::content_at(world, path).filter(|_| is_it).ok_or(DiskError::Changed)?;
            if self.shown.get(path) != Some(&content) {
                world.violate(format!("content {content} of {path} went to the trash although another was shown"));
            }
            person::delete(world, path);
            world.disk.trash.push(content);
            Ok(())
        })
        .await
    }

    async fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        self.call(|world| {
            if world.disk.is_shut_in(from) || world.disk.is_shut_in(to) {
                return Err(DiskError::Denied);
            }
            if world.disk.nodes.get(from).map(Node::identity) != Some(identity) {
                return Err(DiskError::Changed);
            }
            if world.disk.nodes.contains_key(to) {
                return Err(DiskError::Exists);
            }
            person::rename(world, from, to);
            Ok(())
        })
        .await
    }
}

impl ConflictStore for Hand<'_> {
    async fn record_copy(&self, id: ConflictId, identity: Option<u64>) -> Result<bool, Error> {
        Ok(self.call(|world| world.conflicts.record_copy(id, identity)).await)
    }

    async fn record_over(&self, id: ConflictId) -> Result<(), Error> {
        self.call(|world| world.conflicts.record_over(id)).await;
        Ok(())
    }
}

/// Polls what waits for nothing; `None` if the program ended in it.
fn poll<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
