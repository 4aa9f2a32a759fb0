//! A hundred thousand watched files (and a million, where it is asked for): looking through them again, memory, and
//! processor time while nothing happens.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use easel_sync::disk::{Dirty, DiskSettings, LocalDisk};
use easel_sync::ports::Disk as _;
use easel_tests::process::read_resident_bytes;
use easel_tests::studio::Options;
use easel_tests::synced::{Engine, Home};

use crate::figures::{Target, median, seconds, write, write_plain};
use crate::place;

const FILES: usize = 100_000;
const RUNS: usize = 5;
const LIMIT: Duration = Duration::from_secs(1_800);
/// Idle time is measured over this long.
const IDLE: Duration = Duration::from_secs(60);
const MIB: f64 = 1_048_576.0;

pub async fn measure() {
    watch(FILES, 150.0, true).await;
    // A million files take half an hour to send and four gigabytes of disk, so they are asked for.
    if std::env::var_os("EASEL_BENCH_MILLION").is_some() {
        watch(1_000_000, 300.0, false).await;
    }
}

async fn watch(count: usize, memory_mib: f64, is_whole: bool) {
    let files = place::fresh("files");
    eprintln!("{count} files: writing");
    place::write_files(files.path(), count, 16);
    let place = place::fresh("easel");
    let (studio, key) = place::studio(&place, Options::new());
    let home = Home::new();
    let setting = place::setting(&studio, &key, files.path());
    eprintln!("{count} files: sending");
    let _ = place::time_once(&home, &setting, LIMIT);

    if is_whole {
        let mut times: [Vec<f64>; 2] = Default::default();
        let disk = LocalDisk::open(files.path(), DiskSettings::default()).expect("the folder");
        let mut cursor = disk.look_around(None).await.expect("a look").cursor;
        for _ in 0..RUNS {
            times[0].push(seconds(find(files.path())));
            disk.mark(Dirty::Everything);
            let began = Instant::now();
            cursor = disk.look_around(Some(cursor)).await.expect("a look").cursor;
            times[1].push(seconds(began.elapsed()));
        }
        let [find, easel] = times.map(median);
        write_plain("100,000 files looked through by find", find, "s");
        write_plain("100,000 files looked through again by Easel", easel, "s");
        write("100,000 files looked through again, beside find", easel / find, "×", Target::AtMost(3.0));
    }

    let engine = Engine::start(&home, &setting);
    place::wait_until_equal(&engine, LIMIT);
    let before = place::read_processor_time(engine.pid());
    std::thread::sleep(IDLE);
    let used = place::read_processor_time(engine.pid()) - before;
    let share = 100.0 * seconds(used) / seconds(IDLE);
    let resident = read_resident_bytes(engine.pid()) as f64 / MIB;
    write(&format!("{count} files, resident memory"), resident, "MiB", Target::AtMost(memory_mib));
    if is_whole {
        write(&format!("{count} files, processor time while idle"), share, "% of a core", Target::AtMost(0.5));
    }
}

fn find(folder: &Path) -> Duration {
    place::time(Command::new("find").arg(folder).args(["-printf", "%s %T@\n"]))
}
