//! A computer that keeps a folder in step: each time it is turned on, it runs until both sides are the same.
//!
//! Always true here: what one run has written down and learned the next finds, and nothing else. Its engine is the real
//! one, as a program of its own or within this process, where a day's time can be hurried.

use std::path::PathBuf;
use std::time::Duration;

use easel_client::{Client, Connection};
use easel_stranger::Stranger;
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_sync::{FolderSettings, Folders, Journal};
use easel_tests::hurry::Hurry;
use easel_tests::synced::{Engine, Home, Setting};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(150);
/// After so long without a step it is turned off.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// See the module.
pub struct Computer {
    home: Home,
    pub root: PathBuf,
    /// The folder of the drive.
    drive: String,
}

impl Computer {
    pub fn new(root: PathBuf, drive: &str) -> Self {
        std::fs::create_dir_all(&root).expect("a folder");
        Self { home: Home::new(), root, drive: drive.to_owned() }
    }

    /// Runs once, within this process where time is hurried. What it said, for a day that fails.
    pub async fn run_once(&self, stranger: &Stranger, hurry: Option<&Hurry>) -> String {
        match hurry {
            Some(hurry) => self.run_within(stranger, hurry).await,
            None => self.run_program(stranger).await,
        }
    }

    async fn run_program(&self, stranger: &Stranger) -> String {
        let setting = Setting::new(stranger.base_url(), stranger.key(), &self.root, &self.drive)
            .flag("--both-ways")
            .with("--deletions", "delete")
            .flag("--yes")
            .with("--give-up-after", &GIVE_UP_AFTER.as_secs().to_string());
        let engine = Engine::start(&self.home, &setting.flag("--once"));
        let ended = tokio::task::spawn_blocking(move || engine.finish(PATIENCE)).await.expect("its end");
        let code = ended.status.code();
        assert!(matches!(code, Some(0 | 1)), "{code:?} {:#?}\n{}", ended.lines, ended.log);
        let lines: Vec<String> = ended.lines.iter().map(ToString::to_string).collect();
        format!("{}\n{}", lines.join("\n"), ended.log)
    }

    async fn run_within(&self, stranger: &Stranger, hurry: &Hurry) -> String {
        let running = self.start(stranger, hurry).await;
        let states = self.work(&running.folders).await;
        running.stop().await;
        states
    }

    /// Turns it on, within this process.
    pub async fn start(&self, stranger: &Stranger, hurry: &Hurry) -> Running {
        self.start_with(stranger, hurry, FolderSettings::default()).await
    }

    /// Turns it on, within this process, with settings of which time and trash are its own.
    pub async fn start_with(&self, stranger: &Stranger, hurry: &Hurry, settings: FolderSettings) -> Running {
        let connection = Connection::new(stranger.base_url(), stranger.key().into()).expect("an address and a key");
        let client = Client::new(connection).expect("a client");
        let learned = self.home.path().join("learned.json");
        if let Ok(kept) = std::fs::read(&learned) {
            client.restore_capabilities(serde_json::from_slice(&kept).expect("what was learned"));
        }
        let journal = hurry.hold(Journal::open(&self.home.path().join("journal.db"))).await.expect("a journal");
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let clock = hurry.clone();
        let settings = FolderSettings {
            pause_on_metered: false,
            clock: easel_sync::Clock::new(move || clock.wall_us()),
            home_trash: Some(self.home.path().join("Trash")),
            ..settings
        };
        let folders = Folders::start(journal.clone(), client.clone(), "day", settings, cancel.clone(), &tasks);
        let folders = folders.await.expect("the folders");
        Running { folders, client, journal, cancel, tasks, learned }
    }

    /// Until both sides are the same, or nothing goes on.
    async fn work(&self, folders: &Folders) -> String {
        let mut changes = folders.changes();
        if folders.list().is_empty() {
            let drive = Target::New { parent: None, name: self.drive.clone() };
            let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
            folders.add(&Draft { path: self.root.clone(), drive, choices }).await.expect("a folder kept in step");
        }
        let (mut told, mut waits_until) = (Vec::new(), None);
        loop {
            let folder = folders.list().into_iter().next().expect("the folder");
            let words = format!("{:?}", folder.state);
            if told.last() != Some(&words) {
                told.push(words);
            }
            match &folder.state {
                State::UpToDate => break,
                State::NeedsYou { .. } => folders.consent(folder.id).await.expect("a yes"),
                State::Waiting { .. } | State::Settling => {
                    waits_until.get_or_insert_with(|| Instant::now() + GIVE_UP_AFTER);
                }
                State::Looking => {}
                _ => waits_until = None,
            }
            let change = timeout_at(waits_until.unwrap_or_else(far_off), changes.recv()).await;
            assert!(change.is_ok(), "it waits in vain: {told:?}");
        }
        let notes = folders.list_skipped(folders.list()[0].id, 0, 100).await.expect("its notes");
        format!("{told:#?}\n{notes:?}")
    }
}

/// A computer that is on.
pub struct Running {
    pub folders: Folders,
    client: Client,
    journal: Journal,
    cancel: CancellationToken,
    tasks: TaskTracker,
    learned: PathBuf,
}

impl Running {
    /// Turns it off, in good order.
    pub async fn stop(self) {
        let kept = serde_json::to_vec(&self.client.capabilities()).expect("what was learned");
        std::fs::write(&self.learned, kept).expect("a file");
        self.cancel.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.journal.close().await;
    }
}

fn far_off() -> Instant {
    Instant::now() + Duration::from_secs(24 * 3_600)
}
