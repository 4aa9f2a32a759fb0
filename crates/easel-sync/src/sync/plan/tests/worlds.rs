//! Trees of simulated worlds that were once planned wrongly.

use super::*;
use crate::shared::causes::Cause;
use crate::sync::tree::Skipped;
use crate::sync::tree::{Place, Stamp};

impl Trees {
    /// Notes that a path's content has replaced a drive file.
    pub(super) fn replacing(mut self, path: &str, name: &str, content: u8, id: u128) -> Self {
        if let Some(Record { agreement: Agreement::File(file), .. }) = self.agreed.records.get_mut(path) {
            let place = Place { folder: folder_id(ROOT), name: name.to_owned() };
            file.replaces.push(crate::sync::tree::Replaced {
                file: file_id(id),
                place,
                hash: hash(content),
                is_pointer: false,
            });
        }
        self
    }
}

#[test]
fn what_simulated_worlds_found_stays_right() {
    let base = || Trees::new().both("b", 2, 12);
    let half_replaced = |sides| {
        let trees = base().there(ROOT, "a (2)", 1, 11).there(ROOT, "a", 9, 30).agreed("a", ROOT, "a (2)", 1, 11, 11);
        let mut trees = trees.replacing("a", "a", 9, 30);
        trees.agreed.records.entry("a".to_owned()).and_modify(|record| record.sides = sides);
        trees
    };
    let inside_out = || {
        let there = base().folder_there(ROOT, "x", 3).folder_there(3, "x", 4);
        let agreed = there.folder_agreed("x", 3, "x", 4, 4).folder_agreed("x/x", ROOT, "x", 3, 3);
        agreed.folder_here("x", 4).folder_here("x/x", 3)
    };
    let moved_to_a_clash = || {
        let trees = Trees::new().both("a", 1, 11).here("A", 2, 12).there(ROOT, "b", 2, 30);
        let trees = trees.here("b", 3, 13).there(ROOT, "b (2)", 3, 13).agreed("b", ROOT, "b (2)", 3, 13, 13);
        trees.replacing("b", "b", 2, 30)
    };
    let wanted_again = || {
        let trees = base().here("x", 9, 11).there(ROOT, "x", 1, 11).agreed("x", ROOT, "x", 1, 11, 11);
        trees.there(ROOT, "a", 9, 30).replacing("x", "a", 9, 30)
    };
    let two_links = || {
        let trees = base().here("x", 1, 11).there(ROOT, "x", 1, 11).agreed("x", ROOT, "x", 1, 11, 11);
        let trees = trees.there(ROOT, "c", 9, 30).here("a", 9, 13).agreed("a", ROOT, "c", 9, 13, 30).link("a");
        trees.here("c", 9, 14).agreed("c", ROOT, "c", 9, 14, 30).link("c").replacing("x", "c", 9, 30)
    };
    let gone_back = || {
        let trees = base().agreed("c", ROOT, "c (2)", 1, 11, 11).there(ROOT, "c", 9, 30).here("d", 9, 14);
        trees.replacing("c", "c", 9, 30)
    };
    let stuck = || {
        let trees = base().here("a", 1, 11).there(ROOT, "a (2)", 1, 11).agreed("a", ROOT, "a (2)", 1, 11, 11);
        trees.there(ROOT, "a", 9, 30).here("a (2)", 5, 15)
    };
    let promoted_and_reviewed = || {
        let trees = base().there(ROOT, "a", 9, 11).agreed("a", ROOT, "a", 9, 11, 11);
        let trees = trees.here("y", 9, 14).agreed("y", ROOT, "a", 9, 14, 11).link("y");
        trees.both("z", 8, 18).replacing("y", "y", 8, 18)
    };
    let back_at_an_older_path = |id| {
        let trees = base().there(ROOT, "c", 1, id).agreed("c", ROOT, "c", 1, 11, 30);
        trees.here("a", 1, 11).agreed("a", ROOT, "a", 1, 11, 11).there(ROOT, "a", 4, 31)
    };
    let keep = (Mode::UploadOnly, DeletionRule::Keep);
    let delete = (Mode::BothWays, DeletionRule::Delete);
    let cases = [
        ("kept, its old version too", half_replaced(Sides::OnlyInDrive), keep, ""),
        ("turned inside out under one name", inside_out(), delete, "place x/x x (moving)"),
        ("what was replaced is here under a name that clashes", moved_to_a_clash(), delete, "agree A"),
        ("what was replaced is wanted again elsewhere", wanted_again(), delete, "agree x"),
        ("one home for two links", two_links(), delete, "agree a"),
        ("one home for a path that goes back and a new one", gone_back(), delete, "agree c"),
        ("a name that nothing frees", stuck(), keep, "upload a (2)"),
        ("back at a path whose own drive file is gone", back_at_an_older_path(30), delete, "forget c + agree a"),
        ("back there, and nothing of it is in the drive", back_at_an_older_path(32), delete, "forget c"),
        ("one change of a path at a time", promoted_and_reviewed(), delete, "forget a + agree y"),
    ];
    for (name, trees, (mode, deletions), expected) in cases {
        assert_eq!(words(&trees.plan(mode, deletions)), expected, "{name}");
    }
    let words = words(&half_replaced(Sides::Both).plan(Mode::BothWays, DeletionRule::Delete));
    assert!(words.starts_with("DeleteReplaced"), "{words}");
}

