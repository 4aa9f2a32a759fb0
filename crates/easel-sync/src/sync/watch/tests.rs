//! A real folder and the system's own events. Tests wait for each event, with a deadline.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::sync::atomic::AtomicU64;

use tempfile::TempDir;

use super::*;
use crate::sync::disk::DiskSettings;
use crate::sync::ports::{DiskError, DiskSeen, LocalSeen};

/// Longer than any event takes on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);
/// Long enough for an event that must not come.
const QUIET: Duration = Duration::from_millis(400);

struct Place {
    base: TempDir,
    root: PathBuf,
    disk: LocalDisk,
    watch: Watch,
    cursor: u64,
}

impl Place {
    /// Watches the folders that are there, as a first look leaves them.
    async fn watched(folders: &[&str]) -> Self {
        Self::with(folders, WatchSettings::default()).await
    }

    async fn with(folders: &[&str], settings: WatchSettings) -> Self {
        let base = tempfile::tempdir().expect("a folder");
        let root = base.path().canonicalize().expect("the folder").join("watched");
        fs::create_dir(&root).expect("the watched folder");
        for folder in folders {
            fs::create_dir_all(root.join(folder)).expect("a folder in it");
        }
        let ignore = "build/\n".to_owned();
        let disk = LocalDisk::open(&root, DiskSettings { ignore, ..DiskSettings::default() }).expect("the disk");
        let watch = Watch::start(&disk, settings);
        let cursor = disk.look_around(None, usize::MAX).await.expect("a first look").cursor;
        Self { base, root, disk, watch, cursor }
    }

    fn write(&self, path: &str, content: &str) {
        fs::write(self.root.join(path), content).expect("a file");
    }

    /// Waits until there is reason to look, and returns the changes that a look finds.
    async fn next(&mut self) -> Vec<String> {
        tokio::time::timeout(DEADLINE, self.watch.next()).await.expect("there is reason to look");
        self.look().await
    }

    async fn look(&mut self) -> Vec<String> {
        let DiskSeen { cursor, local } = self.disk.look_around(Some(self.cursor), usize::MAX).await.expect("a look");
        self.cursor = cursor;
        let LocalSeen::Changes { items, .. } = local else { panic!("changes were asked for") };
        items.into_iter().map(|(path, item)| if item.is_some() { path } else { format!("-{path}") }).collect()
    }

    /// Looks whenever there is reason, until all of these have been seen.
    async fn see(&mut self, expected: &[&str]) {
        let mut missing: Vec<&str> = expected.to_vec();
        while !missing.is_empty() {
            let seen = self.next().await;
            missing.retain(|path| !seen.iter().any(|seen| seen == path));
        }
    }

    async fn is_quiet(&mut self) -> bool {
        tokio::time::timeout(QUIET, self.watch.next()).await.is_err()
    }
}

#[tokio::test]
async fn what_happens_in_any_folder_is_told() {
    let mut place = Place::watched(&["a/b", "c"]).await;
    assert_eq!(place.watch.seen_by(), SeenBy::Watching);
    assert!(place.is_quiet().await, "looking is no change");
    place.write("a/b/1", "one");
    place.see(&["a/b/1"]).await;
    fs::rename(place.root.join("a/b/1"), place.root.join("c/2")).expect("renamed");
    place.see(&["-a/b/1", "c/2"]).await;
    place.write("c/2", "another");
    place.see(&["c/2"]).await;
    fs::remove_file(place.root.join("c/2")).expect("removed");
    place.see(&["-c/2"]).await;
}

#[tokio::test]
async fn folders_that_are_made_or_moved_are_watched_from_their_first_look() {
    let mut place = Place::watched(&["a"]).await;
    fs::create_dir_all(place.root.join("a/new/deep")).expect("folders");
    place.see(&["a/new", "a/new/deep"]).await;
    place.write("a/new/deep/1", "");
    place.see(&["a/new/deep/1"]).await;
    fs::rename(place.root.join("a/new"), place.root.join("moved")).expect("renamed");
    place.see(&["-a/new", "moved", "moved/deep/1"]).await;
    place.write("moved/deep/2", "");
    place.see(&["moved/deep/2"]).await;
    // Removed and made again under the same name.
    fs::remove_dir_all(place.root.join("moved")).expect("removed");
    fs::create_dir_all(place.root.join("moved/deep")).expect("folders");
    place.see(&["-moved/deep/1"]).await;
    while !place.is_quiet().await {
        place.look().await;
    }
    place.write("moved/deep/3", "");
    place.see(&["moved/deep/3"]).await;
}

