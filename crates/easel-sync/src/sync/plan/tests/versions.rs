//! Drive files that get new content under their ids: from this computer, and from others.

use super::*;
use crate::shared::causes::Cause;
use crate::sync::tree::Replaced;
use crate::sync::tree::{Place, Replacing};
use crate::sync::unloaded::Unloaded;

/// `a` and `b` are the same on both sides; whether the service keeps versions is known or not.
fn base(keeps_versions: Option<bool>) -> Trees {
    let mut trees = Trees::new().both("a", 1, 11).both("b", 2, 12);
    trees.remote.keeps_versions = keeps_versions;
    trees
}

impl Trees {
    fn without(mut self, path: &str) -> Self {
        self.local.items.remove(path);
        self
    }

    fn at_rest(mut self, path: &str, sides: Sides) -> Self {
        self.agreed.records.entry(path.to_owned()).and_modify(|record| record.sides = sides);
        self
    }
}

#[test]
fn what_others_give_a_file_comes_here_and_overwrites_nothing() {
    // `a` has content 5 in the drive now, under its id.
    let given = |trees: Trees| trees.there(ROOT, "a", 5, 11);
    let kept = || base(Some(true));
    let beside_another = || {
        let trees = kept().there(ROOT, "a", 9, 30).there(ROOT, "a (2)", 5, 11).here("a", 5, 11);
        trees.agreed("a", ROOT, "a (2)", 1, 11, 11)
    };
    // Another file had the content before.
    let beside_its_like = |id: u128| {
        let trees = kept().here("y", 5, 40).there(ROOT, "y", 5, id).agreed("y", ROOT, "y", 5, 40, id);
        given(trees).here("a", 5, 11)
    };
    let cases: [(&str, Trees, &str, &str); 12] = [
        ("the same on both sides, and an older file", beside_its_like(10), "agree a", "agree a"),
        ("the same on both sides, and a newer file", beside_its_like(40), "agree a", "agree a"),
        (
            "the same on both sides, beside someone else's",
            beside_another(),
            "agree a",
            "move a a (conflict, studio-laptop, 2026-11-20)",
        ),
        ("changed there", given(kept()), "", "replace a"),
        ("changed there, edited here", given(kept()).here("a", 3, 11), "forget a", "forget a"),
        ("the same on both sides", given(kept()).here("a", 5, 11), "agree a", "agree a"),
        ("changed there, deleted here", given(kept()).without("a"), "forget a", "forget a"),
        (
            "changed there, moved here",
            given(kept()).without("a").here("c", 1, 11),
            "forget a + agree c",
            "forget a + agree c",
        ),
        ("changed and renamed there", kept().there(ROOT, "c", 5, 11), "", "move a c"),
        (
            "changed there, kept in the drive",
            given(kept()).without("a").at_rest("a", Sides::OnlyInDrive),
            "forget a",
            "forget a",
        ),
        (
            "changed there, with a link here",
            given(kept()).here("c", 1, 13).agreed("c", ROOT, "a", 1, 13, 11).link("c"),
            "forget c",
            "forget c",
        ),
        ("only another hash, where no versions are kept", given(base(Some(false))), "", ""),
    ];
    for (name, trees, upload_only, both_ways) in cases {
        assert_eq!(words(&trees.plan(Mode::UploadOnly, DeletionRule::Delete)), upload_only, "{name}, uploads only");
        assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), both_ways, "{name}, both ways");
    }
    let noted = given(kept()).plan(Mode::UploadOnly, DeletionRule::Delete).notes;
    assert_eq!(noted, [Note { path: "a".to_owned(), difference: Difference::NewerInDrive }]);
}

#[test]
fn an_edit_becomes_the_content_of_its_file_while_nothing_else_needs_what_that_has() {
    let edited = |keeps_versions| base(keeps_versions).here("a", 3, 11);
    let replacing = |trees: &Trees| {
        let ops = trees.plan(Mode::BothWays, DeletionRule::Delete).ops;
        ops.into_iter().find_map(|op| match op {
            Op::Upload { path, replacing, .. } if path == "a" => Some(replacing),
            _ => None,
        })
    };
    let own = Some(Some(Replacing { file: file_id(11), expected: hash(1) }));
    assert_eq!(replacing(&edited(None)), own);
    assert_eq!(replacing(&edited(Some(true))), own);
    assert_eq!(replacing(&edited(Some(false))), Some(None));
    // Another path has it by a link.
    let linked = edited(None).here("c", 1, 13).agreed("c", ROOT, "a", 1, 13, 11).link("c");
    assert_ne!(replacing(&linked), own);
    // A content that the service does not tell cannot be named as the expected one.
    let mut untold = edited(None);
    if let Some(seen) = untold.remote.files.get_mut(&file_id(11)) {
        seen.hash = None;
    }
    assert_eq!(replacing(&untold), Some(None));
}

