//! A queue at work in this process, and what the drive and the disk hold, in a form that compares.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use easel_client::{Client, Connection};
use easel_sync::{Filter, Journal, Queue, Settings, State, Transfer, TransferId, Waiting};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Key, Studio};
pub use easel_tests::trees::{Item, read_disk, read_drive};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a journey may take from one sight to the next.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A queue at work.
pub struct Sending {
    pub queue: Queue,
    pub files: TempDir,
    journal: Journal,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

impl Sending {
    /// Starts a queue that sends to the studio with the key, its journal beside the files.
    pub async fn start(studio: &Studio, key: &Key) -> Self {
        Self::start_with(client(studio, key)).await
    }

    /// As [`Sending::start`], through a client of the test's own.
    pub async fn start_with(client: Client) -> Self {
        let files = TempDir::with_prefix("easel-files-").expect("a folder");
        let journal = files.path().join("journal.db");
        Self::start_on(&journal, files, client).await
    }

    /// As [`Sending::start_with`], with the journal elsewhere.
    pub async fn start_on(journal: &Path, files: TempDir, client: Client) -> Self {
        let journal = Journal::open(journal).await.expect("a journal");
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let settings = Settings {
            settle: Duration::from_millis(500),
            first_probe: Duration::from_millis(100),
            last_probe: Duration::from_secs(1),
            ..Settings::default()
        };
        let queue = Queue::start_with(journal.clone(), client, "studio", cancel.clone(), &tasks, settings)
            .await
            .expect("a queue");
        Self { queue, files, journal, cancel, tasks }
    }

    /// Ends the queue, which takes two seconds at most.
    pub async fn stop(self) {
        self.cancel.cancel();
        self.tasks.close();
        let ended = tokio::time::timeout(Duration::from_secs(2), self.tasks.wait()).await;
        assert!(ended.is_ok(), "the queue did not end within two seconds");
        self.journal.close().await;
    }

    /// A path among the files.
    pub fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// Drops paths on the top of the drive; all of them are taken.
    pub async fn drop_paths(&self, paths: &[PathBuf]) -> Vec<TransferId> {
        let enqueued = self.queue.enqueue(paths.to_vec(), None).await.expect("a drop");
        assert_eq!(enqueued.skipped, []);
        enqueued.accepted
    }

    pub async fn transfer(&self, id: TransferId) -> Transfer {
        self.queue.get(id).await.expect("a transfer")
    }

    /// Waits until a transfer is in a state.
    pub async fn until(&self, id: TransferId, wanted: State) -> Transfer {
        wait_for(&format!("{wanted:?}"), PATIENCE, async || {
            let transfer = self.transfer(id).await;
            if transfer.state == wanted { Ok(transfer) } else { Err(format!("{transfer:?}")) }
        })
        .await
    }

    /// Waits until so many bytes of a transfer are over, looking so often that it is then still at work.
    pub async fn until_on_its_way(&self, id: TransferId, bytes: u64) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let transfer = self.transfer(id).await;
            if transfer.state == State::Sending && transfer.sent_bytes >= bytes {
                return;
            }
            assert!(tokio::time::Instant::now() < deadline, "never on its way: {transfer:?}");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Waits until the queue waits for something, or no longer does.
    pub async fn until_waiting(&self, wanted: Option<Waiting>) {
        wait_for(&format!("{wanted:?}"), PATIENCE, async || {
            let summary = self.queue.summary().await.map_err(|error| error.to_string())?;
            if summary.waiting == wanted { Ok(()) } else { Err(format!("{summary:?}")) }
        })
        .await;
    }

    /// Waits until nothing is unfinished, and returns all transfers, oldest first.
    pub async fn until_done(&self) -> Vec<Transfer> {
        wait_for("all transfers to end", PATIENCE, async || {
            let summary = self.queue.summary().await.map_err(|error| error.to_string())?;
            let unfinished = self.queue.list(Filter::Unfinished, 0, 1).await.map_err(|error| error.to_string())?;
            if unfinished.is_empty() && summary.active == 0 { Ok(()) } else { Err(format!("{summary:?}")) }
        })
        .await;
        let mut all = self.queue.list(Filter::All, 0, 1_000).await.expect("a list");
        all.reverse();
        all
    }
}

/// A client of the studio.
pub fn client(studio: &Studio, key: &Key) -> Client {
    let connection = Connection::new(&studio.base_url, key.key.clone().into()).expect("a connection");
    Client::new(connection).expect("a client")
}

/// A plain client of the studio.
pub fn plain(studio: &Studio, key: &Key) -> Http {
    Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL)
}

/// Makes a file look as if it had been written long ago, so that nobody waits for it to stand still.
pub fn age(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("an older time");
}
