//! A full disk below the data folder: what is there can still be deleted and removed for good, and then there is room again.

use easel_tests::http::Http;
use easel_tests::samples::write_noise;
use easel_tests::small_disk::SmallDisk;
use easel_tests::studio::Options;
use futures_util::{StreamExt, stream};
use serde_json::json;

use crate::service::{Service, create_folder, register, stage, text, upload_into};

#[tokio::test]
async fn on_a_full_disk_deletions_work_and_make_room() {
    let disk = SmallDisk::mount(60_000_000);
    let service = Service::start_with(Options::new().data_dir(&disk.path().join("data")));
    let http = &service.http;
    let noise = disk.path().join("noise");
    write_noise(&noise, 6_000_000, 7);
    let key = stage(http, "large.bin", &std::fs::read(&noise).unwrap()).await;
    std::fs::remove_file(noise).unwrap();
    let large = text(&register(http, &key).await.success()["file_id"]);
    // Enough of them that their deletion takes more than what the log of the database has left.
    let folder = create_folder(http, "many", None).await;
    for at in 0..40 {
        upload_into(http, &folder, &format!("{at}.txt"), format!("content {at}").as_bytes()).await;
    }
    drop(disk.fill());
    let refused = http.post("/v1/drive/folders", &json!({"name": "new", "parent_folder_id": null})).await;
    assert_eq!(refused.status, 503, "the disk is not full: {refused:?}");
    http.delete(&format!("/v1/drive/items/{folder}?recursive=true")).await.is(200);
    http.get(&format!("/v1/drive/folders/{folder}")).await.is(404);
    http.delete(&format!("/v1/drive/items/{large}")).await.is(200);
    // What is in the trash takes as much as before.
    http.delete("/v1/drive/trash").await.is(200);
    // There is room again, and the next deletion has its own.
    let folder = create_folder(http, "new", None).await;
    drop(disk.fill());
    http.delete(&format!("/v1/drive/items/{folder}")).await.is(200);
}

/// Leaves no room at all: neither on the disk nor in what the log of the database has had before.
async fn fill(disk: &SmallDisk, http: &Http) {
    for number in 0.. {
        drop(disk.fill());
        let name = format!("{number} {}", uuid::Uuid::new_v4());
        let answer = http.post("/v1/drive/folders", &json!({"name": name, "parent_folder_id": null})).await;
        if answer.status == 503 {
            return;
        }
        assert!(number < 5_000, "the disk does not get full: {answer:?}");
    }
}

#[tokio::test]
async fn on_a_full_disk_access_ends_and_large_folders_go() {
    let disk = SmallDisk::mount(100_000_000);
    let mut service = Service::start_with(Options::new().data_dir(&disk.path().join("data")));
    let leaver = service.member("leaver@example.test");
    let leaked = service.studio.create_key("leaked");
    let http = service.http.clone();
    let kit = text(&http.post("/v1/brand-kits", &json!({"title": "kit"})).await.expect(201)["id"]);
    let staged = stage(&http, "staged.bin", &[7; 100_000]).await;
    // As many, with names as long, as make a change of more than the least that is kept.
    let folder = create_folder(&http, "many", None).await;
    let uploads = stream::iter(0..2_200).map(|at| {
        let (http, folder) = (http.clone(), folder.clone());
        async move { upload_into(&http, &folder, &format!("{at}{}", "n".repeat(235)), format!("{at}").as_bytes()).await }
    });
    assert_eq!(uploads.buffer_unordered(16).count().await, 2_200);
    // The room is as large as the database now.
    service.studio.stop();
    service.studio.restart();

    fill(&disk, &http).await;
    service.studio.delete_key(&leaked.id);
    http.with_key(&leaked.key).get("/v1/whoami").await.is(401);
    fill(&disk, &http).await;
    leaver.get("/v1/whoami").await.is(200);
    assert!(service.studio.command(&["users", "remove", "leaver@example.test"]).status.success());
    leaver.get("/v1/whoami").await.is(401);
    fill(&disk, &http).await;
    http.delete(&format!("/v1/brand-kits/{kit}")).await.is(200);
    fill(&disk, &http).await;
    http.delete(&format!("/v1/drive/items/{folder}?recursive=true")).await.is(200);
    fill(&disk, &http).await;
    assert!(service.studio.command(&["uploads", "clear", &staged]).status.success());
    fill(&disk, &http).await;
    http.delete("/v1/drive/trash").await.is(200);
    create_folder(&http, "new", None).await;
}
