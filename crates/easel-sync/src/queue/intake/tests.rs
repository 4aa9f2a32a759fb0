//! Walks through real files of every kind.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use tempfile::TempDir;

use super::*;

/// The finds of a walk: files and empty folders as `dir/name`, folders, and skipped items by name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Walked {
    items: Vec<String>,
    folders: Vec<String>,
    skipped: BTreeMap<String, SkipReason>,
}

fn walk_all(paths: &[PathBuf]) -> Walked {
    let mut walked = Walked::default();
    let is_whole = walk(paths.to_vec(), &mut |found| {
        match found {
            Found::Entry(Entry::Folder { dir }) => walked.folders.push(dir),
            Found::Entry(Entry::Item { kind, name, dir, .. }) => {
                let mark = if kind == Kind::Folder { "/" } else { "" };
                walked.items.push(format!("{}{mark}", paths::join(&dir, &name)));
            }
            Found::Skipped(Skipped { path, reason }) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                walked.skipped.insert(name, reason);
            }
        }
        true
    });
    assert!(is_whole);
    walked.items.sort();
    walked.folders.sort();
    walked
}

fn write(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, b"x").unwrap();
}

#[test]
fn a_folder_is_walked_whole_and_its_structure_is_kept() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().join("Präsentation 🎨");
    write(&top.join("a.txt"));
    write(&top.join(".hidden"));
    write(&top.join("CON"));
    write(&top.join("in/deep/b.txt"));
    write(&top.join(format!("{}.txt", "ä".repeat(125))));
    fs::create_dir_all(top.join("empty/in it")).unwrap();
    write(&folder.path().join("alone.txt"));
    let walked = walk_all(&[top, folder.path().join("alone.txt")]);
    let long = format!("Präsentation 🎨/{}.txt", "ä".repeat(125));
    let mut expected = vec![
        "Präsentation 🎨/.hidden".to_owned(),
        "Präsentation 🎨/CON".to_owned(),
        "Präsentation 🎨/a.txt".to_owned(),
        "Präsentation 🎨/empty/in it/".to_owned(),
        "Präsentation 🎨/in/deep/b.txt".to_owned(),
        long,
        "alone.txt".to_owned(),
    ];
    expected.sort();
    assert_eq!(walked.items, expected);
    let folders = ["Präsentation 🎨", "Präsentation 🎨/empty", "Präsentation 🎨/in", "Präsentation 🎨/in/deep"];
    assert_eq!(walked.folders, folders);
    assert_eq!(walked.skipped, BTreeMap::new());
}

#[test]
fn what_cannot_be_taken_is_named_and_the_rest_goes_on() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().join("drop");
    write(&top.join("good"));
    write(&folder.path().join("elsewhere"));
    nix::unistd::mkfifo(&top.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(top.join("socket")).unwrap();
    symlink("elsewhere", top.join("link")).unwrap();
    symlink(".", top.join("loop")).unwrap();
    symlink("nowhere", top.join("broken")).unwrap();
    write(&top.join("line\nbreak"));
    write(&top.join(std::ffi::OsStr::from_bytes(b"latin\xe4")));
    let walked = walk_all(&[top, folder.path().join("gone"), PathBuf::from("/dev/null")]);
    assert_eq!(walked.items, ["drop/good"]);
    let expected = [
        ("pipe", SkipReason::Fifo),
        ("socket", SkipReason::Socket),
        ("link", SkipReason::SymbolicLink),
        ("loop", SkipReason::SymbolicLink),
        ("broken", SkipReason::SymbolicLink),
        ("line\nbreak", SkipReason::NameNotPossible),
        ("latin\u{fffd}", SkipReason::NameNotPossible),
        ("gone", SkipReason::Vanished),
        ("null", SkipReason::Device),
    ];
    assert_eq!(walked.skipped, expected.into_iter().map(|(name, reason)| (name.to_owned(), reason)).collect());
}

#[test]
fn a_folder_of_which_nothing_can_be_taken_arrives_empty() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().join("only pipes");
    fs::create_dir(&top).unwrap();
    nix::unistd::mkfifo(&top.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let walked = walk_all(&[top]);
    assert_eq!(walked.items, ["only pipes/"]);
    assert_eq!(walked.skipped.len(), 1);
}

#[test]
fn a_folder_that_contains_itself_is_told_by_its_number() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().join("top");
    write(&top.join("a"));
    let key = file_key(&fs::symlink_metadata(&top).unwrap());
    let above = Some(Arc::new(Above { key, above: None }));
    let mut found = Vec::new();
    let again = Pending { path: top, name: "top".to_owned(), dir: "top".to_owned(), above };
    walk_folder(again, &mut Vec::new(), &mut |entry| {
        found.push(entry);
        true
    });
    assert!(matches!(&found[..], [Found::Skipped(Skipped { reason: SkipReason::FolderLoop, .. })]), "{found:?}");
}

#[test]
fn a_walk_ends_when_nobody_takes_what_it_finds() {
    let folder = TempDir::new().unwrap();
    for name in ["a", "b", "c"] {
        write(&folder.path().join(name));
    }
    let mut seen = 0;
    let is_whole = walk(vec![folder.path().to_owned()], &mut |_| {
        seen += 1;
        false
    });
    assert!(!is_whole && seen == 1);
}

#[tokio::test]
async fn a_walk_that_was_cut_off_is_taken_up_again_without_doubling() {
    let folder = TempDir::new().unwrap();
    for index in 0..600 {
        write(&folder.path().join(format!("drop/{}/{index}", index % 7)));
    }
    let journal = Journal::open(&folder.path().join("journal.db")).await.unwrap();
    let paths = vec![folder.path().join("drop")];
    let drop = journal.create_drop("here", None, paths, uuid::Uuid::nil(), 1).await.unwrap();
    let stop = CancellationToken::new();
    let cut = take_in(&journal, &drop, &stop, || 2, || stop.cancel()).await;
    assert!(matches!(cut, Err(Error::Stopped)));
    let again = journal.list_unwalked_drops("here").await.unwrap();
    assert_eq!(again, [drop]);
    let before = journal.list_rows("here", crate::Filter::All, 0, 10_000).await.unwrap().len();
    assert!(before > 0 && before < 600, "{before}");
    let taken = take_in(&journal, &again[0], &CancellationToken::new(), || 3, || {}).await.unwrap();
    assert_eq!(taken.accepted.len() + before, 600);
    assert_eq!(journal.list_rows("here", crate::Filter::All, 0, 10_000).await.unwrap().len(), 600);
    assert_eq!(journal.list_unwalked_drops("here").await.unwrap(), []);
}
