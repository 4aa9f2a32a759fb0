//! Changes of items, and their effects on other items.

use std::collections::HashSet;

use super::*;

#[tokio::test]
async fn a_folder_counts_its_direct_children_and_knows_its_path() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let brand = drive.folder(ada, "Brand", None).await;
    let photos = drive.folder(ada, "Photos", Some(brand)).await;
    drive.file(ada, "a", Some(photos), 1).await;
    drive.file(ada, "b", Some(brand), 2).await;
    let row = drive.folder_as_seen(ada, brand).await;
    assert_eq!((row.path.as_str(), row.subfolder_count, row.file_count), ("/Brand", 1, 1));
    let row = drive.folder_as_seen(ada, photos).await;
    assert_eq!((row.path.as_str(), row.subfolder_count, row.file_count), ("/Brand/Photos", 0, 1));
    let listed = folders::list_folders(&mut drive.tx, ada, &query(Place::Everywhere, "name")).await.unwrap();
    let paths: Vec<_> = listed.items.iter().map(|folder| folder.path.as_str()).collect();
    assert_eq!(paths, ["/Brand", "/Brand/Photos"]);
    assert_eq!(drive.names(ada, Place::Top).await, ["Brand"]);
    assert_eq!(drive.names(ada, Place::In(brand)).await, ["Photos", "b"]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["Brand", "Photos", "a", "b"]);
}

#[tokio::test]
async fn a_folder_is_updated_by_every_change_to_a_direct_child() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let top = drive.folder(ada, "top", None).await;
    let from = drive.folder(ada, "from", Some(top)).await;
    let to = drive.folder(ada, "to", Some(top)).await;
    let mut last = Vec::new();
    for id in [top, from, to] {
        last.push(drive.folder_as_seen(ada, id).await.updated_at);
    }
    let mut moved = async |drive: &mut Drive| {
        let mut changed = Vec::new();
        for (id, last) in [top, from, to].into_iter().zip(&mut last) {
            let now = drive.folder_as_seen(ada, id).await.updated_at;
            changed.push(now > *last);
            *last = now;
        }
        changed
    };
    let file = drive.file(ada, "f", Some(from), 1).await.id;
    assert_eq!(moved(&mut drive).await, [false, true, false], "a new file");
    drive.rename(ada, ItemRef::File(file), "g").await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, true, false], "a rename");
    drive.rename(ada, ItemRef::File(file), "g").await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, false], "a rename to the same name");
    drive.go(ada, ItemRef::File(file), Some(to)).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, true, true], "a move");
    drive.now -= 3;
    drive.set_visibility(ada, ItemRef::File(file), Visibility::Private).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, true], "a visibility, while the clock stands");
    drive.delete(ada, ItemRef::File(file), false).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, true], "a deletion");
    drive.go(ada, ItemRef::Folder(to), None).await.unwrap();
    assert_eq!(moved(&mut drive).await, [true, false, true], "a folder's move");
    drive.check_counts().await;
}

#[tokio::test]
async fn a_folder_never_comes_to_lie_in_itself() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let a = drive.folder(ada, "a", None).await;
    let b = drive.folder(ada, "b", Some(a)).await;
    let c = drive.folder(ada, "c", Some(b)).await;
    for to in [a, b, c] {
        let refused = code_of(drive.go(ada, ItemRef::Folder(a), Some(to)).await);
        assert_eq!(refused, failing("folder_circular_reference"));
    }
    drive.go(ada, ItemRef::Folder(c), Some(a)).await.unwrap();
    drive.go(ada, ItemRef::Folder(b), Some(c)).await.unwrap();
    assert_eq!(drive.folder_as_seen(ada, b).await.path, "/a/c/b");
}

