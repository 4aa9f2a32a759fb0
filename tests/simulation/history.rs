//! What the simulated store writes down of changes, so that they can be undone, by the recorder and in the words of the real
//! journal.

use std::collections::{BTreeMap, BTreeSet};

use easel_sync::engine::{AppliedChange, ChangeKind};
use easel_sync::folders::past_changes;
use easel_sync::ports::Settlement;
use easel_sync::revert::{Content, Held, Known, PastChange, RecordedChange, Recorder, Run, Unsaved};
use easel_sync::tree::{self, Agreed, Agreement, Sides};
use easel_wire::{FolderId, ItemRef};

/// The changes of a watched folder.
#[derive(Debug)]
pub struct History {
    recorder: Recorder,
    root: FolderId,
    /// What of the recorder outlives the program.
    known: Known,
    runs: i64,
    has_rested: bool,
    /// The first first.
    pub changes: Vec<PastChange>,
    pub moments: Vec<Moment>,
    /// Paths at which both sides came to agree on something else without a change of the engine, because the same was done on both or
    /// undone on one; each after so many changes. The history does not tell of them.
    silent: Vec<(usize, String)>,
}

/// What both sides agreed on when the engine rested, after so many changes.
#[derive(Debug, Clone)]
pub struct Moment {
    pub changes: usize,
    pub agreed: Agreed,
    /// Whether nothing differed.
    pub is_even: bool,
}

impl History {
    pub fn new(root: FolderId) -> Self {
        let (recorder, known) = (Recorder::new(root, Known::default()), Known::default());
        Self {
            recorder,
            root,
            known,
            runs: 0,
            has_rested: false,
            changes: Vec::new(),
            moments: Vec::new(),
            silent: Vec::new(),
        }
    }

    /// What a settlement finds, right before it.
    pub fn record(&mut self, agreed: &Agreed, settlement: &Settlement) -> Vec<RecordedChange> {
        if self.recorder.run().is_none() && !settlement.applied.is_empty() {
            self.runs += 1;
            self.recorder.begin_run(Run { number: self.runs, is_recorded: self.has_rested });
        }
        let recorded = self.recorder.record(settlement, |path| held(agreed, path));
        let Unsaved { came_from, forgotten } = self.recorder.take_unsaved();
        update(&mut self.known.came_from, came_from);
        update(&mut self.known.forgotten, forgotten);
        recorded
    }

    /// Writes down what was applied, right after it. Returns the paths at which something came about that it does not tell of.
    pub fn write(
        &mut self,
        before: &Agreed,
        agreed: &Agreed,
        applied: &[AppliedChange],
        recorded: Vec<RecordedChange>,
    ) -> Vec<String> {
        let silent = find_silent(before, agreed, applied);
        self.silent.extend(silent.iter().map(|path| (self.changes.len(), path.clone())));
        for (applied, mut recorded) in applied.iter().zip(recorded) {
            recorded.after = recorded.before.is_some().then(|| held(agreed, &applied.path));
            let id = i64::try_from(self.changes.len()).unwrap_or(i64::MAX);
            self.changes.extend(past_changes(id, applied, recorded).into_iter().rev());
        }
        silent
    }

    /// The paths that something came about at since a moment that the history does not tell of.
    pub fn silent_since(&self, changes: usize) -> impl Iterator<Item = &String> {
        self.silent.iter().filter(move |(after, _)| *after >= changes).map(|(_, path)| path)
    }

    /// The program ends, wherever it is.
    pub fn crash(&mut self) {
        self.recorder = Recorder::new(self.root, self.known.clone());
    }

    /// The engine rests: the folder can go back to this.
    pub fn rest(&mut self, agreed: &Agreed, is_even: bool) {
        self.recorder.end_run();
        self.known.forgotten.clear();
        self.has_rested = true;
        self.moments.push(Moment { changes: self.changes.len(), agreed: agreed.clone(), is_even });
    }
}

