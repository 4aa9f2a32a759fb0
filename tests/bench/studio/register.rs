//! Registering 250 MB, which hashes them, beside `sha256sum`.

use std::process::Command;
use std::time::{Duration, Instant};

use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples::write_noise;
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use crate::stock::text;

const BYTES: u64 = 250_000_000;
const RUNS: usize = 5;

pub async fn measure() {
    let place = fresh_folder("register");
    let path = place.path().join("film.mov");
    let studio = Studio::start(Options::new().data_dir(&place.path().join("studio")));
    let key = studio.create_key("bench");
    let service = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
    let mut times: [Vec<f64>; 2] = Default::default();
    for run in 0..RUNS {
        eprintln!("register, run {} of {RUNS}", run + 1);
        // Other bytes each time, so that none are there already.
        write_noise(&path, BYTES, run as u64);
        let body = json!({"filename": "film.mov", "mime_type": "video/quicktime"});
        let signed = service.post("/v1/uploads/url", &body).await.success();
        let mut put = Command::new("curl");
        put.args(["-sSf", "-H", "Content-Type: video/quicktime", "-T"]).arg(&path).arg(text(&signed["upload_url"]));
        time(&mut put);
        times[0].push(seconds(time(Command::new("sha256sum").arg(&path))));
        let began = Instant::now();
        let registered =
            service.post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await.success();
        times[1].push(seconds(began.elapsed()));
        assert_eq!(
            (registered["size_bytes"].as_u64(), registered["was_duplicate"].as_bool()),
            (Some(BYTES), Some(false))
        );
    }
    let [sha256sum, register] = times.map(median);
    write_plain("250 MB, sha256sum", sha256sum, "s");
    write_plain("250 MB, register", register, "s");
    write("250 MB, register beside sha256sum", register / sha256sum, "×", Target::AtMost(1.5));
}

/// How long a program takes that has to end well.
fn time(command: &mut Command) -> Duration {
    let began = Instant::now();
    let status = command.stdout(std::process::Stdio::null()).status().expect("the program is there");
    assert!(status.success(), "{command:?}");
    began.elapsed()
}
