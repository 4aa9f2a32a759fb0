//! A hundred thousand watched files, and a million: looking through them again, memory, and processor time while nothing
//! happens.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use easel_sync::disk::{Dirty, DiskSettings, LocalDisk};
use easel_sync::plan::{self, DeletionRule, Ignores, Input, Mode};
use easel_sync::ports::{Disk as _, LocalSeen};
use easel_sync::tree::{
    self, Agreed, Agreement, FileRecord, Local, LocalItem, Place, Record, Remote, RemoteFile, RemoteFolder, Role, Sides,
};
use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::process::{read_peak_bytes, read_resident_bytes};
use easel_tests::studio::{Key, Options, Studio};
use easel_tests::synced::{Engine, Home};
use easel_wire::Id;
use easel_wire::id::Kind;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use uuid::Uuid;

use crate::seeded::{self, Seed};
use crate::{place, place::DRIVE};

const FILES: usize = 100_000;
const MILLION: usize = 1_000_000;
const BYTES: usize = 16;
const RUNS: usize = 7;
const LIMIT: Duration = Duration::from_secs(1_800);
/// Idle time is measured over this long.
const IDLE: Duration = Duration::from_secs(60);
/// What is freed is given back within this time after a look.
const AFTER_A_LOOK: Duration = Duration::from_secs(3);
const MB: f64 = 1_000_000.0;
/// A change is seen and sent within this time, in seconds.
const ONE_MORE: Target = Target::AtMost(3.0);
/// Files of a folder.
const IN_EACH: usize = 100;

/// What is aimed at.
struct Aims {
    first_run_mb: f64,
    resting_mb: f64,
    is_idle_wanted: bool,
}

pub async fn measure() {
    let many = Many::prepare(FILES, IN_EACH).await;
    look_again(many.files.path()).await;
    rest(&many, &Aims { first_run_mb: 120.0, resting_mb: 150.0, is_idle_wanted: true });
}

pub async fn measure_one_folder() {
    let one_folder = Many::prepare(FILES, FILES).await;
    first_run(&one_folder, "in one folder, ", 120.0);
}

pub async fn measure_million() {
    let many = Many::prepare(MILLION, IN_EACH).await;
    rest(&many, &Aims { first_run_mb: 250.0, resting_mb: 60.0, is_idle_wanted: false });
}

/// A folder, and a studio whose drive has the same.
struct Many {
    count: usize,
    files: TempDir,
    studio: Studio,
    key: Key,
    _place: TempDir,
}

impl Many {
    async fn prepare(count: usize, in_each: usize) -> Self {
        eprintln!("{count} files: writing them");
        let files = fresh_folder("files");
        let place = fresh_folder("easel");
        let (mut studio, key) = place::studio(&place, Options::new());
        studio.stop();
        let mut seeds = Vec::with_capacity(count);
        place::write_files_telling(files.path(), count, in_each, BYTES, |folder, name, content| {
            let (folder, name) = (folder.to_owned(), name.to_owned());
            seeds.push(Seed { folder, name, size_bytes: content.len() as u64, hash: Sha256::digest(content).into() });
        });
        eprintln!("{count} files: writing what the drive has of them");
        seeded::write(&studio, DRIVE, seeds.into_iter()).await;
        studio.restart();
        Self { count, files, studio, key, _place: place }
    }
}

/// Looking through everything again and planning what follows, as the engine does, beside `find` of size and time.
async fn look_again(folder: &Path) {
    let disk = LocalDisk::open(folder, DiskSettings::default()).expect("the folder");
    let seen = disk.look_around(None, usize::MAX).await.expect("a look");
    let LocalSeen::Whole(local) = seen.local else { panic!("the first look is of everything") };
    let trees = Trees::agreed(local);
    let mut cursor = seen.cursor;
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..RUNS {
        times[0].push(seconds(find(folder)));
        disk.mark(Dirty::Everything);
        let began = Instant::now();
        let seen = disk.look_around(Some(cursor), usize::MAX).await.expect("a look");
        let looked = began.elapsed();
        let plan = trees.plan(&disk);
        times[1].push(seconds(looked));
        times[2].push(seconds(began.elapsed()));
        cursor = seen.cursor;
        assert!(matches!(seen.local, LocalSeen::Changes { items, .. } if items.is_empty()), "something changed");
        assert!(plan.ops.is_empty() && plan.notes.is_empty() && plan.guard.is_none(), "{plan:?}");
    }
    let [find, looked, planned] = times.map(median);
    write_plain("100,000 files looked through by find", find, "s");
    write_plain("100,000 files looked through again by Easel, without planning", looked, "s");
    write_plain("100,000 files looked through again by Easel, and planned", planned, "s");
    write("100,000 files looked through again and planned, beside find", planned / find, "×", Target::AtMost(2.0));
}

/// Any other than before, as a service gives them.
fn new_id<K: Kind>() -> Id<K> {
    Uuid::now_v7().to_string().parse().expect("an id")
}

