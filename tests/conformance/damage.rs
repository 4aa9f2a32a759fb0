//! Contents that were damaged on the disk: nobody takes them for whole, and the right bytes heal them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::service::{content_hash, download, register, stage, text, upload};

/// How long a line may take from the service's log to the test.
const PATIENCE: Duration = Duration::from_secs(20);

fn place_of(data: &Path, content: &[u8]) -> PathBuf {
    let hash = content_hash(content);
    let digits = hash.strip_prefix("sha256:").expect("a hash");
    data.join("blobs/sha256").join(&digits[..2]).join(digits)
}

/// Turns one bit in the middle of a content where it lies.
fn damage(data: &Path, content: &[u8]) {
    let place = place_of(data, content);
    let mut bytes = std::fs::read(&place).expect("the content");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&place, bytes).expect("the damage");
}

/// A counter of the operator's listener with this name and these labels.
async fn counter(studio: &Studio, name: &str) -> Option<u64> {
    let counters = Http::new(&studio.operator_url).get("/metrics").await;
    let text = String::from_utf8_lossy(&counters.body).into_owned();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    value.parse().ok()
}

#[tokio::test]
async fn contents_are_looked_at_while_nobody_asks_and_a_metric_tells_of_faults() {
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    for content in ["whole", "damaged", "missing"] {
        upload(&http, content, content.repeat(9).as_bytes()).await;
    }
    damage(&studio.data_dir, "damaged".repeat(9).as_bytes());
    std::fs::remove_file(place_of(&studio.data_dir, "missing".repeat(9).as_bytes())).expect("the loss");
    let found = async |studio: &Studio| {
        wait_for("a round", PATIENCE, async || {
            let ended = counter(studio, "easel_contents_round_ended_timestamp").await;
            if ended.is_some_and(|at| at > 0) { Ok(()) } else { Err(format!("{ended:?}")) }
        })
        .await;
        let damaged = counter(studio, r#"easel_contents_at_fault{fault="damaged"}"#).await;
        (damaged, counter(studio, r#"easel_contents_at_fault{fault="missing"}"#).await)
    };
    assert_eq!(found(&studio).await, (Some(1), Some(1)));
    assert_eq!(counter(&studio, "easel_contents_verified_total").await, Some(3));
    assert!(studio.log().contains("a content is at fault"));
    // What heals them is seen after a restart at the latest; the round itself is not begun anew.
    upload(&http, "again", "damaged".repeat(9).as_bytes()).await;
    studio.stop();
    studio.restart();
    wait_for("the second look", PATIENCE, async || {
        let looks = counter(&studio, "easel_contents_verified_total").await;
        if looks == Some(2) { Ok(()) } else { Err(format!("{looks:?}")) }
    })
    .await;
    assert_eq!(found(&studio).await, (Some(0), Some(1)));
}

#[tokio::test]
async fn a_damaged_content_does_not_end_well_and_an_upload_of_the_right_bytes_heals_it() {
    let studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    for (name, size) in [("small", 40), ("one piece", 262_144), ("large", 3_000_000)] {
        let content: Vec<u8> = (0..size).map(|n: usize| (n * 7 + size) as u8).collect();
        let file = text(&upload(&http, name, &content).await["file_id"]);
        for way in ["direct", "signed"] {
            damage(&studio.data_dir, &content);
            let url = text(&http.get(&format!("/v1/drive/files/{file}/download")).await.expect(200)["download_url"]);
            let read = async {
                let response = reqwest::get(&url).await?;
                response.bytes().await
            };
            assert!(read.await.is_err(), "{name}: damaged bytes came as if they were whole");
            // A long part begins at once, and breaks before its end.
            let mut part = reqwest::Client::new().get(&url).header("range", "bytes=10-").send().await.expect("a start");
            let mut came = 0;
            let ended_well = loop {
                match part.chunk().await {
                    Ok(Some(piece)) => came += piece.len(),
                    Ok(None) => break true,
                    Err(_) => break false,
                }
            };
            assert!(!ended_well && (came > 0) == (size > 1_000_000), "{name}: {came} bytes, {ended_well}");
            // Parts beside the damage, with it, and all of it by a range.
            for range in ["bytes=0-9", "bytes=-5", "bytes=10-", "bytes=0-"] {
                let read = async {
                    let response = reqwest::Client::new().get(&url).header("range", range).send().await?;
                    response.bytes().await
                };
                assert!(read.await.is_err(), "{name}: {range} of damaged bytes came as if they were whole");
            }
            wait_for("a line of the log", PATIENCE, async || {
                let log = studio.log();
                if log.contains("is damaged") { Ok(()) } else { Err(log) }
            })
            .await;
            let again = match way {
                "direct" => upload(&http, name, &content).await,
                _ => register(&http, &stage(&http, name, &content).await).await.expect(201),
            };
            assert_eq!((again["file_id"].as_str(), again["was_duplicate"].as_bool()), (Some(&*file), Some(true)));
            assert_eq!(download(&http, &file).await, content, "{name}, {way}");
            let part = reqwest::Client::new().get(&url).header("range", "bytes=3-12").send().await.expect("a part");
            assert_eq!(part.status(), 206);
            assert_eq!(part.bytes().await.expect("its bytes"), content[3..13], "{name}, {way}");
        }
    }
}
