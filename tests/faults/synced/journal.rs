//! The journal of a watched folder fails once, at each access in turn: whatever was about to be written or read just then.
//!
//! The folders run in this process, because the gate that fails an access is a part of the journal; studio, files and
//! SQLite are real. A lane is a studio of its own whose accesses are tried one after the other; lanes run side by side.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use easel_client::{Client, Connection};
use easel_sync::folders::{Choices, DeletionRule, Draft, FolderSettings, Folders, Mode, State, Target};
use easel_sync::{Access, Gate, Journal};
use easel_tests::http::Form;
use easel_tests::patience::wait_for;
use easel_tests::trees::{read_disk_below, read_drive_below};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::rig::LIMIT;
use crate::rig::Rig;

const LANES: usize = 16;

/// Fails the access of one number, as a disk without room does.
struct FailOne {
    at: usize,
    seen: AtomicUsize,
}

impl Gate for FailOne {
    fn pass(&self, _access: Access) -> io::Result<()> {
        if self.seen.fetch_add(1, Ordering::SeqCst) == self.at {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

impl FailOne {
    fn has_failed(&self) -> bool {
        self.seen.load(Ordering::SeqCst) > self.at
    }
}

/// Watched folders in this process, over a journal with a gate.
struct AtWork {
    folders: Folders,
    journal: Journal,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

impl AtWork {
    /// As a program starts: where the journal fails it says so, and a person starts it again. How often it said so.
    async fn start(rig: &Rig, journal: &Path, gate: &Arc<FailOne>) -> (Self, usize) {
        for told in 0..3 {
            match Self::try_start(rig, journal, gate).await {
                Ok(at_work) => return (at_work, told),
                Err(error) => assert_eq!(error, easel_sync::Error::DiskFull.to_string()),
            }
        }
        panic!("one access fails, and no more");
    }

    async fn try_start(rig: &Rig, journal: &Path, gate: &Arc<FailOne>) -> Result<Self, String> {
        let gate: Arc<dyn Gate> = Arc::<FailOne>::clone(gate);
        let journal = Journal::open_gated(journal, Some(gate)).await.map_err(|error| error.to_string())?;
        let connection = Connection::new(&rig.studio.base_url, rig.key.key.clone().into()).unwrap();
        let client = Client::new(connection).unwrap();
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let settings = FolderSettings { pause_on_metered: false, ..FolderSettings::default() };
        match Folders::start(journal.clone(), client, "rig", settings, cancel.clone(), &tasks).await {
            Ok(folders) => Ok(Self { folders, journal, cancel, tasks }),
            Err(error) => {
                cancel.cancel();
                journal.close().await;
                Err(error.to_string())
            }
        }
    }

    async fn stop(self) {
        self.cancel.cancel();
        self.tasks.close();
        tokio::time::timeout(Duration::from_secs(5), self.tasks.wait()).await.expect("the folders end soon");
        self.journal.close().await;
    }
}

/// One folder and its drive folder, of one number.
struct Case {
    rig: Arc<Rig>,
    root: PathBuf,
    drive: String,
    number: usize,
}

impl Case {
    fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Each case has its own contents: the drive keeps one file of each.
        fs::write(path, format!("{} {content}", self.number)).unwrap();
    }

    async fn until_equal(&self, at_work: &AtWork, told: &mut Vec<String>) {
        let what = format!("both sides to be equal, access {} having failed", self.number);
        wait_for(&what, LIMIT, async || {
            let state = at_work.folders.list().first().map(|folder| folder.state.clone());
            if let Some(State::Waiting { .. } | State::NeedsYou { .. }) = &state {
                told.push(format!("{state:?}"));
            }
            if !matches!(state, Some(State::UpToDate)) {
                return Err(format!("{state:?}"));
            }
            let here = read_disk_below(&self.root);
            let there = read_drive_below(&self.rig.service(), &self.drive).await;
            if here == there { Ok(()) } else { Err(format!("{state:?}; here {here:?}; there {there:?}")) }
        })
        .await;
    }

    /// Begins to watch; where that fails, the person was told, and tries again.
    async fn add(&self, at_work: &AtWork, told: &mut Vec<String>) {
        let drive = Target::New { parent: None, name: self.drive.clone() };
        let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
        let draft = Draft { path: self.root.clone(), drive, choices };
        for _ in 0..3 {
            match at_work.folders.add(&draft).await {
                Ok(_) => return,
                Err(error) => {
                    assert!(matches!(error, easel_sync::Error::DiskFull), "access {}: {error}", self.number);
                    told.push(error.to_string());
                }
            }
        }
        panic!("one access fails, and no more");
    }

    async fn upload(&self, name: &str) {
        let folders = self.rig.service().get("/v1/drive/folders?limit=200").await.expect(200);
        let is_it = |folder: &&serde_json::Value| folder["name"] == self.drive.as_str();
        let folder = folders["data"].as_array().unwrap().iter().find(is_it).unwrap()["id"].clone();
        let content = format!("{} from afar", self.number);
        let form = Form::new().text("folder_id", folder.as_str().unwrap());
        let form = form.file("file", name, "text/plain", content.as_bytes());
        let _ = self.rig.service().post_form("/v1/uploads", &form).await.success();
    }

    /// A first run, a day's work on both sides, and a start of the program. Whether the access was one of it, and what the
    /// person was told.
    async fn run(&self, place: &Path) -> (bool, Vec<String>) {
        self.write("one.txt", "one");
        self.write("inner/two.txt", "two");
        self.write("inner/three.txt", "three");
        let gate = Arc::new(FailOne { at: self.number, seen: AtomicUsize::new(0) });
        let journal = place.join(format!("journal {}.db", self.number));
        let mut told = Vec::new();
        let (at_work, failed) = AtWork::start(&self.rig, &journal, &gate).await;
        told.extend(std::iter::repeat_n("the program did not start".to_owned(), failed));
        self.add(&at_work, &mut told).await;
        self.until_equal(&at_work, &mut told).await;

        self.write("one.txt", "one, edited");
        fs::rename(self.root.join("inner"), self.root.join("inside")).unwrap();
        fs::remove_file(self.root.join("inside/three.txt")).unwrap();
        self.write("new/four.txt", "four");
        self.upload("from afar.txt").await;
        at_work.folders.look_again(at_work.folders.list()[0].id).await.unwrap();
        self.until_equal(&at_work, &mut told).await;
        let expected = ["from afar.txt", "inside", "inside/two.txt", "new", "new/four.txt", "one.txt"];
        let here = read_disk_below(&self.root);
        assert!(here.keys().eq(expected), "access {}: {here:?}", self.number);
        at_work.stop().await;

        let (at_work, failed) = AtWork::start(&self.rig, &journal, &gate).await;
        told.extend(std::iter::repeat_n("the program did not start".to_owned(), failed));
        self.until_equal(&at_work, &mut told).await;
        at_work.stop().await;
        told.dedup();
        (gate.has_failed(), told)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whichever_journal_access_fails_both_sides_become_equal() {
    let lanes = (0..LANES).map(async |lane| {
        let rig = Rig::start().await;
        let place = TempDir::with_prefix("easel-journal-").unwrap();
        for number in (lane..).step_by(LANES) {
            let root = place.path().join(format!("folder {number}"));
            fs::create_dir(&root).unwrap();
            let case = Case { rig: Arc::clone(&rig), root, drive: format!("Watched {number}"), number };
            let (has_failed, told) = case.run(place.path()).await;
            if !has_failed {
                return number;
            }
            println!("access {number}: both sides are equal; told on the way: {told:?}");
        }
        unreachable!("a run has an end")
    });
    let first_beyond = futures_util::future::join_all(lanes).await;
    let tried = first_beyond.into_iter().min().unwrap_or_default();
    assert!(tried > 50, "a first run, a day's work and a start are more than {tried} accesses");
}
