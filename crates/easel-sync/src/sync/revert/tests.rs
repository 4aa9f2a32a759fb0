//! What undoing comes to, from changes, the folder as it is, and what trash and versions hold.

use std::collections::BTreeSet;

use super::*;

const HERE: &str = "/trash/file";

fn file(number: u128) -> FileId {
    FileId::imagined(number)
}

fn folder(number: u128) -> FolderId {
    FolderId::imagined(number)
}

/// The content that this number stands for.
fn content(number: u8) -> Content {
    Content { file: file(number.into()), hash: [number; 32], bytes: number.into() }
}

fn held(number: u8) -> Held {
    if number == 0 { Held::Nothing } else { Held::File(content(number)) }
}

/// The file at `path` had the content `before` and got `after`; 0 stands for nothing.
fn change(path: &str, before: u8, after: u8) -> PastChange {
    kind(path, Kind::Content { before: Some(held(before)), after: Some(held(after)) })
}

fn kind(path: &str, kind: Kind) -> PastChange {
    PastChange { id: 1, run: Some(1), path: path.to_owned(), lay: Lay::default(), kind }
}

fn moved(from: &str, to: &str, is_together: bool) -> PastChange {
    kind(to, Kind::Moved { item: None, from: Some(from.to_owned()), is_together, over: None })
}

/// The paths lay elsewhere before the folder above them moved.
fn lay(change: PastChange, path: Option<&str>, from: Option<&str>) -> PastChange {
    let lay = Lay { path: path.map(str::to_owned), from: from.map(str::to_owned) };
    PastChange { lay, ..change }
}

fn stamp(number: u8) -> Stamp {
    Stamp { size_bytes: number.into(), modified_us: 1, identity: number.into() }
}

/// Files and folders, the latter of content 0; `hash` as the content says.
fn items(given: &[(&str, u8)]) -> Items {
    let item = |number: u8| match number {
        0 => Item::Folder { identity: 77 },
        number => Item::File { stamp: stamp(number), hash: Some([number; 32]) },
    };
    given.iter().map(|(path, number)| ((*path).to_owned(), item(*number))).collect()
}

/// Contents that can be had here, and files of the drive's trash.
fn sources(here: &[u8], trashed: &[u8]) -> Sources {
    Sources {
        contents: here.iter().map(|number| ([*number; 32], Source::Here(HERE.into()))).collect(),
        trashed_files: trashed.iter().map(|number| (file((*number).into()), TrashedPlace::default())).collect(),
        is_both_ways: true,
        ..Sources::default()
    }
}

fn place(path: &str, number: u8, replacing: Option<u8>) -> Act {
    let (content, replacing) = (content(number), replacing.map(stamp));
    Act::Place { path: path.to_owned(), content, source: Source::Here(HERE.into()), replacing }
}

fn restore(path: &str, number: u8) -> Act {
    Act::RestoreFile { path: path.to_owned(), file: file(number.into()) }
}

fn trash(path: &str, number: u8) -> Act {
    Act::Trash { path: path.to_owned(), stamp: stamp(number) }
}

fn rename(from: &str, to: &str, identity: u64) -> Act {
    Act::Move { from: from.to_owned(), to: to.to_owned(), identity }
}

/// `changes` are given the last first.
fn plan(folder: &[(&str, u8)], changes: &[PastChange], sources: &Sources) -> Plan {
    Undoing::of(&items(folder), "2026-11-24 09.40").undo(changes).plan(sources)
}

#[test]
fn one_change_is_undone_by_its_opposite() {
    let check = |what: &str, folder: &[(&str, u8)], undone: PastChange, expected: &[Act]| {
        let plan = plan(folder, &[undone], &sources(&[1], &[2]));
        assert_eq!(
            (plan.acts.as_slice(), plan.left.as_slice(), plan.lost.as_slice()),
            (expected, &[][..], &[][..]),
            "{what}"
        );
    };
    check("added", &[("a", 1)], change("a", 0, 1), &[trash("a", 1)]);
    check("edited", &[("a", 5)], change("a", 1, 5), &[place("a", 1, Some(5))]);
    check("deleted, and in the drive's trash", &[], change("a", 2, 0), &[restore("a", 2)]);
    check("deleted, and in a trash here", &[], change("a", 1, 0), &[place("a", 1, None)]);
    check("renamed", &[("b", 5)], moved("a", "b", true), &[rename("b", "a", 5)]);
    check("already as it was", &[("a", 1)], change("a", 1, 0), &[]);
    check("already gone again", &[], change("a", 0, 1), &[]);
    check("tidied up", &[("a", 1)], kind("a", Kind::Nothing), &[]);
    let made = Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(1) }) };
    check("a folder was made", &[("f", 0)], kind("f", made.clone()), &[Act::RemoveFolder { path: "f".to_owned() }]);
    check("a folder was made and is in use", &[("f", 0), ("f/a", 1)], kind("f", made), &[]);
}

