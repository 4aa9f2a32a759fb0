//! Changes of the folder by the disk adapter.

use std::os::unix::fs::symlink;

use easel_wire::FileId;

use super::*;

fn file_id(number: u128) -> FileId {
    FileId::imagined(number)
}

#[tokio::test]
async fn a_rename_is_never_over_anything_and_only_of_what_was_meant() {
    let place = Place::new();
    place.write("a", "a");
    place.write("b", "b");
    place.write("folder/in", "in");
    place.write("other/x", "x");
    let (a, folder) = (place.stamp("a").identity, place.stamp("folder").identity);
    let disk = &place.disk;
    assert_eq!(disk.rename("a", "b", a).await, Err(DiskError::Exists));
    assert_eq!(disk.rename("a", "other", a).await, Err(DiskError::Exists));
    assert_eq!(disk.rename("a", "c", folder).await, Err(DiskError::Changed));
    assert_eq!(disk.rename("nothing", "c", a).await, Err(DiskError::Changed));
    assert_eq!(disk.rename("a", "nowhere/c", a).await, Err(DiskError::Changed));
    assert_eq!(disk.rename("folder", "folder/in/x", folder).await, Err(DiskError::Exists));
    assert_eq!(disk.rename("folder", "other/moved", folder).await, Ok(()));
    assert_eq!(disk.rename("a", "A", a).await, Ok(()));
    assert_eq!((place.read("A"), place.read("b")), (Some("a".into()), Some("b".into())));
    assert_eq!(place.read("other/moved/in").as_deref(), Some("in"));
    assert_eq!(place.stamp("other/moved").identity, folder);
}

#[tokio::test]
async fn what_a_call_did_is_seen_by_the_next_look() {
    let place = Place::new();
    place.write("a/1", "1");
    let nobody: Arc<dyn Observer> = Arc::new(Deaf);
    place.disk.set_observer(Some(nobody));
    let (heard, _) = place.whole();
    let made = place.disk.make_folder("b").await.expect("made");
    assert_eq!(made, place.stamp("b").identity);
    place.disk.rename("a", "b/a", place.stamp("a").identity).await.expect("renamed");
    let (heard, changed) = place.changes(heard);
    assert_eq!(changed, ["-a", "-a/1", "b", "b/a", "b/a/1"]);
    place.disk.trash("b/a/1", &place.stamp("b/a/1")).await.expect("thrown away");
    place.disk.remove_folder("b/a").await.expect("removed");
    assert_eq!(place.changes(heard).1, ["-b/a", "-b/a/1"]);
}

struct Deaf;

impl Observer for Deaf {
    fn enter(&self, _folder: &str) {}
}

#[tokio::test]
async fn folders_are_made_where_nothing_is_and_removed_when_they_are_empty() {
    let place = Place::new();
    place.write("a/x", "x");
    let disk = &place.disk;
    assert_eq!(disk.make_folder("a").await, Err(DiskError::Exists));
    assert_eq!(disk.make_folder("a/x").await, Err(DiskError::Exists));
    assert_eq!(disk.make_folder("b/c").await, Err(DiskError::Changed));
    assert_eq!(disk.make_folder(&"n".repeat(300)).await, Err(DiskError::NameNotAllowed));
    assert_eq!(disk.remove_folder("a").await, Err(DiskError::NotEmpty));
    assert_eq!(disk.remove_folder("a/x").await, Err(DiskError::Changed));
    assert_eq!(disk.remove_folder("b").await, Err(DiskError::Changed));
    assert!(disk.make_folder("b").await.is_ok());
    assert_eq!(disk.remove_folder("b").await, Ok(()));
    assert_eq!(disk.look("b").await, Ok(None));
    assert_eq!(as_file(disk.look("a/x").await.expect("a look")).map(|file| file.stamp), Some(place.stamp("a/x")));
}

