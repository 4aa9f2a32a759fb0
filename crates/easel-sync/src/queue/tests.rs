//! The queue against a small drive that stops where a test wants it to.

mod edited;
mod held;
mod told;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::queue::stub::{Meet, Stub};
use crate::{Access, Cause, Error, Filter, Gate, Journal, Queue, Settings, State, TransferId, Waiting};

const DIRECT_CEILING: u64 = 33_554_432;
/// Everything but tiny files goes up signed.
const TINY_CEILING: u64 = 2_000;

/// A queue at work, the drive that it works with, and a folder for files.
struct Bench {
    stub: Arc<Stub>,
    queue: Queue,
    files: TempDir,
    cancel: CancellationToken,
    tasks: TaskTracker,
    settings: Settings,
    gate: Option<Arc<dyn Gate>>,
}

fn quick() -> Settings {
    Settings {
        settle: Duration::from_millis(300),
        first_probe: Duration::from_millis(20),
        last_probe: Duration::from_millis(100),
        ..Settings::default()
    }
}

impl Bench {
    async fn new(direct_ceiling: u64) -> Self {
        Self::with(direct_ceiling, quick(), None).await
    }

    async fn with(direct_ceiling: u64, settings: Settings, gate: Option<Arc<dyn Gate>>) -> Self {
        let files = TempDir::new().unwrap();
        let stub = Arc::new(Stub::start(direct_ceiling).await);
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let queue = start(&files, &stub, &settings, gate.clone(), &cancel, &tasks).await.unwrap();
        Self { stub, queue, files, cancel, tasks, settings, gate }
    }

    /// Ends the queue and starts it again on its journal.
    async fn restart(&mut self) {
        self.stop().await;
        (self.cancel, self.tasks) = (CancellationToken::new(), TaskTracker::new());
        self.queue =
            start(&self.files, &self.stub, &self.settings, self.gate.clone(), &self.cancel, &self.tasks).await.unwrap();
    }

    async fn stop(&self) {
        self.cancel.cancel();
        self.tasks.close();
        tokio::time::timeout(Duration::from_secs(2), self.tasks.wait()).await.expect("everything ends within 2 s");
        self.queue.shared.journal.close().await;
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// A file that was written long ago.
    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        age(&path);
        path
    }

    async fn enqueue(&self, paths: &[PathBuf]) -> Vec<TransferId> {
        let enqueued = self.queue.enqueue(paths.to_vec(), None).await.unwrap();
        assert_eq!(enqueued.skipped, []);
        enqueued.accepted
    }

    async fn state(&self, id: TransferId) -> State {
        self.queue.get(id).await.unwrap().state
    }

    async fn until_state(&self, id: TransferId, wanted: State) {
        until(&format!("{id} is {wanted:?}"), async || self.state(id).await == wanted).await;
    }

    async fn until_waiting(&self, wanted: Option<Waiting>) {
        until("the queue waits as it should", async || self.queue.summary().await.unwrap().waiting == wanted).await;
    }

    async fn until_idle(&self) {
        until("the queue is at rest", async || {
            let summary = self.queue.summary().await.unwrap();
            summary.active == 0
                && !summary.is_counting
                && self.queue.list(Filter::Unfinished, 0, 1).await.unwrap().is_empty()
        })
        .await;
    }
}

async fn start(
    files: &TempDir,
    stub: &Stub,
    settings: &Settings,
    gate: Option<Arc<dyn Gate>>,
    cancel: &CancellationToken,
    tasks: &TaskTracker,
) -> Result<Queue, Error> {
    let journal = Journal::open_gated(&files.path().join("journal.db"), gate).await?;
    Queue::start_with(journal, stub.client(), "here", cancel.clone(), tasks, settings.clone()).await
}

