//! Canvases against a real database.

use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::db::accounts::{self, UserRow};
use crate::db::drive::files::{is_content_used, list_content_hashes};
use crate::db::drive::items::{change_item, delete_item, move_item};
use crate::db::drive::{get_visible_folder, insert_folder, trash};
use crate::db::{Tx, for_tests};
use crate::wire::account::{Plan, Role};
use crate::wire::tasks::Category;
use crate::wire::{ItemRef, OrganizationId, TeamId, UserId};

/// A database with a team of two.
struct Team {
    tx: Tx,
    ada: Viewer,
    ben: Viewer,
    _folder: TempDir,
}

impl Team {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let db = for_tests::open(folder.path()).await;
        let mut tx = db.begin().await.unwrap();
        let (organization, team) = (OrganizationId::from_uuid(Uuid::now_v7()), TeamId::from_uuid(Uuid::now_v7()));
        accounts::insert_team(&mut tx, (organization, "o", Plan::Paid), (team, "t"), at(0)).await.unwrap();
        let mut members = Vec::new();
        for name in ["ada", "ben"] {
            let id = UserId::from_uuid(Uuid::now_v7());
            let user = UserRow { id, email: format!("{name}@example.org"), name: name.to_owned(), role: Role::Member };
            accounts::insert_user(&mut tx, team, &user, at(0)).await.unwrap();
            members.push(Viewer { team, user: id, oversees: false });
        }
        Self { tx, ada: members[0], ben: members[1], _folder: folder }
    }

    async fn canvas(&mut self, viewer: Viewer, name: &str, folder: Option<FolderId>, drawn: u8) -> CanvasRow {
        let new = NewCanvas {
            id: CanvasId::from_uuid(Uuid::now_v7()),
            name: Name::parse(name).unwrap(),
            folder_id: folder,
            visibility: Visibility::Team,
            source_canvas_id: None,
            conversation_id: ConversationId::from_uuid(Uuid::now_v7()),
            drawn: drawing(drawn),
        };
        insert_canvas(&mut self.tx, viewer, new, at(1)).await.unwrap()
    }

    async fn redraw(
        &mut self,
        viewer: Viewer,
        id: CanvasId,
        drawn: u8,
        name: Option<Name>,
        second: i64,
    ) -> (CanvasRow, Vec<ContentHash>) {
        let version = VersionId::from_uuid(Uuid::now_v7());
        update_canvas(&mut self.tx, viewer, id, (&drawing(drawn), version), name, at(second)).await.unwrap()
    }
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn drawing(byte: u8) -> Drawn {
    Drawn {
        category: Category::Slides,
        document_hash: [byte; 32],
        thumbnail_hash: Some([byte + 1; 32]),
        pages: vec![PageRow { name: "One".to_owned(), width: 1920, height: 1080, node_count: 3 }],
    }
}

#[tokio::test]
async fn a_taken_name_gets_a_number_without_regard_to_case() {
    let mut team = Team::new().await;
    let ada = team.ada;
    let mut named = async |name: &str| team.canvas(ada, name, None, 1).await.name;
    assert_eq!(named("Deck").await, "Deck");
    assert_eq!(named("DECK").await, "DECK (2)");
    assert_eq!(named("deck").await, "deck (3)");
    assert_eq!(named("deck (2)").await, "deck (2) (2)");
}

#[tokio::test]
async fn another_drawing_keeps_the_canvas_its_name_and_what_was_drawn_before_as_a_version() {
    let mut team = Team::new().await;
    let (ada, ben) = (team.ada, team.ben);
    team.canvas(ada, "Taken", None, 9).await;
    let before = team.canvas(ada, "Deck", None, 1).await;
    let (after, dropped) = team.redraw(ben, before.id, 3, None, 1).await;
    assert_eq!((after.id, after.name.as_str(), &after.drawn), (before.id, "Deck", &drawing(3)));
    assert!(after.updated_at > before.updated_at, "also where the clock has not moved");
    assert!(dropped.is_empty());
    let versions = versions::list_versions(&mut team.tx, ada, before.id).await.unwrap();
    assert_eq!(versions.iter().map(|version| &version.drawn).collect::<Vec<_>>(), [&drawing(1)]);
    assert_eq!((versions[0].created_by.id, versions[0].created_at), (ada.user, before.created_at));
    for (wanted, given) in [("deck", "deck"), ("TAKEN", "TAKEN (2)")] {
        let name = Some(Name::parse(wanted).unwrap());
        let (after, _) = team.redraw(ada, before.id, 3, name, 2).await;
        assert_eq!(after.name, given, "its own name is free to it");
    }
    let versions = versions::list_versions(&mut team.tx, ada, before.id).await.unwrap();
    assert_eq!(versions.len(), 1, "the same drawing makes no version");
}