#[test]
fn what_was_changed_since_is_never_overwritten() {
    let all = sources(&[1, 2, 3], &[]);
    let edited = plan(&[("a.txt", 9)], &[change("a.txt", 1, 2)], &all);
    assert_eq!(edited.acts, [place("a (2026-11-24 09.40).txt", 1, None)]);
    assert_eq!((edited.figures.beside_files, edited.figures.back_files, edited.figures.earlier_files), (1, 1, 0));
    let mut items = items(&[("a.txt", 2)]);
    items.insert("a.txt".to_owned(), Item::File { stamp: stamp(2), hash: None });
    let unread = Undoing::of(&items, "then").undo(&[change("a.txt", 1, 2)]).plan(&all);
    assert_eq!(unread.acts, [place("a (then).txt", 1, None)], "nobody knows what it holds");
    let names = [("a.txt", 9), ("a (2026-11-24 09.40).txt", 9)];
    let beside = plan(&names, &[change("a.txt", 1, 0)], &all);
    assert_eq!(beside.acts, [place("a (2026-11-24 09.40) 2.txt", 1, None)], "another file has the name by now");
    let added = plan(&[("a.txt", 9)], &[change("a.txt", 0, 1)], &all);
    assert_eq!((added.acts.len(), added.left[0].why), (0, Why::ChangedSince));
    for (undone, folder, why) in [
        (moved("a", "b", true), vec![("a", 3), ("b", 2)], Why::PathTaken),
        (moved("a", "b", true), vec![], Why::Gone),
        (change("a", 1, 2), vec![], Why::Gone),
        (change("a", 1, 2), vec![("a", 0)], Why::PathTaken),
        (
            kind("a", Kind::Moved { item: None, from: None, is_together: true, over: None }),
            vec![("a", 1)],
            Why::NotRecorded,
        ),
        (kind("a", Kind::Content { before: None, after: None }), vec![("a", 1)], Why::NotRecorded),
    ] {
        let plan = plan(&folder, &[undone], &all);
        assert_eq!((plan.acts.len(), plan.left.len(), plan.left[0].why), (0, 1, why), "{folder:?}");
    }
}

#[test]
fn what_nothing_holds_is_counted() {
    let plan =
        plan(&[("kept", 5)], &[change("gone", 8, 0), change("kept", 7, 5), change("back", 1, 0)], &sources(&[1], &[]));
    assert_eq!(plan.acts, [place("back", 1, None)]);
    assert_eq!(plan.lost, ["gone", "kept"]);
    let Figures { lost_files, back_files, earlier_files, bytes, .. } = plan.figures;
    assert_eq!((lost_files, back_files, earlier_files, bytes), (2, 1, 0, 1));
}

#[test]
fn a_file_goes_back_to_a_moment_by_way_of_all_that_happened_to_it() {
    let all = sources(&[1, 2, 3], &[]);
    // Edited twice: one content is fetched.
    assert_eq!(plan(&[("a", 3)], &[change("a", 2, 3), change("a", 1, 2)], &all).acts, [place("a", 1, Some(3))]);
    // Edited and edited back.
    assert_eq!(plan(&[("a", 1)], &[change("a", 2, 1), change("a", 1, 2)], &all).acts, []);
    // Made and deleted since.
    assert_eq!(plan(&[], &[change("a", 1, 0), change("a", 0, 1)], &all).acts, []);
    // Renamed, edited, deleted.
    let changes = [change("b", 2, 0), change("b", 1, 2), moved("a", "b", true)];
    assert_eq!(plan(&[], &changes, &all).acts, [place("a", 1, None)]);
    // Another one came in its place.
    let changes = [change("a", 0, 2), change("a", 1, 0)];
    assert_eq!(plan(&[("a", 2)], &changes, &all).acts, [trash("a", 2), place("a", 1, None)]);
}