fn age(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();
}

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while !is_so().await {
        assert!(tokio::time::Instant::now() < deadline, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn hold(stub: &Stub, route: &'static str) -> Arc<Semaphore> {
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    stub.meet(move |met| if met == route { Meet::Hold(Arc::clone(&held)) } else { Meet::Service });
    gate
}

fn refuse(stub: &Stub, route: &'static str, status: u16, code: &'static str) {
    stub.meet(move |met| if met == route { Meet::Refusal(status, code) } else { Meet::Service });
}

const UPLOAD: &str = "POST /v1/uploads";
const REGISTER: &str = "POST /v1/uploads/register";

#[tokio::test]
async fn sends_files_both_ways_and_says_what_was_there_already() {
    let bench = Bench::new(TINY_CEILING).await;
    let (small, large) = (bench.file("a.png", b"tiny"), bench.file("deck.pdf", &[7; 10_000]));
    let same = bench.file("copy of a.png", b"tiny");
    let ids = bench.enqueue(&[small, large]).await;
    bench.until_idle().await;
    let again = bench.enqueue(&[same]).await;
    bench.until_idle().await;
    for id in &ids {
        assert_eq!(bench.state(*id).await, State::Sent);
    }
    let twin = bench.queue.get(again[0]).await.unwrap();
    assert_eq!(twin.state, State::AlreadyThere);
    assert_eq!(twin.result.unwrap().filename.as_deref(), Some("a.png"));
    let files = bench.stub.files();
    assert_eq!(
        files.iter().map(|file| (file.name.as_str(), file.content.len())).collect::<Vec<_>>(),
        [("a.png", 4), ("deck.pdf", 10_000)]
    );
    assert_eq!((bench.stub.count(UPLOAD), bench.stub.count(REGISTER)), (2, 1));
    bench.stop().await;
}

#[tokio::test]
async fn a_folder_arrives_whole_with_its_empty_folders_and_each_is_made_once() {
    let bench = Bench::new(DIRECT_CEILING).await;
    for (index, name) in ["x/a.txt", "x/y/b.txt", "x/y/c.txt", "x/z/ÄÖ ü.txt"].into_iter().enumerate() {
        bench.file(&format!("drop/{name}"), &[u8::try_from(index).unwrap(); 3]);
    }
    bench.file("drop/empty.txt", b"");
    std::fs::create_dir_all(bench.path("drop/x/nothing/within")).unwrap();
    let ids = bench.enqueue(&[bench.path("drop")]).await;
    assert_eq!(ids.len(), 6);
    bench.until_idle().await;
    let paths: Vec<_> = bench.stub.files().iter().map(|file| bench.stub.path_of(file)).collect();
    assert_eq!(paths, ["drop/x/a.txt", "drop/x/y/b.txt", "drop/x/y/c.txt", "drop/empty.txt", "drop/x/z/ÄÖ ü.txt"]);
    let folders = ["drop", "drop/x", "drop/x/nothing", "drop/x/nothing/within", "drop/x/y", "drop/x/z"];
    assert_eq!(bench.stub.folder_paths(), folders);
    assert_eq!(bench.stub.count("POST /v1/drive/folders"), folders.len());
    let summary = bench.queue.summary().await.unwrap();
    assert_eq!((summary.total, summary.finished, summary.failed), (6, 6, 0));
    bench.stop().await;
}

#[tokio::test]
async fn a_folder_that_the_drive_has_is_used_and_not_made_again() {
    let bench = Bench::new(DIRECT_CEILING).await;
    bench.file("drop/a.txt", b"a");
    bench.enqueue(&[bench.path("drop")]).await;
    bench.until_idle().await;
    bench.file("drop/b.txt", b"b");
    bench.enqueue(&[bench.path("drop")]).await;
    bench.until_idle().await;
    assert_eq!(bench.stub.folder_paths(), ["drop"]);
    assert_eq!(bench.stub.files().len(), 2);
    bench.stop().await;
}

#[tokio::test]
async fn what_a_person_touched_last_goes_first_and_older_drops_before_newer_ones() {
    let bench = Bench::with(DIRECT_CEILING, Settings { at_once: 1, ..quick() }, None).await;
    let gate = hold(&bench.stub, UPLOAD);
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        ids.extend(bench.enqueue(&[bench.file(name, name.as_bytes())]).await);
    }
    until("the first is on its way", async || bench.stub.count(UPLOAD) == 1).await;
    bench.queue.promote(ids[3]).await.unwrap();
    bench.queue.pause(ids[4]).await.unwrap();
    bench.queue.resume(ids[4]).await.unwrap();
    let turns: Vec<_> =
        bench.queue.list(Filter::Unfinished, 0, 10).await.unwrap().into_iter().map(|transfer| transfer.name).collect();
    assert_eq!(turns, ["e", "d", "a", "b", "c"]);
    gate.add_permits(5);
    bench.until_idle().await;
    assert_eq!(bench.stub.names_as_they_came(), ["a", "e", "d", "b", "c"]);
    bench.stop().await;
}

#[tokio::test]
async fn a_small_file_does_not_wait_for_large_ones() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    bench.stub.meet(move |route| if route == "PUT /storage" { Meet::Hold(Arc::clone(&held)) } else { Meet::Service });
    let mut larges = Vec::new();
    for index in 0..4_u8 {
        let path = bench.file(&format!("large {index}"), &[index]);
        std::fs::File::options().write(true).open(&path).unwrap().set_len(34_000_000 + u64::from(index)).unwrap();
        age(&path);
        larges.push(path);
    }
    bench.enqueue(&larges).await;
    until("two large ones are on their way", async || bench.queue.summary().await.unwrap().active == 2).await;
    let small = bench.enqueue(&[bench.file("small", b"s")]).await;
    bench.until_state(small[0], State::Sent).await;
    assert_eq!(bench.queue.summary().await.unwrap().active, 2);
    bench.queue.cancel_all().await.unwrap();
    bench.until_idle().await;
    assert_eq!(bench.stub.names_as_they_came(), ["small"]);
    bench.stop().await;
}

