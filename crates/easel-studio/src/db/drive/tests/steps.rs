//! Whatever two members do, in any order.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::db::DbConnection;

#[derive(Debug, Clone)]
enum Step {
    Folder(usize, u8),
    File(usize, u8),
    Move(usize, usize, bool),
    Show(usize, bool),
    Delete(usize, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (any::<usize>(), 0..4_u8).prop_map(|(place, name)| Step::Folder(place, name)),
        3 => (any::<usize>(), 0..4_u8).prop_map(|(place, name)| Step::File(place, name)),
        3 => (any::<usize>(), any::<usize>(), any::<bool>()).prop_map(|(item, to, top)| Step::Move(item, to, top)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(item, private)| Step::Show(item, private)),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(item, recursive)| Step::Delete(item, recursive)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_two_members_do_the_drive_stays_whole(steps in prop::collection::vec((any::<bool>(), step()), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut drive = Drive::new().await;
            let mut items: Vec<ItemRef> = Vec::new();
            for (bens, step) in steps {
                let viewer = if bens { drive.ben } else { drive.ada };
                let folders: Vec<FolderId> = items
                    .iter()
                    .filter_map(|item| if let ItemRef::Folder(id) = item { Some(*id) } else { None })
                    .collect();
                let pick = |n: usize| (!folders.is_empty()).then(|| folders[n % folders.len()]);
                let item = |n: usize| (!items.is_empty()).then(|| items[n % items.len()]);
                let theirs = private_of(&mut drive.tx, if bens { drive.ada } else { drive.ben }).await;
                match step {
                    Step::Folder(place, name) => {
                        if let Ok(folder) = drive.try_folder(viewer, &format!("n{name}"), pick(place)).await {
                            items.push(ItemRef::Folder(folder.id));
                        }
                    }
                    Step::File(place, name) => {
                        let (now, file) = (drive.tick(), new_file(&format!("n{name}"), pick(place), name));
                        if let Ok(file) = insert_file(&mut drive.tx, viewer, file, now).await {
                            items.push(ItemRef::File(file.id));
                        }
                    }
                    Step::Move(n, to, top) => {
                        if let Some(item) = item(n) {
                            let _ = drive.go(viewer, item, if top { None } else { pick(to) }).await;
                        }
                    }
                    Step::Show(n, private) => {
                        let visibility = if private { Visibility::Private } else { Visibility::Team };
                        if let Some(item) = item(n) {
                            let _ = drive.set_visibility(viewer, item, visibility).await;
                        }
                    }
                    Step::Delete(n, recursive) => {
                        if let Some(item) = item(n) {
                            let _ = drive.delete(viewer, item, recursive).await;
                        }
                    }
                }
                drive.check_counts().await;
                check_visibility(&mut drive.tx).await;
                let still = private_of(&mut drive.tx, if bens { drive.ada } else { drive.ben }).await;
                assert!(theirs.is_subset(&still), "another member's private things were touched");
            }
        });
    }
}

/// The items that this member alone sees.
async fn private_of(conn: &mut DbConnection, viewer: Viewer) -> HashSet<Uuid> {
    let rows: Vec<(Uuid,)> = sqlx::query_as(
        "SELECT id FROM folders WHERE private_to = $1 UNION ALL SELECT id FROM files WHERE private_to = $1",
    )
    .bind(viewer.user.uuid())
    .fetch_all(conn)
    .await
    .unwrap();
    rows.into_iter().map(|(id,)| id).collect()
}

/// Checks that every `private_to` follows from the item's own visibility and its folder's `private_to`.
async fn check_visibility(conn: &mut DbConnection) {
    let wrong: (i64,) = sqlx::query_as(
        "SELECT COUNT(*) FROM (
           SELECT parent_id AS above, visibility, private_to, created_by FROM folders
           UNION ALL SELECT folder_id, visibility, private_to, created_by FROM files) AS item
         LEFT JOIN folders ON folders.id = item.above
         WHERE item.private_to <>
           CASE item.visibility WHEN 'private' THEN item.created_by ELSE COALESCE(folders.private_to, x'') END",
    )
    .fetch_one(conn)
    .await
    .unwrap();
    assert_eq!(wrong.0, 0);
}