#[tokio::test]
async fn an_editor_that_saves_by_way_of_another_file_makes_one_change() {
    let mut place = Place::watched(&[]).await;
    place.write("brief.txt", "first");
    place.see(&["brief.txt"]).await;
    while !place.is_quiet().await {
        place.look().await;
    }
    for temporary in ["brief.txt~", ".brief.txt.swp", "brief-4711"] {
        place.write(temporary, "second, and longer");
        fs::rename(place.root.join(temporary), place.root.join("brief.txt")).expect("renamed");
        assert_eq!(place.next().await, ["brief.txt"], "by way of {temporary}");
        assert!(place.is_quiet().await, "by way of {temporary}");
    }
}

#[tokio::test]
async fn what_is_left_alone_is_no_reason_to_look() {
    let mut place = Place::watched(&["build/in", ".hidden", "a"]).await;
    for path in ["build/in/1", "build/2", ".hidden/3", "a/.4.swp", "a/~$5.docx", "6.tmp"] {
        place.write(path, "x");
    }
    fs::write(place.disk.slot(easel_wire::FileId::imagined(0)), "x").expect("a slot");
    assert!(place.is_quiet().await);
    place.write("a/.easelignore", "*.mov");
    tokio::time::timeout(DEADLINE, place.watch.next()).await.expect("patterns are a reason");
    place.look().await;
    place.write("a/7.mov", "x");
    assert!(place.is_quiet().await);
}

#[tokio::test]
async fn a_wait_that_is_given_up_forgets_nothing() {
    let mut place = Place::watched(&[]).await;
    place.write("a", "");
    for _ in 0..200 {
        // Now before the pause, now during it, now after it.
        if tokio::time::timeout(Duration::from_millis(1), place.watch.next()).await.is_ok() {
            assert_eq!(place.look().await, ["a"]);
            return;
        }
    }
    assert_eq!(place.next().await, ["a"]);
}

#[tokio::test]
async fn a_root_that_goes_and_comes_back_is_noticed_both_times() {
    let settings = WatchSettings { check_every: Duration::from_millis(50), ..WatchSettings::default() };
    let mut place = Place::with(&["a"], settings).await;
    let away = place.base.path().join("away");
    fs::rename(&place.root, &away).expect("renamed");
    let gone = async {
        loop {
            place.watch.next().await;
            if let Err(error) = place.disk.look_around(None, usize::MAX).await {
                break error;
            }
        }
    };
    let error = tokio::time::timeout(DEADLINE, gone).await.expect("it is noticed");
    assert_eq!(error, DiskError::RootMissing);
    fs::write(away.join("a/1"), "").expect("a file");
    fs::rename(&away, &place.root).expect("renamed back");
    place.see(&["a/1"]).await;
    while !place.is_quiet().await {
        place.look().await;
    }
    place.write("a/2", "");
    place.see(&["a/2"]).await;
}

#[tokio::test]
async fn a_folder_that_can_be_read_again_is() {
    if !nix::unistd::geteuid().is_root() {
        let mut place = Place::watched(&["a"]).await;
        place.write("a/1", "");
        place.see(&["a/1"]).await;
        fs::set_permissions(place.root.join("a"), fs::Permissions::from_mode(0o000)).expect("permissions");
        place.see(&["-a/1"]).await;
        fs::set_permissions(place.root.join("a"), fs::Permissions::from_mode(0o755)).expect("permissions");
        place.see(&["a/1"]).await;
        return;
    }
    as_somebody_else("watch::tests::a_folder_that_can_be_read_again_is");
}