/// Takes over what is known of paths by now.
fn update<T>(known: &mut BTreeMap<String, T>, unsaved: Vec<(String, Option<T>)>) {
    for (path, value) in unsaved {
        match value {
            Some(value) => drop(known.insert(path, value)),
            None => drop(known.remove(&path)),
        }
    }
}

fn held(agreed: &Agreed, path: &str) -> Held {
    match agreed.records.get(path).map(|record| &record.agreement) {
        None => Held::Nothing,
        Some(Agreement::Folder { folder, .. }) => Held::Folder { folder: *folder },
        Some(Agreement::File(file)) => {
            Held::File(Content { file: file.file, hash: file.hash, bytes: file.stamp.size_bytes })
        }
    }
}

/// The items that both sides have, by path.
fn on_both(agreed: &Agreed) -> BTreeMap<&str, (ItemRef, Held)> {
    let both = agreed.records.iter().filter(|(_, record)| record.sides == Sides::Both);
    both.map(|(path, record)| {
        let item = match &record.agreement {
            Agreement::Folder { folder, .. } => ItemRef::Folder(*folder),
            Agreement::File(file) => ItemRef::File(file.file),
        };
        (path.as_str(), (item, held(agreed, path)))
    })
    .collect()
}

fn find_silent(before: &Agreed, after: &Agreed, applied: &[AppliedChange]) -> Vec<String> {
    let (then, now) = (on_both(before), on_both(after));
    let paths: BTreeSet<&str> = then.keys().chain(now.keys()).copied().collect();
    let is_told = |path: &str| {
        applied.iter().any(|applied| {
            let from = match &applied.what {
                ChangeKind::MovedHere { from } | ChangeKind::ConflictKept { from } => Some(from.as_str()),
                _ => None,
            };
            applied.path == path || from == Some(path)
        })
    };
    // Whether the item of a path has only moved: that is told of when the other side follows.
    let has_moved = |path: &str, on: &BTreeMap<&str, (ItemRef, Held)>, other: &BTreeMap<&str, (ItemRef, Held)>| {
        let is_it = |at: &&str, item: ItemRef| on.get(*at).is_some_and(|(on, _)| *on == item);
        on.get(path).is_none_or(|(item, _)| other.iter().any(|(at, (moved, _))| moved == item && !is_it(at, *item)))
    };
    let is_silent = |path: &&str| {
        let is_moved = has_moved(path, &then, &now) && has_moved(path, &now, &then);
        let is_followed = is_followed(after, path) && !is_followed(before, path) && then.contains_key(path);
        // An item may have moved by itself to where the drive has it already: no other side is to follow.
        let came_to_its_place = |path: &str| {
            let came = now.get(path).filter(|_| !then.contains_key(path) && self::is_followed(after, path));
            let from = came.and_then(|(item, _)| then.iter().find(|(_, (other, _))| other == item));
            let is_same = |folder: &str| folder.is_empty() || then.get(folder) == now.get(folder);
            from.is_some_and(|(from, _)| is_same(tree::parent(from)) && is_same(tree::parent(path)))
        };
        // Another file of the drive may come to stand for the same content.
        let holds_the_same = match (then.get(path), now.get(path)) {
            (Some((_, Held::File(then))), Some((_, Held::File(now)))) => then.hash == now.hash,
            (then, now) => then == now,
        };
        !is_told(path) && ((!holds_the_same && !is_moved) || is_followed || came_to_its_place(path))
    };
    paths.into_iter().filter(is_silent).map(str::to_owned).collect()
}

/// Whether an item's place in the drive is what its path says, the top aside.
fn is_followed(agreed: &Agreed, path: &str) -> bool {
    let above = agreed.records.get(tree::parent(path)).and_then(|record| record.as_folder());
    let is_at_top = tree::parent(path).is_empty();
    agreed.records.get(path).is_some_and(|record| {
        record.place.name == tree::name(path) && (is_at_top || above == Some(record.place.folder))
    })
}