/// The three trees of a folder that is the same on both sides.
struct Trees {
    local: Local,
    remote: Remote,
    agreed: Agreed,
    settings: plan::Settings,
}

impl Trees {
    fn agreed(local: Local) -> Self {
        let mut remote = Remote::new(new_id());
        remote.folders.insert(remote.root, RemoteFolder { parent: None, name: DRIVE.to_owned() });
        let mut agreed = Agreed::default();
        for (path, item) in &local.items {
            let above = agreed.folder_above(path, remote.root).expect("a folder stands before what is in it");
            let name = tree::name(path).to_owned();
            let agreement = match item {
                LocalItem::Folder(identity) => {
                    let folder = new_id();
                    remote.folders.insert(folder, RemoteFolder { parent: Some(above), name: name.clone() });
                    Agreement::Folder { folder, identity: *identity }
                }
                LocalItem::File(local) => {
                    let (file, hash) = (new_id(), Sha256::digest(path).into());
                    let size_bytes = local.stamp.size_bytes;
                    let seen = RemoteFile { folder: Some(above), name: name.clone(), size_bytes, hash: Some(hash) };
                    remote.files.insert(file, seen);
                    let (role, stamp, changed_us) = (Role::Home, local.stamp, local.changed_us);
                    Agreement::File(FileRecord {
                        file,
                        role,
                        stamp,
                        changed_us,
                        hash,
                        replaces: Vec::new(),
                        is_pointer: false,
                    })
                }
            };
            let record = Record { agreement, place: Place { folder: above, name }, sides: Sides::Both };
            agreed.records.insert(path.clone(), record);
        }
        let settings = plan::Settings {
            mode: Mode::BothWays,
            deletions: DeletionRule::Delete,
            host_name: "bench".to_owned(),
            today: "2026-01-01".to_owned(),
            direct_max_bytes: 32_000_000,
            max_file_bytes: 5_000_000_000,
            at_once: 8,
            planted: easel_sync::Planted::default(),
        };
        Self { local, remote, agreed, settings }
    }

    fn plan(&self, disk: &LocalDisk) -> plan::Plan {
        plan::plan(&Input {
            local: &self.local,
            remote: &self.remote,
            agreed: &self.agreed,
            unloaded: &easel_sync::unloaded::Unloaded::default(),
            settings: &self.settings,
            unresolved: &std::collections::BTreeMap::new(),
            ignores: Ignores(&|path, is_folder| disk.is_ignored(path, is_folder)),
            consent: &[],
        })
    }
}

/// The first run both ways, with its preview, of what both sides have already.
fn first_run(many: &Many, kind: &str, aim_mb: f64) -> (Home, Engine) {
    let Many { count, files, studio, key, .. } = many;
    eprintln!("{count} files: the first run");
    let home = Home::new();
    let engine = Engine::start(&home, &place::setting(studio, key, files.path()).flag("--both-ways"));
    place::wait_until_equal(&engine, LIMIT);
    let peak = read_peak_bytes(engine.pid()) as f64 / MB;
    write(&format!("{count} files, {kind}memory at its highest in the first run"), peak, "MB", Target::AtMost(aim_mb));
    (home, engine)
}

/// What a program holds and takes that watches them and has nothing to do: after its first run, and after a change.
fn rest(many: &Many, aims: &Aims) {
    let Many { count, files, .. } = many;
    let (_home, engine) = first_run(many, "", aims.first_run_mb);
    let resident = || read_resident_bytes(engine.pid()) as f64 / MB;
    let before = place::read_processor_time(engine.pid());
    std::thread::sleep(IDLE);
    let used = place::read_processor_time(engine.pid()) - before;
    let share = 100.0 * seconds(used) / seconds(IDLE);
    let after_first_run = resident();

    easel_tests::process::forget_peak(engine.pid());
    let told = engine.lines().len();
    std::fs::write(files.path().join("one more.txt"), "one more").expect("a file");
    let began = Instant::now();
    // A state that lasts for some milliseconds need not be told; what was done is.
    place::wait_until(&engine, LIMIT, |lines| {
        let is_sent = lines[told..].iter().any(|line| line["event"] == "deed" && line["path"] == "one more.txt");
        let last = lines.iter().rev().find_map(|line| line["state"]["code"].as_str());
        is_sent && last == Some("up_to_date")
    });
    write(&format!("{count} files, one more sent within"), seconds(began.elapsed()), "s", ONE_MORE);
    let peak = read_peak_bytes(engine.pid()) as f64 / MB;
    write_plain(&format!("{count} files, memory at its highest while one more is sent"), peak, "MB");
    std::thread::sleep(AFTER_A_LOOK);
    let most = after_first_run.max(resident());
    write(&format!("{count} files watched, resident memory"), most, "MB", Target::AtMost(aims.resting_mb));
    if aims.is_idle_wanted {
        write(&format!("{count} files watched, processor time while idle"), share, "% of a core", Target::AtMost(0.5));
    }
}

fn find(folder: &Path) -> Duration {
    place::time(Command::new("find").arg(folder).args(["-printf", "%s %T@\n"]))
}
