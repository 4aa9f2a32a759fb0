//! One file of 250 MB, beside what a person would type: `curl -T` to a signed URL, and `sha256sum`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples::write_noise;
use easel_tests::studio::Options;
use easel_tests::synced::Home;
use serde_json::json;

use crate::place;

const BYTES: u64 = 250_000_000;
const RUNS: usize = 5;
const LIMIT: Duration = Duration::from_secs(120);

pub async fn measure() {
    let files = fresh_folder("file");
    let folder = files.path().join("folder");
    std::fs::create_dir(&folder).expect("a folder");
    let path = folder.join("film.mov");
    write_noise(&path, BYTES, 1);
    nix::unistd::sync();
    std::thread::sleep(Duration::from_secs(3));
    let mut times: [Vec<f64>; 2] = Default::default();
    for run in 0..RUNS {
        eprintln!("large file, run {} of {RUNS}", run + 1);
        times[0].push(seconds(send_by_curl(&path).await));
        times[1].push(seconds(send_by_easel(&folder)));
    }
    let [curl, easel] = times.map(median);
    write_plain("250 MB, curl and sha256sum", curl, "s");
    write_plain("250 MB, Easel", easel, "s");
    write("250 MB, Easel beside curl and sha256sum", easel / curl, "×", Target::AtMost(1.15));
}

async fn send_by_curl(path: &Path) -> Duration {
    let place = fresh_folder("curl");
    let (studio, key) = place::studio(&place, Options::new());
    let service = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
    let body = json!({"filename": "film.mov", "mime_type": "video/quicktime"});
    let signed = service.post("/v1/uploads/url", &body).await.success();
    let url = signed["upload_url"].as_str().expect("a signed URL");
    let put = place::time(
        Command::new("curl").args(["-sSf", "-H", "Content-Type: video/quicktime", "-T"]).arg(path).arg(url),
    );
    put + place::time(Command::new("sha256sum").arg(path))
}

fn send_by_easel(folder: &Path) -> Duration {
    let place = fresh_folder("easel");
    let (studio, key) = place::studio(&place, Options::new());
    place::time_once(&Home::new(), &place::setting(&studio, &key, folder), LIMIT).0
}
