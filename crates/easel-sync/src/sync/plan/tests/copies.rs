//! Copies: paths whose content the drive holds under another path, and the pointers that stand for them.

use super::preview::look_ahead;
use super::worlds::then;
use super::*;
use crate::shared::causes::Cause;
use crate::sync::pointers::{Pointer, State};
use crate::sync::tree::Place;
use crate::sync::unloaded::Unloaded;

const LIVE: State = State::Live;

fn gone() -> State {
    State::Gone("2026-11-20".to_owned())
}

impl Trees {
    /// A pointer in the drive.
    fn pointer(mut self, name: &str, content: u8, id: u128, state: State) -> Self {
        let pointer = Pointer { name: name.to_owned(), hash: hash(content), state };
        let file_name = pointer.file_name(file_id(id));
        let file =
            RemoteFile { folder: Some(folder_id(ROOT)), name: file_name, size_bytes: 200, hash: Some([0xee; 32]) };
        self.remote.put_file(file_id(id), file);
        self.remote.expand_pointers();
        self
    }

    /// A path whose record is a pointer's copy.
    fn copied(self, path: &str, content: u8, id: u64) -> Self {
        let at = u128::from(id);
        let mut trees = self.here(path, content, id).agreed(path, ROOT, path, content, id, at);
        if let Some(Record { agreement: Agreement::File(file), .. }) = trees.agreed.records.get_mut(path) {
            file.is_pointer = true;
        }
        trees
    }

    fn without_here(mut self, path: &str) -> Self {
        self.local.items.remove(path);
        self
    }

    fn without_there(mut self, id: u128) -> Self {
        self.remote.remove_file(file_id(id));
        self.remote.expand_pointers();
        self
    }

    fn moved_there(mut self, id: u128, name: &str) -> Self {
        self.remote.place_file(file_id(id), &Place { folder: folder_id(ROOT), name: name.to_owned() });
        self.remote.expand_pointers();
        self
    }
}

/// `x` has a file of its own, and `y` is a copy of it.
fn base() -> Trees {
    Trees::new().both("x", 1, 11).copied("y", 1, 12).pointer("y", 1, 12, LIVE)
}

#[test]
fn what_is_done_about_copies_follows_from_their_pointers() {
    let other = |content| Trees::new().both("x", 1, 11).copied("y", 1, 12).there(ROOT, "y", content, 30);
    let unsendable = || {
        let mut trees = Trees::new().both("x", 1, 11).here("y", 1, 12);
        trees.remote.pointers.refuse();
        trees
    };
    let cases = [
        ("nothing to do", base(), ""),
        ("a copy arrives", base().without_here("y").pointer("y", 1, 12, LIVE).forgotten("y"), "download y"),
        ("a copy is deleted here", base().without_here("y"), "delete y"),
        ("a copy is deleted elsewhere", base().pointer("y", 1, 12, gone()), "trash y"),
        ("its pointer was thrown away", base().without_there(12), "forget y"),
        ("a link of an older Easel", Trees::new().both("x", 1, 11).copied_as_link("y", 1, 11), "point y"),
        ("a service that takes no pointers", unsendable(), "link y"),
        ("what it is a copy of is gone", base().without_there(11), "upload y"),
        ("what it is a copy of was handed over", base().handed_over(), "agree y + agree x"),
        ("a person moved it to the copy's place", base().moved_there(11, "y"), "agree y + forget x"),
        ("someone else's file is at its place", other(9).pointer("y", 1, 12, LIVE), "place y y (2)"),
        ("its next version is there", other(9).pointer("y", 1, 12, State::Replaced), "retire file_imagined-12"),
        ("it was agreed on while its pointer was not seen", base().taken_for_a_file("y"), "agree y"),
        ("two made a pointer for it", base().copied("y", 1, 13).pointer("y", 1, 13, LIVE), "agree y"),
    ];
    for (name, trees, expected) in cases {
        assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), expected, "{name}");
    }
}

