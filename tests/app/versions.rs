//! What a file held and what a design was before: listed, looked at, saved beside it, restored and taken back; and where a service
//! keeps none, that is said.

use easel_app::drive::{DownloadState, DriveItem, FileVersionView};
use easel_app::events::Event;
use easel_app::tasks::TaskState;
use easel_stranger::{Config, Stranger, Switches};
use easel_tests::drive::replace_content;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

use crate::designs::{make, wait_for_end};
use crate::stage::{Stage, draft};

/// The stage on a studio, and the plain client of another program.
async fn open(studio: &Studio) -> (Stage, Http) {
    let key = studio.create_key("Easel").key;
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    (stage, Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL))
}

async fn versions(stage: &Stage, file: &DriveItem) -> Vec<FileVersionView> {
    stage.app.drive().list_file_versions(file.id.clone()).await.unwrap().versions
}

async fn text_of(stage: &Stage, file: &DriveItem, version: &FileVersionView) -> Option<String> {
    let said = stage.app.drive().get_version_text(file.id.clone(), version.id.clone()).await.unwrap();
    said.map(|said| said.text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_files_earlier_content_is_looked_at_restored_and_taken_back() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let folder = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let plan = stage.put("plan.txt", b"one", Some(&folder.id)).await;
    assert_eq!(versions(&stage, &plan).await, []);
    replace_content(&service, &plan.id, "text/plain", b"two, which is longer").await;

    let listed = versions(&stage, &plan).await;
    let [first] = listed.as_slice() else { panic!("one: {listed:?}") };
    assert_eq!((first.size_bytes.map(|bytes| bytes.get()), first.created_by_you), (Some(3), true));
    assert!(first.created_at < first.replaced_at && first.is_text && first.picture.is_none(), "{first:?}");
    assert_eq!(text_of(&stage, &plan, first).await.as_deref(), Some("one"));

    let restored = stage.app.drive().restore_file_version(plan.id.clone(), first.id.clone()).await.unwrap();
    assert_eq!((restored.item.id.as_str(), restored.item.content_hash), (plan.id.as_str(), plan.content_hash.clone()));
    assert_eq!(restored.item.folder_id.as_deref(), Some(folder.id.as_str()));
    let told = stage.page.wait_for("news of the folder", |event| match event {
        Event::DriveChanged(changed) if changed.folder_ids == [Some(folder.id.clone())] => Some(()),
        _ => None,
    });
    told.await;
    let [second] = restored.versions.as_slice() else { panic!("one: {:?}", restored.versions) };
    assert_eq!(restored.undo_version_id.as_deref(), Some(second.id.as_str()));
    assert_eq!(text_of(&stage, &plan, second).await.as_deref(), Some("two, which is longer"));

    let back = stage.app.drive().restore_file_version(plan.id.clone(), second.id.clone()).await.unwrap();
    assert_eq!(back.item.size_bytes.map(|bytes| bytes.get()), Some(20));
    let gone = stage.app.drive().restore_file_version(plan.id.clone(), second.id.clone()).await.unwrap_err();
    assert_eq!((gone.code.as_str(), gone.title.as_str()), ("version_not_found", "This version is gone"));
    assert_eq!(stage.list(Some(&folder.id)).await.items.len(), 1, "it is one file throughout");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_picture_is_shown_and_what_is_no_text_is_not_read_as_one() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let path = stage.folder.path().join("Logo.png");
    samples::write_picture(&path);
    let drawn = std::fs::read(&path).unwrap();
    let logo = stage.put("Logo.png", &drawn, None).await;
    replace_content(&service, &logo.id, "text/plain", b"a text after all").await;
    replace_content(&service, &logo.id, "text/plain", b"bytes\0 that are none").await;
    replace_content(&service, &logo.id, "image/png", &drawn).await;

    let listed = versions(&stage, &logo).await;
    let [bytes, text, picture] = listed.as_slice() else { panic!("three: {listed:?}") };
    assert_eq!(text_of(&stage, &logo, bytes).await, None);
    assert_eq!(text_of(&stage, &logo, text).await.as_deref(), Some("a text after all"));
    assert_eq!((bytes.picture.as_deref(), text.picture.as_deref()), (None, None));
    let address = picture.picture.clone().expect("an address");
    let path = address.split_once("://localhost").unwrap().1.to_owned();
    let seen = stage.app.media().get_media(&path).await.expect("a picture");
    assert_eq!((seen.mime_type.as_str(), seen.bytes.as_ref()), ("image/png", drawn.as_slice()));
    drop(studio);
    assert_eq!(stage.app.media().get_media(&path).await, Some(seen), "kept, without the service");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_is_saved_beside_its_file_and_is_not_taken_for_it() {
    let studio = Studio::start(Options::new());
    let (stage, service) = open(&studio).await;
    let plan = stage.put("plan.txt", b"one", None).await;
    replace_content(&service, &plan.id, "text/plain", b"two").await;
    let version = versions(&stage, &plan).await.remove(0);
    stage.person.chooses.lock().unwrap().clear();
    let save = || stage.app.drive().save_file_version(plan.id.clone(), version.id.clone());
    assert_eq!(save().await.unwrap(), None, "the person thought better of it");

    let desk = stage.folder.path().join("Desk");
    std::fs::create_dir(&desk).unwrap();
    *stage.person.chooses.lock().unwrap() = vec![desk.clone()];
    let begun = save().await.unwrap().unwrap();
    assert_eq!((begun.file_id.as_str(), begun.version_id.as_deref()), (plan.id.as_str(), Some(version.id.as_str())));
    let ended = stage.page.wait_for("the end of saving", |event| match event {
        Event::DownloadChanged(changed) if changed.download.state != DownloadState::Running => {
            Some(changed.download.clone())
        }
        _ => None,
    });
    let ended = ended.await;
    assert_eq!((ended.state, ended.place.as_str()), (DownloadState::Finished, "Desk"), "{ended:?}");
    assert!(ended.name.starts_with("plan (20") && ended.name.ends_with(").txt"), "{}", ended.name);
    assert_eq!(std::fs::read(desk.join(&ended.name)).unwrap(), b"one");
    // Dragged out of the window is what the file holds now, which is not on this computer.
    let refused = stage.app.downloads().drag_files(vec![plan.id.clone()]).await.unwrap_err();
    assert_eq!(refused.code, "not_on_this_computer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_design_that_was_changed_in_place_is_seen_as_it_was_and_put_back() {
    let studio = Studio::start(Options::new());
    let (stage, _service) = open(&studio).await;
    let design = make(&stage, "Tea").await;
    assert_eq!(stage.app.designs().list_design_versions(design.id.clone()).await.unwrap().versions, []);
    let path_of = |address: Option<String>| address.unwrap().split_once("://localhost").unwrap().1.to_owned();
    let before = stage.app.media().get_media(&path_of(design.thumbnail.clone())).await.expect("a picture");
    let begun =
        stage.app.generation().edit_design(design.id.clone(), "Turn it dark, in blue".to_owned()).await.unwrap();
    let done = wait_for_end(&stage, &begun.id).await;
    assert_eq!(done.state, TaskState::Succeeded, "{done:?}");
    let edited = stage.app.designs().get_design(design.id.clone()).await.unwrap().design;
    let edited = stage.app.media().get_media(&path_of(edited.thumbnail)).await.expect("a picture");
    assert_ne!(edited.bytes, before.bytes, "the edit is seen");

    let listed = stage.app.designs().list_design_versions(design.id.clone()).await.unwrap().versions;
    let [first] = listed.as_slice() else { panic!("one: {listed:?}") };
    assert_eq!((first.page_count, first.created_by_you), (design.page_count, true));
    let address = first.thumbnail.clone().unwrap();
    assert!(!address.contains("signature") && !address.contains("http://127"), "{address}");
    let picture = stage.app.media().get_media(&path_of(Some(address))).await.expect("a picture");
    assert_eq!(picture.bytes, before.bytes);

    let restored = stage.app.designs().restore_design_version(design.id.clone(), first.id.clone()).await.unwrap();
    assert_eq!((restored.design.id.as_str(), restored.design.name.as_str()), (design.id.as_str(), "Tea"));
    let again = stage.app.media().get_media(&path_of(restored.design.thumbnail)).await.expect("a picture");
    assert_eq!(again.bytes, before.bytes);
    let [second] = restored.versions.as_slice() else { panic!("one: {:?}", restored.versions) };
    assert_eq!(restored.undo_version_id.as_deref(), Some(second.id.as_str()));
    let back = stage.app.designs().restore_design_version(design.id.clone(), second.id.clone()).await.unwrap();
    let after = stage.app.media().get_media(&path_of(back.design.thumbnail)).await.expect("a picture");
    assert_eq!(after.bytes, edited.bytes);
    let gone = stage.app.designs().restore_design_version(design.id, second.id.clone()).await.unwrap_err();
    assert_eq!(gone.code, "version_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_keeps_no_versions_is_calmly_said_to_keep_none() {
    let stranger = Stranger::with(Config::new(Switches::none())).await.unwrap();
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(stranger.base_url(), stranger.key())).await.unwrap();
    for _ in 0..2 {
        let refused = stage.app.drive().list_file_versions("file_1".to_owned()).await.unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.title.as_str()),
            ("not_offered", "This service keeps no versions of files")
        );
    }
    let refused =
        stage.app.designs().list_design_versions("cvs_00000000000000000000000001".to_owned()).await.unwrap_err();
    assert_eq!(refused.code, "not_offered");
}