#[tokio::test]
async fn of_one_content_the_first_is_sent_and_the_next_was_there_already() {
    let check = async |content: &[u8], other: &[u8]| {
        let bench = Bench::new(DIRECT_CEILING).await;
        let gate = hold(&bench.stub, UPLOAD);
        let files = [bench.file("first", content), bench.file("second", content), bench.file("third", other)];
        let ids = bench.enqueue(&files).await;
        until("two are on their way", async || bench.stub.count(UPLOAD) == 2).await;
        gate.add_permits(100);
        bench.until_idle().await;
        let mut states = Vec::new();
        for id in &ids {
            states.push(bench.state(*id).await);
        }
        assert_eq!(states, [State::Sent, State::AlreadyThere, State::Sent]);
        let names: Vec<_> = bench.stub.files().into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["first", "third"]);
        bench.stop().await;
    };
    check(b"same", b"else").await;
    let long = vec![7; 200_000];
    let mut ends_differently = long.clone();
    ends_differently[199_999] = 8;
    check(&long, &ends_differently).await;
}

#[tokio::test]
async fn pausing_keeps_a_file_out_of_the_drive_until_it_is_resumed() {
    let bench = Bench::new(TINY_CEILING).await;
    let _gate = hold(&bench.stub, "POST /v1/uploads/url");
    let id = bench.enqueue(&[bench.file("deck", &[1; 5_000])]).await[0];
    until("it is signed", async || bench.stub.count("POST /v1/uploads/url") == 1).await;
    assert!(bench.queue.get(id).await.unwrap().restarts_on_pause);
    bench.queue.pause(id).await.unwrap();
    bench.until_state(id, State::Paused).await;
    bench.stub.meet(|_| Meet::Service);
    assert_eq!(bench.queue.summary().await.unwrap().paused, 1);
    assert_eq!(bench.stub.files().len(), 0);
    bench.queue.resume(id).await.unwrap();
    bench.until_state(id, State::Sent).await;
    bench.stop().await;
}

#[tokio::test]
async fn what_is_paused_stays_paused_over_a_restart() {
    let mut bench = Bench::new(DIRECT_CEILING).await;
    bench.stub.meet(|route| if route == UPLOAD { Meet::Refusal(401, "authentication") } else { Meet::Service });
    let ids = bench.enqueue(&[bench.file("a", b"a"), bench.file("b", b"b")]).await;
    bench.queue.pause_all().await.unwrap();
    bench.stub.meet(|_| Meet::Service);
    bench.restart().await;
    bench.queue.resume(ids[1]).await.unwrap();
    bench.until_state(ids[1], State::Sent).await;
    assert_eq!(bench.state(ids[0]).await, State::Paused);
    bench.queue.resume_all().await.unwrap();
    bench.until_state(ids[0], State::Sent).await;
    bench.stop().await;
}

