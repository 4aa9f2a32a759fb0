//! A studio that is killed again and again under load: what is left is whole.

use std::time::Duration;

use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples::Noise;
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};

use crate::backups::result;
use crate::load::{Load, list_files, see_acknowledged, see_tasks_end};

/// Kills here; more where `EASEL_SOAK_KILLS` says so.
const KILLS: u64 = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_under_load_leave_nothing_for_verify_to_find() {
    let seed = soak::seed();
    let kills = soak::number("EASEL_SOAK_KILLS").unwrap_or(KILLS);
    let mut random = Noise::new(seed);
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("load").key).with_version(CANONICAL);
    let mut load = Load::start(&http, 4, seed);
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(100 + random.draw() % 500)).await;
        studio = tokio::task::spawn_blocking(move || {
            studio.kill();
            studio.restart();
            studio
        })
        .await
        .expect("the studio is back");
    }
    load.wait_for_work(20).await;
    load.stop().await;
    let acknowledged = load.acknowledged();
    let files = see_acknowledged(&acknowledged, &acknowledged, &list_files(&http).await);
    let drawn = see_tasks_end(&http, &acknowledged.tasks).await;
    assert!(studio.stop().success());
    let found = result(&studio.command(&["verify", "--json"]), 0);
    assert_eq!(found["findings"], 0, "{found}");
    let tasks = acknowledged.tasks.len();
    println!("{kills} kills, {files} acknowledged files, {drawn} designs of {tasks} tasks, verify: {found}");
    assert!(files > 10 && drawn > 0, "nothing was acknowledged, so nothing was shown");
}