/// Seed 62256997: in the drive, the outer folder went into the inner one. What failed at the inner one's own move is
/// tried again, and until then the outer one is not called back by its old name.
#[test]
fn a_folder_that_goes_into_one_of_its_own_waits_until_that_one_has_moved() {
    let mut trees = Trees::new().folder_here("y", 6).folder_here("y/x", 8).folder_agreed("y", ROOT, "y", 6, 6);
    trees = trees.folder_agreed("y/x", 6, "x", 8, 8).folder_there(ROOT, "X", 8).folder_there(8, "X", 6);
    let both = |trees: &Trees| words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    assert_eq!(both(&trees), "move y/x X");
    trees.failed.insert("y/x".to_owned(), Cause::Changed.into());
    assert_eq!(both(&trees), "");
}

/// What both sides do after the first plan, which only changes records.
pub(super) fn then(mut trees: Trees, mode: Mode, deletions: DeletionRule) -> String {
    let first = trees.plan(mode, deletions);
    for op in first.ops {
        let Op::Record(changes) = op else { panic!("not only agreed: {op:?}") };
        changes.iter().for_each(|change| trees.agreed.apply(change));
    }
    words(&trees.plan(mode, deletions))
}

#[test]
fn a_file_that_was_not_read_yet_may_be_the_one_that_is_missing() {
    let both = |trees: Trees| words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    let moved_over = || {
        let mut trees = Trees::new().both("a", 1, 11).both("b", 2, 12).both("c", 3, 13);
        trees.local.items.remove("a");
        // The local file now has another size than before.
        let stamp = Stamp { size_bytes: 77, modified_us: 1, identity: 11 };
        let file = LocalFile { stamp, changed_us: None, hash: None, is_settled: true, still_ms: 0 };
        trees.local.items.insert("b".to_owned(), LocalItem::File(file));
        trees
    };
    assert!(both(moved_over()).starts_with("Hash"), "it is read first");
    let mut trees = moved_over();
    trees.failed.insert("b".to_owned(), Cause::Changed.into());
    assert_eq!(both(trees), "", "it could not be read: nothing is deleted for now");
    let mut trees = moved_over();
    trees.failed.insert("b".to_owned(), Cause::Changed.into());
    trees.local.items.insert(
        "b".to_owned(),
        LocalItem::File(LocalFile {
            stamp: Trees::stamp(2, 12),
            changed_us: None,
            hash: None,
            is_settled: true,
            still_ms: 0,
        }),
    );
    assert_eq!(both(trees), "delete a", "it is another");
}

#[test]
fn a_file_left_the_watched_part_only_where_that_is_seen() {
    let moved_to = |folder: Option<u128>| {
        let mut trees = Trees::new().both("a", 1, 11).both("b", 2, 12);
        let outside = RemoteFolder { parent: None, name: "elsewhere".to_owned() };
        trees.remote.folders.insert(folder_id(2), outside);
        let seen = trees.remote.files.entry(file_id(11));
        seen.and_modify(|seen| seen.folder = folder.map(folder_id));
        trees
    };
    let cases = [
        (Some(2), "link a", Difference::MovedInDrive),
        (None, "link a", Difference::MovedInDrive),
        // A folder that no list has shown.
        (Some(99), "", Difference::MovedInDrive),
    ];
    for (folder, expected, difference) in cases {
        let trees = moved_to(folder);
        assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), expected, "{folder:?}");
        let noted = trees.plan(Mode::UploadOnly, DeletionRule::Keep).notes;
        assert_eq!(noted, [Note { path: "a".to_owned(), difference }], "{folder:?}");
    }
    let mut trees = moved_to(None);
    trees.local.items.remove("a");
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&plan), "forget a", "moved there and deleted here: nobody deletes it there");
}