#[tokio::test]
async fn canceling_leaves_nothing_in_the_drive() {
    let bench = Bench::new(TINY_CEILING).await;
    let gate = hold(&bench.stub, "PUT /storage");
    let id = bench.enqueue(&[bench.file("deck", &[1; 5_000])]).await[0];
    until("it is being put", async || bench.stub.count("PUT /storage") == 1).await;
    bench.queue.cancel(id).await.unwrap();
    bench.until_state(id, State::Canceled).await;
    gate.add_permits(10);
    bench.stub.meet(|_| Meet::Service);
    bench.until_idle().await;
    assert_eq!((bench.stub.files().len(), bench.stub.count(REGISTER)), (0, 0));
    bench.queue.retry(id).await.unwrap();
    bench.until_state(id, State::Sent).await;
    bench.stop().await;
}

#[tokio::test]
async fn canceling_while_the_answer_is_due_waits_for_it_and_says_which() {
    let bench = Bench::new(TINY_CEILING).await;
    let check = async |name: &str, size: usize, route: &'static str| {
        let gate = hold(&bench.stub, route);
        let content: Vec<u8> = name.bytes().cycle().take(size).collect();
        let id = bench.enqueue(&[bench.file(name, &content)]).await[0];
        bench.until_state(id, State::Registering).await;
        until("the service was asked", async || bench.stub.count(route) >= 1).await;
        bench.queue.cancel(id).await.unwrap();
        assert_eq!(bench.state(id).await, State::Registering, "{name}");
        gate.add_permits(1);
        bench.until_state(id, State::Sent).await;
    };
    check("in one piece", 100, UPLOAD).await;
    check("signed", 5_000, REGISTER).await;
    assert_eq!(bench.stub.files().len(), 2);
    bench.stop().await;
}

#[tokio::test]
async fn a_refused_key_makes_everything_wait_until_there_is_another() {
    let bench = Bench::new(DIRECT_CEILING).await;
    bench.stub.meet(|_| Meet::Refusal(401, "authentication"));
    let ids = bench.enqueue(&[bench.file("a", b"a"), bench.file("b", b"b")]).await;
    bench.until_waiting(Some(Waiting::KeyRefused)).await;
    bench.stub.meet(|_| Meet::Service);
    bench.queue.set_client(bench.stub.client()).await;
    for id in ids {
        bench.until_state(id, State::Sent).await;
    }
    assert_eq!(bench.queue.summary().await.unwrap().waiting, None);
    bench.stop().await;
}

#[tokio::test]
async fn the_queue_waits_while_a_cause_lasts_and_goes_on_by_itself() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let check = async |name: &str, status: u16, code: &'static str, waiting: Waiting| {
        bench.stub.meet(move |route| match route {
            UPLOAD | "GET /v1/whoami" => Meet::Refusal(status, code),
            _ => Meet::Service,
        });
        let id = bench.enqueue(&[bench.file(name, name.as_bytes())]).await[0];
        bench.until_waiting(Some(waiting)).await;
        // The transfer is queued still, or is the trial; it has not failed.
        assert!(matches!(bench.state(id).await, State::Queued | State::Sending | State::Registering), "{name}");
        bench.stub.meet(|_| Meet::Service);
        bench.until_state(id, State::Sent).await;
        bench.until_waiting(None).await;
    };
    check("full", 503, "storage_full", Waiting::StorageFull).await;
    check("key", 401, "authentication", Waiting::KeyRefused).await;
    check("scope", 403, "missing_scope", Waiting::NotPermitted).await;
    check("version", 400, "unsupported_version", Waiting::NotTheService).await;
    bench.stop().await;
}

