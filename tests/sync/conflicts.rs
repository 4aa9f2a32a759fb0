//! Two people edit one file at once, and one of them settles it: each way that there is, and what the other sees of it.
//!
//! Always true here: Ada's engine runs within this test, so that she can be asked what she is shown and say what she wants; Ben's
//! is a process of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use easel_client::{Client, Connection};
use easel_sync::folders::{
    Choices, Conflict, DeletionRule, Draft, Folder, Keep, Mode, ShownVersion, Side, State, Target, WatchId,
};
use easel_sync::{Error, FolderSettings, Folders, Journal};
use easel_tests::patience::wait_for;
use easel_tests::samples::hash_bytes;
use easel_tests::synced::{Engine, Setting};
use easel_tests::trees::{Item, read_drive_below};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::computers::{Computer, LIMIT, Site};

/// The drive folder, at the top of the drive.
const DRIVE: &str = "Brand";

/// Ada's computer, with an engine that can be asked.
struct Ada {
    computer: Computer,
    folders: Folders,
    journal: Journal,
    cancel: CancellationToken,
    tasks: TaskTracker,
    url: String,
    key: String,
}

impl Ada {
    async fn start(site: &Site, computer: Computer) -> Self {
        Self::start_at(site.proxy.url(), site.key.key.clone(), computer).await
    }

    async fn start_at(url: String, key: String, computer: Computer) -> Self {
        let client = Client::new(Connection::new(&url, key.clone().into()).unwrap()).unwrap();
        let journal = Journal::open(&computer.home.path().join("journal.db")).await.unwrap();
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let settings = FolderSettings {
            pause_on_metered: false,
            host_name: "ada".to_owned(),
            home_trash: Some(computer.home.path().join("share/Trash")),
            ..FolderSettings::default()
        };
        let folders = Folders::start(journal.clone(), client, "here", settings, cancel.clone(), &tasks).await.unwrap();
        Self { computer, folders, journal, cancel, tasks, url, key }
    }

    /// Turns the computer off and on again.
    async fn restart(self) -> Self {
        self.restart_after(async |_| {}).await
    }

    /// Turns the computer off, and on again when this is done.
    async fn restart_after(self, between: impl AsyncFnOnce(&Computer)) -> Self {
        let Self { computer, folders, journal, cancel, tasks, url, key } = self;
        cancel.cancel();
        tasks.close();
        tasks.wait().await;
        drop(folders);
        journal.close().await;
        between(&computer).await;
        Self::start_at(url, key, computer).await
    }

    async fn add(&self, deletions: DeletionRule) -> WatchId {
        let drive = Target::New { parent: None, name: DRIVE.to_owned() };
        let choices = Choices { mode: Mode::BothWays, deletions, ..Choices::default() };
        self.folders.add(&Draft { path: self.computer.root.clone(), drive, choices }).await.unwrap()
    }

    fn folder(&self) -> Folder {
        self.folders.list().into_iter().next().unwrap()
    }

    async fn until(&self, what: &str, is_so: impl Fn(&Folder) -> bool) -> Folder {
        wait_for(what, LIMIT, async || {
            let folder = self.folder();
            if is_so(&folder) { Ok(folder) } else { Err(format!("{folder:?}\n{:?}", self.computer.files())) }
        })
        .await
    }

    async fn until_up_to_date_with(&self, conflicts: u64) {
        let is_so = |folder: &Folder| folder.state == State::UpToDate && folder.conflicts == conflicts;
        self.until(&format!("{conflicts} conflicts and nothing else to do"), is_so).await;
    }

    /// The open conflicts, by the path of the file with the name.
    async fn conflicts(&self) -> BTreeMap<String, Conflict> {
        let found = self.folders.list_conflicts(self.folder().id).await.unwrap();
        found.into_iter().map(|conflict| (conflict.original.path.clone(), conflict)).collect()
    }

    async fn settle(&self, conflict: &Conflict, keep: Keep) -> Result<(), Error> {
        let seen = (conflict.original.seen, conflict.copy.seen);
        self.folders.settle_conflict(conflict.folder, conflict.id, keep, seen).await
    }
}

/// What one computer holds.
fn files(computer: &Computer) -> BTreeMap<String, String> {
    computer.files().into_iter().collect()
}