#[tokio::test]
async fn a_file_goes_to_the_trash_only_as_what_was_meant() {
    let place = Place::new();
    place.write("a/brief 1.txt", "old");
    let old = place.stamp("a/brief 1.txt");
    place.write("a/brief 1.txt", "newer");
    assert_eq!(place.disk.trash("a/brief 1.txt", &old).await, Err(DiskError::Changed));
    assert_eq!(place.read("a/brief 1.txt").as_deref(), Some("newer"));
    let new = place.stamp("a/brief 1.txt");
    assert_eq!(place.disk.trash("a/brief 1.txt", &new).await, Ok(()));
    assert_eq!(place.disk.trash("a/brief 1.txt", &new).await, Err(DiskError::Changed));
    place.write("a/brief 1.txt", "another");
    assert_eq!(place.disk.trash("a/brief 1.txt", &place.stamp("a/brief 1.txt")).await, Ok(()));
    let trashed = [("brief 1.txt".to_owned(), "newer".to_owned()), ("brief 1.txt.2".to_owned(), "another".to_owned())];
    assert_eq!(place.in_trash(), trashed);
    let note = place.base.path().join("data/Trash/info/brief 1.txt.trashinfo");
    let note = fs::read_to_string(note).expect("a note");
    let from = format!("Path={}/a/brief%201.txt", place.root.display());
    assert!(note.starts_with("[Trash Info]\n") && note.contains(&from) && note.contains("DeletionDate=20"), "{note}");
    let long = "ü".repeat(127);
    place.write(&long, "long");
    assert_eq!(place.disk.trash(&long, &place.stamp(&long)).await, Ok(()));
}

