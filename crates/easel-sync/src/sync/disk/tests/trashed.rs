//! What lies in the trashes of this computer.

use crate::sync::disk::{DiskSettings, LocalDisk, Trashed};
use crate::sync::ignored::TRASH;
use crate::sync::ports::Disk as _;
use crate::sync::tree::LocalItem;

async fn throw_away(disk: &LocalDisk, path: &str, content: &str) {
    std::fs::write(disk.path().join(path), content).expect("the disk takes it");
    let Ok(Some(LocalItem::File(file))) = disk.look(path).await else { panic!("{path} is there") };
    disk.trash(path, &file.stamp).await.expect("the disk takes it");
}

fn contents(trashed: &Trashed, path: &str) -> Vec<String> {
    let mut found: Vec<String> =
        trashed.of(path).map(|file| std::fs::read_to_string(file).expect("a file of the trash")).collect();
    found.sort();
    found
}

#[tokio::test]
async fn what_was_thrown_away_is_found_by_the_path_that_it_had() {
    let folder = tempfile::TempDir::new().unwrap();
    let root = folder.path().join("watched");
    std::fs::create_dir_all(root.join("Größe 1")).unwrap();
    let home_trash = Some(folder.path().join("Trash"));
    let disk = LocalDisk::open(&root, DiskSettings { home_trash, ..DiskSettings::default() }).unwrap();
    for (path, content) in [("a.txt", "one"), ("a.txt", "two"), ("Größe 1/a.txt", "three")] {
        throw_away(&disk, path, content).await;
    }
    let trashed = disk.list_trashed().await.unwrap();
    assert_eq!(contents(&trashed, "a.txt"), ["one", "two"]);
    assert_eq!(contents(&trashed, "Größe 1/a.txt"), ["three"]);
    assert_eq!(contents(&trashed, "b.txt"), Vec::<String>::new());
}

#[tokio::test]
async fn what_the_folder_itself_keeps_is_found_by_its_name() {
    let folder = tempfile::TempDir::new().unwrap();
    let days = folder.path().join(TRASH);
    for (day, name, content) in
        [("2026-11-20", "a.txt", "one"), ("2026-11-20", "a.txt.2", "two"), ("2026-11-21", "a.txt", "three")]
    {
        std::fs::create_dir_all(days.join(day)).unwrap();
        std::fs::write(days.join(day).join(name), content).unwrap();
    }
    let disk = LocalDisk::open(folder.path(), DiskSettings::default()).unwrap();
    let trashed = disk.list_trashed().await.unwrap();
    assert_eq!(contents(&trashed, "in/a.txt"), ["one", "three", "two"]);
    assert_eq!(contents(&trashed, "a.txt.2"), ["two"]);
}
