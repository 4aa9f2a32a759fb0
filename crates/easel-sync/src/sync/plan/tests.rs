//! Tables of three small trees and the first operations that follow from them.

mod copies;
mod parts;
mod preview;
mod versions;
mod worlds;

use std::collections::BTreeMap;

use easel_wire::{FileId, FolderId};

use super::*;
use crate::shared::causes::{Cause, Failure};
use crate::shared::planted::Planted;
use crate::sync::tree::{Agreed, Change, ContentHash, Local, Place, Remote, Stamp};
use crate::sync::tree::{Agreement, FileRecord, LocalFile, LocalItem, Record, RemoteFile, RemoteFolder, Role, Sides};

const ROOT: u128 = 1;

fn folder_id(id: u128) -> FolderId {
    FolderId::imagined(id)
}

fn file_id(id: u128) -> FileId {
    FileId::imagined(id)
}

fn hash(content: u8) -> ContentHash {
    [content; 32]
}

/// Builds three trees. A file is given by its name, its content, and its identity here or its id there.
struct Trees {
    local: Local,
    remote: Remote,
    agreed: Agreed,
    failed: BTreeMap<String, Failure>,
}

impl Trees {
    fn new() -> Self {
        let mut remote = Remote::new(folder_id(ROOT));
        remote.folders.insert(folder_id(ROOT), RemoteFolder { parent: None, name: "synced".to_owned() });
        Self { local: Local::default(), remote, agreed: Agreed::default(), failed: BTreeMap::new() }
    }

    fn stamp(content: u8, identity: u64) -> Stamp {
        Stamp { size_bytes: 10, modified_us: i64::from(content), identity }
    }

    fn here(mut self, path: &str, content: u8, identity: u64) -> Self {
        let stamp = Self::stamp(content, identity);
        let file = LocalFile { stamp, changed_us: None, hash: Some(hash(content)), is_settled: true, still_ms: 0 };
        self.local.items.insert(path.to_owned(), LocalItem::File(file));
        self
    }

    fn folder_here(mut self, path: &str, identity: u64) -> Self {
        self.local.items.insert(path.to_owned(), LocalItem::Folder(identity));
        self
    }

    fn there(mut self, folder: u128, name: &str, content: u8, id: u128) -> Self {
        let (folder, name) = (Some(folder_id(folder)), name.to_owned());
        let file = RemoteFile { folder, name, size_bytes: 10, hash: Some(hash(content)) };
        self.remote.files.insert(file_id(id), file);
        self
    }

    fn folder_there(mut self, parent: u128, name: &str, id: u128) -> Self {
        let folder = RemoteFolder { parent: Some(folder_id(parent)), name: name.to_owned() };
        self.remote.folders.insert(folder_id(id), folder);
        self
    }

    fn agreed(mut self, path: &str, folder: u128, name: &str, content: u8, identity: u64, id: u128) -> Self {
        let agreement = Agreement::File(FileRecord {
            file: file_id(id),
            role: Role::Home,
            stamp: Self::stamp(content, identity),
            changed_us: None,
            hash: hash(content),
            replaces: Vec::new(),
            is_pointer: false,
        });
        self.agree(path, folder, name, agreement);
        self
    }

    fn folder_agreed(mut self, path: &str, parent: u128, name: &str, identity: u64, id: u128) -> Self {
        self.agree(path, parent, name, Agreement::Folder { folder: folder_id(id), identity });
        self
    }

    fn link(mut self, path: &str) -> Self {
        if let Some(Record { agreement: Agreement::File(file), .. }) = self.agreed.records.get_mut(path) {
            file.role = Role::Link;
        }
        self
    }

    fn agree(&mut self, path: &str, folder: u128, name: &str, agreement: Agreement) {
        let place = Place { folder: folder_id(folder), name: name.to_owned() };
        self.agreed.records.insert(path.to_owned(), Record { agreement, place, sides: Sides::Both });
    }

    /// A file that both sides have.
    fn both(self, path: &str, content: u8, id: u64) -> Self {
        let at = u128::from(id);
        self.here(path, content, id).there(ROOT, path, content, at).agreed(path, ROOT, path, content, id, at)
    }

    fn plan(&self, mode: Mode, deletions: DeletionRule) -> Plan {
        self.ask(mode, deletions, |input| {
            let plan = plan(input);
            assert_eq!(plan, plan_whole(input), "a part and the whole");
            plan
        })
    }