/// Runs a test as a user whom file permissions hold for.
fn as_somebody_else(test: &str) {
    let copy = tempfile::tempdir().expect("a folder");
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    let program = copy.path().join("tests");
    fs::copy(std::env::current_exe().expect("this program"), &program).expect("a copy that all can read");
    let status = Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(&program)
        .args(["--exact", test])
        .env("TMPDIR", "/tmp")
        .status();
    assert!(status.expect("setpriv").success());
}

#[tokio::test(start_paused = true)]
async fn after_sleep_and_every_so_often_everything_is_looked_through() {
    let slept = Arc::new(AtomicU64::new(0));
    let clock = Arc::clone(&slept);
    let settings = WatchSettings {
        slept: Arc::new(move || Duration::from_secs(clock.load(Ordering::Relaxed))),
        ..WatchSettings::default()
    };
    let mut place = Place::with(&[], settings).await;
    let whole_every = place.watch.looks_every();
    let began = Instant::now();
    place.watch.next().await;
    assert!(began.elapsed() >= whole_every && began.elapsed() < whole_every * 2, "{:?}", began.elapsed());
    slept.store(600, Ordering::Relaxed);
    let woke = Instant::now();
    place.watch.next().await;
    assert!(woke.elapsed() <= Duration::from_secs(6), "{:?}", woke.elapsed());
}

#[tokio::test]
async fn a_queue_that_ran_over_makes_everything_dirty() {
    let mut place = Place::watched(&["a", "b"]).await;
    let length: usize = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events")
        .ok()
        .and_then(|length| length.trim().parse().ok())
        .expect("how many events the system keeps");
    {
        // The listener waits for this lock, so that the system's queue fills.
        let _held = place.disk.hold_marks();
        let file = place.root.join("a/loud");
        for _ in 0..length / 3 + 1_000 {
            fs::write(&file, "x").expect("a file");
            fs::remove_file(&file).expect("removed");
        }
        place.write("b/unheard", "");
    }
    place.see(&["b/unheard"]).await;
}

#[tokio::test]
async fn where_the_system_watches_no_more_folders_they_are_looked_through_and_it_is_said() {
    const INSIDE: &str = "EASEL_TEST_WITH_OWN_LIMIT";
    const LIMIT: &str = "/proc/sys/user/max_inotify_watches";
    if std::env::var_os(INSIDE).is_none() {
        // A user namespace has a limit of its own.
        let test = "watch::tests::where_the_system_watches_no_more_folders_they_are_looked_through_and_it_is_said";
        let status = Command::new("unshare")
            .args(["--user", "--map-root-user"])
            .arg(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--nocapture"])
            .env(INSIDE, "1")
            .status();
        assert!(status.expect("unshare").success());
        return;
    }
    fs::write(LIMIT, "3").expect("a limit of one's own");
    let settings = WatchSettings { check_every: Duration::from_millis(50), ..WatchSettings::default() };
    let mut place = Place::with(&["1", "2", "3", "4", "5"], settings).await;
    assert_eq!(place.watch.seen_by(), SeenBy::Polling(Reason::LimitReached));
    assert_eq!(place.watch.looks_every(), polling_interval(0));
    place.watch.last_whole = Instant::now() - polling_interval(0);
    for folder in 1..=5 {
        place.write(&format!("{folder}/x"), "");
    }
    place.see(&["1/x", "2/x", "3/x", "4/x", "5/x"]).await;
    // When there is room again, it watches again.
    fs::write(LIMIT, "1000").expect("a limit of one's own");
    place.watch.last_whole = Instant::now() - Duration::from_secs(3_600);
    place.write("1/y", "");
    place.next().await;
    while place.watch.seen_by() != SeenBy::Watching {
        place.next().await;
    }
    place.look().await;
    place.write("5/y", "");
    place.see(&["5/y"]).await;
}

#[test]
fn the_more_files_the_less_often_all_of_them_are_looked_through() {
    let check = |files: u64, seconds: u64| assert_eq!(polling_interval(files), Duration::from_secs(seconds), "{files}");
    check(0, 10);
    check(100_000, 30);
    check(1_000_000, 210);
    check(u64::MAX, 600);
}
