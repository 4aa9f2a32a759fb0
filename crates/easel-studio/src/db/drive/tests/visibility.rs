//! Visibility of items.

use super::*;
use crate::db::drive::files::find_visible_file_by_hash;

#[tokio::test]
async fn a_private_item_is_not_there_for_anyone_else() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "folder", None).await;
    let inner = drive.folder(ada, "inner", Some(folder)).await;
    let file = drive.file(ada, "file", Some(inner), 7).await.id;
    drive.set_visibility(ada, ItemRef::Folder(folder), Visibility::Private).await.unwrap();
    drive.check_counts().await;

    let seen = get_visible_file(&mut drive.tx, ada, file).await.unwrap();
    assert_eq!((seen.visibility, seen.visibility_inherited), (Visibility::Private, true));
    assert_eq!(drive.names(ben, Place::Everywhere).await, [""; 0]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["folder", "inner", "file"]);
    assert_eq!(code_of(get_visible_file(&mut drive.tx, ben, file).await), failing("file_not_found"));
    assert_eq!(code_of(get_visible_folder(&mut drive.tx, ben, inner).await), failing("folder_not_found"));
    let inside = query(Place::In(folder), "name");
    assert_eq!(code_of(files::list_files(&mut drive.tx, ben, &inside).await), failing("folder_not_found"));
    assert_eq!(find_visible_file_by_hash(&mut drive.tx, ben, &[7; 32]).await.unwrap(), None);
    assert_eq!(find_visible_file_by_hash(&mut drive.tx, ada, &[7; 32]).await.unwrap().unwrap().id, file);
    assert!(is_content_used(&mut drive.tx, &[7; 32]).await.unwrap());
    for item in [ItemRef::File(file), ItemRef::Folder(inner)] {
        assert!(code_of(drive.delete(ben, item, true).await).0.ends_with("not_found"));
        assert!(code_of(drive.go(ben, item, None).await).0.ends_with("not_found"));
        assert!(code_of(drive.rename(ben, item, "x").await).0.ends_with("not_found"));
    }
    let bens = drive.try_folder(ben, "Folder", None).await.unwrap();
    assert_eq!(bens.name, "Folder", "no answer tells of what he does not see");
    assert_eq!(drive.folder_as_seen(ada, folder).await.name, "folder (2)", "it gave way");
    drive.delete(ben, ItemRef::Folder(bens.id), false).await.unwrap();
    drive.rename(ada, ItemRef::Folder(folder), "folder").await.unwrap();

    drive.go(ada, ItemRef::Folder(inner), None).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, ["inner", "file"], "moved out of the private folder");
    drive.go(ada, ItemRef::Folder(inner), Some(folder)).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, [""; 0], "moved into it again");
    let new = drive.file(ada, "new", Some(inner), 8).await;
    assert_eq!((new.visibility, new.visibility_inherited), (Visibility::Private, true));
    drive.set_visibility(ada, ItemRef::Folder(folder), Visibility::Team).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, ["folder", "inner", "file", "new"]);
    drive.check_counts().await;
}

#[tokio::test]
async fn only_its_maker_sets_who_may_see_an_item() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let file = ItemRef::File(drive.file(ada, "a", None, 1).await.id);
    assert_eq!(
        code_of(drive.set_visibility(ben, file, Visibility::Private).await),
        failing("visibility_change_denied")
    );
    drive.set_visibility(ben, file, Visibility::Team).await.unwrap();
    drive.set_visibility(ada, file, Visibility::Private).await.unwrap();
    assert_eq!(drive.names(ben, Place::Top).await, [""; 0]);
}

#[tokio::test]
async fn what_another_member_keeps_private_outlives_the_folder_around_it() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let outer = drive.folder(ada, "outer", None).await;
    let inner = drive.folder(ada, "inner", Some(outer)).await;
    drive.file(ada, "notes", Some(inner), 1).await;
    drive.file(ben, "notes", None, 9).await;
    let secret = drive.file(ben, "secret.txt", Some(inner), 2).await.id;
    let cellar = drive.folder(ben, "cellar", Some(inner)).await;
    let bottle = drive.file(ben, "bottle", Some(cellar), 3).await.id;
    drive.set_visibility(ben, ItemRef::File(secret), Visibility::Private).await.unwrap();
    drive.set_visibility(ben, ItemRef::Folder(cellar), Visibility::Private).await.unwrap();

    drive.set_visibility(ada, ItemRef::Folder(outer), Visibility::Private).await.unwrap();
    let bens = drive.names(ben, Place::Everywhere).await;
    assert_eq!(bens, ["cellar", "bottle", "notes", "secret.txt"], "the nearest private folder decides");
    assert_eq!(drive.folder_as_seen(ben, cellar).await.path, "/cellar", "without the names that he may not see");

    assert_eq!(code_of(drive.delete(ada, ItemRef::Folder(outer), false).await), failing("folder_not_empty"));
    let hashes = drive.delete(ada, ItemRef::Folder(outer), true).await.unwrap();
    assert_eq!(hashes, [[1; 32]]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["notes"]);
    assert_eq!(drive.names(ben, Place::Top).await, ["cellar", "notes", "secret.txt"]);
    assert_eq!(get_visible_file(&mut drive.tx, ben, bottle).await.unwrap().folder_id, Some(cellar));
    drive.check_counts().await;
}