#[tokio::test]
async fn what_a_file_fails_of_by_itself_holds_nobody_up() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let large = bench.file("large", b"");
    std::fs::File::options().write(true).open(&large).unwrap().set_len(60_000_000).unwrap();
    age(&large);
    let gone = bench.file("gone", b"gone");
    let gate = hold(&bench.stub, "GET /v1/uploads/limits");
    let first = bench.enqueue(&[bench.file("first", b"1")]).await[0];
    until("the limits are asked for", async || bench.stub.count("GET /v1/uploads/limits") == 1).await;
    let ids = bench.enqueue(&[large, gone.clone(), bench.file("last", b"2")]).await;
    std::fs::remove_file(&gone).unwrap();
    gate.add_permits(10);
    bench.until_idle().await;
    assert_eq!((bench.state(first).await, bench.state(ids[2]).await), (State::Sent, State::Sent));
    let cause = async |id: TransferId| bench.queue.get(id).await.unwrap().failure.unwrap().cause;
    let too_large = Cause::TooLarge { size_bytes: 60_000_000, max_file_bytes: 50_000_000, is_plan_limit: true };
    assert_eq!(cause(ids[0]).await, too_large);
    assert_eq!(cause(ids[1]).await, Cause::Vanished);
    assert_eq!(bench.stub.count(UPLOAD), 2);
    bench.file("gone", b"back");
    bench.queue.retry_failed().await.unwrap();
    bench.until_state(ids[1], State::Sent).await;
    bench.stop().await;
}

#[tokio::test]
async fn a_file_that_is_being_written_waits_until_it_stands_still() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let path = bench.path("growing");
    std::fs::write(&path, b"begin").unwrap();
    let id = bench.enqueue(std::slice::from_ref(&path)).await[0];
    bench.until_state(id, State::Settling).await;
    for _ in 0..10 {
        use std::io::Write;
        std::fs::File::options().append(true).open(&path).unwrap().write_all(b", more").unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(bench.stub.count(UPLOAD), 0, "not while it grows");
    }
    bench.until_state(id, State::Sent).await;
    assert_eq!(bench.stub.files()[0].content.len(), 5 + 10 * 6);
    bench.stop().await;
}

#[tokio::test]
async fn what_was_in_flight_at_a_crash_is_asked_for_before_it_is_sent_again() {
    let check = async |size: usize, route: &'static str, puts: usize, uploads: usize| {
        let mut bench = Bench::new(TINY_CEILING).await;
        let gate = hold(&bench.stub, route);
        let id = bench.enqueue(&[bench.file("file", &vec![3; size])]).await[0];
        until("the service acts", async || bench.stub.count(route) == 1).await;
        bench.cancel.cancel();
        // The service acts, and nobody is left to hear of it.
        gate.add_permits(100);
        until("it is done", async || route == "PUT /storage" || bench.stub.files().len() == 1).await;
        bench.restart().await;
        bench.until_state(id, State::Sent).await;
        assert_eq!(bench.stub.files().len(), 1, "{route}");
        assert_eq!((bench.stub.count("PUT /storage"), bench.stub.count(UPLOAD)), (puts, uploads), "{route}");
        bench.stop().await;
    };
    check(100, UPLOAD, 0, 1).await;
    check(5_000, "PUT /storage", 1, 0).await;
    check(5_000, REGISTER, 1, 0).await;
}

/// Fails one access, counted from when it is armed.
struct FailOne {
    at: AtomicUsize,
    seen: AtomicUsize,
}

