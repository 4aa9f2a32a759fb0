//! Files that people change while they are sent.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use easel_tests::process::{hold_still, let_go};
use easel_tests::samples::write_noise;
use easel_tests::synced::Engine;

use super::rig::Watched;

/// One that goes up in one piece, one that goes up signed.
const SIZES: [u64; 2] = [25_000_000, 60_000_000];

/// Sends a file, does something to it while its bytes are on the way, and asks that both sides become equal.
async fn check(what: &str, disturb: impl Fn(&Path)) {
    for size_bytes in SIZES {
        let watched = Watched::prepare().await;
        let path = watched.root.join("film.mov");
        write_noise(&path, size_bytes, 1);
        let engine = Engine::start(&watched.home, &watched.both_ways());
        easel_tests::patience::wait_for("the first megabyte", super::rig::LIMIT, async || {
            let seen = watched.api.seen().into_iter().chain(watched.rig.storage.seen());
            let sent: u64 = seen.map(|request| request.body_bytes).max().unwrap_or_default();
            if sent > 1_000_000 { Ok(()) } else { Err(sent) }
        })
        .await;
        // With the studio standing still, the connections hold a few MB at most, so the file is still being read.
        let studio = watched.rig.studio.pid();
        hold_still(studio);
        disturb(&path);
        let_go(studio);
        watched.until_equal(&engine).await;
        println!("{what}, {size_bytes} bytes: both sides are equal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_while_it_is_sent_arrives_as_it_is_in_the_end() {
    check("changed", |path| {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"one more scene").unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_truncated_while_it_is_sent_arrives_as_it_is_in_the_end() {
    check("truncated", |path| File::options().write(true).open(path).unwrap().set_len(500).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_deleted_while_it_is_sent_is_in_neither_place() {
    check("deleted", |path| fs::remove_file(path).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_replaced_while_it_is_sent_arrives_as_it_is_in_the_end() {
    check("replaced", |path| {
        let temporary = path.with_file_name(".film.mov.tmp");
        write_noise(&temporary, 3_000_000, 2);
        fs::rename(temporary, path).unwrap();
    })
    .await;
}