#[test]
fn two_new_folders_whose_names_are_one_get_the_spelling_of_the_drive_both_ways() {
    let trees = || Trees::new().folder_here("X", 11).folder_there(ROOT, "x", 20);
    assert_eq!(then(trees(), Mode::BothWays, DeletionRule::Delete), "move X x");
    assert_eq!(then(trees(), Mode::UploadOnly, DeletionRule::Keep), "place X X");
}

#[test]
fn what_cannot_leave_its_place_is_not_waited_for() {
    // Two changed names, and a third took one of them, but for its case.
    let trees = || {
        let trees = Trees::new().here("a", 1, 11).agreed("a", ROOT, "b", 1, 11, 11).there(ROOT, "b", 1, 11);
        let trees = trees.here("b", 2, 12).agreed("b", ROOT, "a", 2, 12, 12).there(ROOT, "a", 2, 12);
        trees.here("A", 3, 13).agreed("A", ROOT, "c", 3, 13, 13).there(ROOT, "c", 3, 13)
    };
    let plan = trees().plan(Mode::UploadOnly, DeletionRule::Keep);
    assert_eq!(words(&plan), "");
    let noted: Vec<&str> = plan.notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(noted, ["A", "a", "b"]);
    let mut without = trees();
    without.local.items.remove("A");
    without.agreed.records.remove("A");
    assert_eq!(words(&without.plan(Mode::UploadOnly, DeletionRule::Keep)), "place a a (moving)");
}

#[test]
fn two_items_that_each_side_gave_one_name_both_keep_one() {
    // `a` became `x` here while `b` became `x` in the drive.
    let trees = Trees::new().here("x", 1, 11).there(ROOT, "a", 1, 11).agreed("x", ROOT, "a", 1, 11, 11);
    let trees = trees.here("b", 2, 12).there(ROOT, "x", 2, 12).agreed("b", ROOT, "b", 2, 12, 12);
    let both = words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    assert_eq!(both, "move x x (conflict, studio-laptop, 2026-11-20)");
    assert_eq!(words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep)), "", "nothing here is touched");

    let trees = Trees::new().folder_here("x", 20).folder_there(ROOT, "a", 20).folder_agreed("x", ROOT, "a", 20, 20);
    let trees = trees.folder_here("b", 21).folder_there(ROOT, "x", 21).folder_agreed("b", ROOT, "b", 21, 21);
    let both = words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    assert_eq!(both, "move x x (conflict, studio-laptop, 2026-11-20)");
}

#[test]
fn what_was_put_aside_and_stays_gets_a_name_to_be_known_by() {
    let aside = |sides| {
        let trees = Trees::new().both("a", 1, 11).there(ROOT, "b (moving)", 2, 12);
        let mut trees = trees.agreed("b", ROOT, "b (moving)", 2, 12, 12);
        trees.agreed.records.entry("b".to_owned()).and_modify(|record| record.sides = sides);
        trees
    };
    let keep = |trees: Trees| words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep));
    assert_eq!(keep(aside(Sides::OnlyInDrive)), "place b b", "kept in the drive alone");
    let taken = aside(Sides::OnlyInDrive).there(ROOT, "B", 9, 30);
    assert_eq!(keep(taken), "place b b (2)", "another has its name");
    let blocked = aside(Sides::Both).here("b", 2, 12).there(ROOT, "b", 9, 30).here("b (2)", 8, 18);
    let blocked = blocked.there(ROOT, "b (2)", 8, 18).agreed("b (2)", ROOT, "b (2)", 8, 18, 18);
    assert_eq!(keep(blocked), "place b b (3)", "it does not get to its place");
    let own = Trees::new().both("c (moving)", 1, 11);
    assert_eq!(keep(own), "", "a person may call a file so");
}

#[test]
fn a_drive_folder_beside_one_that_cannot_follow_its_own_is_said_to_clash() {
    let trees = Trees::new().both("a", 1, 11).folder_here("X", 20).folder_agreed("X", ROOT, "X", 20, 20);
    let trees = trees.folder_there(ROOT, "a", 20).folder_there(ROOT, "x", 21);
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&plan), "");
    let clash = Note { path: "x".to_owned(), difference: Difference::Clash { with: "X".to_owned() } };
    assert!(plan.notes.contains(&clash), "{:?}", plan.notes);
}