/// Seed 60090732: a copy of the content that an edit replaced lay in a folder that waited for its turn.
#[test]
fn no_content_is_replaced_in_place_before_every_folder_was_compared() {
    let edited = base(None).here("a", 3, 11).here("new", 7, 40);
    let planned = |waiting: &[&str]| {
        let mut unloaded = Unloaded::default();
        unloaded.wait_for_all(waiting.iter().map(|folder| (*folder).to_owned()));
        unloaded.add_loaded_there([folder_id(ROOT)]);
        let ask = |input: &Input<'_>| words(&plan(&Input { unloaded: &unloaded, ..*input }));
        edited.ask(Mode::BothWays, DeletionRule::Delete, ask)
    };
    assert_eq!(planned(&["x"]), "upload new");
    assert_eq!(planned(&[]), "give a, upload new");
}

#[test]
fn what_was_replaced_and_given_new_content_by_someone_is_theirs() {
    // The path has a file of its own by now. Its earlier file 11 is to be deleted, but someone has changed that
    // meanwhile.
    let mut trees = base(Some(true)).here("a", 3, 11).there(ROOT, "a (2)", 3, 20);
    trees = trees.agreed("a", ROOT, "a (2)", 3, 11, 20);
    if let Some(Record { agreement: Agreement::File(file), .. }) = trees.agreed.records.get_mut("a") {
        let place = Place { folder: folder_id(ROOT), name: "a".to_owned() };
        file.replaces.push(Replaced { file: file_id(11), place, hash: hash(1), is_pointer: false });
    }
    let planned = |trees: &Trees| words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    assert!(planned(&trees).contains("DeleteReplaced"), "{}", planned(&trees));
    assert!(!planned(&trees.there(ROOT, "a", 5, 11)).contains("DeleteReplaced"));
}

#[test]
fn what_was_taken_out_of_the_folder_and_changed_there_is_not_sent_again() {
    // 11 is at the top of the drive by now, and has content 5.
    let mut trees = base(Some(true)).there(ROOT, "a", 5, 11).link("a");
    trees.remote.files.entry(file_id(11)).and_modify(|seen| seen.folder = None);
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&plan), "");
    assert_eq!(plan.notes, [Note { path: "a".to_owned(), difference: Difference::MovedInDrive }]);
    // Only this computer has this content.
    let edited = trees.here("a", 3, 11);
    assert_eq!(words(&edited.plan(Mode::BothWays, DeletionRule::Delete)), "forget a");
    // A copy that someone made here of a file that was taken out has no drive file of its own.
    let mut copied = base(Some(true)).here("c", 1, 13).agreed("c", ROOT, "a", 1, 13, 11).link("c").link("a");
    copied = copied.there(ROOT, "a", 5, 11);
    copied.remote.files.entry(file_id(11)).and_modify(|seen| seen.folder = None);
    assert_eq!(words(&copied.plan(Mode::BothWays, DeletionRule::Delete)), "forget c");
}

#[test]
fn what_a_refused_file_was_to_replace_is_named_where_it_stays() {
    // `a` was renamed in the drive while its next version was on the way, which got a number and is refused by now.
    let trees = base(None).there(ROOT, "a (2)", 3, 20).agreed("a", ROOT, "a (2)", 3, 11, 20);
    let mut trees = trees.replacing("a", "c", 9, 30).there(ROOT, "c", 9, 30).here("a", 5, 11);
    trees.failed.insert("a".to_owned(), Cause::NameTaken.into());
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(words(&plan), "");
    assert!(
        plan.notes.contains(&Note { path: "c".to_owned(), difference: Difference::OnlyInDrive }),
        "{:?}",
        plan.notes
    );
}