    /// What `ask` makes of the trees.
    fn ask<T>(&self, mode: Mode, deletions: DeletionRule, ask: impl Fn(&Input<'_>) -> T) -> T {
        let settings = Settings {
            mode,
            deletions,
            host_name: "studio-laptop".to_owned(),
            today: "2026-11-20".to_owned(),
            direct_max_bytes: 100,
            max_file_bytes: 1_000,
            at_once: 4,
            planted: Planted::default(),
        };
        ask(&Input {
            local: &self.local,
            remote: &self.remote,
            agreed: &self.agreed,
            unloaded: &crate::sync::unloaded::Unloaded::default(),
            settings: &settings,
            unresolved: &self.failed,
            ignores: Ignores(&|path, _| path.ends_with(".tmp")),
            consent: &[],
        })
    }
}

/// The operations in short.
fn words(plan: &Plan) -> String {
    let op = |op: &Op| match op {
        Op::Record(changes) => changes
            .iter()
            .map(|change| match change {
                Change::Put(path, record) => match record.as_file().map(|file| file.role) {
                    Some(Role::Link) => format!("link {path}"),
                    _ if record.sides == Sides::OnlyInDrive => format!("keep {path}"),
                    _ if record.sides == Sides::OnlyHere => format!("only here {path}"),
                    _ => format!("agree {path}"),
                },
                Change::Forget(path) => format!("forget {path}"),
                Change::Rename { from, to } => format!("follow {from} {to}"),
            })
            .collect::<Vec<_>>()
            .join(" + "),
        Op::Place { path, to } => format!("place {path} {}", to.name),
        Op::MoveLocal { from, to, .. } => format!("move {from} {to}"),
        Op::Upload { path, replacing: Some(_), .. } => format!("give {path}"),
        Op::Upload { path, .. } => format!("upload {path}"),
        Op::Point { path, .. } => format!("point {path}"),
        Op::Retire { pointer, .. } => format!("retire {pointer}"),
        Op::DiscardPointer { pointer, .. } => format!("discard {pointer}"),
        Op::Download { path, replacing: None, .. } => format!("download {path}"),
        Op::Download { path, .. } => format!("replace {path}"),
        Op::DeleteFile { path, .. } => format!("delete {path}"),
        Op::TrashLocal { path } => format!("trash {path}"),
        Op::MakeFolder { path } => format!("make {path}"),
        Op::MakeLocalFolder { path, .. } => format!("make here {path}"),
        other => format!("{other:?}"),
    };
    match plan.guard {
        Some(guard) => format!("ask {guard:?}"),
        None => plan.ops.iter().map(op).collect::<Vec<_>>().join(", "),
    }
}

#[test]
fn the_first_operations_follow_from_the_trees() {
    let base = || Trees::new().both("a", 1, 11).both("b", 2, 12);
    let without = |path: &str| {
        let mut trees = base();
        trees.local.items.remove(path);
        trees
    };
    let gone = |id: u128| {
        let mut trees = base();
        trees.remote.files.remove(&file_id(id));
        trees
    };
    // The trees, then what follows: uploads only, keeping what is deleted here; both ways, deleting.
    let cases: [(&str, Trees, &str, &str); 19] = [
        ("nothing changed", base(), "", ""),
        ("a new file", base().here("c", 3, 13), "upload c", "upload c"),
        ("a new file, there", base().there(ROOT, "c", 3, 13), "", "download c"),
        ("new on both sides, the same", base().here("c", 3, 13).there(ROOT, "c", 3, 13), "agree c", "agree c"),
        (
            "new on both sides, different",
            base().here("c", 3, 13).there(ROOT, "c", 4, 13),
            "upload c",
            "move c c (conflict, studio-laptop, 2026-11-20)",
        ),
        ("an edit", base().here("a", 3, 11), "give a", "give a"),
        ("a copy", base().here("c", 1, 13), "point c", "point c"),
        ("a rename", without("a").here("c", 1, 11), "forget a + agree c", "forget a + agree c"),
        ("a move by content", without("a").here("c", 1, 19), "forget a + agree c", "forget a + agree c"),
        ("deleted here", without("a"), "keep a", "delete a"),
        ("deleted there", gone(11), "only here a", "trash a"),
        ("deleted there, edited here", gone(11).here("a", 3, 11), "forget a", "forget a"),
        ("replaced there", gone(11).there(ROOT, "a", 3, 13), "only here a", "replace a"),
        ("renamed there", base().there(ROOT, "c", 1, 11), "", "move a c"),
        (
            "the home of a link is deleted",
            without("a").here("c", 1, 13).agreed("c", ROOT, "a", 1, 13, 11).link("c"),
            "forget a + agree c",
            "forget a + agree c",
        ),
        ("names that are one to the drive", base().here("A", 3, 13), "", ""),
        ("a new folder", base().folder_here("x", 13), "make x", "make x"),
        (
            "moved there into a folder that was deleted here",
            base().folder_there(ROOT, "x", 13).folder_agreed("x", ROOT, "x", 13, 13).there(13, "a", 1, 11),
            "keep x",
            "forget x",
        ),
        ("a new folder there", base().folder_there(ROOT, "x", 13), "", "make here x"),
    ];
    for (name, trees, upload_only, both_ways) in cases {
        assert_eq!(words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep)), upload_only, "{name}, uploads only");
        assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), both_ways, "{name}, both ways");
    }
}