#[test]
fn of_a_file_that_was_edited_and_deleted_the_trash_has_the_later_content() {
    let changes = [change("a", 2, 0), change("a", 1, 2)];
    let plan = plan(&[], &changes, &sources(&[], &[2]));
    assert_eq!(plan.acts, [restore("a", 2)]);
    assert_eq!((plan.figures.later_files, plan.figures.lost_files), (1, 0));
}

#[test]
fn only_what_lies_where_it_lay_comes_out_of_the_drives_trash_by_itself() {
    let from_trash = |path: &str| {
        let source = Source::DriveTrash(file(2));
        Act::Place { path: path.to_owned(), content: content(2), source, replacing: None }
    };
    let sent_only = Sources { is_both_ways: false, ..sources(&[], &[2]) };
    assert_eq!(plan(&[], &[change("a", 2, 0)], &sent_only).acts, [from_trash("a")]);
    let renamed = [change("b", 2, 0), moved("a", "b", true)];
    assert_eq!(plan(&[], &renamed, &sources(&[], &[2])).acts, [from_trash("a")]);
    let make = Act::MakeFolder { path: "f".to_owned() };
    assert_eq!(plan(&[], &[change("f/a", 2, 0)], &sources(&[], &[2])).acts, [make, from_trash("f/a")]);
    let gone = Kind::Content { before: Some(Held::Folder { folder: folder(9) }), after: Some(Held::Nothing) };
    let with_folder = Sources { trashed_folders: [(folder(9), TrashedPlace::default())].into(), ..sources(&[], &[2]) };
    let plan = plan(&[], &[kind("f", gone), change("f/a", 2, 0)], &with_folder);
    let back = Act::RestoreFolder { path: "f".to_owned(), folder: folder(9) };
    assert_eq!(plan.acts, [back, restore("f/a", 2)]);
    assert_eq!((plan.figures.back_folders, plan.figures.back_files), (1, 1));
}

#[test]
fn what_moved_together_goes_back_from_the_inside_out() {
    let folder = [("new", 0), ("new/c", 5)];
    let expected = [rename("new/c", "new/a", 5), rename("new", "old", 77)];
    let inner = moved("new/a", "new/c", true);
    let outer = moved("old", "new", true);
    for changes in [[inner.clone(), outer.clone()], [outer, inner]] {
        assert_eq!(plan(&folder, &changes, &Sources::default()).acts, expected);
    }
    // Those that were done here one after the other go back in turn.
    let (first, second) = (moved("x", "p/q/x", false), moved("p", "r", false));
    let folder = [("r", 0), ("r/q", 0), ("r/q/x", 5)];
    let expected = [rename("r", "p", 77), rename("p/q/x", "x", 5)];
    assert_eq!(plan(&folder, &[second, first], &Sources::default()).acts, expected);
}

#[test]
fn items_that_changed_places_go_back_by_way_of_a_name_beside() {
    let swap = [moved("a", "b", true), moved("b", "a", true)];
    let expected = [rename("b", "b (moving)", 1), rename("a", "b", 2), rename("b (moving)", "a", 1)];
    let swapped = plan(&[("a", 2), ("b", 1)], &swap, &Sources::default());
    assert_eq!((swapped.acts.as_slice(), swapped.left.as_slice()), (&expected[..], &[][..]));
    assert_eq!(swapped.figures.moved_items, 2);
    // A chain needs no name beside: the last one goes first.
    let chain = [moved("a", "b", true), moved("b", "c", true)];
    let expected = [rename("b", "a", 1), rename("c", "b", 2)];
    assert_eq!(plan(&[("b", 1), ("c", 2)], &chain, &Sources::default()).acts, expected);
    // A third one that nobody moved has the path.
    let taken = plan(&[("a", 3), ("b", 1)], &[moved("a", "b", true)], &Sources::default());
    assert_eq!((taken.acts.len(), taken.left[0].why), (0, Why::PathTaken));
    // Two folders, with what was renamed in one of them.
    let folders = [moved("x", "y", true), moved("y", "x", true), moved("y/p", "y/q", true)];
    let (aside, others) = ("y (moving)", "x");
    let expected =
        [rename("y/q", "y/p", 5), rename("y", aside, 77), rename(others, "y", 77), rename(aside, others, 77)];
    assert_eq!(plan(&[("x", 0), ("y", 0), ("y/q", 5)], &folders, &Sources::default()).acts, expected);
}