fn of(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, content)| ((*path).to_owned(), (*content).to_owned())).collect()
}

fn start_ben(site: &Site, ben: &Computer) -> Engine {
    let setting = Setting::new(&site.proxy.url(), &site.key.key, &ben.root, DRIVE);
    Engine::start(&ben.home, &setting.flag("--both-ways").with("--deletions", "delete"))
}

async fn until_ben_has(ben: &Computer, engine: &Engine, expected: &BTreeMap<String, String>) {
    wait_for("Ben to have it", LIMIT, async || {
        let found = files(ben);
        if found == *expected { Ok(()) } else { Err(format!("{found:?}\n{}", engine.describe())) }
    })
    .await;
}

/// Both edit these files, while Ada's computer is paused; then hers goes on.
async fn edit_at_once(site: &Site, ada: &Ada, ben: &Computer, paths: &[&str]) {
    let id = ada.folder().id;
    ada.folders.pause(id).await.unwrap();
    ada.until("the pause", |folder| folder.state == State::Paused).await;
    for path in paths {
        ben.write(path, format!("{path} as Ben has it"));
        ada.computer.write(path, format!("{path}, edited by Ada"));
    }
    wait_for("Ben's edits in the drive", LIMIT, async || {
        let there = read_drive_below(&site.service(), DRIVE).await;
        let is_there = |path: &&str| {
            let hash = hash_bytes(format!("{path} as Ben has it").as_bytes());
            there.get(*path).and_then(Item::content) == Some(hash.as_str())
        };
        if paths.iter().all(is_there) { Ok(()) } else { Err(format!("{there:?}")) }
    })
    .await;
    ada.folders.resume(id).await.unwrap();
}

