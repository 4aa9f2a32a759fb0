//! Files that one transaction adds together.

use super::*;

#[tokio::test]
async fn files_that_are_added_together_have_names_and_moments_as_if_each_came_alone() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "folder", None).await;
    let before = drive.folder_as_seen(ada, folder).await.updated_at;
    let (first, second, third) = (drive.tick(), Timestamp::from_micros(10), Timestamp::from_micros(11));

    let mut additions = Additions::default();
    let mut added = Vec::new();
    // The clock goes back before the second one.
    for (content, now) in [(1, first), (2, second), (3, third)] {
        let file = new_file("a.txt", Some(folder), content);
        let id = file.id;
        let name = additions.add(&mut drive.tx, ada, file, now).await.unwrap();
        additions.write(&mut drive.tx).await.unwrap();
        let seen = get_visible_file(&mut drive.tx, ada, id).await.unwrap();
        assert_eq!(seen.name, name.as_str());
        added.push((seen.name, seen.updated_at));
    }
    additions.finish(&mut drive.tx).await.unwrap();
    let names: Vec<&str> = added.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.txt", "a (2).txt", "a (3).txt"]);
    assert!(added.is_sorted_by(|one, other| one.1 < other.1), "{added:?}");
    assert!(drive.folder_as_seen(ada, folder).await.updated_at > before);
    drive.check_counts().await;

    // Rows wait for each other, and are written before names are asked for.
    let mut additions = Additions::default();
    let files: Vec<NewFile> =
        (4..11).map(|content| new_file(&format!("b{content}.txt"), Some(folder), content)).collect();
    let wanted = files.iter().map(|file| ((ada.team, Some(folder)), &file.name, file.content_hash));
    additions.look_up(&mut drive.tx, wanted).await.unwrap();
    for file in files {
        let now = drive.tick();
        additions.add(&mut drive.tx, ada, file, now).await.unwrap();
    }
    let count = async |drive: &mut Drive| {
        let sql = "SELECT COUNT(*) FROM files WHERE name LIKE 'b%'";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut *drive.tx).await.unwrap()
    };
    assert_eq!(count(&mut drive).await, 0);
    additions.add(&mut drive.tx, ada, new_file("c.txt", None, 11), third).await.unwrap();
    assert_eq!(count(&mut drive).await, 7);
    additions.finish(&mut drive.tx).await.unwrap();
    drive.check_counts().await;

    // What one member was told of a folder says nothing to another.
    drive.set_visibility(ada, ItemRef::Folder(folder), Visibility::Private).await.unwrap();
    let mut additions = Additions::default();
    additions.check_folder(&mut drive.tx, ada, folder).await.unwrap();
    let refused = additions.check_folder(&mut drive.tx, ben, folder).await;
    assert_eq!(code_of(refused), failing("folder_not_found"));
}
