//! What looks show.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::Mutex;

use super::*;

#[test]
fn a_look_shows_files_and_folders_and_names_what_it_leaves_out() {
    let place = Place::with_patterns("*.psd");
    place.write("a/b.txt", "one");
    place.write("a.txt", "four");
    place.write("Ünïcode/ß.txt", "");
    place.write("draft.psd", "x");
    place.write(".hidden/x", "x");
    place.write("a/~$b.docx", "x");
    symlink("/etc", place.root.join("link")).expect("a link");
    symlink("nowhere", place.root.join("a/broken")).expect("a link");
    symlink("nowhere", place.root.join(".lock")).expect("a link");
    nix::unistd::mkfifo(&place.root.join("pipe"), nix::sys::stat::Mode::S_IRUSR).expect("a pipe");
    fs::write(place.root.join(OsStr::from_bytes(b"not\xfftext")), "x").expect("a file");

    let (_, local) = place.whole();
    assert_eq!(paths(&local), ["a", "a.txt", "a/b.txt", "Ünïcode", "Ünïcode/ß.txt"]);
    let file = local.file("a.txt").expect("the file");
    assert_eq!(file.stamp, place.stamp("a.txt"));
    assert_eq!((file.stamp.size_bytes, file.hash, file.is_settled), (4, None, true));
    let modified = fs::metadata(place.root.join("a.txt")).and_then(|file| file.modified()).expect("its time");
    assert_eq!(file.stamp.modified_us, to_micros(modified));
    assert_eq!(local.items["a"], LocalItem::Folder(place.stamp("a").identity));

    let skipped = vec![
        ("a/broken".to_owned(), Skipped::SymbolicLink),
        ("link".to_owned(), Skipped::SymbolicLink),
        ("not\u{fffd}text".to_owned(), Skipped::NameNotText),
        ("pipe".to_owned(), Skipped::Special),
    ];
    assert_eq!(local.skipped, skipped.iter().cloned().collect());
    assert_eq!(place.disk.skipped(), (skipped, Vec::new()));
    let why = Ignored::ByPattern { pattern: "*.psd".into(), folder: None };
    let left_out = place.disk.list_ignored(0, 10);
    let by_pattern: Vec<_> = left_out.iter().filter(|(_, why)| *why != Ignored::ByDefault).collect();
    assert_eq!(by_pattern, [&("draft.psd".to_owned(), why)]);
    assert_eq!(left_out.len(), 4, "{left_out:?}");
    assert!(place.disk.list_ignored(4, 10).is_empty());
    let size = Size { files: 3, folders: 2, bytes: 7, ignored_by_default: 3, ignored_by_pattern: 1 };
    assert_eq!(place.disk.size(), size);
}

#[tokio::test]
async fn a_look_tells_what_went_or_came_back_right_after_it_was_moved() {
    let place = Place::new();
    for path in ["x/1", "x/y/2", "x/3"] {
        place.write(path, path);
    }
    let (first, _) = place.whole();
    place.disk.rename("x", "z", place.stamp("x").identity).await.expect("the folder moves");
    fs::remove_file(place.root.join("z/1")).expect("the file goes");
    fs::remove_dir_all(place.root.join("z/y")).expect("the folder goes");
    let (second, changed) = place.changes(first);
    let left = ["-x", "-x/1", "-x/3", "-x/y", "-x/y/2"];
    assert_eq!(changed, [&left[..], &["z", "-z/1", "z/3", "-z/y", "-z/y/2"]].concat());
    place.disk.rename("z", "x", place.stamp("z").identity).await.expect("the folder moves");
    fs::remove_dir_all(place.root.join("x")).expect("the folder goes");
    let (third, changed) = place.changes(second);
    assert_eq!(changed, ["-x", "-x/3", "-z", "-z/3"]);

    place.write("a/1", "a");
    place.disk.mark(Dirty::Everything);
    let (fourth, _) = place.changes(third);
    place.disk.rename("a", "b", place.stamp("a").identity).await.expect("the folder moves");
    fs::rename(place.root.join("b"), place.root.join("a")).expect("the folder moves back");
    assert_eq!(place.changes(fourth).1, ["a", "a/1", "-b", "-b/1"]);
}

