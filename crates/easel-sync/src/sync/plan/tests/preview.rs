//! The counts of a preview, and that it takes few plans however many files there are.

use super::*;
use crate::sync::plan::preview::{Preview, preview};
use crate::sync::tree::Stamp;

fn count(trees: &Trees, mode: Mode) -> Preview {
    Preview { rounds: 0, ..look_ahead(trees, mode) }
}

pub(super) fn look_ahead(trees: &Trees, mode: Mode) -> Preview {
    trees.ask(mode, DeletionRule::Delete, |input| {
        preview(input.local.clone(), input.remote.clone(), input.agreed.clone(), input.settings, input.ignores)
    })
}

#[test]
#[expect(clippy::too_many_lines, reason = "one world and what is counted in it")]
fn a_preview_counts_what_both_sides_lack() {
    let unread = |mut trees: Trees| {
        for item in trees.local.items.values_mut() {
            if let LocalItem::File(file) = item {
                (file.hash, file.is_settled) = (None, false);
            }
        }
        trees
    };
    let note = |path: &str, difference| Note { path: path.to_owned(), difference };
    // Nothing is agreed on: the first run. Files that both sides have under one name are the same, or a conflict.
    let first = || {
        let trees = Trees::new().here("a", 1, 11).there(ROOT, "a", 1, 21).here("b", 2, 12).there(ROOT, "b", 3, 22);
        let trees = trees.folder_here("x", 13).here("x/c", 4, 14).here("x/d", 1, 15).here("X", 5, 16);
        trees.folder_there(ROOT, "y", 30).there(30, "e", 6, 23).there(30, "f.tmp", 7, 24)
    };
    let both = Preview {
        up_files: 4,
        up_bytes: 30,
        down_files: 2,
        down_bytes: 20,
        folders_there: 1,
        folders_here: 1,
        already_same: 1,
        conflicts: 1,
        links: 0,
        ..Preview::default()
    };
    // Where no local item may be touched, a file whose name is taken is sent under a number, and a note says so.
    let skipped = vec![note("b", Difference::NameTaken)];
    let up = Preview {
        up_files: 4,
        up_bytes: 30,
        folders_there: 1,
        already_same: 1,
        links: 0,
        skipped,
        ..Preview::default()
    };
    let mut large = Trees::new().here("a", 1, 11);
    if let Some(LocalItem::File(file)) = large.local.items.get_mut("a") {
        file.stamp.size_bytes = 5_000;
    }
    let too_large = Preview { skipped: vec![note("a", Difference::TooLarge)], ..Preview::default() };
    let agreed = || Trees::new().both("a", 1, 11).both("b", 2, 12);
    let deleted = |here: bool| {
        let mut trees = agreed();
        if here {
            trees.local.items.remove("a");
        } else {
            trees.remote.files.remove(&file_id(11));
        }
        trees
    };
    // Nothing is agreed about the folders when the files in them are read.
    let nested = Trees::new().folder_here("x", 13).here("x/a", 1, 11).folder_there(ROOT, "x", 30).there(30, "a", 1, 21);
    let nested = nested.folder_here("x/y", 14).here("x/y/b", 2, 12).folder_there(30, "y", 31).there(31, "b", 2, 22);
    let same = |already_same| Preview { already_same, ..Preview::default() };
    let edited = Preview { up_files: 1, up_bytes: 10, ..same(1) };
    let gone = Preview { asks: Some(Guard::RemoteGone), ..same(2) };
    let cases = [
        ("a first run both ways", first(), Mode::BothWays, both),
        ("a first run of uploads", first(), Mode::UploadOnly, up),
        ("a size that is not taken", unread(large), Mode::BothWays, too_large),
        ("nothing", agreed(), Mode::BothWays, same(2)),
        ("unread but the same", unread(agreed()), Mode::BothWays, same(2)),
        ("unread but the same in folders of both sides", unread(nested), Mode::BothWays, same(2)),
        ("deleted here", deleted(true), Mode::BothWays, Preview { deletions_there: 1, ..same(1) }),
        ("deleted there", deleted(false), Mode::BothWays, Preview { deletions_here: 1, ..same(1) }),
        ("an edit", agreed().here("a", 3, 11), Mode::UploadOnly, edited),
        ("a rename", deleted(true).here("c", 1, 11), Mode::UploadOnly, Preview { moves_there: 1, ..same(2) }),
        (
            "no drive folder",
            {
                let mut trees = agreed();
                trees.remote.folders.clear();
                trees
            },
            Mode::BothWays,
            gone,
        ),
    ];
    for (name, trees, mode, expected) in cases {
        assert_eq!(count(&trees, mode), expected, "{name}");
    }
}

/// `files` new files in `folders` folders, each in the one before up to ten deep.
fn many(files: u64, folders: u64) -> Trees {
    let mut trees = Trees::new();
    let mut paths = vec![String::new()];
    for n in 0..folders {
        let above = if n % 10 == 0 { "" } else { paths.last().map_or("", String::as_str) };
        let path = crate::sync::tree::join(above, &format!("folder {n}"));
        trees = trees.folder_here(&path, n + 1);
        paths.push(path);
    }
    for n in 0..files {
        let folder = &paths[usize::try_from(n % paths.len() as u64).unwrap_or(0)];
        let path = crate::sync::tree::join(folder, &format!("file {n}"));
        let stamp = Stamp { size_bytes: 10, modified_us: 1, identity: 1_000_000 + n };
        let file = LocalFile { stamp, changed_us: None, hash: None, is_settled: true, still_ms: 0 };
        trees.local.items.insert(path, LocalItem::File(file));
    }
    trees
}

#[test]
fn however_many_new_files_take_a_handful_of_plans() {
    let rounds = |files, folders| look_ahead(&many(files, folders), Mode::BothWays).rounds;
    // Read, send, rest; and a plan for each level of folders.
    assert_eq!(rounds(100, 0), 3);
    assert_eq!(rounds(8_000, 0), 3);
    assert_eq!(rounds(8_000, 100), 13);
    // Twice as many plans as hold them all, one kind of step each.
    assert_eq!(rounds(20_000, 0), 7);
}
