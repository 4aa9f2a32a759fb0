//! Going back in the simulation: when everything rests, a person undoes all changes since a moment at which it rested before, as
//! `Folders::revert` does, and then goes back to where it was before that.
//!
//! The plan is that of the program (`revert::Undoing`) on what its recorder wrote down; what the program asks disk and drive for is read
//! from the world, and the acts are done as a person does them, because that is what they are. Judged is that the folder holds afterwards
//! what it held at the moment, but where the plan said that it would not, and that nothing is gone that was not about to be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use easel_sync::plan::{Mode, names};
use easel_sync::revert::{self, Act, Held, Item, Items, Kind, PastChange, Plan, Source, Sources, Undoing, Wanted};
use easel_sync::tree::{self, Agreed, Agreement, Record, Sides};
use easel_wire::{Id, ItemRef};

use crate::disk::{Mount, Node};
use crate::history::Moment;
use crate::run::{SimEngine, work};
use crate::service::FIRST_POINTER;
use crate::world::{Content, Dice, Sim, World, content_of, hash_of};
use crate::{check, person};

/// Stands in the names of files that come beside another.
const LABEL: &str = "as it was";

/// Goes back to a moment, lets the engine work, and judges what came of it; now and then once more, to before that.
pub fn go_back(sim: &Sim, engine: &mut Option<SimEngine>, mut dice: Dice) {
    let to = {
        let world = sim.world();
        if !world.touches_here || !dice.percent(60) {
            return;
        }
        let Some((_, earlier)) = world.history.moments.split_last() else { return };
        let Some(moment) = dice.pick(earlier).cloned() else { return };
        moment
    };
    let before = sim.world().history.moments.last().cloned();
    if !go_to(sim, engine, &to) || !dice.percent(40) {
        return;
    }
    if let Some(before) = before {
        sim.world().count("goings forward again");
        go_to(sim, engine, &before);
    }
}

/// Undoes what was done since a moment. Returns whether all holds.
fn go_to(sim: &Sim, engine: &mut Option<SimEngine>, to: &Moment) -> bool {
    let judged = undo(&mut sim.world(), to);
    let Some(notes) = work(sim, engine, true, false) else { return false };
    let mut world = sim.world();
    check::check_rest(&mut world, &notes);
    let excused: BTreeSet<&str> = notes.iter().map(|note| note.path.as_str()).collect();
    judged.judge(&mut world, to, &excused);
    world.violations.is_empty()
}

/// Going back among everything else: in the middle of what people and the engine do, act by act.
pub struct Among {
    /// Whether people do so in this run.
    is_done: bool,
    dice: Dice,
    /// What is yet to be done, the last first, as the journal has it.
    acts: Vec<Act>,
    /// What the changes that are undone left there.
    left: BTreeSet<Content>,
}

impl Among {
    pub const fn new(is_done: bool, dice: Dice) -> Self {
        Self { is_done, dice, acts: Vec::new(), left: BTreeSet::new() }
    }
}

/// Now and then a person goes back to a moment, while much is yet to be sent and fetched.
pub fn begin(world: &mut World) {
    let is_ready = world.going_back.is_done && world.touches_here && world.disk.mount == Mount::There;
    if !is_ready || !world.going_back.acts.is_empty() || !world.going_back.dice.percent(30) {
        return;
    }
    let Some(to) = world.going_back.dice.pick(&world.history.moments).cloned() else { return };
    let changes = changes_since(world, &to);
    let (_, plan) = plan(world, &changes);
    world.count("goings back among other things");
    world.going_back.left = left_by(&changes);
    world.going_back.acts = plan.acts.into_iter().rev().collect();
}

/// The program does what is next, while the engine works.
pub fn interrupt(world: &mut World) {
    if !world.going_back.acts.is_empty() && world.going_back.dice.percent(30) {
        step(world);
    }
}

/// Does all that is left.
pub fn finish(world: &mut World) {
    while !world.going_back.acts.is_empty() {
        step(world);
    }
}

/// Does the next act. What goes away by it was brought by what is undone.
fn step(world: &mut World) {
    if world.disk.mount != Mount::There {
        return;
    }
    let Some(act) = world.going_back.acts.pop() else { return };
    let before = contents_here(world);
    let done = carry_out(world, &act);
    world.say(|| format!("going back, done {done}: {act:?}"));
    let now = contents_here(world);
    let gone: Vec<Content> =
        before.difference(&now).filter(|gone| !world.going_back.left.contains(gone)).copied().collect();
    for content in gone {
        world.violate(format!("content {content} went by {act:?}, and no change that is undone had brought it"));
    }
}