#[test]
fn nothing_is_concluded_about_what_cannot_be_seen() {
    let base = || {
        let trees = Trees::new().both("b", 2, 12).folder_there(ROOT, "x", 20).folder_agreed("x", ROOT, "x", 20, 20);
        trees.there(20, "a", 1, 11).agreed("x/a", 20, "a", 1, 11, 11)
    };
    let plan = |trees: &Trees| trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&plan(&base())), "delete x/a", "a folder that is gone");
    let in_doubt = || {
        let mut trees = base();
        trees.local.doubtful.insert("x".to_owned());
        trees
    };
    let linked = || {
        let mut trees = base();
        trees.local.skipped.insert("x".to_owned(), Skipped::SymbolicLink);
        trees
    };
    let closed = || {
        let mut trees = base().folder_here("x", 20);
        trees.local.unreadable.insert("x".to_owned());
        trees
    };
    for (name, trees) in [("in doubt", in_doubt()), ("a link", linked()), ("closed", closed())] {
        assert_eq!(words(&plan(&trees)), "", "{name}");
    }
    let trees = closed().there(20, "new", 5, 15).folder_there(20, "y", 21);
    assert_eq!(words(&plan(&trees)), "", "nothing is fetched into a folder that cannot be read");
    let mut trees = linked();
    trees.remote.files.entry(file_id(11)).and_modify(|seen| seen.folder = Some(folder_id(ROOT)));
    let moved = Note { path: "x/a".to_owned(), difference: Difference::MovedInDrive };
    assert!(plan(&trees).notes.contains(&moved), "what cannot be seen cannot follow, and that is said");
    let mut trees = Trees::new().both("b", 2, 12).here("c", 3, 13).there(ROOT, "c", 4, 14);
    let taken = "c (conflict, studio-laptop, 2026-11-20)".to_owned();
    trees.local.skipped.insert(taken, Skipped::SymbolicLink);
    let free = "c (conflict, studio-laptop, 2026-11-20, 2)";
    assert_eq!(words(&plan(&trees)), format!("move c {free}"), "a link has the name");
    let mut trees = in_doubt().folder_here("x", 20).here("x/a", 1, 11).here("x/c", 3, 13).there(20, "c", 4, 14);
    trees.local.doubtful.insert("y".to_owned());
    let expected = "move x/c x/c (conflict, studio-laptop, 2026-11-20)";
    assert_eq!(words(&plan(&trees)), expected, "a name is found in a folder that is in doubt");
}

#[test]
fn folders_turned_inside_out_in_the_drive_are_turned_here() {
    let trees = Trees::new().both("b", 2, 12).folder_here("x", 20).folder_here("x/y", 21);
    let trees = trees.folder_agreed("x", ROOT, "x", 20, 20).folder_agreed("x/y", 20, "y", 21, 21);
    let trees = trees.folder_there(ROOT, "y", 21).folder_there(21, "x", 20);
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "move x/y y");
}

#[test]
fn a_folder_that_was_made_again_keeps_what_is_agreed_in_it_by_now() {
    // The folder was deleted and made again in another spelling, and a file was moved to the path of one that was
    // deleted with it.
    let trees = Trees::new().folder_here("X", 30).folder_there(ROOT, "x", 20).folder_agreed("x", ROOT, "x", 20, 20);
    let trees = trees.there(20, "c", 1, 11).agreed("x/c", 20, "c", 1, 11, 11);
    let trees = trees.there(ROOT, "a", 2, 12).agreed("X/c", ROOT, "a", 2, 12, 12).here("X/c", 2, 12);
    let mut trees = trees;
    let plan = trees.plan(Mode::UploadOnly, DeletionRule::Keep);
    for op in plan.ops {
        let Op::Record(changes) = op else { panic!("not only agreed: {op:?}") };
        changes.iter().for_each(|change| trees.agreed.apply(change));
    }
    let file = |path: &str| trees.agreed.records[path].as_file().map(|file| file.file);
    assert_eq!(file("X/c"), Some(file_id(12)));
    assert_eq!(file(&names::drive_only_path("X/c", file_id(11))), Some(file_id(11)));
}

#[test]
fn names_are_the_same_and_numbered_as_the_drive_does_it() {
    let same = [("A", "a"), ("\u{e9}", "e\u{301}"), ("STRASSE", "stra\u{df}e"), ("\u{3c3}", "\u{3c2}")];
    for (one, other) in same {
        assert_eq!(names::key(one), names::key(other), "{one} and {other}");
    }
    let long = format!("{}.txt", "n".repeat(251));
    let cut = format!("{} (2).txt", "n".repeat(247));
    let cases = [("a.txt", "a (2).txt"), (".a", ".a (2)"), ("x. y", "x. y (2)"), (long.as_str(), cut.as_str())];
    for (wanted, expected) in cases {
        assert_eq!(names::numbered(wanted, |name| name == wanted), expected);
        assert!(names::is_numbered(expected, wanted) && names::is_numbered(wanted, wanted), "{wanted}");
        assert!(!names::is_numbered("other (2).txt", wanted), "{wanted}");
    }
    assert!(names::is_numbered("a (2) (3).txt", "a.txt") && !names::is_numbered("a (b) (2).txt", "a.txt"));
}