#[tokio::test]
async fn a_canvas_is_a_drive_item_under_the_rules_of_the_drive() {
    let mut team = Team::new().await;
    let (ada, ben) = (team.ada, team.ben);
    let folder = FolderId::from_uuid(Uuid::now_v7());
    insert_folder(&mut team.tx, ada, folder, &Name::parse("Folder").unwrap(), None, at(1)).await.unwrap();
    let canvas = team.canvas(ada, "Deck", None, 1).await;
    let item = ItemRef::Canvas(canvas.id);
    move_item(&mut team.tx, ben, item, Some(folder), at(2)).await.unwrap();
    let (name, private) = (Name::parse("Plan").unwrap(), Visibility::Private);
    change_item(&mut team.tx, ben, item, Some(&name), None, at(3)).await.unwrap();
    change_item(&mut team.tx, ada, item, None, Some(private), at(4)).await.unwrap();
    let seen = get_visible_canvas(&mut team.tx, ada, canvas.id).await.unwrap();
    assert_eq!((seen.name.as_str(), seen.folder_id, seen.visibility), ("Plan", Some(folder), private));
    let hidden = get_visible_canvas(&mut team.tx, ben, canvas.id).await.unwrap_err();
    assert_eq!(hidden.body("r").code, "canvas_not_found");
    // Ben deletes the folder that looks empty to him: what he does not see moves to the top.
    delete_item(&mut team.tx, ben, ItemRef::Folder(folder), false, at(5)).await.unwrap();
    let rescued = get_visible_canvas(&mut team.tx, ada, canvas.id).await.unwrap();
    assert_eq!((rescued.folder_id, rescued.visibility), (None, Visibility::Private));
    assert!(get_visible_folder(&mut team.tx, ada, folder).await.is_err());
}

#[tokio::test]
async fn what_is_drawn_stays_as_long_as_a_canvas_has_it() {
    let mut team = Team::new().await;
    let ada = team.ada;
    let folder = FolderId::from_uuid(Uuid::now_v7());
    insert_folder(&mut team.tx, ada, folder, &Name::parse("Folder").unwrap(), None, at(1)).await.unwrap();
    let one = team.canvas(ada, "One", Some(folder), 1).await;
    let copy = team.canvas(ada, "Copy", None, 1).await;
    delete_item(&mut team.tx, ada, ItemRef::Folder(folder), true, at(2)).await.unwrap();
    assert!(get_visible_canvas(&mut team.tx, ada, one.id).await.is_err());
    delete_item(&mut team.tx, ada, ItemRef::Canvas(copy.id), false, at(3)).await.unwrap();
    // The trash keeps both, and each keeps what is drawn on it.
    let mut purged = trash::purge(&mut team.tx, ada, ItemRef::Folder(folder)).await.unwrap();
    purged.sort_unstable();
    assert_eq!(purged, [[1; 32], [2; 32]]);
    for hash in purged {
        assert!(is_content_used(&mut team.tx, &hash).await.unwrap());
        assert!(list_content_hashes(&mut team.tx).await.unwrap().contains(&hash));
    }
    for hash in trash::purge(&mut team.tx, ada, ItemRef::Canvas(copy.id)).await.unwrap() {
        assert!(!is_content_used(&mut team.tx, &hash).await.unwrap());
    }
    assert!(list_content_hashes(&mut team.tx).await.unwrap().is_empty());
}