#[tokio::test]
async fn folders_lie_in_each_other_up_to_a_bound() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let mut chain = Vec::new();
    for _ in 0..MAX_NESTING {
        chain.push(drive.folder(ada, "f", chain.last().copied()).await);
    }
    let innermost = chain.last().copied();
    assert_eq!(code_of(drive.try_folder(ada, "f", innermost).await), failing("validation_failed"));
    let other = drive.folder(ada, "other", None).await;
    drive.folder(ada, "in other", Some(other)).await;
    let refused = drive.go(ada, ItemRef::Folder(other), Some(chain[MAX_NESTING - 2])).await;
    assert_eq!(code_of(refused), failing("validation_failed"));
    drive.go(ada, ItemRef::Folder(other), Some(chain[MAX_NESTING - 3])).await.unwrap();
    assert_eq!(drive.file(ada, "file", innermost, 1).await.folder_id, innermost);
}

#[tokio::test]
async fn a_move_or_rename_onto_a_taken_name_names_what_is_in_the_way() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let folder = drive.folder(ada, "folder", None).await;
    let here = drive.file(ada, "A.txt", None, 1).await.id;
    let there = drive.file(ada, "a.TXT", Some(folder), 2).await.id;
    let other = drive.file(ada, "b", None, 3).await.id;
    let in_the_way = |id: FileId| ("file_name_conflict".to_owned(), Some(id.to_string()));
    assert_eq!(code_of(drive.go(ada, ItemRef::File(here), Some(folder)).await), in_the_way(there));
    assert_eq!(code_of(drive.rename(ada, ItemRef::File(other), "a.txt").await), in_the_way(here));
    assert_eq!(drive.rename(ada, ItemRef::File(here), "a.txt").await.unwrap(), "a.txt", "only the case changes");
    assert_eq!(drive.names(ada, Place::Top).await, ["folder", "a.txt", "b"]);
    let canvas = ItemRef::Canvas(CanvasId::from_uuid(Uuid::now_v7()));
    assert_eq!(code_of(drive.go(ada, canvas, None).await), failing("canvas_not_found"));
}

#[tokio::test]
async fn a_folder_that_looks_empty_is_deleted_without_recursive() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "folder", None).await;
    let file = drive.file(ben, "file", Some(folder), 1).await.id;
    assert_eq!(code_of(drive.delete(ada, ItemRef::Folder(folder), false).await), failing("folder_not_empty"));
    drive.set_visibility(ben, ItemRef::File(file), Visibility::Private).await.unwrap();
    assert_eq!(drive.delete(ada, ItemRef::Folder(folder), false).await.unwrap(), [[0; 32]; 0]);
    assert_eq!(drive.names(ben, Place::Top).await, ["file"]);
}

#[tokio::test]
async fn contents_are_kept_as_long_as_the_drive_or_the_trash_has_them() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let folder = drive.folder(ada, "folder", None).await;
    let inner = drive.folder(ada, "inner", Some(folder)).await;
    drive.file(ada, "a", Some(folder), 1).await;
    drive.file(ada, "b", Some(inner), 2).await;
    drive.file(ada, "c", Some(inner), 2).await;
    let kept = drive.file(ada, "d", None, 2).await.id;
    let hashes = drive.delete(ada, ItemRef::Folder(folder), true).await.unwrap();
    assert_eq!(hashes.into_iter().collect::<HashSet<_>>(), HashSet::from([[1; 32], [2; 32]]));
    assert!(is_content_used(&mut drive.tx, &[1; 32]).await.unwrap(), "it can come back");
    let purged = trash::purge(&mut drive.tx, ada, ItemRef::Folder(folder)).await.unwrap();
    assert_eq!(purged.into_iter().collect::<HashSet<_>>(), HashSet::from([[1; 32], [2; 32]]));
    assert!(!is_content_used(&mut drive.tx, &[1; 32]).await.unwrap());
    assert!(is_content_used(&mut drive.tx, &[2; 32]).await.unwrap());
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["d"]);
    assert_eq!(drive.delete(ada, ItemRef::File(kept), false).await.unwrap(), [[2; 32]]);
    drive.check_counts().await;
}