#[test]
fn a_file_that_moved_out_of_a_folder_that_is_gone_has_it_made_first() {
    let gone = Kind::Content { before: Some(Held::Folder { folder: folder(9) }), after: Some(Held::Nothing) };
    let changes = [kind("f", gone), moved("f/a", "a", true)];
    let plan = plan(&[("a", 5)], &changes, &Sources::default());
    assert_eq!(plan.acts, [Act::MakeFolder { path: "f".to_owned() }, rename("a", "f/a", 5)]);
}

#[test]
fn what_is_kept_of_a_change_is_read_back_as_it_was_written() {
    for held in [Held::Nothing, Held::Folder { folder: folder(3) }, held(7)] {
        let text = serde_json::to_string(&held).unwrap();
        assert_eq!(serde_json::from_str::<Held>(&text).unwrap(), held, "{text}");
    }
    assert!(serde_json::from_str::<Held>(r#"{"kind":"file","file":"file_1","hash":"00","bytes":1}"#).is_err());
}

#[test]
fn what_would_land_elsewhere_in_the_drive_is_placed_here() {
    let from_trash = |path: &str| {
        let source = Source::DriveTrash(file(2));
        Act::Place { path: path.to_owned(), content: content(2), source, replacing: None }
    };
    let lay =
        |name: &str, folder: u128| TrashedPlace { name: name.to_owned(), folder: Some(Some(self::folder(folder))) };
    let trashed = |place: TrashedPlace| Sources {
        trashed_files: [(file(2), place)].into(),
        root: Some(folder(1)),
        is_both_ways: true,
        ..Sources::default()
    };
    let deleted = [change("a", 2, 0)];
    assert_eq!(plan(&[], &deleted, &trashed(lay("a", 1))).acts, [restore("a", 2)]);
    // Under the name that it got in the drive, and from a folder that it was moved to there.
    assert_eq!(plan(&[], &deleted, &trashed(lay("a (2)", 1))).acts, [from_trash("a")]);
    assert_eq!(plan(&[], &deleted, &trashed(lay("a", 8))).acts, [from_trash("a")]);
    // Another file has its name until it goes to the trash here.
    let replaced = [change("a", 0, 3), change("a", 2, 0)];
    assert_eq!(plan(&[("a", 3)], &replaced, &trashed(lay("a", 1))).acts, [trash("a", 3), from_trash("a")]);
    // A folder whose own one stays in the trash would come to the top.
    let gone =
        |number| Kind::Content { before: Some(Held::Folder { folder: folder(number) }), after: Some(Held::Nothing) };
    let folders = Sources { trashed_folders: [(folder(9), lay("inner", 8))].into(), ..trashed(lay("a", 1)) };
    let make = |path: &str| Act::MakeFolder { path: path.to_owned() };
    let changes = [kind("outer", gone(8)), kind("outer/inner", gone(9))];
    assert_eq!(plan(&[], &changes, &folders).acts, [make("outer"), make("outer/inner")]);
}

#[test]
fn what_changed_in_a_folder_before_its_move_was_told_is_undone_where_the_folder_goes_back_to() {
    let made = Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(1) }) };
    // The folder "g" moved here to "f", where things were made and edited before the drive followed.
    let changes = [
        moved("g", "f", true),
        lay(kind("f/new", made), Some("g/new"), None),
        lay(change("f/a", 1, 2), Some("g/a"), None),
        lay(change("f/b", 0, 3), Some("g/b"), None),
        lay(moved("f/c", "d", false), None, Some("g/c")),
    ];
    let now = [("f", 0), ("f/new", 0), ("f/a", 2), ("f/b", 3), ("d", 4)];
    let undone = plan(&now, &changes, &sources(&[1], &[]));
    let removed = Act::RemoveFolder { path: "g/new".to_owned() };
    let back = rename("d", "g/c", 4);
    assert_eq!(undone.acts, [rename("f", "g", 77), removed, trash("g/b", 3), back, place("g/a", 1, Some(2))]);
    assert_eq!((undone.left.as_slice(), undone.lost.as_slice()), (&[][..], &[][..]));
    // Alone, a change is undone where it is.
    let alone = plan(&now, &changes[3..4], &sources(&[], &[]));
    assert_eq!(alone.acts, [trash("f/b", 3)]);
}