#[tokio::test]
async fn versions_beyond_the_bound_go_the_oldest_first_and_only_ones_own() {
    let mut team = Team::new().await;
    let (ada, ben) = (team.ada, team.ben);
    let id = team.canvas(ada, "Deck", None, 1).await.id;
    // Every second byte is a document's, the next one its picture's.
    let mut dropped = Vec::new();
    for drawn in (3..=49).step_by(2) {
        dropped.extend(team.redraw(ben, id, drawn, None, 2).await.1);
    }
    let kept = versions::list_versions(&mut team.tx, ada, id).await.unwrap();
    let documents: Vec<u8> = kept.iter().map(|version| version.drawn.document_hash[0]).collect();
    assert_eq!(documents.len(), 20);
    assert_eq!((documents[0], documents[18], documents[19]), (47, 11, 1), "Ada's stays");
    assert_eq!(dropped.iter().map(|hash| hash[0]).collect::<Vec<_>>(), (3..=10).collect::<Vec<_>>());
    for hash in &dropped {
        assert!(!is_content_used(&mut team.tx, hash).await.unwrap());
    }
    let first = kept[19].id;
    let new = VersionId::from_uuid(Uuid::now_v7());
    let (restored, _) = versions::restore_version(&mut team.tx, ben, id, first, new, at(3)).await.unwrap();
    assert_eq!(restored.drawn, drawing(1));
    let kept = versions::list_versions(&mut team.tx, ada, id).await.unwrap();
    assert_eq!((kept.len(), kept[0].drawn.document_hash[0]), (20, 49));
    for (hash, expected) in [([1; 32], true), ([12; 32], true), ([49; 32], true), ([4; 32], false)] {
        assert_eq!(is_content_used(&mut team.tx, &hash).await.unwrap(), expected, "{hash:?}");
        assert_eq!(list_content_hashes(&mut team.tx).await.unwrap().contains(&hash), expected, "{hash:?}");
    }
}

#[tokio::test]
async fn what_stood_long_outlives_what_was_typed_in_a_minute() {
    let mut team = Team::new().await;
    let ben = team.ben;
    let id = team.canvas(ben, "Deck", None, 1).await.id;
    team.redraw(ben, id, 3, None, 10).await;
    // The second drawing stood for a day; then one letter after the other was mended.
    for drawn in (5..=99).step_by(2) {
        team.redraw(ben, id, drawn, None, 86_400_000_000 + i64::from(drawn)).await;
    }
    let kept = versions::list_versions(&mut team.tx, ben, id).await.unwrap();
    let documents: Vec<u8> = kept.iter().map(|version| version.drawn.document_hash[0]).collect();
    assert_eq!((documents.len(), documents[0]), (20, 97));
    assert!(documents.contains(&1) && documents.contains(&3), "{documents:?}");
}

#[tokio::test]
async fn the_counts_follow_every_change() {
    let mut team = Team::new().await;
    let (ada, ben) = (team.ada, team.ben);
    let folder = FolderId::from_uuid(Uuid::now_v7());
    insert_folder(&mut team.tx, ada, folder, &Name::parse("Folder").unwrap(), None, at(1)).await.unwrap();
    let canvas = ItemRef::Canvas(team.canvas(ada, "Deck", None, 1).await.id);
    let counts = async |team: &mut Team, viewer: Viewer| {
        let mut seen = Vec::new();
        for place in [b"*".to_vec(), Vec::new(), folder.uuid().as_bytes().to_vec()] {
            let count: i64 = sqlx::query_scalar(
                "SELECT CAST(COALESCE(SUM(canvases), 0) AS BIGINT) FROM drive_counts WHERE place = $1 AND private_to IN (x'', $2)",
            )
            .bind(place)
            .bind(viewer.user.uuid())
            .fetch_one(&mut *team.tx)
            .await
            .unwrap();
            seen.push(count);
        }
        seen
    };
    assert_eq!(counts(&mut team, ben).await, [1, 1, 0]);
    move_item(&mut team.tx, ada, canvas, Some(folder), at(2)).await.unwrap();
    assert_eq!(counts(&mut team, ben).await, [1, 0, 1]);
    change_item(&mut team.tx, ada, canvas, None, Some(Visibility::Private), at(3)).await.unwrap();
    assert_eq!(counts(&mut team, ben).await, [0, 0, 0]);
    assert_eq!(counts(&mut team, ada).await, [1, 0, 1]);
    delete_item(&mut team.tx, ada, canvas, false, at(4)).await.unwrap();
    assert_eq!(counts(&mut team, ada).await, [0, 0, 0]);
}
