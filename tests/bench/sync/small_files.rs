//! Ten thousand files of 4 KB into a service without a limit on requests: beside the bare loop, and beside rclone at its
//! best, which is the faster of two of its protocols; and sixty thousand, which the engine does not keep in memory.
//!
//! rclone's own service neither syncs a file to the disk nor writes a row about it: after a power cut, what it has
//! acknowledged may be gone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::port::HeldPort;
use easel_tests::process::Program;
use easel_tests::studio::Options;
use easel_tests::synced::Home;
use easel_tests::tools;
use tempfile::TempDir;

use crate::{bare, place};

const FILES: usize = 10_000;
/// More than the engine keeps in memory, so that it works folder by folder.
const MANY_FILES: usize = 60_000;
const BYTES: usize = 4_096;
const RUNS: usize = 3;
/// As many as the engine has on their way, so that the loop is no worse off.
const AT_ONCE: usize = 32;
/// Without the ten milliseconds that rclone leaves between any two of its requests to a WebDAV service.
const WITHOUT_PAUSE: &str = "--webdav-pacer-min-sleep=0";
/// An SFTP service wants one.
const PASSWORD: &str = "password";
/// Longer than what the last run wrote weighs on the disk.
const REST: Duration = Duration::from_secs(7);
const LIMIT: Duration = Duration::from_secs(600);

pub async fn measure() {
    let files = fresh_folder("files");
    let paths = place::write_files(files.path(), FILES, BYTES);
    // What is deleted weighs on the next run for minutes: ext4 passes over each inode that was deleted lately.
    let mut kept = Vec::new();
    let mut rates: [Vec<f64>; 4] = Default::default();
    for run in 0..RUNS {
        eprintln!("small files, run {} of {RUNS}", run + 1);
        place::let_the_disk_rest(REST);
        let places = ["bare", "easel", "webdav", "sftp"].map(fresh_folder);
        rates[0].push(FILES as f64 / seconds(send_by_loop(&paths, &places[0]).await));
        place::let_the_disk_rest(REST);
        rates[1].push(FILES as f64 / seconds(send_by_easel(files.path(), &places[1])));
        place::let_the_disk_rest(REST);
        rates[2].push(FILES as f64 / seconds(send_by_webdav(files.path(), &places[2])));
        place::let_the_disk_rest(REST);
        rates[3].push(FILES as f64 / seconds(send_by_sftp(files.path(), &places[3])));
        kept.extend(places);
        let run = rates.each_ref().map(|rates| rates[run].round());
        eprintln!("files a second (loop, Easel, rclone by WebDAV, by SFTP): {run:?}");
    }
    let [bare, easel, webdav, sftp] = rates.map(median);
    write_plain("small files, the bare loop", bare, "files/s");
    write_plain("small files, Easel", easel, "files/s");
    write_plain("small files, rclone copy into rclone serve webdav", webdav, "files/s");
    write_plain("small files, rclone copy into rclone serve sftp", sftp, "files/s");
    write("small files, Easel beside the bare loop", easel / bare, "×", Target::AtLeast(0.65));
    write("small files, Easel beside rclone", easel / webdav.max(sftp), "×", Target::AtLeast(2.0));
}

/// So many files that the engine cannot keep them all in memory, beside so few that it can.
pub fn measure_many() {
    let [few, many] = [FILES, MANY_FILES].map(|count| {
        let (files, place) = (fresh_folder("files"), fresh_folder("easel"));
        place::write_files(files.path(), count, BYTES);
        place::let_the_disk_rest(REST);
        let rate = count as f64 / seconds(send_by_easel(files.path(), &place));
        // See above: what is deleted weighs on the next run.
        (rate, files, place)
    });
    write_plain("small files, as many as are kept in memory", few.0, "files/s");
    write_plain("small files, more than are kept in memory", many.0, "files/s");
    write("more files than are kept in memory beside as many as are", many.0 / few.0, "×", Target::AtLeast(0.7));
}

async fn send_by_loop(paths: &[PathBuf], place: &TempDir) -> Duration {
    bare::send(paths, place.path(), AT_ONCE).await
}

fn send_by_easel(folder: &Path, place: &TempDir) -> Duration {
    let (studio, key) = place::studio(place, Options::new());
    let home = Home::new();
    let setting = place::setting(&studio, &key, folder);
    place::time_once(&home, &setting, LIMIT).0
}

fn send_by_webdav(folder: &Path, place: &TempDir) -> Duration {
    send_by_rclone(folder, place, &["webdav"], |port| {
        vec![format!("--webdav-url=http://{port}"), WITHOUT_PAUSE.to_owned()]
    })
}

fn send_by_sftp(folder: &Path, place: &TempDir) -> Duration {
    send_by_rclone(folder, place, &["sftp", "--user", "anyone", "--pass", PASSWORD], |port| {
        let port = format!("--sftp-port={}", port.number());
        let obscured = Command::new(tools::find("rclone")).args(["obscure", PASSWORD]).output().expect("rclone runs");
        let password = format!("--sftp-pass={}", String::from_utf8_lossy(&obscured.stdout).trim());
        // The times of the files are not sent by the others.
        let settings = ["--sftp-host=127.0.0.1", "--sftp-user=anyone", "--sftp-set-modtime=false"];
        [port, password].into_iter().chain(settings.map(str::to_owned)).collect()
    })
}

/// `service` are the protocol and the settings of `rclone serve`, and `settings` those of the other side.
fn send_by_rclone(
    folder: &Path,
    place: &TempDir,
    service: &[&str],
    settings: impl FnOnce(&HeldPort) -> Vec<String>,
) -> Duration {
    let rclone = tools::find("rclone");
    let port = HeldPort::any();
    let address = port.to_string();
    let mut serve = Command::new(&rclone);
    serve.arg("serve").args(service).args(["--addr", &address]).arg(place.path());
    let _service = Program::start(serve.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()), "rclone");
    let deadline = Instant::now() + Duration::from_secs(10);
    while std::net::TcpStream::connect(&address).is_err() {
        assert!(Instant::now() < deadline, "rclone serve {} does not listen", service[0]);
        std::thread::sleep(Duration::from_millis(20));
    }
    // As many at once as the others, and no questions about what is there: nothing is.
    let tuned = [format!("--transfers={AT_ONCE}"), format!("--checkers={AT_ONCE}"), "--no-check-dest".to_owned()];
    let to = format!(":{}:", service[0]);
    place::time(Command::new(rclone).arg("copy").arg(folder).arg(to).args(tuned).args(settings(&port)))
}
