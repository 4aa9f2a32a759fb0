//! People remove whole folders while the engine looks on.

use std::fs;

use crate::computers::{Site, asked};

const FOLDERS: [&str; 4] = ["brief", "photos", "photos/raw", "press"];

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_at_the_top_that_is_removed_is_removed_in_the_drive_and_nobody_is_asked() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&FOLDERS, 8);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    fs::remove_dir_all(ada.path("brief")).unwrap();
    site.until_equal(&ada, &engine).await;
    assert_eq!(asked(&engine), Vec::<String>::new(), "{}", engine.describe());
    assert!(!site.drive().await.contains_key("brief"));
    // What came after it is sent as ever.
    ada.write("press/file 0.txt", "edited since");
    site.until_equal(&ada, &engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_at_the_top_that_is_removed_and_kept_in_the_drive_leaves_all_others_as_they_are() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&FOLDERS, 8);
    // Whatever is asked is answered with yes at once.
    let engine = ada.start(&ada.setting().flag("--yes"));
    site.until_equal(&ada, &engine).await;
    fs::remove_dir_all(ada.path("brief")).unwrap();
    easel_tests::patience::wait_for("what is kept to be named", crate::computers::LIMIT, async || {
        let is_named = |line: &serde_json::Value| line["event"] == "skipped" && line["path"] == "brief";
        if engine.lines().iter().any(is_named) { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    let others = |line: &serde_json::Value| {
        line["why"]["code"] == "only_in_drive" && !line["path"].as_str().unwrap_or_default().starts_with("brief")
    };
    assert!(!engine.lines().iter().any(others), "{}", engine.describe());
    ada.write("press/file 0.txt", "edited since");
    easel_tests::patience::wait_for("the edit", crate::computers::LIMIT, async || {
        let there = site.drive().await;
        let hash = easel_tests::samples::hash_bytes(b"edited since");
        let is_there = there.get("press/file 0.txt").and_then(|item| item.content()) == Some(hash.as_str());
        if is_there { Ok(()) } else { Err(format!("{there:#?}\n{}", engine.describe())) }
    })
    .await;
    let there = site.drive().await;
    assert!(!there.keys().any(|path| path.contains("(2)")), "{there:#?}");
}
