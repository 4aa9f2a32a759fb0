//! What goes on beside something that waits: a question, a file that keeps growing, a trash that cannot be had.

use std::fs;

use easel_tests::patience::wait_for;

use crate::computers::{LIMIT, Site, last_state, until};

#[tokio::test(flavor = "multi_thread")]
async fn what_settles_while_a_question_is_open_is_sent() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["one", "two", "three"], 12);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    for number in 0..12 {
        fs::remove_file(ada.path(&format!("one/file {number}.txt"))).unwrap();
    }
    ada.write("two/written just now.txt", "while the question was made");
    until("the question", &engine, |engine| last_state(&engine.lines())["need"]["code"] == "many_deletions_there")
        .await;
    wait_for("the file that settled meanwhile", LIMIT, async || {
        if site.drive().await.contains_key("two/written just now.txt") { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    until("the question to be open still", &engine, |engine| {
        last_state(&engine.lines())["need"]["code"] == "many_deletions_there"
    })
    .await;
    assert_eq!(site.drive().await.keys().filter(|path| path.starts_with("one/")).count(), 12);
}
