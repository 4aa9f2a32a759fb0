//! A full disk below the data folder: what is there can still be deleted and removed for good, and then there is room again.

use easel_tests::samples::write_noise;
use easel_tests::small_disk::SmallDisk;
use easel_tests::studio::Options;
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