/// Seed 76487: others moved the drive file of `x` to where the copy `y` belongs, so that its pointer stands for
/// nothing.
#[test]
fn what_a_copy_here_alone_still_has_is_not_replaced_in_place() {
    let taken = base().moved_there(11, "y").there(ROOT, "x", 9, 30);
    let mut trees = taken.here("x", 5, 11).agreed("x", ROOT, "y", 1, 11, 11);
    trees.remote.keeps_versions = Some(true);
    assert_eq!(words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep)), "upload x");
    let alone = trees.without_here("y").forgotten("y");
    assert_eq!(words(&alone.plan(Mode::UploadOnly, DeletionRule::Keep)), "give x, retire file_imagined-12");
}

impl Trees {
    fn forgotten(mut self, path: &str) -> Self {
        self.agreed.records.remove(path);
        self
    }

    fn taken_for_a_file(mut self, path: &str) -> Self {
        if let Some(Record { agreement: Agreement::File(file), .. }) = self.agreed.records.get_mut(path) {
            file.is_pointer = false;
        }
        self
    }

    fn copied_as_link(self, path: &str, content: u8, id: u128) -> Self {
        self.here(path, content, 40).agreed(path, ROOT, "x", content, 40, id).link(path)
    }

    /// Another computer deleted `x`, while `y` is to stay.
    fn handed_over(self) -> Self {
        self.moved_there(11, "y").pointer("y", 1, 12, gone())
    }
}

#[test]
fn what_nobody_can_fetch_is_said_to_be_missing() {
    let trees = Trees::new().both("x", 2, 11).pointer("y", 1, 12, LIVE);
    let plan = trees.plan(Mode::BothWays, DeletionRule::Delete);
    assert_eq!(plan.notes, [Note { path: "y".to_owned(), difference: Difference::ContentMissing }]);
    assert_eq!(words(&plan), "");
}

#[test]
fn a_folder_of_files_that_were_copied_goes_and_its_copies_stay() {
    let trees = Trees::new().folder_there(ROOT, "a", 3).folder_agreed("a", ROOT, "a", 5, 3);
    let trees = trees.there(3, "one", 1, 11).agreed("a/one", 3, "one", 1, 11, 11);
    let trees = trees.copied("y", 1, 12).pointer("y", 1, 12, LIVE).both("z", 2, 14);
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "delete a/one");
}

#[test]
fn a_pointer_that_stands_for_nothing_goes_after_thirty_days() {
    let since = |date: &str| {
        let trees = Trees::new().both("x", 1, 11).pointer("y", 1, 12, State::Gone(date.to_owned()));
        words(&trees.plan(Mode::UploadOnly, DeletionRule::Keep))
    };
    // Today is 2026-11-20.
    assert_eq!(since("2026-10-20"), format!("discard {}", file_id(12)));
    assert_eq!(since("2026-10-21"), "");
    assert_eq!(since("2026-11-20"), "");
    assert_eq!(since("2027-01-01"), "");
    assert_eq!(since("some day"), "");
}

#[test]
fn a_copy_that_was_edited_stays_replaced_until_its_pointer_says_so() {
    // `a` was a file, then a copy of `c`, then something new: both its file and its pointer have to go, the file first.
    let trees = |with_file: bool| {
        let trees = Trees::new().both("c", 2, 15).here("a", 6, 19).there(ROOT, "a (2)", 6, 19);
        let trees = if with_file { trees.there(ROOT, "a", 3, 16) } else { trees };
        let trees = trees.agreed("a", ROOT, "a (2)", 6, 19, 19).pointer("a", 2, 18, State::Replaced);
        let mut trees = trees.replacing("a", "a", 3, 16).replacing("a", "a", 2, 18);
        if let Some(Record { agreement: Agreement::File(file), .. }) = trees.agreed.records.get_mut("a") {
            file.replaces[1].is_pointer = true;
        }
        trees
    };
    let mut refused = trees(true);
    let retired = Pointer { name: "a".to_owned(), hash: hash(2), state: State::Replaced }.file_name(file_id(18));
    refused.failed.insert(retired, Cause::Changed.into());
    let plan = refused.plan(Mode::BothWays, DeletionRule::Delete);
    assert!(!words(&plan).contains("agree"), "it is still to go: {}", words(&plan));
    assert!(words(&plan).contains(&format!("file: {:?}", file_id(16))), "{}", words(&plan));

    // Without the file the pointer has the place again, and it goes next.
    let plan = then(trees(false), Mode::BothWays, DeletionRule::Delete);
    assert!(plan.starts_with("DeleteReplaced") && plan.contains(&format!("{:?}", file_id(18))), "{plan}");
}