#[test]
fn what_was_deleted_with_a_folder_before_its_move_was_told_comes_back_where_the_folder_does() {
    let gone = Kind::Content { before: Some(Held::Folder { folder: folder(1) }), after: Some(Held::Nothing) };
    // The folder "g" moved here to "f" and was deleted there before the drive followed; its line tells where the drive had it.
    let changes = [kind("g", gone), lay(change("f/a", 4, 0), Some("g/a"), None)];
    let undone = plan(&[], &changes, &sources(&[4], &[]));
    assert_eq!(undone.acts, [Act::MakeFolder { path: "g".to_owned() }, place("g/a", 4, None)]);
}

#[test]
fn a_folder_that_is_made_on_the_way_is_gone_again_where_it_was_not_before() {
    let made = Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(1) }) };
    let removed = Kind::Content { before: Some(Held::Folder { folder: folder(1) }), after: Some(Held::Nothing) };
    let [make, remove] = ["x", "y"].map(|path| {
        let path = path.to_owned();
        (Act::MakeFolder { path: path.clone() }, Act::RemoveFolder { path })
    });
    let come_and_go =
        [kind("x", removed.clone()), moved("x/c", "c", false), moved("c", "x/c", false), kind("x", made.clone())];
    let undone = plan(&[("c", 3)], &come_and_go, &sources(&[], &[]));
    assert_eq!(undone.acts, [make.0.clone(), rename("c", "x/c", 3), rename("x/c", "c", 3), make.1.clone()]);
    // With another name on the way.
    let renamed = [
        kind("x", removed),
        moved("x/c", "c", false),
        moved("y", "x", false),
        moved("c", "y/c", false),
        kind("y", made),
    ];
    let undone = plan(&[("c", 3)], &renamed, &sources(&[], &[]));
    let expected =
        [make.0, rename("c", "x/c", 3), remove.0, rename("x/c", "y/c", 3), make.1, rename("y/c", "c", 3), remove.1];
    assert_eq!(undone.acts, expected);
}

#[test]
fn an_item_that_cannot_go_back_one_step_goes_back_further() {
    // "b" became "a" and then "X/a", and what had been "a" is deleted.
    let changes = [change("a", 1, 0), moved("a", "X/a", false), moved("b", "a", true)];
    let undone = plan(&[("X", 0), ("X/a", 5)], &changes, &sources(&[1], &[]));
    assert_eq!(undone.acts, [rename("X/a", "b", 5), place("a", 1, None)]);
    assert_eq!(undone.left, []);
}

#[test]
fn nothing_is_restored_into_a_drive_folder_that_would_not_follow() {
    // "y" became "x", and "d" came out of the "x" that there was before.
    let changes = [moved("y", "x", true), change("y/b", 2, 0), moved("x/d", "d", false)];
    let undone = plan(&[("x", 0), ("d", 3)], &changes, &sources(&[], &[2]));
    let from_trash = || Act::Place {
        path: "y/b".to_owned(),
        content: content(2),
        source: Source::DriveTrash(file(2)),
        replacing: None,
    };
    let make = Act::MakeFolder { path: "x".to_owned() };
    assert_eq!(undone.acts, [rename("x", "y", 77), make, rename("d", "x/d", 3), from_trash()]);

    // "y" became "x", and another "y" was made since.
    let made = Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(8) }) };
    let changes = [kind("y", made), moved("y", "x", true), change("y/b", 2, 0)];
    let mut now = items(&[("x", 0)]);
    now.insert("y".to_owned(), Item::Folder { identity: 78 });
    let undone = Undoing::of(&now, "2026-11-24 09.40").undo(&changes).plan(&sources(&[], &[2]));
    let removed = Act::RemoveFolder { path: "y".to_owned() };
    assert_eq!(undone.acts, [removed, rename("x", "y", 77), from_trash()]);
}

