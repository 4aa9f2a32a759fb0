//! Which part of the trees a plan goes through, and how many steps it holds.

use super::*;
use crate::sync::plan::step::MOST_STEPS;
use crate::sync::unloaded::{Lookup, Unloaded};

/// Files in `x` and in `y` that both sides have.
fn two_folders() -> Trees {
    let mut trees = Trees::new();
    for (folder, id) in [("x", 20), ("y", 30)] {
        let identity = u64::try_from(id).unwrap_or_default();
        trees = trees.folder_here(folder, identity).folder_there(ROOT, folder, id);
        trees = trees.folder_agreed(folder, ROOT, folder, identity, id);
        for n in 1..=9 {
            let (path, name) = (format!("{folder}/{n}"), n.to_string());
            let (content, file) = (u8::try_from(id + n).unwrap_or_default(), id * 10 + n);
            let identity = u64::try_from(file).unwrap_or_default();
            trees = trees.here(&path, content, identity).there(id, &name, content, file);
            trees = trees.agreed(&path, id, &name, content, identity, file);
        }
    }
    trees
}

/// The numbers of local files, records and drive files that are gone through; and how many files are left out.
fn part(trees: &Trees) -> ([usize; 3], usize) {
    trees.ask(Mode::BothWays, DeletionRule::Delete, |input| {
        let part = Part::choose(input);
        let items = part.items.iter().filter(|(_, item)| matches!(item, LocalItem::File(_))).count();
        let records = part.records.iter().filter(|(_, record)| record.as_file().is_some()).count();
        ([items, records, part.files.iter().count()], part.left_out)
    })
}

#[test]
fn only_folders_in_which_something_differs_are_gone_through() {
    let trees = two_folders();
    assert_eq!(words(&trees.plan(Mode::BothWays, DeletionRule::Delete)), "");
    assert_eq!(part(&trees), ([0, 0, 0], 18), "nothing differs");

    let cases: [(&str, Trees, [usize; 3]); 7] = [
        ("new here", two_folders().here("x/new", 99, 99), [10, 9, 9]),
        ("new at the top", two_folders().here("new", 99, 99), [1, 0, 0]),
        ("new there", two_folders().there(20, "new", 99, 99), [9, 9, 10]),
        (
            "gone here",
            {
                let mut trees = two_folders();
                trees.local.items.remove("x/1");
                trees
            },
            [8, 9, 9],
        ),
        (
            "gone there",
            {
                let mut trees = two_folders();
                trees.remote.files.remove(&file_id(201));
                trees
            },
            [9, 9, 8],
        ),
        (
            "one that fails",
            {
                let mut trees = two_folders();
                trees.failed.insert("x/1".to_owned(), Cause::Changed.into());
                trees
            },
            [9, 9, 9],
        ),
        (
            "nothing is known of one",
            {
                let mut trees = two_folders();
                trees.local.doubtful.insert("x/1".to_owned());
                trees
            },
            [9, 9, 9],
        ),
    ];
    for (name, trees, expected) in cases {
        let left_out = 18 - expected[1];
        assert_eq!(part(&trees), (expected, left_out), "{name}");
        trees.plan(Mode::BothWays, DeletionRule::Delete);
    }
}

#[test]
fn what_differs_has_the_folders_gone_through_that_it_has_to_do_with() {
    let everything = |files| ([files, 18, 18], 0);
    // The content of a new file is in the other folder.
    let copy = two_folders().here("x/new", 31, 99);
    assert_eq!(part(&copy), everything(19));
    assert_eq!(words(&copy.plan(Mode::BothWays, DeletionRule::Delete)), "point x/new");
    // The drive has a file at the place of one in the other folder.
    let mut moved = two_folders();
    moved.remote.files.insert(
        file_id(201),
        RemoteFile { folder: Some(folder_id(30)), name: "moved".to_owned(), size_bytes: 10, hash: Some(hash(21)) },
    );
    assert_eq!(part(&moved), everything(18));
    assert_eq!(words(&moved.plan(Mode::BothWays, DeletionRule::Delete)), "move x/1 y/moved");
}