impl Gate for FailOne {
    fn pass(&self, _access: Access) -> std::io::Result<()> {
        if self.seen.fetch_add(1, Ordering::SeqCst) == self.at.load(Ordering::SeqCst) {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whichever_journal_access_fails_nothing_is_lost_and_nothing_is_doubled() {
    let mut failed = 0;
    for at in 0.. {
        let gate = Arc::new(FailOne { at: AtomicUsize::new(usize::MAX), seen: AtomicUsize::new(0) });
        let mut bench = Bench::with(TINY_CEILING, quick(), Some(Arc::clone(&gate) as Arc<dyn Gate>)).await;
        bench.file("drop/a", b"direct");
        bench.file("drop/b", &[9; 5_000]);
        gate.seen.store(0, Ordering::SeqCst);
        gate.at.store(at, Ordering::SeqCst);
        match bench.queue.enqueue(vec![bench.path("drop")], None).await {
            Ok(_) => {}
            Err(Error::DiskFull) => {
                // The person was told; the entries so far go on, and the rest with the next start.
                failed += 1;
                bench.restart().await;
                let _ = bench.queue.enqueue(vec![bench.path("drop")], None).await.unwrap();
            }
            Err(error) => panic!("{at}: {error}"),
        }
        until(&format!("both are there, the access being {at}"), async || {
            let Ok(rows) = bench.queue.list(Filter::All, 0, 10).await else { return false };
            rows.len() >= 2 && rows.iter().all(|row| matches!(row.state, State::Sent | State::AlreadyThere))
        })
        .await;
        let names: Vec<_> = bench.stub.files().iter().map(|file| bench.stub.path_of(file)).collect();
        assert_eq!(names, ["drop/a", "drop/b"], "{at}");
        assert_eq!(bench.stub.folder_paths(), ["drop"], "{at}");
        bench.stop().await;
        if gate.seen.load(Ordering::SeqCst) <= at {
            break;
        }
    }
    assert!(failed >= 3, "the intake itself was among what failed");
}

#[tokio::test]
async fn changes_come_in_batches_and_none_while_nothing_changes() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let mut changes = bench.queue.changes();
    let paths: Vec<_> = (0..60).map(|index| bench.file(&format!("{index}"), format!("{index}").as_bytes())).collect();
    let began = tokio::time::Instant::now();
    bench.enqueue(&paths).await;
    let mut batches = 0_u32;
    loop {
        let batch = tokio::time::timeout(Duration::from_secs(20), changes.recv()).await.unwrap().unwrap();
        batches += 1;
        if batch.summary.finished == 60 && batch.summary.active == 0 {
            break;
        }
    }
    let most = began.elapsed().as_millis() / 100 + 2;
    assert!(u128::from(batches) <= most, "{batches} batches in {:?}", began.elapsed());
    // The summary may know of the last ends a moment before their rows are told; after that, no batch comes.
    let mut late = 0;
    while tokio::time::timeout(Duration::from_millis(1_200), changes.recv()).await.is_ok() {
        late += 1;
        assert!(late <= 2, "{late} batches while nothing changes");
    }
    bench.stop().await;
}

#[tokio::test]
async fn finished_transfers_can_be_cleared_and_old_ones_go_by_themselves() {
    let mut bench = Bench::with(DIRECT_CEILING, Settings { history_rows: 2, ..quick() }, None).await;
    for name in ["a", "b", "c"] {
        bench.enqueue(&[bench.file(name, name.as_bytes())]).await;
        bench.until_idle().await;
    }
    bench.restart().await;
    until("the history is short", async || bench.queue.list(Filter::All, 0, 10).await.unwrap().len() == 2).await;
    bench.queue.clear_finished().await.unwrap();
    assert_eq!(bench.queue.list(Filter::All, 0, 10).await.unwrap(), []);
    assert_eq!(bench.queue.summary().await.unwrap().total, 0);
    bench.stop().await;
}

#[tokio::test]
async fn an_unknown_transfer_is_an_error_and_a_needless_wish_is_none() {
    let bench = Bench::new(DIRECT_CEILING).await;
    assert!(matches!(bench.queue.pause(TransferId(7)).await, Err(Error::UnknownTransfer(TransferId(7)))));
    let id = bench.enqueue(&[bench.file("a", b"a")]).await[0];
    bench.until_idle().await;
    bench.queue.pause(id).await.unwrap();
    bench.queue.cancel(id).await.unwrap();
    assert_eq!(bench.state(id).await, State::Sent);
    bench.stop().await;
    assert!(matches!(bench.queue.pause(id).await, Err(Error::Stopped)));
}

#[tokio::test]
async fn a_service_that_cannot_be_reached_is_waited_for() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let key = format!("svc_live_{}", "0".repeat(40));
    let nobody = easel_client::Connection::new(&format!("http://{address}"), key.into()).unwrap();
    bench.queue.set_client(easel_client::Client::new(nobody).unwrap()).await;
    let id = bench.enqueue(&[bench.file("a", b"a")]).await[0];
    bench.until_waiting(Some(Waiting::Offline)).await;
    bench.queue.set_client(bench.stub.client()).await;
    bench.until_state(id, State::Sent).await;
    refuse(&bench.stub, UPLOAD, 422, "validation_failed");
    let refused = bench.enqueue(&[bench.file("b", b"b")]).await[0];
    bench.until_state(refused, State::Failed).await;
    bench.stop().await;
}
