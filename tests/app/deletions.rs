//! Deleting with ten seconds to think again.

use std::time::Duration;

use easel_app::events::Event;
use easel_tests::http::Http;
use easel_tests::studio::{Options, Studio};

use crate::stage::{Stage, draft};

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_hides_at_once_can_be_undone_and_is_sent_after_ten_seconds() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel").key;
    let service = Http::new(&studio.base_url).with_key(&key);
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    let kept = stage.put("kept.txt", b"kept", None).await;
    let folder = stage.app.drive().create_folder(None, "Old".to_owned()).await.unwrap();
    stage.put("inside.txt", b"inside", Some(&folder.id)).await;
    let total = async || service.get("/v1/drive/files").await.expect(200)["total"].as_u64();

    let pending = stage.app.deletions().delete_items(vec![kept.id.clone()]).await.unwrap();
    assert_eq!(pending.undo_for_ms.get(), 10_000);
    assert!(!stage.list(None).await.items.iter().any(|item| item.id == kept.id));
    assert_eq!(total().await, Some(2), "nothing has been sent");
    stage.app.deletions().undo_deletion(pending.deletion_id.clone()).await.unwrap();
    assert!(stage.list(None).await.items.iter().any(|item| item.id == kept.id));
    assert_eq!(stage.app.deletions().undo_deletion(pending.deletion_id).await.unwrap_err().code, "undo_too_late");

    let begun = std::time::Instant::now();
    let pending = stage.app.deletions().delete_items(vec![folder.id.clone()]).await.unwrap();
    let settled = stage.page.wait_for("the deletion", |event| match event {
        Event::DeletionSettled(settled) => Some(settled.clone()),
        _ => None,
    });
    let settled = settled.await;
    assert!(begun.elapsed() >= Duration::from_secs(10));
    assert_eq!((settled.deletion_id.as_str(), settled.deleted.get()), (pending.deletion_id.as_str(), 1));
    assert_eq!(settled.problem, None);
    assert_eq!(total().await, Some(1), "the folder went with what was in it");
    assert_eq!(stage.app.deletions().undo_deletion(pending.deletion_id).await.unwrap_err().code, "undo_too_late");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_that_waits_when_easel_closes_is_dropped() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let file = stage.put("kept.txt", b"kept", None).await;
    stage.app.deletions().delete_items(vec![file.id.clone()]).await.unwrap();
    let stage = stage.start_again().await;
    stage.wait_for_state(easel_app::connections::ConnectionState::Ready).await;
    assert_eq!(stage.list(None).await.items[0].id, file.id);
}