#[test]
fn items_that_changed_places_bit_by_bit_go_back_to_their_own() {
    let held_move = |from: &str, to: &str, number: u8| {
        kind(to, Kind::Moved { item: Some(held(number)), from: Some(from.to_owned()), is_together: true, over: None })
    };
    let now = [("a", 1), ("b", 2)];
    let swapped = [rename("a", "a (moving)", 1), rename("b", "a", 2), rename("a (moving)", "b", 1)];
    // In two runs.
    let mut changes = [held_move("b", "a", 1), held_move("a", "b", 2)];
    changes[1].run = Some(0);
    let undone = plan(&now, &changes, &sources(&[], &[]));
    assert_eq!((undone.acts.len(), undone.left.as_slice()), (swapped.len(), &[][..]), "{:?}", undone.acts);
    // In one, with one of them going further in between: 2 from "c" to "b" to "d", and 1 from "b" to "c".
    let changes = [held_move("b", "c", 1), held_move("b", "d", 2), held_move("c", "b", 2)];
    let undone = plan(&[("c", 1), ("d", 2)], &changes, &sources(&[], &[]));
    assert_eq!(undone.acts, [rename("c", "b", 1), rename("d", "c", 2)]);
    assert_eq!(undone.left, []);
}

#[test]
fn of_two_that_were_deleted_at_one_path_each_goes_back_to_its_own() {
    // "b" moved to "a" over in the drive, before the move of "a" to "b" had come there; then both were deleted.
    let came = Kind::Moved { item: Some(held(9)), from: Some("b".to_owned()), is_together: false, over: None };
    let changes = [change("a", 8, 0), change("a", 9, 0), kind("a", came)];
    let undone = plan(&[], &changes, &sources(&[8, 9], &[]));
    assert_eq!(undone.acts, [place("a", 8, None), place("b", 9, None)]);
    assert_eq!(undone.figures.beside_files, 0);
}

#[test]
fn what_came_beside_an_item_that_goes_back_further_has_its_own_name() {
    // "b" went to "a", where another had been that is deleted.
    let changes = [change("a", 1, 0), moved("b", "a", true)];
    let undone = plan(&[("a", 5)], &changes, &sources(&[1], &[]));
    assert_eq!(undone.acts, [rename("a", "b", 5), place("a", 1, None)]);
    assert_eq!(undone.figures.beside_files, 0);
}

#[test]
fn what_an_item_moved_over_comes_back_once_it_has_left() {
    for is_together in [true, false] {
        let item = Some(held(2));
        let over = Kind::Moved { item, from: Some("b".to_owned()), is_together, over: Some(content(1)) };
        let undone = plan(&[("a", 2)], &[kind("a", over)], &sources(&[1], &[]));
        assert_eq!(undone.acts, [rename("a", "b", 2), place("a", 1, None)]);
    }
}

#[test]
fn a_file_whose_name_the_folder_that_it_went_into_has_got_goes_back_after_the_folder() {
    let went = |from: &str, to: &str, item: Held| {
        kind(to, Kind::Moved { item: Some(item), from: Some(from.to_owned()), is_together: true, over: None })
    };
    let renamed = went("y", "f", Held::Folder { folder: folder(6) });
    let changes = [change("f/f", 4, 0), went("f", "f/f", held(4)), change("b", 0, 3), renamed];
    let undone = plan(&[("f", 0), ("b", 3)], &changes, &sources(&[4], &[]));
    assert_eq!(undone.acts, [trash("b", 3), rename("f", "y", 77), place("f", 4, None)]);
    assert_eq!(undone.left, []);
}

#[test]
fn an_item_goes_back_into_a_folder_that_moved_and_came_back_before_the_drive_knew_of_it() {
    let changes = [lay(moved("x/f", "f", true), None, Some("y/f"))];
    let undone = plan(&[("y", 0), ("f", 1)], &changes, &sources(&[], &[]));
    assert_eq!(undone.acts, [rename("f", "y/f", 1)]);
}

/// Seed 69119966: a new file had its path, in a folder that goes back to its own name.
#[test]
fn an_item_whose_path_is_free_only_later_goes_back_into_its_folder_wherever_that_is_by_then() {
    let renamed = Kind::Moved {
        item: Some(Held::Folder { folder: folder(6) }),
        from: Some("X".to_owned()),
        is_together: true,
        over: None,
    };
    let changes = [moved("x/f", "a", true), kind("x", renamed), change("X/f", 0, 2)];
    let undone = plan(&[("x", 0), ("x/f", 2), ("a", 1)], &changes, &sources(&[], &[]));
    assert_eq!(undone.acts, [rename("x", "X", 77), trash("X/f", 2), rename("a", "X/f", 1)]);
    assert_eq!(undone.left, []);
}