#[test]
fn what_lay_flat_in_memory_is_as_it_was() {
    let place = Place::new();
    for number in 0..600 {
        place.write(&format!("{number:03}/a.txt"), "one");
    }
    let (first, _) = place.whole();
    assert!(place.disk.is_scattered());
    place.disk.while_flat(|| ());
    assert!(!place.disk.is_scattered());
    place.write("007/b.txt", "two");
    place.disk.mark(Dirty::Everything);
    let (second, changed) = place.changes(first);
    assert_eq!(changed, ["007/b.txt"]);
    place.disk.while_flat(|| ());
    place.disk.mark(Dirty::Everything);
    let nothing: [&str; 0] = [];
    assert_eq!(place.changes(second).1, nothing);
}

#[test]
fn a_later_look_tells_what_changed_and_tells_it_until_it_was_heard() {
    let place = Place::new();
    for path in ["a/x/1", "a/x/2", "a/3", "b", "c/4"] {
        place.write(path, path);
    }
    let (first, _) = place.whole();
    assert_eq!(place.changes(first).1, Vec::<String>::new());

    place.write("b", "longer than before");
    place.write("new/deep/5", "");
    fs::remove_file(place.root.join("c/4")).expect("removed");
    fs::rename(place.root.join("a/x"), place.root.join("c/y")).expect("renamed");
    place.disk.mark(Dirty::Everything);
    let changed = ["-a/x", "-a/x/1", "-a/x/2", "b", "-c/4", "c/y", "c/y/1", "c/y/2", "new", "new/deep", "new/deep/5"];
    let sorted = |mut paths: Vec<String>| {
        paths.sort_by_key(|path| path.trim_start_matches('-').to_owned());
        paths
    };
    let (second, seen) = place.changes(first);
    assert_eq!(sorted(seen), changed);
    let (third, again) = place.changes(first);
    assert_eq!(sorted(again), changed, "the answer was not heard");
    assert!(second < third);

    place.write("b", "again");
    place.disk.mark(Dirty::Everything);
    assert_eq!(place.changes(second).1, ["b"], "what was heard is not told again");
    // A cursor that was passed is not known any more, and neither is another disk's.
    assert!(matches!(place.look(Some(first)).local, LocalSeen::Whole(_)));
    assert!(matches!(place.look(Some(u64::MAX)).local, LocalSeen::Whole(_)));
}

#[test]
fn a_folder_that_comes_back_with_less_in_it_leaves_nothing_behind() {
    let place = Place::new();
    place.write("a/1", "1");
    place.write("a/2", "2");
    let (heard, _) = place.whole();
    fs::remove_dir_all(place.root.join("a")).expect("removed");
    place.disk.mark(Dirty::Everything);
    place.changes(heard);
    place.write("a/2", "2");
    place.disk.mark(Dirty::Everything);
    assert_eq!(place.changes(heard).1, ["a", "-a/1", "a/2"]);
}

#[test]
fn a_file_becomes_a_folder_and_a_folder_a_file() {
    let place = Place::new();
    place.write("a/1", "1");
    place.write("b", "2");
    let (heard, _) = place.whole();
    fs::remove_dir_all(place.root.join("a")).expect("removed");
    fs::remove_file(place.root.join("b")).expect("removed");
    place.write("a", "1");
    place.write("b/2", "2");
    place.disk.mark(Dirty::Everything);
    assert_eq!(place.changes(heard).1, ["a", "-a/1", "b", "b/2"]);
    let (_, local) = place.whole();
    assert_eq!(paths(&local), ["a", "b", "b/2"]);
    assert!(local.file("a").is_some() && local.is_folder("b"));
}

#[derive(Default)]
struct Entered(Mutex<Vec<String>>);

impl Observer for Entered {
    fn enter(&self, folder: &str) {
        lock(&self.0).push(folder.to_owned());
    }
}

impl Entered {
    fn take(&self) -> Vec<String> {
        let mut entered = std::mem::take(&mut *lock(&self.0));
        entered.sort();
        entered
    }
}