/// What has to be so after undoing.
struct Judged {
    /// Whether both sides were the same at the moment and are now, the history tells of everything that came about since, and nothing is
    /// about to.
    is_whole: bool,
    /// Paths at which the plan could not, or need not, bring about what was there.
    excused: BTreeSet<String>,
    /// What no change that was undone has to do with.
    untouched: BTreeSet<Content>,
}

/// Plans on the world as it is, and carries the plan out.
fn undo(world: &mut World, to: &Moment) -> Judged {
    world.count("goings back");
    world.disk.mount = Mount::There;
    let changes = changes_since(world, to);
    let (wanted, plan) = plan(world, &changes);
    let is_told = world.history.silent_since(to.changes).next().is_none();
    let is_even = to.is_even && world.history.moments.last().is_some_and(|now| now.is_even);
    let mut judged = Judged {
        is_whole: is_told
            && is_even
            && !has_moves_to_come(world, &to.agreed)
            && !has_moves_to_come(world, &world.agreed),
        excused: excuse(world, to, (&changes, &wanted), &plan),
        untouched: &contents_here(world) - &left_by(&changes),
    };
    // What is left in a folder moves on with it.
    let has_moves = plan.acts.iter().any(|act| matches!(act, Act::Move { .. }));
    judged.is_whole &= plan.left.is_empty() || !has_moves;
    for act in &plan.acts {
        if !carry_out(world, act) {
            world.say(|| format!("refused: {act:?}"));
            judged.excused.insert(act.path().to_owned());
            // What stays in the way moves on with the folder that it is in.
            judged.is_whole &= !matches!(act, Act::RemoveFolder { .. });
            if let Act::Move { from, .. } = act {
                judged.excused.insert(from.clone());
            }
        } else if let Act::Move { from, to, .. } = act {
            // What was refused within goes on with it.
            let within = judged.excused.iter().filter(|path| tree::is_below(path, from));
            let within: Vec<String> = within.map(|path| tree::rebased(path, from, to)).collect();
            judged.excused.extend(within);
        }
    }
    judged
}

/// What is undone, the last first.
fn changes_since(world: &mut World, to: &Moment) -> Vec<PastChange> {
    world.say(|| format!("-- a person goes back to after change {}", to.changes));
    let changes: Vec<_> = world.history.changes[to.changes..].iter().rev().cloned().collect();
    for change in &changes {
        world.say(|| format!("to undo: {change:?}"));
    }
    changes
}

/// What the program plans.
fn plan(world: &mut World, changes: &[PastChange]) -> (Vec<Wanted>, Plan) {
    let items = look(world);
    let folders = items.keys().filter(|path| world.disk.is_closed(path)).cloned().collect();
    let undoing = Undoing::of(&items, LABEL).leaving(&folders).with(world.settings.planted).undo(changes);
    let wanted = undoing.wanted();
    let sources = find(world, &items, changes, &wanted);
    let plan = undoing.plan(&sources);
    world.say(|| format!("plan: {plan:?}"));
    (wanted, plan)
}

/// The folder as it is, with what is known of what files hold.
fn look(world: &World) -> Items {
    let is_seen = |path: &&String| !world.is_ignored(path) && !world.disk.is_shut_in(path);
    let item = |(path, node): (&String, &Node)| match node {
        Node::Folder(identity) => Some((path.clone(), Item::Folder { identity: *identity })),
        Node::File { .. } => {
            let stamp = node.stamp()?;
            let record = world.agreed.records.get(path).and_then(Record::as_file);
            let hash = record.filter(|record| record.stamp == stamp).map(|record| record.hash);
            Some((path.clone(), Item::File { stamp, hash }))
        }
        Node::Link(_) => None,
    };
    world.disk.nodes.iter().filter(|(path, _)| is_seen(path)).filter_map(item).collect()
}

/// What trashes and versions hold.
fn find(world: &World, items: &Items, changes: &[PastChange], wanted: &[Wanted]) -> Sources {
    let folders = world.agreed.records.values().filter_map(|record| match record.agreement {
        Agreement::Folder { folder, identity } => Some((identity, folder)),
        Agreement::File(_) => None,
    });
    let mut sources = Sources {
        is_both_ways: world.settings.mode == Mode::BothWays,
        root: Some(world.service.root),
        drive_folders: folders.collect(),
        ..Sources::default()
    };
    for entry in &world.service.trash.entries {
        match entry.item {
            ItemRef::File(file) => drop(sources.trashed_files.insert(file, entry.place())),
            ItemRef::Folder(folder) => drop(sources.trashed_folders.insert(folder, entry.place())),
            ItemRef::Canvas(_) => {}
        }
    }
    // Elsewhere in the folder, where nothing is about to be done.
    let is_touched =
        |path: &str| changes.iter().any(|change| change.path == path || tree::is_below(path, &change.path));
    for (path, item) in items {
        if let (Item::File { hash: Some(hash), .. }, false) = (item, is_touched(path)) {
            sources.contents.insert(*hash, Source::Here(PathBuf::from(path)));
        }
    }
    for content in &world.disk.trash {
        sources.contents.insert(hash_of(*content), Source::Here(PathBuf::from(content.to_string())));
    }
    let files = wanted.iter().map(|wanted| wanted.content.file);
    for file in files.filter(|file| world.service.files.contains_key(file)) {
        for content in world.service.trash.versions.get(&file).into_iter().flatten() {
            let version = Source::Version(file, Id::imagined(u128::from(*content)));
            sources.contents.entry(hash_of(*content)).or_insert(version);
        }
    }
    sources
}