#[test]
fn a_folder_that_was_renamed_is_one_request() {
    let before = Trees::new().folder_there(ROOT, "x", 20).folder_agreed("x", ROOT, "x", 20, 20);
    let before = before.there(20, "a", 1, 11).agreed("x/a", 20, "a", 1, 11, 11);
    let mut trees = before.folder_here("y", 20).here("y/a", 1, 11);
    let follow = trees.plan(Mode::UploadOnly, DeletionRule::Keep);
    assert_eq!(words(&follow), "follow x y");
    for op in follow.ops {
        if let Op::Record(changes) = op {
            changes.iter().for_each(|change| trees.agreed.apply(change));
        }
    }
    assert_eq!(words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep)), "place y y");
}

#[test]
fn a_folder_with_two_records_moves_with_the_one_whose_files_are_its_own() {
    let trees = Trees::new().folder_there(ROOT, "a", 20).folder_agreed("a", ROOT, "a", 5, 20);
    let trees = trees.folder_there(ROOT, "b", 30).folder_agreed("b", ROOT, "b", 5, 30);
    let trees = trees.there(20, "1", 1, 21).agreed("a/1", 20, "1", 1, 6, 21);
    let trees = trees.there(30, "1", 2, 31).agreed("b/1", 30, "1", 2, 6, 31);
    let moved = trees.folder_here("c", 5).here("c/1", 2, 6);
    let plan = moved.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(plan.ops, [Op::Record(vec![Change::Rename { from: "b".to_owned(), to: "c".to_owned() }])]);
}

#[test]
fn a_folder_that_cannot_be_seen_is_not_replaced_by_one_of_its_name() {
    let agreed = Trees::new().folder_there(ROOT, "y", 8).folder_agreed("y", ROOT, "y", 8, 8).folder_here("y", 8);
    let moved_there = agreed.folder_there(ROOT, "X", 20).folder_agreed("y/x", 8, "x", 20, 20);
    let mut trees = moved_there.there(20, "a", 1, 11).agreed("y/x/a", 20, "a", 1, 11, 11).folder_here("x", 23);
    assert!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)).starts_with("follow y/x x"));
    trees.local.unreadable.insert("y".to_owned());
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "");
}

#[test]
fn a_file_is_not_deleted_while_its_moved_folder_cannot_be_read() {
    // The folder `z` was moved to `x` while a symbolic link lay at `z`, so `x` got a record of its own.
    let trees = Trees::new().both("b", 2, 12).folder_here("x", 20).folder_there(ROOT, "x", 30);
    let trees = trees.folder_agreed("x", ROOT, "x", 20, 30).folder_there(ROOT, "z", 20);
    let trees = trees.folder_agreed("z", ROOT, "z", 20, 20).there(20, "a", 1, 11).agreed("z/a", 20, "a", 1, 11, 11);
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "delete z/a", "it is seen to be gone");
    let mut closed = trees;
    closed.local.unreadable.insert("x".to_owned());
    assert_eq!(words(&closed.plan(Mode::BothWays, DeletionRule::Delete)), "");
}

#[test]
fn a_folder_keeps_its_identity_while_it_may_have_gone_elsewhere_with_its_files() {
    // The folder `x` went into another one, which then came to its path; its own files cannot be read.
    let trees = Trees::new().both("b", 2, 12).folder_there(ROOT, "x", 20).folder_agreed("x", ROOT, "x", 20, 20);
    let trees = trees.there(20, "a", 1, 11).agreed("x/a", 20, "a", 1, 11, 11).folder_here("x", 21);
    let other = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&other), "delete x/a", "whoever deletes a folder and makes it again deletes its files");
    let mut shut = trees.folder_here("x/x", 20).folder_there(20, "x", 30).folder_agreed("x/x", 20, "x", 20, 30);
    shut.local.unreadable.insert("x/x".to_owned());
    assert_eq!(words(&shut.plan(Mode::BothWays, DeletionRule::Delete)), "");
}