/// Files that both have, and both edit.
async fn begin(site: &Site, deletions: DeletionRule, paths: &[&str]) -> (Ada, Computer, Engine) {
    let (computer, ben) = (site.computer(), site.computer());
    for path in paths {
        computer.write(path, format!("{path}, the first"));
    }
    let ada = Ada::start(site, computer).await;
    ada.add(deletions).await;
    ada.until_up_to_date_with(0).await;
    let engine = start_ben(site, &ben);
    until_ben_has(&ben, &engine, &files(&ada.computer)).await;
    edit_at_once(site, &ada, &ben, paths).await;
    ada.until_up_to_date_with(paths.len() as u64).await;
    (ada, ben, engine)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_settled_each_way_and_the_other_computer_follows() {
    settle_each_way(&Site::open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_settled_each_way_where_the_service_keeps_no_versions() {
    let site = Site::open().await;
    site.keep_no_versions();
    settle_each_way(&site).await;
}

async fn settle_each_way(site: &Site) {
    let (ada, ben, engine) = begin(site, DeletionRule::Delete, &["in/copy.txt", "original.txt", "both.txt"]).await;
    let found = ada.conflicts().await;
    assert_eq!(found.keys().collect::<Vec<_>>(), ["both.txt", "in/copy.txt", "original.txt"]);
    let named = &found["in/copy.txt"];
    assert!(named.copy.path.starts_with("in/copy (conflict, ada, "), "{named:?}");
    assert_eq!(ada.computer.read("in/copy.txt").as_deref(), Some("in/copy.txt as Ben has it"));
    assert_eq!(ada.computer.read(&named.copy.path).as_deref(), Some("in/copy.txt, edited by Ada"));
    assert!(named.original.file_id.is_some() && named.copy.file_id.is_some(), "{named:?}");
    until_ben_has(&ben, &engine, &files(&ada.computer)).await;

    ada.settle(named, Keep::One(Side::Copy)).await.unwrap();
    ada.settle(&found["original.txt"], Keep::One(Side::Original)).await.unwrap();
    ada.settle(&found["both.txt"], Keep::Both).await.unwrap();
    let kept = found["both.txt"].copy.path.clone();
    let expected = of(&[
        ("in/copy.txt", "in/copy.txt, edited by Ada"),
        ("original.txt", "original.txt as Ben has it"),
        ("both.txt", "both.txt as Ben has it"),
        (&kept, "both.txt, edited by Ada"),
    ]);
    assert_eq!(files(&ada.computer), expected);
    assert_eq!((ada.conflicts().await.len(), ada.folder().conflicts), (0, 0));
    let thrown = ada.computer.home.read_trash();
    for text in ["in/copy.txt as Ben has it", "original.txt, edited by Ada"] {
        assert!(thrown.contains(&hash_bytes(text.as_bytes())), "{text} is in the trash");
    }
    until_ben_has(&ben, &engine, &expected).await;
    wait_for("the drive to have the same", LIMIT, async || {
        let there = read_drive_below(&site.service(), DRIVE).await;
        let held: BTreeMap<String, String> =
            there.iter().filter_map(|(path, item)| Some((path.clone(), item.content()?.to_owned()))).collect();
        let wanted: BTreeMap<String, String> =
            expected.iter().map(|(path, text)| (path.clone(), hash_bytes(text.as_bytes()))).collect();
        if held == wanted { Ok(()) } else { Err(format!("{held:?}")) }
    })
    .await;
    ada.until_up_to_date_with(0).await;

    // That both are wanted can be taken back, and holds at the next start.
    ada.folders.reopen_conflict(ada.folder().id, found["both.txt"].id).await.unwrap();
    let ada = ada.restart().await;
    ada.until_up_to_date_with(1).await;
    assert_eq!(ada.conflicts().await.keys().collect::<Vec<_>>(), ["both.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_since_it_was_shown_is_left_alone_and_what_is_gone_is_over_by_itself() {
    let site = Site::open().await;
    let (ada, _ben, _engine) = begin(&site, DeletionRule::Delete, &["edited.txt", "gone.txt", "same.txt"]).await;
    let ada = ada.restart().await;
    ada.until_up_to_date_with(3).await;
    let found = ada.conflicts().await;
    let (edited, gone, same) = (&found["edited.txt"], &found["gone.txt"], &found["same.txt"]);

    ada.computer.write(&edited.copy.path, "edited again");
    let before = files(&ada.computer);
    for keep in [Keep::One(Side::Original), Keep::One(Side::Copy)] {
        match ada.settle(edited, keep).await {
            Err(Error::ChangedSinceShown { path }) => assert_eq!(path, edited.copy.path),
            other => panic!("{other:?}"),
        }
    }
    let (id, folder) = (edited.id, edited.folder);
    let unread = ada.folders.read_conflict(folder, id, Side::Copy, edited.copy.seen, 100).await;
    assert!(matches!(unread, Err(Error::ChangedSinceShown { .. })), "{unread:?}");
    assert_eq!(files(&ada.computer), before, "nothing was done");
    assert!(
        ada.computer.home.read_trash().is_disjoint(&before.values().map(|text| hash_bytes(text.as_bytes())).collect())
    );
    let now = ada.folders.get_conflict(folder, id).await.unwrap();
    let read = ada.folders.read_conflict(folder, id, Side::Copy, now.copy.seen, 6).await.unwrap();
    assert_eq!(read, b"edited");
    let written: ShownVersion = now.copy.seen.to_string().parse().unwrap();
    assert_eq!(written, now.copy.seen);

    // By hand: one is deleted, of another both get the same content.
    fs::remove_file(ada.computer.path(&gone.copy.path)).unwrap();
    ada.computer.write("same.txt", "at last");
    ada.computer.write(&same.copy.path, "at last");
    ada.until_up_to_date_with(1).await;
    assert_eq!(ada.conflicts().await.keys().collect::<Vec<_>>(), ["edited.txt"]);
    for over in [gone, same] {
        let settled = ada.settle(over, Keep::One(Side::Copy)).await;
        assert!(matches!(settled, Err(Error::NoConflict)), "{settled:?}");
    }

    // A folder that is away says nothing about what is in it, and is touched by nobody.
    ada.folders.pause(folder).await.unwrap();
    ada.until("the pause", |folder| folder.state == State::Paused).await;
    ada.settle(&now, Keep::One(Side::Copy)).await.unwrap();
    assert_eq!(ada.computer.read("edited.txt").as_deref(), Some("edited again"), "a paused folder can be settled");
    assert_eq!(ada.folder().conflicts, 0);
}

/// The journal of a computer on which nothing runs, or which only gets another conflict.
async fn open_journal(home: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(home.join("journal.db")).connect().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_while_it_keeps_a_copy_gives_it_the_name_at_the_next_start() {
    let site = Site::open().await;
    let (ada, ben, engine) = begin(&site, DeletionRule::Delete, &["a.txt", "b.txt"]).await;
    let found = ada.conflicts().await;
    let (begun, taken) = (&found["a.txt"], &found["b.txt"]);
    let ada = ada
        .restart_after(async |computer| {
            let mut journal = open_journal(computer.home.path()).await;
            for conflict in [begun, taken] {
                let seen = conflict.copy.seen.to_string();
                let copy: u64 = seen.split('.').nth(2).unwrap().parse().unwrap();
                sqlx::query("UPDATE conflicts SET copy_identity = $1 WHERE id = $2")
                    .bind(copy.cast_signed())
                    .bind(conflict.id.0)
                    .execute(&mut journal)
                    .await
                    .unwrap();
            }
            // Of one the original is in the trash already, of the other not yet.
            fs::remove_file(computer.path("a.txt")).unwrap();
        })
        .await;
    ada.until_up_to_date_with(1).await;
    let expected = of(&[
        ("a.txt", "a.txt, edited by Ada"),
        ("b.txt", "b.txt as Ben has it"),
        (&taken.copy.path, "b.txt, edited by Ada"),
    ]);
    assert_eq!(files(&ada.computer), expected);
    assert_eq!(ada.conflicts().await.keys().collect::<Vec<_>>(), ["b.txt"], "that one is asked about again");
    until_ben_has(&ben, &engine, &expected).await;
    ada.settle(&ada.conflicts().await["b.txt"], Keep::One(Side::Copy)).await.unwrap();
    assert_eq!(ada.computer.read("b.txt").as_deref(), Some("b.txt, edited by Ada"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_that_cannot_be_looked_at_does_not_keep_the_others_from_being_listed() {
    let site = Site::open().await;
    let (ada, _ben, _engine) = begin(&site, DeletionRule::Delete, &["a.txt"]).await;
    // No disk takes the name, whoever runs this: files without rights can be read by some.
    let long = "n".repeat(300);
    sqlx::query(
        "INSERT INTO conflicts (watch_id, at, path, kept_as) SELECT watch_id, at, $1, $2 FROM conflicts LIMIT 1",
    )
    .bind(&long)
    .bind(format!("{long} (conflict)"))
    .execute(&mut open_journal(ada.computer.home.path()).await)
    .await
    .unwrap();
    assert_eq!(ada.conflicts().await.keys().collect::<Vec<_>>(), ["a.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_away_keeps_its_conflicts() {
    let site = Site::open().await;
    let (ada, _ben, _engine) = begin(&site, DeletionRule::Delete, &["a.txt"]).await;
    let away = ada.computer.root.with_file_name("away");
    fs::rename(&ada.computer.root, &away).unwrap();
    let ada = ada.restart().await;
    ada.until("it to be missed", |folder| matches!(folder.state, State::NeedsYou { .. })).await;
    assert_eq!(ada.folder().conflicts, 1);
    let listed = ada.folders.list_conflicts(ada.folder().id).await;
    assert!(matches!(&listed, Err(Error::Disk { path, .. }) if path.is_empty()), "{listed:?}");
    fs::rename(&away, &ada.computer.root).unwrap();
    ada.folders.look_again(ada.folder().id).await.unwrap();
    ada.until_up_to_date_with(1).await;
    assert_eq!(ada.conflicts().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_drive_keeps_what_is_deleted_here_the_kept_version_still_gets_the_name_everywhere() {
    let site = Site::open().await;
    let (ada, ben, engine) = begin(&site, DeletionRule::Keep, &["a.txt"]).await;
    let found = ada.conflicts().await;
    ada.settle(&found["a.txt"], Keep::One(Side::Copy)).await.unwrap();
    ada.until_up_to_date_with(0).await;
    assert_eq!(files(&ada.computer), of(&[("a.txt", "a.txt, edited by Ada")]));
    // The rule is the person's: the file with the other name is deleted nowhere but here.
    let expected = of(&[("a.txt", "a.txt, edited by Ada"), (&found["a.txt"].copy.path, "a.txt, edited by Ada")]);
    until_ben_has(&ben, &engine, &expected).await;
}