#[test]
fn a_file_is_given_to_its_copy_once_the_copy_has_its_own_place() {
    // Both got other contents: `x` a new one, and `y` the former one of `x`. The former one of `y` is still in the
    // drive.
    let trees = Trees::new().here("x", 5, 31).there(ROOT, "x (2)", 5, 31).there(ROOT, "x", 1, 11);
    let trees = trees.agreed("x", ROOT, "x (2)", 5, 31, 31).replacing("x", "x", 1, 11);
    let trees = trees.copied("y", 1, 12).there(ROOT, "y", 7, 30).replacing("y", "y", 7, 30).pointer("y", 1, 12, LIVE);
    let delete = |path: &str, id| format!("DeleteReplaced {{ path: {path:?}, file: {:?} }}", file_id(id));
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), delete("y", 30));
    let next = trees.without_there(30);
    assert_eq!(then(next, Mode::BothWays, DeletionRule::Delete), delete("x", 11));
}

/// Seed 70039540: the pointer would have shown its copy at the place that the file left, as a new file of others.
#[test]
fn a_pointer_that_no_path_has_goes_before_the_file_at_its_place_moves_away() {
    let trees = || Trees::new().here("y", 1, 11).there(ROOT, "x", 1, 11).agreed("y", ROOT, "x", 1, 11, 11);
    let place = words(&trees().plan(Mode::BothWays, DeletionRule::Delete));
    assert!(place.starts_with("place y"), "{place}");
    let with_pointer = trees().pointer("x", 1, 12, LIVE);
    assert_eq!(words(&with_pointer.plan(Mode::BothWays, DeletionRule::Delete)), "retire file_imagined-12");
}

/// Seed 60098778: its pointer would have shown the copy where a person had just deleted, or moved away, another file.
#[test]
fn a_copy_under_a_number_keeps_it_when_a_person_puts_the_file_away_that_has_its_name() {
    let trees = || {
        let trees = Trees::new().both("x", 1, 11).both("y", 9, 30).pointer("y", 1, 12, LIVE);
        trees.copied("y (2)", 1, 12)
    };
    let both = |trees: Trees| words(&trees.plan(Mode::BothWays, DeletionRule::Delete));
    assert_eq!(both(trees()), "");
    assert_eq!(both(trees().without_here("y")), "place y (2) y (2)");
    assert_eq!(both(trees().without_here("y").without_here("y (2)")), "place y (2) y (2)");
    let moved = trees().without_here("y").forgotten("y").here("z", 9, 30).agreed("z", ROOT, "y", 9, 30, 30);
    assert_eq!(both(moved), "place y (2) y (2)");
    let mut edited = trees().here("y", 5, 31).there(ROOT, "y (3)", 5, 31).agreed("y", ROOT, "y (3)", 5, 31, 31);
    edited = edited.replacing("y", "y", 9, 30);
    assert_eq!(both(edited), "place y (2) y (2)");
    // Another spelling is no leaving.
    let spelled = Trees::new().both("x", 1, 11).there(ROOT, "y", 9, 30).here("Y", 9, 30).pointer("y", 1, 12, LIVE);
    let spelled = || spelled.copied("y (2)", 1, 12).agreed("Y", ROOT, "y", 9, 30, 30);
    assert_eq!(both(spelled()), "place Y Y");
    // Others decide about theirs: the file may have been there only until the copy took its place.
    assert_eq!(both(trees().without_there(30)), "trash y");
    assert_eq!(both(trees().without_there(30).without_here("y").forgotten("y")), "move y (2) y");
}