#[tokio::test]
async fn where_there_is_no_trash_on_the_same_disk_the_file_stays() {
    // Shared memory is a disk of its own on every Linux; nothing is ever copied from one to another.
    let Ok(base) = tempfile::Builder::new().prefix("easel").tempdir_in("/dev/shm") else { return };
    let own = base.path().join("own");
    fs::create_dir(&own).expect("a folder");
    fs::write(base.path().join("kept"), "kept").expect("a file");
    let home = tempfile::tempdir().expect("a folder");
    let root = Folder::open(base.path()).expect("the folder");
    let stamp = root.look("kept".as_ref()).expect("the file").stamp;
    let doomed = |folder_path: &Path| trash::Doomed {
        folder: &root,
        folder_path: folder_path.to_owned(),
        name: "kept".as_ref(),
        stamp,
    };
    // As if the disk's top, where its trash belongs, were one that takes nothing.
    let refused = trash::throw_away(&doomed(Path::new("/proc/self")), Some(home.path()));
    assert_eq!(refused, Err(DiskError::Denied));
    assert_eq!(fs::read_to_string(base.path().join("kept")).ok().as_deref(), Some("kept"));
    assert_eq!(fs::read_dir(home.path().join("info")).map(Iterator::count).unwrap_or(0), 0, "no note is left behind");
    // With one, it is used.
    assert_eq!(trash::throw_away(&doomed(base.path()), Some(&own)), Ok(()));
    assert_eq!(fs::read_to_string(own.join("files/kept")).ok().as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_file_of_any_id_is_fetched_to_a_slot_of_its_own_and_takes_its_place() {
    let place = Place::new();
    let disk = &place.disk;
    let long = "é".repeat(255);
    let texts = ["a/b", "../up", "...", "%", "file_Ab", "file_ab", "file_01M827JAC5EB8TWTXWXNYZ91W5", "con", &long];
    let ids: Vec<FileId> = texts.iter().map(|text| text.parse().expect("an id")).collect();
    for id in &ids {
        fs::write(disk.slot(*id), id.text().as_bytes()).expect("a slot");
        fs::write(partial(&disk.slot(*id)), "half").expect("a slot");
    }
    assert!(place.whole().1.items.is_empty(), "slots are never seen");
    let mut waiting: Vec<FileId> = disk.fetched().await.expect("slots").into_iter().map(|(file, _)| file).collect();
    let mut expected = ids.clone();
    waiting.sort_unstable();
    expected.sort_unstable();
    assert_eq!(waiting, expected);
    for (number, id) in ids.iter().enumerate() {
        assert!(disk.stamp_fetched(*id).await.is_ok());
        assert!(disk.place_fetched(*id, &number.to_string(), None).await.is_ok());
        assert_eq!(place.read(&number.to_string()).as_deref(), Some(&*id.text()));
    }
    assert_eq!(disk.fetched().await, Ok(Vec::new()));
    assert_eq!(disk.discard_fetched(&ids).await, Ok(()));
    assert!(!place.root.join(crate::sync::ignored::INCOMING).exists(), "nothing is left behind");
}

#[tokio::test]
async fn a_fetched_file_takes_its_place_as_it_is() {
    let place = Place::new();
    let disk = &place.disk;
    place.write("a/here", "old");
    let (new, over) = (file_id(1), file_id(2));
    fs::write(disk.slot(new), "fetched").expect("a slot");
    fs::write(disk.slot(over), "newer").expect("a slot");
    fs::write(partial(&disk.slot(file_id(3))), "half").expect("a slot");
    assert!(place.whole().1.items.keys().all(|path| path.starts_with('a')), "slots are never seen");

    let mut waiting = disk.fetched().await.expect("slots");
    waiting.sort_by_key(|(file, _)| file.to_string());
    assert_eq!(waiting.iter().map(|(file, _)| *file).collect::<Vec<_>>(), [new, over], "what is half there is not");
    let fetched = waiting[0].1;
    assert_eq!(disk.place_fetched(new, "a/here", None).await, Err(DiskError::Exists));
    assert_eq!(disk.place_fetched(new, "b/new", None).await, Err(DiskError::Changed));
    let changed = disk.place_fetched(new, "a/new", None).await.expect("its place");
    assert_eq!(place.stamp("a/new"), fetched);
    assert!(changed.is_some(), "so that an edit is told from it");
    assert_eq!(changed, place.whole().1.file("a/new").expect("the file").changed_us);
    assert_eq!(disk.place_fetched(new, "a/other", None).await, Err(DiskError::Changed));

    let old = place.stamp("a/here");
    place.write("a/here", "edited meanwhile");
    assert_eq!(disk.place_fetched(over, "a/here", Some(old)).await, Err(DiskError::Exists));
    assert_eq!(place.read("a/here").as_deref(), Some("edited meanwhile"));
    assert!(disk.place_fetched(over, "a/here", Some(place.stamp("a/here"))).await.is_ok());
    assert_eq!(place.read("a/here").as_deref(), Some("newer"));
    assert_eq!(place.in_trash(), [("here".to_owned(), "edited meanwhile".to_owned())]);
    assert_eq!(disk.place_fetched(over, "a/gone", Some(old)).await, Err(DiskError::Changed));

    let abandoned = fs::File::create(partial(&disk.slot(file_id(5)))).expect("a slot");
    abandoned.set_modified(SystemTime::now() - Duration::from_secs(8 * 24 * 3_600)).expect("a time");
    assert_eq!(disk.fetched().await, Ok(Vec::new()));
    assert!(!partial(&disk.slot(file_id(5))).exists() && partial(&disk.slot(file_id(3))).exists());
    assert_eq!(disk.discard_fetched(&[file_id(3), file_id(4)]).await, Ok(()));
    assert!(!place.root.join(crate::sync::ignored::INCOMING).exists(), "an empty folder of slots goes");
    assert_eq!(disk.fetched().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_file_is_read_only_while_it_stays_what_it_was() {
    let place = Place::new();
    place.write("a", "abc");
    let stamp = place.stamp("a");
    let hash = place.disk.hash("a", &stamp).await.expect("a hash");
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hash.map(|byte| format!("{byte:02x}")).concat(), expected);
    fs::rename(place.root.join("a"), place.root.join("b")).expect("renamed");
    assert_eq!(place.disk.hash("a", &stamp).await, Err(DiskError::Changed));
    symlink("b", place.root.join("a")).expect("a link");
    assert_eq!(place.disk.hash("a", &stamp).await, Err(DiskError::Changed));
    place.write("b", "abcd");
    assert_eq!(place.disk.hash("b", &stamp).await, Err(DiskError::Changed));
}

#[tokio::test]
async fn a_link_in_the_way_leads_nowhere() {
    let place = Place::new();
    place.write("a/x", "x");
    let (stamp, identity) = (place.stamp("a/x"), place.stamp("a/x").identity);
    // The same folder, so that every identity is right, but reached by a link.
    let outside = place.base.path().join("outside");
    fs::rename(place.root.join("a"), &outside).expect("moved out");
    symlink(&outside, place.root.join("a")).expect("a link");
    let disk = &place.disk;
    assert_eq!(disk.make_folder("a/new").await, Err(DiskError::Changed));
    assert_eq!(disk.rename("a/x", "y", identity).await, Err(DiskError::Changed));
    assert_eq!(disk.trash("a/x", &stamp).await, Err(DiskError::Changed));
    assert_eq!(disk.hash("a/x", &stamp).await, Err(DiskError::Changed));
    assert_eq!(disk.look("a/x").await, Ok(None));
    assert_eq!(disk.look("a").await, Ok(None));
    fs::write(disk.slot(file_id(1)), "fetched").expect("a slot");
    assert_eq!(disk.place_fetched(file_id(1), "a/new", None).await, Err(DiskError::Changed));
    assert_eq!(fs::read_dir(outside).expect("the folder").count(), 1);
}

#[tokio::test]
async fn a_call_that_is_dropped_comes_to_its_end_before_the_next_look() {
    let place = Place::new();
    place.write("a", "a");
    let identity = place.stamp("a").identity;
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "d")] {
        let call = place.disk.rename(from, to, identity);
        // Begun and given up at once.
        let _ = tokio::time::timeout(Duration::ZERO, call).await;
        let seen = place.disk.look_around(None, usize::MAX).await.expect("a look");
        let LocalSeen::Whole(local) = seen.local else { panic!("everything was asked for") };
        assert_eq!(paths(&local), [to]);
    }
}

#[tokio::test]
async fn a_folder_that_is_away_is_not_made_anew_for_what_is_fetched() {
    let place = Place::new();
    let away = place.base.path().join("away");
    fs::rename(&place.root, &away).expect("taken away");
    let slot = place.disk.slot(FileId::imagined(1));
    assert!(!place.root.exists());
    assert!(fs::write(&slot, "fetched").is_err());
    // What stands in its place, as the folder that a disk is mounted on does, is left as it is.
    fs::create_dir(&place.root).expect("another folder");
    let slot = place.disk.slot(FileId::imagined(1));
    assert!(fs::write(&slot, "fetched").is_err());
    assert_eq!(fs::read_dir(&place.root).map(Iterator::count).ok(), Some(0));
}

#[tokio::test]
async fn what_is_on_its_way_and_what_was_thrown_away_is_for_its_owner_alone_and_what_arrived_is_as_any_file() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    let place = Place::new();
    let mode = |path: &str| fs::metadata(place.root.join(path)).expect("it is there").mode() & 0o777;
    let file = file_id(1);
    let incoming = crate::sync::ignored::INCOMING;
    // As an earlier version made it.
    fs::create_dir(place.root.join(incoming)).expect("a folder");
    let slot = place.disk.slot(file);
    assert_eq!(mode(incoming), 0o700);
    fs::write(&slot, "fetched").expect("a slot");
    fs::set_permissions(&slot, fs::Permissions::from_mode(0o600)).expect("rights");
    assert!(place.disk.place_fetched(file, "new", None).await.is_ok());
    place.write("usual", "as any program writes it");
    assert_eq!(mode("new"), mode("usual"));
    let root = Folder::open(&place.root).expect("the folder");
    let doomed = trash::Doomed {
        folder: &root,
        folder_path: place.root.clone(),
        name: std::ffi::OsStr::new("new"),
        stamp: place.stamp("new"),
    };
    assert_eq!(kept::keep(&root, &doomed, None), Ok(()));
    assert_eq!(mode(crate::sync::ignored::TRASH), 0o700);
    for day in fs::read_dir(place.root.join(crate::sync::ignored::TRASH)).expect("the trash").flatten() {
        assert_eq!(day.metadata().expect("a day").mode() & 0o777, 0o700);
    }
}
