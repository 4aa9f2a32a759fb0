//! Names that are taken, and the numbers that they get.

use super::*;

#[tokio::test]
async fn a_taken_name_is_numbered_for_files_and_refused_for_folders() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let first = drive.file(ada, "Photo.png", None, 1).await;
    assert_eq!(first.name, "Photo.png");
    assert_eq!(drive.file(ada, "photo.PNG", None, 2).await.name, "photo (2).PNG");
    assert_eq!(drive.file(ada, "photo.png", None, 3).await.name, "photo (3).png");
    let folder = drive.folder(ada, "photo.png", None).await;
    assert_eq!(drive.file(ada, "photo.png", Some(folder), 4).await.name, "photo.png");
    drive.delete(ada, ItemRef::File(first.id), false).await.unwrap();
    assert_eq!(drive.file(ada, "photo.png", None, 5).await.name, "photo.png");

    let conflict = code_of(drive.try_folder(ada, "PHOTO.png", None).await);
    assert_eq!(conflict, ("folder_name_conflict".to_owned(), Some(folder.to_string())));
    let missing = Some(FolderId::from_uuid(Uuid::now_v7()));
    assert_eq!(code_of(drive.try_folder(ada, "x", missing).await), failing("folder_not_found"));
    drive.check_counts().await;
}

#[tokio::test]
async fn the_number_of_a_name_is_found_among_ten_thousand() {
    let mut drive = Drive::new().await;
    let (ada, name) = (drive.ada, Name::parse("scan.pdf").unwrap());
    let long = Name::parse(&"x".repeat(255)).unwrap();
    for base in [&name, &long] {
        for number in 1..=10_000 {
            let numbered = if number == 1 { base.clone() } else { base.numbered(number) };
            sqlx::query(
                "INSERT INTO files (id, team_id, name, name_key, visibility, private_to, mime_type, size_bytes,
                   content_hash, created_by, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, 'team', x'', '', 0, x'', $5, 0, 0)",
            )
            .bind(Uuid::now_v7())
            .bind(ada.team.uuid())
            .bind(numbered.as_str())
            .bind(numbered.key())
            .bind(ada.user.uuid())
            .execute(&mut *drive.tx)
            .await
            .unwrap();
        }
    }
    assert_eq!(drive.file(ada, "scan.pdf", None, 1).await.name, "scan (10001).pdf");
    assert_eq!(drive.file(ada, "scan.pdf", None, 1).await.name, "scan (10002).pdf");
    let longest = drive.file(ada, long.as_str(), None, 1).await.name;
    assert_eq!((longest.chars().count(), longest.ends_with("x (10001)")), (255, true));
}

#[tokio::test]
async fn a_gap_among_the_first_numbers_is_filled() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    for name in ["a.txt", "a (2).txt", "a (4).txt"] {
        drive.file(ada, name, None, 1).await;
    }
    assert_eq!(drive.file(ada, "a.txt", None, 1).await.name, "a (3).txt");
    assert_eq!(drive.file(ada, "a.txt", None, 1).await.name, "a (5).txt");
}
