//! The way to the service breaks: answers are lost, connections cut, the service fails, is silent, or is another.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use easel_tests::proxy::{Fault, Proxy};
use easel_tests::synced::Engine;

use super::rig::Watched;
use crate::queue::envelope;

/// Above what goes up in one piece.
const LARGE: u64 = 34_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn answers_lost_after_the_service_acted_double_nothing() {
    let watched = Watched::prepare().await;
    watched.write_files(40, 20_000);
    let mut counts: HashMap<(String, String), u32> = HashMap::new();
    watched.api.break_by(move |request| {
        let count = counts.entry((request.method.clone(), request.path.clone())).or_default();
        *count += 1;
        if *count % 2 == 1 { Fault::DropAnswer } else { Fault::Pass }
    });
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    // A renamed folder, a moved file, an edit and a deletion, each answered once in vain.
    std::fs::rename(watched.root.join("three"), watched.root.join("drei")).unwrap();
    std::fs::rename(watched.root.join("one/file 001.bin"), watched.root.join("moved.bin")).unwrap();
    std::fs::write(watched.root.join("one/file 005.bin"), "edited").unwrap();
    std::fs::remove_file(watched.root.join("file 000.bin")).unwrap();
    watched.until_equal(&engine).await;
    let stored =
        watched.api.seen().iter().filter(|seen| seen.is("POST", "/uploads") && seen.status == Some(201)).count();
    assert_eq!(stored, 40, "forty files, each stored once");
    // The edit became the content of its file, and once: what that held before is one version.
    let files = watched.rig.files().await;
    let edited = files.iter().find(|file| file["name"] == "file 005.bin").unwrap_or_else(|| panic!("{files:#?}"));
    let versions = format!("/v1/drive/files/{}/versions", edited["id"].as_str().unwrap_or_default());
    let versions = watched.rig.service().get(&versions).await.expect(200);
    assert_eq!(versions["versions"].as_array().map(Vec::len), Some(1), "{versions:#?}");
    println!("both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_cut_on_the_way_leave_each_file_there_once() {
    for share in [1, 50, 99] {
        let watched = Watched::prepare().await;
        watched.write_files(3, 200_000);
        easel_tests::samples::write_noise(&watched.root.join("large.bin"), LARGE, 9);
        let mut is_cut = [false; 2];
        watched.api.break_by(move |request| {
            let is_first = request.is("POST", "/uploads") && !std::mem::replace(&mut is_cut[0], true);
            if is_first { Fault::CutRequestAfter(200_000 * share / 100) } else { Fault::Pass }
        });
        watched.rig.storage.break_by(move |request| {
            let is_first = request.method == "PUT" && !std::mem::replace(&mut is_cut[1], true);
            if is_first { Fault::CutRequestAfter(LARGE * share / 100) } else { Fault::Pass }
        });
        let engine = Engine::start(&watched.home, &watched.setting());
        watched.until_equal(&engine).await;
        println!("cut at {share} %: both sides are equal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_fails_in_bursts_is_waited_out() {
    let watched = Watched::prepare().await;
    watched.write_files(30, 10_000);
    let began = Instant::now();
    watched.api.break_by(move |_| {
        // Three seconds of failures, three seconds of answers, five times.
        let burst = began.elapsed().as_secs() / 3;
        if burst < 10 && burst.is_multiple_of(2) {
            Fault::answer(503, &[], "<h1>Service unavailable</h1>")
        } else {
            Fault::Pass
        }
    });
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_equal(&engine).await;
    println!("both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_429_is_waited_out_as_long_as_the_service_says() {
    let watched = Watched::prepare().await;
    watched.write_files(10, 10_000);
    let body = envelope("rate_limit", "rate_limit");
    let mut refusals = 12;
    watched.api.break_by(move |request| {
        if request.method != "POST" || refusals == 0 {
            return Fault::Pass;
        }
        refusals -= 1;
        Fault::answer(429, &[("Content-Type", "application/json"), ("Retry-After", "1")], &body)
    });
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_equal(&engine).await;
    println!("both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_seconds_of_silence_are_waited_out() {
    let watched = Watched::prepare().await;
    watched.write_files(6, 10_000);
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_equal(&engine).await;
    // Not a word for half a minute, to anything; then everything that was asked is answered.
    watched.api.break_by(|_| Fault::Delay(Duration::from_secs(30)));
    std::fs::write(watched.root.join("late.txt"), "said into the silence").unwrap();
    tokio::time::sleep(Duration::from_secs(30)).await;
    watched.api.pass_all();
    watched.until_equal(&engine).await;
    println!("both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_away_is_told_and_waited_for() {
    let watched = Watched::prepare().await;
    watched.write_files(6, 10_000);
    watched.api.break_by(|_| Fault::Refuse);
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_told(&engine, "offline").await;
    watched.api.pass_all();
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_to_another_host_is_told_and_never_followed() {
    let watched = Watched::prepare().await;
    watched.write_files(6, 10_000);
    let other = Proxy::start().await;
    let address = other.url().replace("127.0.0.1", "localhost");
    watched.api.break_by(move |_| Fault::answer(307, &[("Location", &address)], ""));
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_told(&engine, "redirect_refused").await;
    assert_eq!(other.seen().len(), 0, "the other host was asked");
    watched.api.pass_all();
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_revoked_midway_is_told() {
    let watched = Watched::prepare().await;
    watched.write_files(60, 10_000);
    let engine = Engine::start(&watched.home, &watched.setting());
    let is_midway = async || {
        let stored = watched.api.seen().iter().filter(|seen| seen.status == Some(201)).count();
        if stored >= 10 { Ok(()) } else { Err(stored) }
    };
    easel_tests::patience::wait_for("ten files", super::rig::LIMIT, is_midway).await;
    watched.rig.studio.delete_key(&watched.rig.key.id);
    watched.until_told(&engine, "key_refused").await;
    println!("the person is told");
}