/// Seed 323747: a file on its way came for a moment to the place of a copy that was moved there at the same time, and was
/// taken for the copy's next version.
#[test]
fn on_its_way_an_item_takes_no_place_that_another_one_goes_to() {
    let trees = |other: &str| {
        let trees = Trees::new().folder_here("x", 3).folder_there(ROOT, "x", 3).folder_agreed("x", ROOT, "x", 3, 3);
        let trees = trees.folder_here("y", 4).folder_there(ROOT, "y", 4).folder_agreed("y", ROOT, "y", 4, 4);
        let trees = trees.here("x/a", 1, 11).there(ROOT, "c", 1, 11).agreed("x/a", ROOT, "c", 1, 11, 11);
        trees.here(other, 2, 12).there(4, "c", 2, 12).agreed(other, 4, "c", 2, 12, 12)
    };
    let both = |other: &str| words(&trees(other).plan(Mode::BothWays, DeletionRule::Delete));
    assert_eq!(both("y/c"), "place x/a c", "moved first, then renamed");
    assert_eq!(both("x/c"), "place x/a a, place x/c c", "renamed first, then moved");
}

#[test]
fn a_preview_names_a_copy_once_and_counts_no_move() {
    let trees = Trees::new().both("x", 1, 11).there(ROOT, "y", 9, 30).agreed("y", ROOT, "y", 9, 30, 30);
    let trees = trees.pointer("y", 1, 12, LIVE).copied("y (2)", 1, 12);
    let seen = look_ahead(&trees, Mode::BothWays);
    assert_eq!((seen.deletions_there, seen.moves_there), (1, 0));
    assert!(seen.rounds < 10, "{} plans", seen.rounds);
}

#[test]
fn a_copy_that_is_what_it_was_again_goes_back_to_its_own_pointer() {
    let trees = base().agreed("y", ROOT, "x", 1, 12, 11).link("y").replacing("y", "y", 1, 12);
    let mut trees = trees;
    if let Some(Record { agreement: Agreement::File(file), .. }) = trees.agreed.records.get_mut("y") {
        file.replaces[0].is_pointer = true;
    }
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "agree y");
    assert_eq!(then(trees, Mode::BothWays, DeletionRule::Delete), "", "and no second pointer is made");
}

/// Seed 30300511: two pointers want one name, and a copy that was deleted here and is kept in the drive replaced one of
/// them.
#[test]
fn what_is_kept_in_the_drive_is_named_as_it_is_seen_there() {
    let trees = Trees::new().there(ROOT, "k", 2, 11).agreed("k", ROOT, "k", 2, 11, 11).replacing("k", "b", 2, 18);
    let trees = trees.agreed("b", ROOT, "b", 4, 19, 19).pointer("b", 2, 18, LIVE).pointer("b", 4, 19, LIVE);
    let mut trees = trees;
    for record in trees.agreed.records.values_mut() {
        record.sides = Sides::OnlyInDrive;
        if let Agreement::File(file) = &mut record.agreement {
            file.is_pointer = file.file == file_id(19);
            file.replaces.iter_mut().for_each(|old| old.is_pointer = true);
        }
    }
    let seen = |id| trees.remote.files[&file_id(id)].name.clone();
    assert_ne!(seen(18), seen(19));
    let notes = trees.plan(Mode::BothWays, DeletionRule::Keep).notes;
    let expected = Note { path: seen(18), difference: Difference::OnlyInDrive };
    assert!(notes.contains(&expected), "{notes:?} without {expected:?}");
}

/// Seed 62379965: a copy was moved into a folder that waited for its turn, and edited there; its pointer was taken for a
/// new one meanwhile.
#[test]
fn the_owner_of_a_pointer_is_looked_up_while_folders_wait_for_their_turn() {
    let mut unloaded = Unloaded::default();
    unloaded.wait_for_all(["".to_owned(), "x".to_owned()].into_iter());
    unloaded.remove(&[String::new()].into());
    unloaded.add_loaded_there([folder_id(ROOT)]);
    let trees = Trees::new().folder_here("x", 20).pointer("c", 1, 12, LIVE);
    let asked = trees
        .ask(Mode::BothWays, DeletionRule::Delete, |input| find_lookup(&Input { unloaded: &unloaded, ..*input }).files);
    assert_eq!(asked, [file_id(12)].into());
}