/// What the plan says that it leaves, and what is not for undoing: what is on one side alone was not changed on both.
fn excuse(world: &World, to: &Moment, (changes, wanted): (&[PastChange], &[Wanted]), plan: &Plan) -> BTreeSet<String> {
    let mut excused: BTreeSet<String> = plan.left.iter().map(|left| left.path.clone()).collect();
    // A copy that was kept in a conflict may hold what its file never held on both sides.
    let is_copy = |path: &str| path.contains("(conflict");
    let origins = changes.iter().filter_map(|change| match &change.kind {
        Kind::Moved { from, .. } if excused.contains(&change.path) || is_copy(&change.path) => from.clone(),
        _ => None,
    });
    let origins: Vec<String> = origins.collect();
    excused.extend(origins);
    excused.extend(plan.lost.iter().cloned());
    // What came beside another stands for its path.
    let beside = wanted.iter().filter(|wanted| wanted.path.contains(LABEL));
    excused.extend(beside.map(|wanted| wanted.was_at.clone()));
    // What was on one side alone may have its way now, or is in the way.
    let there = check::list_paths(world);
    let all = world.disk.nodes.keys().chain(&there);
    excused.extend(all.filter(|path| !world.agreed.records.contains_key(*path)).cloned());
    // Others may have given a file new content right before they deleted it, which no list tells.
    let is_other = |wanted: &&Wanted| {
        wanted
            .deleted
            .as_ref()
            .is_some_and(|deleted| world.service.trash.content_of(deleted.file) != Some(deleted.hash))
    };
    excused.extend(wanted.iter().filter(is_other).map(|wanted| wanted.path.clone()));
    // A folder comes back with all that was in it in the drive.
    excused.extend(plan.acts.iter().filter_map(|act| match act {
        Act::RestoreFolder { folder, .. } => {
            world.service.trash.holds_more_than(*folder).then(|| act.path().to_owned())
        }
        _ => None,
    }));
    for record in [&world.agreed, &to.agreed] {
        let alone = record.records.iter().filter(|(_, record)| record.sides != Sides::Both);
        excused.extend(alone.map(|(path, _)| path.clone()));
    }
    if plan.figures.later_files > 0 {
        let is_later = |wanted: &&Wanted| wanted.deleted.as_ref().is_some_and(|held| held.hash != wanted.content.hash);
        excused.extend(wanted.iter().filter(is_later).map(|wanted| wanted.path.clone()));
    }
    excused
}

/// The contents that changes left there.
fn left_by(changes: &[PastChange]) -> BTreeSet<Content> {
    let left = changes.iter().filter_map(|change| match &change.kind {
        Kind::Content { after: Some(Held::File(after)), .. } => Some(content_of(&after.hash)),
        _ => None,
    });
    left.collect()
}

/// The contents of the folder.
fn contents_here(world: &World) -> BTreeSet<Content> {
    let held = world.disk.nodes.values().filter_map(|node| match node {
        Node::File { content, .. } => Some(*content),
        Node::Folder(_) | Node::Link(_) => None,
    });
    held.collect()
}