#[test]
fn where_changes_are_told_only_those_are_read() {
    let place = Place::new();
    place.write("a/1", "1");
    place.write("b/c/2", "2");
    let entered = Arc::new(Entered::default());
    place.disk.set_observer(Some(entered.clone()));
    let (heard, _) = place.whole();
    assert_eq!(entered.take(), ["", "a", "b", "b/c"]);

    place.write("a/told", "");
    place.write("b/untold", "");
    place.write("b/c/3/4/5", "");
    let folders = |paths: &[&str]| Dirty::Folders(paths.iter().map(|path| (*path).to_owned()).collect());
    // A folder that nobody knows yet is read with the folder above it.
    place.disk.mark(folders(&["a", "b/c/3/4"]));
    let (heard, changed) = place.changes(heard);
    assert_eq!(changed, ["a/told", "b/c/3", "b/c/3/4", "b/c/3/4/5"]);
    assert_eq!(entered.take(), ["b/c/3", "b/c/3/4"], "the watch begins before the first reading");
    assert_eq!(place.changes(heard).1, Vec::<String>::new());

    // A folder that went is found missing whoever tells of it.
    fs::remove_dir_all(place.root.join("b/c")).expect("removed");
    place.disk.mark(folders(&["b/c/3"]));
    assert_eq!(place.changes(heard).1, ["-b/c", "-b/c/2", "-b/c/3", "-b/c/3/4", "-b/c/3/4/5", "b/untold"]);

    place.disk.set_observer(None);
    place.write("a/6", "");
    place.look(None);
    std::thread::sleep(Duration::from_millis(1));
    assert!(place.whole().1.file("a/6").is_some());
}

#[test]
fn patterns_in_a_file_hold_from_the_look_that_finds_them_changed() {
    let place = Place::new();
    place.write("a/b/x.mov", "");
    place.write("a/x.mov", "");
    place.write("x.mov", "");
    place.disk.set_observer(Some(Arc::new(Entered::default())));
    let (heard, _) = place.whole();
    let mark = |path: &str| place.disk.mark(Dirty::Folders([path.to_owned()].into()));

    place.write("a/.easelignore", "*.mov");
    mark("a");
    let (heard, changed) = place.changes(heard);
    assert_eq!(changed, ["-a/b/x.mov", "-a/x.mov"]);
    let ignored = |path: &str| place.disk.is_ignored(path, false);
    assert!(ignored("a/b/x.mov") && ignored("a/never-there.mov") && !ignored("x.mov"));

    // Deleted while it is left alone: still no deletion.
    fs::remove_file(place.root.join("a/x.mov")).expect("removed");
    mark("a");
    let (heard, changed) = place.changes(heard);
    assert_eq!(changed, Vec::<String>::new());
    assert!(ignored("a/x.mov"));

    fs::remove_file(place.root.join("a/.easelignore")).expect("removed");
    mark("a");
    assert_eq!(place.changes(heard).1, ["a/b/x.mov"]);
    assert!(!ignored("a/x.mov"));
}

#[test]
fn patterns_behind_a_link_are_not_followed() {
    let place = Place::new();
    fs::write(place.base.path().join("elsewhere"), "*.txt").expect("a file");
    symlink(place.base.path().join("elsewhere"), place.root.join(".easelignore")).expect("a link");
    place.write("a.txt", "");
    assert_eq!(paths(&place.whole().1), ["a.txt"]);
}

#[test]
fn another_folder_at_the_same_path_is_not_the_one_that_was_chosen() {
    let place = Place::new();
    place.write("a", "");
    place.whole();
    let missing = |place: &Place| place.disk.inner.look_around(None, usize::MAX, &AtomicBool::new(false)).err();
    fs::rename(&place.root, place.base.path().join("away")).expect("renamed");
    assert_eq!(missing(&place), Some(DiskError::RootMissing));
    fs::create_dir(&place.root).expect("another");
    assert_eq!(missing(&place), Some(DiskError::RootMissing));
    let settings = DiskSettings { identity: Some(place.disk.identity()), ..DiskSettings::default() };
    assert_eq!(LocalDisk::open(&place.root, settings.clone()).err(), Some(DiskError::RootMissing));
    fs::remove_dir(&place.root).expect("removed");
    fs::rename(place.base.path().join("away"), &place.root).expect("renamed back");
    assert_eq!(paths(&place.whole().1), ["a"]);
    assert!(LocalDisk::open(&place.root, settings).is_ok());
}

/// Runs as somebody whom permissions hold for, whoever runs the tests. Only this thread is.
fn as_nobody<T>(work: impl FnOnce() -> T) -> T {
    let me = nix::unistd::geteuid();
    if me.is_root() {
        nix::unistd::setfsuid(nix::unistd::Uid::from_raw(65_534));
    }
    let done = work();
    if me.is_root() {
        nix::unistd::setfsuid(me);
    }
    done
}