#[test]
fn the_files_of_a_drive_folder_are_asked_for_once_a_local_one_is_matched_with_it() {
    let asked = |trees: &Trees, unloaded: &Unloaded| {
        trees.ask(Mode::BothWays, DeletionRule::Delete, |input| {
            let Lookup { folders, drive_folders, .. } = find_lookup(&Input { unloaded, ..*input });
            (folders.into_iter().collect::<Vec<_>>(), drive_folders.into_iter().collect::<Vec<_>>())
        })
    };
    let none = (Vec::new(), Vec::new());
    let mut trees = Trees::new().folder_here("x", 20).folder_there(ROOT, "x", 20).folder_there(ROOT, "y", 30);
    let mut unloaded = Unloaded::default();
    unloaded.wait_for_all(["".to_owned(), "x".to_owned()].into_iter());
    unloaded.remove(&[String::new()].into());
    unloaded.add_loaded_there([folder_id(ROOT)]);
    assert_eq!(asked(&trees, &unloaded), none);
    trees = trees.folder_agreed("x", ROOT, "x", 20, 20);
    assert_eq!(asked(&trees, &unloaded), none, "the folder waits for its turn");
    unloaded.remove(&["x".to_owned()].into());
    assert_eq!(asked(&trees, &unloaded), (Vec::new(), vec![folder_id(20)]));
    unloaded.add_loaded_there([folder_id(20)]);
    assert_eq!(asked(&trees, &unloaded), none);
}

/// Seed 37221: the path that has the drive file as its own lay in a folder that waited for its turn.
#[test]
fn the_owner_of_a_drive_file_is_looked_up_although_another_path_shares_the_file() {
    let asked = |trees: &Trees| {
        let mut unloaded = Unloaded::default();
        unloaded.wait_for_all(["".to_owned(), "x".to_owned()].into_iter());
        unloaded.remove(&[String::new()].into());
        unloaded.add_loaded_there([folder_id(ROOT)]);
        trees.ask(Mode::BothWays, DeletionRule::Delete, |input| {
            find_lookup(&Input { unloaded: &unloaded, ..*input }).files.into_iter().collect::<Vec<_>>()
        })
    };
    let trees = Trees::new().folder_here("x", 20).there(ROOT, "a", 1, 10).here("b", 1, 11);
    let shared = trees.agreed("b", ROOT, "a", 1, 11, 10).link("b");
    assert_eq!(asked(&shared), [file_id(10)]);
    let owned = shared.here("a", 1, 10).agreed("a", ROOT, "a", 1, 10, 10);
    assert_eq!(asked(&owned), []);
}

/// Seed 53233380: the folder of the drive file was agreed, and one above it was not on both sides.
#[test]
fn the_owner_of_a_drive_file_is_looked_up_although_a_folder_above_is_missing_on_one_side() {
    let trees = Trees::new().folder_here("x", 20).folder_here("x/y", 30).folder_there(ROOT, "y", 30);
    let trees = trees.folder_agreed("x/y", ROOT, "y", 30, 30).there(30, "a", 1, 10);
    let mut unloaded = Unloaded::default();
    unloaded.wait_for_all(["".to_owned(), "x/z".to_owned()].into_iter());
    unloaded.remove(&[String::new()].into());
    unloaded.add_loaded_there([folder_id(ROOT), folder_id(30)]);
    let asked = trees.ask(Mode::BothWays, DeletionRule::Delete, |input| {
        find_lookup(&Input { unloaded: &unloaded, ..*input }).files.into_iter().collect::<Vec<_>>()
    });
    assert_eq!(asked, [file_id(10)]);
}

#[test]
fn a_plan_holds_some_thousand_steps_and_tells_how_many_are_left() {
    let mut trees = Trees::new();
    for n in 0..10_000_u64 {
        trees = trees.here(&format!("file {n}"), u8::try_from(n % 200).unwrap_or_default(), n + 10);
    }
    for item in trees.local.items.values_mut() {
        if let LocalItem::File(file) = item {
            file.hash = None;
        }
    }
    let plan = trees.plan(Mode::UploadOnly, DeletionRule::Keep);
    assert_eq!(plan.ops.len(), MOST_STEPS);
    assert_eq!(plan.left, Left { steps: 10_000 - MOST_STEPS as u64, bytes: (10_000 - MOST_STEPS as u64) * 10 });
}
