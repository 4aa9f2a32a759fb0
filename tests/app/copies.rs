//! Copies in the drive: files whose content it keeps under another name, and that lie there as pointers.

use easel_app::drive::DownloadPlace;
use easel_app::events::Event;
use easel_sync::pointers::Pointer;
use easel_tests::http::{Form, Http};
use easel_tests::samples::hash_bytes;
use easel_tests::studio::{Options, Studio};
use sha2::{Digest as _, Sha256};

use crate::stage::{Stage, draft};

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_seen_opened_renamed_and_deleted_as_the_file_that_it_is() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel").key;
    let service = Http::new(&studio.base_url).with_key(&key);
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    let folder = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    stage.put("report.txt", b"the figures", Some(&folder.id)).await;
    let pointer = Pointer::new("report copy.txt", Sha256::digest(b"the figures").into()).unwrap();
    let name = pointer.file_name(easel_wire::FileId::imagined(0));
    // Another computer made it, which keeps the folder in step.
    let form = Form::of_file(&name, pointer.text("1").as_bytes()).text("folder_id", &folder.id);
    let _made = service.post_form("/v1/uploads", &form).await.success();

    let listed = stage.list(Some(&folder.id)).await.items;
    let seen: Vec<_> = listed.iter().map(|item| (item.name.as_str(), item.is_copy)).collect();
    assert_eq!(seen, [("report copy.txt", true), ("report.txt", false)]);
    let lying = listed[0].clone();
    assert_eq!(lying.content_hash, Some(format!("sha256:{}", hash_bytes(b"the figures"))));
    assert!(stage.app.drive().list_recent_files(10).await.unwrap().iter().all(|item| !item.name.starts_with('.')));

    let look = stage.app.drive().look_at_file(lying.id.clone()).await.unwrap();
    assert_eq!((look.file_id.as_str(), look.text.unwrap().text.as_str()), (lying.id.as_str(), "the figures"));

    let downloads = stage.folder.path().join("Downloads");
    std::fs::create_dir(&downloads).unwrap();
    *stage.person.downloads.lock().unwrap() = Some(downloads.clone());
    let begun = stage.app.downloads().download_file(lying.id.clone(), DownloadPlace::Downloads).await.unwrap().unwrap();
    let ended = stage.page.wait_for("the download's end", |event| match event {
        Event::DownloadChanged(changed) if changed.download.download_id == begun.download_id => changed
            .download
            .problem
            .is_none()
            .then(|| changed.download.received_bytes.get())
            .filter(|bytes| *bytes == 11),
        _ => None,
    });
    ended.await;
    easel_tests::patience::wait_for("the file", std::time::Duration::from_secs(10), async || {
        std::fs::read(downloads.join("report copy.txt")).ok().filter(|bytes| bytes == b"the figures").ok_or("not there")
    })
    .await;

    let renamed = stage.app.drive().rename_item(lying.id.clone(), "second.txt".to_owned()).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.is_copy), ("second.txt", true));
    let in_drive =
        async || service.get(&format!("/v1/drive/files/{}", lying.id)).await.expect(200)["file"]["name"].clone();
    let digits = hash_bytes(b"the figures");
    assert_eq!(in_drive().await, format!(".second.txt.{digits}.copy.txt"));

    stage.list(Some(&folder.id)).await;
    stage.app.deletions().delete_items(vec![lying.id.clone()]).await.unwrap();
    let settled = stage.page.wait_for("the deletion", |event| match event {
        Event::DeletionSettled(settled) => Some(settled.clone()),
        _ => None,
    });
    assert_eq!(settled.await.problem, None);
    let left: Vec<_> = stage.list(Some(&folder.id)).await.items.into_iter().map(|item| item.name).collect();
    assert_eq!(left, ["report.txt"]);
    let said = in_drive().await.as_str().unwrap_or_default().to_owned();
    assert!(said.starts_with(&format!(".second.txt.{digits}.deleted-copy-")), "{said}");
}