/// Seed 672371: the drive heard of the new file before it heard that the one before it was deleted.
#[test]
fn of_two_with_one_content_that_one_path_had_one_after_the_other_one_stays() {
    let changes = [change("f", 1, 0), change("f", 0, 1)];
    let undone = plan(&[("f", 1)], &changes, &sources(&[1], &[]));
    assert_eq!((undone.acts, undone.left), (vec![], vec![]));
    let only = plan(&[("f", 1)], &changes[1..], &sources(&[], &[]));
    assert_eq!(only.acts, [trash("f", 1)]);
    // The new one had come from "g".
    let changes = [change("f", 1, 0), moved("g", "f", false), change("g", 0, 1)];
    let undone = plan(&[("f", 1)], &changes, &sources(&[1], &[]));
    assert_eq!(undone.acts, [rename("f", "g", 1), trash("g", 1), place("f", 1, None)]);
}

#[test]
fn a_folder_that_was_made_goes_once_what_came_into_it_has_gone_back() {
    // "a" went into the new folder "X", and another file took its name; both go back.
    let item = |number: u8, from: &str| Kind::Moved {
        item: Some(held(number)),
        from: Some(from.to_owned()),
        is_together: true,
        over: None,
    };
    let made = Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(1) }) };
    let changes = [kind("X/a", item(1, "a")), kind("X", made), kind("a", item(2, "b"))];
    let undone = plan(&[("X", 0), ("X/a", 1), ("a", 2)], &changes, &sources(&[], &[]));
    let removed = Act::RemoveFolder { path: "X".to_owned() };
    assert_eq!(undone.acts, [rename("a", "b", 2), rename("X/a", "a", 1), removed]);
    assert_eq!(undone.left, []);
}

#[test]
fn what_lies_in_a_folder_that_cannot_be_read_is_left() {
    // "a" and "d/b" changed places, and "a" was deleted and made anew since. Nobody can see what is at "d/b".
    let now = items(&[("a", 3), ("d", 0)]);
    let swapped = |from: &str, to: &str| moved(from, to, true);
    let changes = [change("a", 0, 3), change("a", 2, 0), swapped("d/b", "a"), swapped("a", "d/b"), change("d/c", 4, 5)];
    let shut = BTreeSet::from(["d".to_owned()]);
    let plan = Undoing::of(&now, "then").leaving(&shut).undo(&changes).plan(&sources(&[2, 4], &[]));
    assert_eq!(plan.acts, [Act::Trash { path: "a".to_owned(), stamp: stamp(3) }, place("a", 2, None)]);
    let left: Vec<(&str, Why)> = plan.left.iter().map(|left| (left.path.as_str(), left.why)).collect();
    assert_eq!(left, [("a", Why::Unreadable), ("d/b", Why::Unreadable), ("d/c", Why::Unreadable)]);

    // Before the swap, another item had come to "a" than the one that is there now: it goes nowhere.
    let earlier = [swapped("d/b", "a"), swapped("a", "d/b"), moved("x", "a", false), change("a", 8, 9)];
    let plan =
        Undoing::of(&items(&[("a", 2), ("d", 0)]), "then").leaving(&shut).undo(&earlier).plan(&sources(&[8], &[]));
    assert_eq!((plan.acts.len(), plan.left.len()), (0, 4), "{:?}", plan.acts);

    let same = kind("d/e", Kind::Content { before: Some(held(4)), after: Some(held(4)) });
    let plan = Undoing::of(&now, "then").leaving(&shut).undo(&[same]).plan(&sources(&[], &[]));
    assert_eq!((plan.acts.len(), plan.left.len()), (0, 0), "there is nothing to undo");

    let folder_made =
        kind("d", Kind::Content { before: Some(Held::Nothing), after: Some(Held::Folder { folder: folder(7) }) });
    let plan = Undoing::of(&now, "then").leaving(&shut).undo(&[folder_made]).plan(&sources(&[], &[]));
    assert_eq!((plan.acts.len(), plan.left[0].why), (0, Why::Unreadable), "what it holds is not known");
}
