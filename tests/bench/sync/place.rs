//! Where it is measured: one folder under `target`, so that both sides and every peer are on one disk.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use easel_tests::samples::Noise;
use easel_tests::studio::{Key, Options, Studio};
use easel_tests::synced::{Engine, Home, Setting};
use serde_json::Value;
use tempfile::TempDir;

/// The drive folder that a watched one is kept in step with.
pub const DRIVE: &str = "Bench";

/// A studio with its data in a folder, and a key.
pub fn studio(place: &TempDir, options: Options) -> (Studio, Key) {
    let studio = Studio::start(options.data_dir(&place.path().join("studio")));
    let key = studio.create_key("bench");
    (studio, key)
}

/// Keeps a folder in step with the drive folder [`DRIVE`] of a studio.
pub fn setting(studio: &Studio, key: &Key, folder: &Path) -> Setting {
    Setting::new(&studio.base_url, &key.key, folder, DRIVE)
}

/// Writes `count` files of `size_bytes` bytes that do not compress, a hundred to a folder, and lets them age.
pub fn write_files(folder: &Path, count: usize, size_bytes: usize) -> Vec<PathBuf> {
    let mut paths = Vec::with_capacity(count);
    write_files_telling(folder, count, 100, size_bytes, |inner, name, _| paths.push(folder.join(inner).join(name)));
    paths
}

/// The same with `in_each` files to a folder, and tells of each file the folder in `folder` that it lies in, its name and its
/// content.
pub fn write_files_telling(
    folder: &Path,
    count: usize,
    in_each: usize,
    size_bytes: usize,
    mut tell: impl FnMut(&str, &str, &[u8]),
) {
    let mut noise = Noise::new(count as u64);
    let mut content = vec![0; size_bytes.next_multiple_of(8)];
    for number in 0..count {
        let inner = format!("{:05}", number / in_each);
        if number % in_each == 0 {
            std::fs::create_dir_all(folder.join(&inner)).expect("a folder");
        }
        content.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&noise.draw().to_le_bytes()));
        let name = format!("file {number:07}.bin");
        std::fs::write(folder.join(&inner).join(&name), &content[..size_bytes]).expect("a file");
        tell(&inner, &name, &content[..size_bytes]);
    }
    let_the_disk_rest(Duration::from_secs(3));
}

/// Brings everything to the disk, and lets time pass: ext4 looks at the inode of each file that was deleted within the last five
/// seconds before it makes a new one, and whoever is measured next would pay for what went before.
pub fn let_the_disk_rest(time: Duration) {
    nix::unistd::sync();
    std::thread::sleep(time);
}

/// How long a program takes that has to end well.
pub fn time(command: &mut Command) -> Duration {
    let began = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let took = began.elapsed();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    took
}

/// How long an engine takes until it ends by itself with both sides equal.
pub fn time_once(home: &Home, setting: &Setting, limit: Duration) -> (Duration, Vec<Value>) {
    let began = Instant::now();
    let finished = Engine::start(home, &setting.clone().flag("--once")).finish(limit);
    let took = began.elapsed();
    finished.expect(0);
    (took, finished.lines)
}

/// Waits until the engine says that both sides are the same.
pub fn wait_until_equal(engine: &Engine, limit: Duration) {
    wait_until(engine, limit, |lines| {
        let last = lines.iter().rev().find_map(|line| line["state"]["code"].as_str());
        last == Some("up_to_date")
    });
}

/// Waits until what the engine has said so far is what is waited for.
pub fn wait_until(engine: &Engine, limit: Duration, is_it: impl Fn(&[Value]) -> bool) {
    let deadline = Instant::now() + limit;
    while !is_it(&engine.lines()) {
        engine.assert_running();
        assert!(Instant::now() < deadline, "the engine is not done:\n{}", engine.describe());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Processor time that a process has used so far.
pub fn read_processor_time(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().map(|&field| fields[field].parse::<u64>().expect("ticks")).sum();
    // A hundred ticks a second is what Linux has told programs since ever.
    Duration::from_millis(ticks * 10)
}