#[test]
fn a_folder_that_went_with_those_in_it_is_gone_and_not_unreadable() {
    let place = Place::new();
    place.write("a/in/1", "");
    place.write("b", "");
    let (heard, _) = place.whole();
    fs::remove_dir_all(place.root.join("a")).expect("removed");
    // Told of one by one, as a deletion is carried out.
    place.disk.mark(Dirty::Folders(["a", "a/in"].map(str::to_owned).into()));
    let DiskSeen { local: LocalSeen::Changes { items, unreadable, .. }, .. } = place.look(Some(heard)) else {
        panic!("changes were asked for")
    };
    assert_eq!(items, [("a", None), ("a/in", None), ("a/in/1", None)].map(|(path, item)| (path.to_owned(), item)));
    assert!(unreadable.is_empty(), "{unreadable:?}");
}

#[test]
fn nothing_is_concluded_about_a_folder_that_cannot_be_read() {
    let place = Place::new();
    place.write("open/1", "");
    place.write("closed/in/2", "");
    for path in [place.base.path(), &place.root] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    let (heard, _) = place.whole();
    // Names without what stands behind them are as good as nothing.
    for mode in [0o000, 0o744] {
        fs::set_permissions(place.root.join("closed"), fs::Permissions::from_mode(mode)).expect("permissions");
        if nix::unistd::geteuid().is_root() || mode == 0 {
            place.disk.mark(Dirty::Everything);
            let DiskSeen { local: LocalSeen::Changes { items, unreadable, .. }, .. } =
                as_nobody(|| place.look(Some(heard)))
            else {
                panic!("changes were asked for")
            };
            let gone: Vec<_> = items.iter().filter(|(_, item)| item.is_none()).map(|(path, _)| path.as_str()).collect();
            assert_eq!(gone, ["closed/in", "closed/in/2"], "{mode:o}");
            assert_eq!(unreadable, ["closed".to_owned()].into(), "{mode:o}");
            assert_eq!(place.disk.skipped().1, ["closed"]);
        }
    }
    fs::set_permissions(place.root.join("closed"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let (_, local) = place.whole();
    assert!(local.unreadable.is_empty() && local.file("closed/in/2").is_some());

    fs::set_permissions(&place.root, fs::Permissions::from_mode(0o000)).expect("permissions");
    place.disk.mark(Dirty::Everything);
    let refused = as_nobody(|| place.disk.inner.look_around(Some(heard), usize::MAX, &AtomicBool::new(false)).err());
    fs::set_permissions(&place.root, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(refused, Some(DiskError::Denied));
    assert!(place.whole().1.file("open/1").is_some(), "what a look could not read is read by the next");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_open_for_writing_does_not_stand_still() {
    use std::io::Write as _;
    let place = Place::new();
    let mut writer = fs::File::create(place.root.join("render.mov")).expect("a file");
    writer.write_all(b"first").expect("written");
    // A file that is open but only read, as office programs keep it.
    let document = fs::File::create(place.root.join("saved.odt")).expect("a file");
    document.set_modified(SystemTime::now() - 2 * FRESH).expect("a time");
    place.write("done.mov", "");
    let reader = fs::File::open(place.root.join("done.mov")).expect("a reader");
    let (heard, local) = place.whole();
    let settled = |path: &str| local.file(path).map(|file| file.is_settled);
    assert_eq!((settled("render.mov"), settled("done.mov")), (Some(false), Some(true)));
    assert_eq!(settled("saved.odt"), Some(true));
    assert_eq!(place.changes(heard).1, Vec::<String>::new());
    drop((writer, reader));
    let DiskSeen { local: LocalSeen::Changes { items, .. }, .. } = place.look(Some(heard)) else {
        panic!("changes were asked for")
    };
    assert_eq!(items.len(), 1, "closing it is a change: {items:?}");
    assert!(as_file(items[0].1).is_some_and(|file| file.is_settled));
    drop(document);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_mounted_below_is_left_out_and_a_root_that_was_unmounted_is_missing() {
    const INSIDE: &str = "EASEL_TEST_IN_OWN_MOUNTS";
    if std::env::var_os(INSIDE).is_none() {
        // Mounts of its own, which end with the process.
        let test = "disk::tests::looks::what_is_mounted_below_is_left_out_and_a_root_that_was_unmounted_is_missing";
        let status = std::process::Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount"])
            .arg(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--nocapture"])
            .env(INSIDE, "1")
            .status();
        assert!(status.expect("unshare").success());
        return;
    }
    let mount = |path: &Path| {
        let done = std::process::Command::new("mount").args(["-t", "tmpfs", "none"]).arg(path).status();
        assert!(done.expect("mount").success());
    };
    let place = Place::new();
    place.write("below/covered", "");
    place.write("a", "");
    mount(&place.root.join("below"));
    let (_, local) = place.whole();
    assert_eq!(paths(&local), ["a"]);
    assert_eq!(local.skipped, [("below".to_owned(), Skipped::Special)].into());

    let stick = place.base.path().join("stick");
    fs::create_dir(&stick).expect("a folder");
    mount(&stick);
    fs::write(stick.join("x"), "").expect("a file");
    let disk = LocalDisk::open(&stick, DiskSettings::default()).expect("the disk");
    assert!(disk.inner.look_around(None, usize::MAX, &AtomicBool::new(false)).is_ok());
    // Nothing is held open: it can be taken out.
    assert!(std::process::Command::new("umount").arg(&stick).status().expect("umount").success());
    assert_eq!(disk.inner.look_around(None, usize::MAX, &AtomicBool::new(false)).err(), Some(DiskError::RootMissing));
}

#[test]
fn how_long_a_file_stood_still_is_told_by_when_it_changed_here_and_not_by_the_time_it_bears() {
    let began = Instant::now();
    let place = Place::new();
    place.write("a.txt", "just written");
    // As a copy is that keeps the time of its original.
    let old = SystemTime::now() - Duration::from_secs(3_600);
    fs::File::options()
        .write(true)
        .open(place.root.join("a.txt"))
        .and_then(|file| file.set_modified(old))
        .expect("a time");
    let still = || u128::from(place.whole().1.file("a.txt").expect("the file").still_ms);
    let first = still();
    assert!(first <= began.elapsed().as_millis(), "{first} ms");
    let deadline = Instant::now() + Duration::from_secs(10);
    while still() < first + 20 {
        assert!(Instant::now() < deadline, "time goes on");
    }
}

#[test]
fn a_clock_that_was_set_since_the_last_look_tells_nothing() {
    let place = Place::new();
    let inner = &place.disk.inner;
    let (now, wall, hour) = (Instant::now(), SystemTime::now(), Duration::from_secs(3_600));
    for wall_before in [wall - hour, wall + hour] {
        let mut last_look = (now, wall_before);
        assert_eq!(inner.trusted_time(&mut last_look), None);
        assert!(inner.trusted_time(&mut last_look).is_some(), "from then on it goes on evenly");
    }
}

#[test]
fn a_folder_is_read_anew_each_time_and_not_where_the_last_reading_stopped() {
    let place = Place::new();
    for path in ["a", "b", "c"] {
        place.write(path, path);
    }
    let root = Folder::open(&place.root).expect("the folder");
    let read = || {
        let mut names = Vec::new();
        let again = root.open_below("").expect("the folder again");
        again.for_each_name(&mut Vec::with_capacity(4096), |name| names.push(name.to_owned())).expect("its names");
        names.len()
    };
    assert_eq!((read(), read()), (3, 3));
}

#[test]
fn a_folder_that_goes_while_it_and_the_one_above_it_are_read_takes_nothing_else_with_it() {
    let place = Place::new();
    for path in ["brief/1", "brief/2", "photos/raw/3", "press/4", "5"] {
        place.write(path, path);
    }
    let (first, _) = place.whole();
    fs::remove_dir_all(place.root.join("brief")).expect("removed");
    place.disk.mark(Dirty::Folders(["", "brief"].map(str::to_owned).into()));
    let (_, mut changed) = place.changes(first);
    changed.sort();
    assert_eq!(changed, ["-brief", "-brief/1", "-brief/2"]);
}

#[test]
fn a_picture_that_is_doubted_is_read_anew_whatever_is_known_of_it() {
    let place = Place::new();
    for path in ["a/1", "b/2"] {
        place.write(path, path);
    }
    struct Deaf;
    impl Observer for Deaf {
        fn enter(&self, _folder: &str) {}
    }
    place.disk.set_observer(Some(Arc::new(Deaf)));
    let (first, _) = place.whole();
    fs::remove_file(place.root.join("a/1")).expect("removed");
    assert_eq!(place.changes(first).1, Vec::<String>::new(), "nobody said so");
    let LocalSeen::Whole(cached) = place.look(None).local else { panic!("not everything") };
    assert_eq!(paths(&cached), ["a", "a/1", "b", "b/2"], "asking for everything reads nothing");
    place.disk.doubt();
    let LocalSeen::Whole(read) = place.look(None).local else { panic!("not everything") };
    assert_eq!(paths(&read), ["a", "b", "b/2"]);
}
