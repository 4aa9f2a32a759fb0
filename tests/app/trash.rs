//! What was deleted comes back, or goes for good, where the service keeps it; and where it does not, that is said.

use easel_app::events::Event;
use easel_stranger::{Config, Stranger, Switches};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};

use crate::stage::{Stage, draft};

/// The stage on a studio, and the plain client that deletes at once.
async fn open(studio: &Studio) -> (Stage, Http) {
    let key = studio.create_key("Easel").key;
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    (stage, Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL))
}

async fn names(stage: &Stage) -> Vec<String> {
    let listing = stage.app.drive().list_trash(None).await.unwrap();
    listing.items.into_iter().map(|item| item.name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_comes_back_to_its_place_and_is_told() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let folder = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let logo = stage.put("logo.txt", b"logo", Some(&folder.id)).await;
    let note = stage.put("note.txt", b"a note", None).await;
    assert!(stage.app.drive().has_trash().await.unwrap());
    assert_eq!(names(&stage).await, Vec::<String>::new());
    service.delete(&format!("/v1/drive/items/{}", logo.id)).await.is(200);
    service.delete(&format!("/v1/drive/items/{}", note.id)).await.is(200);

    let listing = stage.app.drive().list_trash(None).await.unwrap();
    let [newest, oldest] = listing.items.as_slice() else { panic!("two: {listing:?}") };
    assert_eq!((newest.name.as_str(), newest.place.as_deref()), ("note.txt", Some("")));
    assert_eq!((oldest.name.as_str(), oldest.place.as_deref()), ("logo.txt", Some("Brand")));
    assert_eq!((oldest.size_bytes.map(|bytes| bytes.get()), oldest.item_count), (Some(4), None));
    assert!(oldest.deleted_by_you && oldest.deleted_at < oldest.expires_at, "{oldest:?}");
    assert_eq!(listing.next, None);

    let strange = "file_00000000000000000000000009";
    let back = stage.app.drive().restore_items(vec![strange.to_owned(), logo.id.clone()]).await.unwrap();
    assert_eq!((back.restored.get(), back.folder_id.as_deref()), (1, Some(folder.id.as_str())));
    assert_eq!((back.failed.len(), back.failed[0].id.as_str()), (1, strange));
    assert_eq!(back.failed[0].problem.code, "file_not_found");
    let told = stage.page.wait_for("news of the folder", |event| match event {
        Event::DriveChanged(changed) if changed.folder_ids == [Some(folder.id.clone())] => Some(()),
        _ => None,
    });
    told.await;
    assert_eq!(stage.list(Some(&folder.id)).await.items[0].id, logo.id, "it is the same file");
    assert_eq!(names(&stage).await, ["note.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_told_by_what_comes_back_with_it_and_one_that_is_gone_is_no_place() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let outer = stage.app.drive().create_folder(None, "Outer".to_owned()).await.unwrap();
    let inner = stage.app.drive().create_folder(Some(outer.id.clone()), "Inner".to_owned()).await.unwrap();
    let file = stage.put("inside.txt", b"inside", Some(&inner.id)).await;
    stage.put("beside.txt", b"beside!", Some(&outer.id)).await;
    service.delete(&format!("/v1/drive/items/{}", file.id)).await.is(200);
    service.delete(&format!("/v1/drive/items/{}?recursive=true", outer.id)).await.is(200);
    let listing = stage.app.drive().list_trash(None).await.unwrap();
    let [folder, alone] = listing.items.as_slice() else { panic!("two: {listing:?}") };
    let counts = (folder.item_count.map(|count| count.get()), folder.size_bytes.map(|bytes| bytes.get()));
    assert_eq!((folder.name.as_str(), counts), ("Outer", (Some(2), Some(7))));
    assert_eq!(
        (alone.name.as_str(), alone.place.as_deref()),
        ("inside.txt", Some("Outer / Inner")),
        "as it was seen last"
    );
    let (newcomer, _) = open(&studio).await;
    assert_eq!(newcomer.app.drive().list_trash(None).await.unwrap().items[1].place, None);

    let gone = stage.app.drive().remove_for_good(vec![alone.id.clone()]).await.unwrap();
    assert_eq!((gone.removed.get(), gone.failed.len()), (1, 0));
    assert_eq!(stage.app.drive().empty_trash().await.unwrap().get(), 1);
    assert_eq!(names(&stage).await, Vec::<String>::new());
    let back = stage.app.drive().restore_items(vec![outer.id.clone()]).await.unwrap();
    assert_eq!((back.restored.get(), back.failed[0].problem.code.as_str()), (0, "folder_not_found"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_trash_comes_in_parts() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    for number in 0..101 {
        let made =
            service.post("/v1/drive/folders", &serde_json::json!({"name": format!("{number}")})).await.expect(201);
        let id = made["folder"]["id"].as_str().unwrap();
        service.delete(&format!("/v1/drive/items/{id}")).await.is(200);
    }
    let first = stage.app.drive().list_trash(None).await.unwrap();
    assert_eq!((first.items.len(), first.items[0].name.as_str()), (100, "100"));
    let rest = stage.app.drive().list_trash(first.next).await.unwrap();
    assert_eq!((rest.items.len(), rest.items[0].name.as_str(), rest.next), (1, "0", None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_a_trash_is_calmly_said_to_have_none() {
    let stranger = Stranger::with(Config::new(Switches::none())).await.unwrap();
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(stranger.base_url(), stranger.key())).await.unwrap();
    assert!(!stage.app.drive().has_trash().await.unwrap());
    let refused = stage.app.drive().list_trash(None).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.title.as_str()), ("not_offered", "This service has no trash"));
    assert_eq!(stage.app.drive().restore_items(vec!["file_1".to_owned()]).await.unwrap().failed.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_design_that_somebody_else_deleted_already_is_deleted() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let task = service.post("/v1/tasks", &serde_json::json!({"prompt": "A poster: Harbour Lane"})).await.expect(202);
    let path = format!("/v1/tasks/{}", task["id"].as_str().unwrap());
    let canvas = easel_tests::patience::wait_for("the design", crate::stage::SOON, async || {
        let task = service.get(&path).await.expect(200);
        task["result"]["canvas_id"].as_str().map(str::to_owned).ok_or(task)
    });
    let canvas = canvas.await;
    let pending = stage.app.deletions().delete_items(vec![canvas.clone()]).await.unwrap();
    service.delete(&format!("/v1/drive/items/{canvas}")).await.is(200);
    let settled = stage.page.wait_for("the deletion", |event| match event {
        Event::DeletionSettled(settled) => Some(settled.clone()),
        _ => None,
    });
    let settled = settled.await;
    assert_eq!((settled.deletion_id, settled.deleted.get(), settled.problem), (pending.deletion_id, 1, None));
}
