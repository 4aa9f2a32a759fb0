//! What a person who waits is told: from ten seconds on, is it right to a seventh?

use std::time::{Duration, Instant};

use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, seconds, write};
use easel_tests::studio::Options;
use easel_tests::synced::{Engine, Home, Setting};

use crate::place;

/// Estimates before this are guesses, and near the end they are nothing.
const FROM: Duration = Duration::from_secs(10);
const LAST: Duration = Duration::from_secs(3);
const LIMIT: Duration = Duration::from_secs(900);

pub async fn measure() {
    // 60 MB at 2 MB a second: half a minute of bytes.
    check("bytes", "bytes", Options::new(), 60, 1_000_000, |setting| {
        setting.with("--limit-bytes-per-second", "2000000")
    });
    // 90 files at 120 requests a minute: three quarters of a minute of requests.
    check("requests", "requests", Options::new().own_rate(), 90, 4_096, |setting| setting);
    // As fast as the disk syncs them, for half a minute: what every file costs by itself.
    check("the disk", "files", Options::new(), 60_000, 4_096, |setting| setting);
}

fn check(
    words: &str,
    limited_by: &str,
    options: Options,
    files: usize,
    size: usize,
    choose: impl Fn(Setting) -> Setting,
) {
    eprintln!("estimate where the limit is: {words}");
    let folder = fresh_folder("files");
    place::write_files(folder.path(), files, size);
    let place = fresh_folder("easel");
    let (studio, key) = place::studio(&place, options);
    let began = Instant::now();
    let engine = Engine::start(&Home::new(), &choose(place::setting(&studio, &key, folder.path())));
    // When each estimate was read, and how long it said.
    let mut estimates: Vec<(Duration, Duration, String)> = Vec::new();
    let mut read = 0;
    let end = loop {
        let lines = engine.lines_from(read);
        for line in &lines {
            let state = &line["state"];
            if let (Some(left), Some(by)) = (state["time_left_ms"].as_u64(), state["limited_by"].as_str()) {
                estimates.push((began.elapsed(), Duration::from_millis(left), by.to_owned()));
            }
        }
        read += lines.len();
        if lines.iter().any(|line| line["state"]["code"] == "up_to_date") {
            break began.elapsed();
        }
        engine.assert_running();
        assert!(began.elapsed() < LIMIT, "never done:\n{}", engine.describe());
        std::thread::sleep(Duration::from_millis(20));
    };
    let judged: Vec<_> = estimates.iter().filter(|(at, ..)| *at >= FROM && *at + LAST <= end).collect();
    assert!(judged.len() > 5, "{words}: {} estimates in {end:?} are too few", judged.len());
    let off = |at: Duration, left: Duration| {
        let truth = seconds(end - at);
        100.0 * (seconds(left) - truth).abs() / truth
    };
    let worst = judged.iter().max_by(|one, other| off(one.0, one.1).total_cmp(&off(other.0, other.1)));
    eprintln!("{words}: done after {end:?}, the worst estimate: {worst:?}");
    let worst = worst.map_or(f64::NAN, |(at, left, _)| off(*at, *left));
    let named = judged.iter().filter(|(.., by)| by == limited_by).count();
    write(&format!("estimate where the limit is {words}, the worst"), worst, "% off", Target::AtMost(15.0));
    let share = 100.0 * named as f64 / judged.len() as f64;
    write(&format!("estimate where the limit is {words}, names it"), share, "%", Target::AtLeast(95.0));
}