#[test]
fn nobody_makes_way_for_a_file_whose_own_move_is_in_doubt() {
    // `x/2` was moved to the folder of `x` by this computer, and the name that it has there is not settled yet.
    let trees = Trees::new().folder_here("x", 20).folder_there(ROOT, "x", 20).folder_agreed("x", ROOT, "x", 20, 20);
    let trees = trees.here("x/2", 1, 11).there(20, "a", 1, 11).agreed("x/2", ROOT, "a", 1, 11, 11).here("x/a", 3, 13);
    let moved = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert!(!words(&moved).is_empty());
    let mut open = trees;
    open.failed.insert("x/2".to_owned(), Cause::Changed.into());
    let planned = words(&open.plan(Mode::BothWays, DeletionRule::Delete));
    assert!(!planned.contains("conflict"), "{planned}");
}

#[test]
fn many_deletions_and_empty_roots_are_asked_about() {
    let full = || (0..40).fold(Trees::new(), |trees, n| trees.both(&format!("file {n}"), n, u64::from(n) + 10));
    let here = |kept: usize| {
        let mut trees = full();
        trees.local.items = trees.local.items.into_iter().take(kept).collect();
        trees
    };
    let there = |kept: usize| {
        let mut trees = full();
        trees.remote.files = trees.remote.files.into_iter().take(kept).collect();
        trees
    };
    let cases = [
        (here(0), "ask LocalEmpty"),
        (here(30), "ask ManyRemoteDeletions(10)"),
        (there(0), "ask RemoteEmpty"),
        (there(30), "ask ManyLocalDeletions(10)"),
    ];
    for (trees, expected) in cases {
        assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), expected);
    }
    assert_eq!(here(31).plan(Mode::BothWays, DeletionRule::Delete).ops.len(), 9);
    // A consent is to the question that was asked, and to no more.
    let cases = [
        (here(30), Guard::ManyRemoteDeletions(10), 10),
        (here(30), Guard::ManyRemoteDeletions(12), 10),
        (here(28), Guard::ManyRemoteDeletions(10), 0),
        (here(28), Guard::LocalEmpty, 0),
        (here(0), Guard::LocalEmpty, 40),
        (there(28), Guard::ManyLocalDeletions(10), 0),
        (there(28), Guard::RemoteEmpty, 0),
        (there(0), Guard::RemoteEmpty, 40),
    ];
    for (trees, consent, expected) in cases {
        let plan =
            trees.ask(Mode::BothWays, DeletionRule::Delete, |input| plan(&Input { consent: &[consent], ..*input }));
        assert_eq!(plan.ops.len(), expected, "{consent:?}: {:?}", plan.guard);
    }
}

#[test]
fn a_drive_folder_whose_files_were_all_edited_is_not_empty() {
    let edited = |count: u8| {
        let mut trees = Trees::new();
        for n in 0..count {
            trees = trees.both(&format!("file {n:02}"), n, u64::from(n) + 10);
            trees.remote.files.remove(&file_id(u128::from(n) + 10));
            trees = trees.there(ROOT, &format!("file {n:02}"), n + 100, u128::from(n) + 200);
        }
        trees.plan(Mode::BothWays, DeletionRule::Delete)
    };
    assert_eq!(words(&edited(1)), "replace file 00");
    let plan = edited(30);
    assert_eq!((plan.guard, plan.ops.len()), (None, 30));
}

#[test]
fn the_very_file_that_was_taken_for_deleted_is_agreed_on_again_when_it_is_edited() {
    let kept = |identity: u64| {
        let mut trees = Trees::new().both("a", 1, 11).both("b", 2, 12).here("a", 3, identity);
        trees.agreed.records.entry("a".to_owned()).and_modify(|record| record.sides = Sides::OnlyInDrive);
        words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep))
    };
    assert_eq!(kept(11), "agree a");
    // Another folder of its name is a new one.
    assert!(kept(19).starts_with("follow a a"), "{}", kept(19));
}

/// Seed 145194: a folder was deleted in the drive with its items, of which the looks so far have shown only some as
/// gone.
#[test]
fn a_folder_that_is_gone_waits_for_what_seems_to_lie_in_it_still() {
    let trees = Trees::new().folder_here("x", 13).folder_agreed("x", ROOT, "x", 13, 13).both("b", 2, 12);
    let trees = trees.here("x/a", 1, 11).agreed("x/a", 13, "a", 1, 11, 11).there(13, "a", 1, 11);
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "");
}

/// Seed 53238953: nothing said why the file stayed behind its place in the drive.
#[test]
fn a_file_that_a_deleted_folder_keeps_from_its_place_says_so() {
    let trees = Trees::new().both("b", 1, 11).folder_there(ROOT, "a", 20).folder_agreed("a", ROOT, "a", 20, 20);
    let mut trees = trees.here("A", 2, 12).there(20, "c", 2, 12).agreed("A", 20, "c", 2, 12, 12);
    trees = trees.there(ROOT, "a", 1, 11);
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert!(plan.notes.contains(&Note { path: "b".to_owned(), difference: Difference::NameTaken }), "{plan:?}");
}
