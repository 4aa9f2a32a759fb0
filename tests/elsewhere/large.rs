//! Folders that have more files than are kept in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use easel_stranger::{Config, Stranger, Switches};
use easel_sync::FolderSettings;
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_tests::hurry::Hurry;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::computer::{Computer, Running};

const DRIVE: &str = "Archive";
/// Far fewer than there are.
const KEPT: usize = 8;
/// How long something may take.
const LIMIT: Duration = Duration::from_secs(300);

fn settings(kept_items: usize) -> FolderSettings {
    FolderSettings { kept_items, ..FolderSettings::default() }
}

fn draft(root: &Path) -> Draft {
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    Draft { path: root.to_owned(), drive: Target::New { parent: None, name: DRIVE.to_owned() }, choices }
}

/// The contents of all files below a folder, by path; without Easel's own.
fn read(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(name, std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    files
}

async fn until_equal(one: &Running, roots: [&Path; 2], what: &str) {
    let deadline = Instant::now() + LIMIT;
    loop {
        let folder = one.folders.list().into_iter().next().expect("the folder");
        if folder.state == State::UpToDate && read(roots[0]) == read(roots[1]) {
            return;
        }
        assert!(Instant::now() < deadline, "{what}: {:?}\n{:?}\n{:?}", folder.state, read(roots[0]), read(roots[1]));
        sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn what_is_not_in_memory_is_compared_followed_and_found_like_anything_else() {
    let hurry = Hurry::start();
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let home = TempDir::with_prefix("easel-large-").expect("a folder");
    let one = Computer::new(home.path().join("one"), DRIVE);
    let other = Computer::new(home.path().join("other"), DRIVE);
    for folder in ["", "a/", "a/inner/", "b/", "c/", "c/inner/", "d/"] {
        std::fs::create_dir_all(one.root.join(folder)).expect("a folder");
        for number in 0..9 {
            std::fs::write(one.root.join(format!("{folder}{number}.txt")), format!("{folder}{number}"))
                .expect("a file");
        }
    }
    let begun = one.start_with(&stranger, &hurry, settings(KEPT)).await;
    begun.folders.add(&draft(&one.root)).await.expect("a folder");
    let deadline = Instant::now() + LIMIT;
    while stranger.drive().files.len() < 63 || begun.folders.list()[0].state != State::UpToDate {
        assert!(Instant::now() < deadline, "{:?}", begun.folders.list());
        sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(begun.folders.list()[0].files, 63, "all are counted, also those that are not in memory");

    // The other computer has some of them, and some of its own.
    std::fs::create_dir_all(other.root.join("c")).expect("a folder");
    std::fs::write(other.root.join("c/0.txt"), "c/0").expect("a file");
    std::fs::write(other.root.join("c/1.txt"), "another").expect("a file");
    std::fs::write(other.root.join("own.txt"), "own").expect("a file");
    let mut previews = Vec::new();
    for kept_items in [KEPT, 50_000] {
        let asked = other.start_with(&stranger, &hurry, settings(kept_items)).await;
        previews.push(asked.folders.preview(&draft(&other.root)).await.expect("a preview"));
        asked.stop().await;
    }
    assert_eq!(format!("{:?}", previews[0]), format!("{:?}", previews[1]), "counted folder by folder, and at once");
    assert_eq!((previews[0].down_files, previews[0].already_same, previews[0].conflicts), (62, 1, 1));

    let second = other.start_with(&stranger, &hurry, settings(KEPT)).await;
    second.folders.add(&draft(&other.root)).await.expect("a folder");
    until_equal(&second, [&one.root, &other.root], "the first run").await;

    // A folder is renamed, a file moves between two folders, one is edited, one deleted, one new.
    std::fs::rename(one.root.join("a"), one.root.join("renamed")).expect("a rename");
    std::fs::rename(one.root.join("b/1.txt"), one.root.join("d/moved.txt")).expect("a move");
    std::fs::write(one.root.join("c/inner/2.txt"), "edited").expect("an edit");
    std::fs::remove_file(one.root.join("d/3.txt")).expect("it is gone");
    std::fs::write(one.root.join("b/new.txt"), "new").expect("a file");
    until_equal(&second, [&one.root, &other.root], "after changes").await;

    // What happens while neither runs is found by comparing everything again.
    begun.stop().await;
    second.stop().await;
    std::fs::rename(one.root.join("c"), one.root.join("d/c")).expect("a rename");
    std::fs::remove_file(other.root.join("b/2.txt")).expect("it is gone");
    std::fs::write(other.root.join("renamed/inner/4.txt"), "edited elsewhere").expect("an edit");
    let begun = one.start_with(&stranger, &hurry, settings(KEPT)).await;
    let second = other.start_with(&stranger, &hurry, settings(KEPT)).await;
    until_equal(&second, [&one.root, &other.root], "after both were off").await;
    until_equal(&begun, [&one.root, &other.root], "after both were off").await;
    let files = read(&one.root);
    assert_eq!(files.get("d/c/inner/2.txt").map(String::as_str), Some("edited"));
    assert_eq!(files.get("renamed/inner/4.txt").map(String::as_str), Some("edited elsewhere"));
    assert!(!files.contains_key("b/2.txt") && !files.contains_key("d/3.txt"), "{files:?}");
    assert_eq!(files.len(), 64, "{files:?}");
    begun.stop().await;
    second.stop().await;
}