/// Does one act, and says whether it could be done.
fn carry_out(world: &mut World, act: &Act) -> bool {
    match act {
        Act::RestoreFolder { folder, .. } => restore(world, ItemRef::Folder(*folder)),
        Act::RestoreFile { file, .. } => restore(world, ItemRef::File(*file)),
        Act::Trash { path, stamp } => {
            let is_it = world.disk.nodes.get(path).and_then(Node::stamp) == Some(*stamp);
            let content = person::content_at(world, path).filter(|_| is_it && person::is_open(world, path));
            if let Some(content) = content {
                person::delete(world, path);
                world.disk.trash.push(content);
            }
            content.is_some()
        }
        Act::Move { from, to, identity } => {
            let is_it = world.disk.nodes.get(from).map(Node::identity) == Some(*identity);
            let can = is_it && is_free(world, to) && person::is_open(world, from) && !tree::is_below(to, from);
            let home = names::without_aside(from);
            if can {
                person::rename(world, from, to);
            } else if is_it && home != *from && is_free(world, &home) && person::is_open(world, from) {
                person::rename(world, from, &home);
            }
            can
        }
        Act::RemoveFolder { path } => {
            let is_empty = !world.disk.nodes.keys().any(|other| tree::is_below(other, path));
            let can = is_empty && world.disk.has_folder(path) && person::is_open(world, path);
            if can {
                person::delete(world, path);
            }
            can
        }
        Act::MakeFolder { path } => {
            if world.disk.has_folder(path) {
                return true;
            }
            let can = is_free(world, path);
            if can {
                let identity = world.disk.new_identity();
                world.disk.nodes.insert(path.clone(), Node::Folder(identity));
            }
            can
        }
        Act::Place { path, content, replacing, .. } => place(world, path, content, *replacing),
    }
}

fn is_free(world: &World, path: &str) -> bool {
    let above = tree::parent(path);
    !world.disk.nodes.contains_key(path)
        && world.disk.has_folder(above)
        && (above.is_empty() || person::is_open(world, above))
}

fn place(world: &mut World, path: &str, held: &revert::Content, replacing: Option<tree::Stamp>) -> bool {
    let content = content_of(&held.hash);
    let there = person::content_at(world, path);
    if there == Some(content) {
        return true;
    }
    let stamp = world.disk.nodes.get(path).and_then(Node::stamp);
    let can = match replacing {
        Some(replacing) => stamp == Some(replacing) && person::is_open(world, path),
        None => is_free(world, path),
    };
    if can {
        world.disk.trash.extend(there);
        person::write(world, path, content, false, false);
    }
    can
}

/// Somebody brings an item out of the drive's trash.
fn restore(world: &mut World, item: ItemRef) -> bool {
    let restored = world.service.restore(item);
    world.say(|| format!("person restores drive {item}: {restored:?}"));
    let Ok(contents) = restored else { return false };
    world.touches_there = true;
    for content in contents.into_iter().filter(|content| *content < FIRST_POINTER) {
        world.acts(content).written_there += 1;
    }
    true
}

impl Judged {
    /// Compares what both sides agree on with what they agreed on at the moment.
    fn judge(&self, world: &mut World, to: &Moment, noted: &BTreeSet<&str>) {
        let (then, now) = match self.is_whole {
            true => (on_both(&to.agreed), on_both(&world.agreed)),
            false => Default::default(),
        };
        if self.is_whole {
            world.count("goings back to what was");
        }
        let is_excused = |path: &str| {
            let is_named = |path: &str| self.excused.contains(path) || noted.contains(path);
            is_named(path)
                || tree::above(path).any(is_named)
                || self.excused.iter().any(|excused| tree::is_below(excused, path))
                || world.is_ignored(path)
                || world.disk.is_shut_in(path)
        };
        let mut wrong = Vec::new();
        for (path, held) in &then {
            if now.get(path) != Some(held) && !is_excused(path) {
                wrong.push(format!("{path} is not again what it was, {held:?}, but {:?}", now.get(path)));
            }
        }
        for (path, held) in &now {
            if !then.contains_key(path) && !path.contains(LABEL) && !path.contains("(conflict") && !is_excused(path) {
                wrong.push(format!("{path} was not there, and is {held:?} after going back"));
            }
        }
        let here = |content: Content| {
            let mut nodes = world.disk.nodes.values();
            nodes.any(|node| matches!(node, Node::File { content: other, .. } if *other == content))
        };
        let gone = self.untouched.iter().filter(|content| !here(**content));
        wrong.extend(gone.map(|content| format!("content {content} went by undoing changes that did not bring it")));
        for words in wrong {
            world.violate(words);
        }
    }
}

/// Whether an item moved here, and the drive is yet to follow.
fn has_moves_to_come(world: &World, agreed: &Agreed) -> bool {
    let folder_at = |path: &str| match path {
        "" => Some(world.service.root),
        path => agreed.records.get(path).and_then(Record::as_folder),
    };
    agreed.records.iter().any(|(path, record)| {
        record.place.name != tree::name(path) || folder_at(tree::parent(path)) != Some(record.place.folder)
    })
}

/// What a path is on both sides: a folder, or a content.
fn on_both(agreed: &Agreed) -> BTreeMap<String, Option<Content>> {
    let both = agreed.records.iter().filter(|(_, record)| record.sides == Sides::Both);
    both.map(|(path, record)| (path.clone(), record.as_file().map(|file| content_of(&file.hash)))).collect()
}
