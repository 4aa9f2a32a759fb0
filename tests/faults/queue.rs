//! The queue above the client: it waits with the right reason, goes on by itself when the cause is gone, and sends nothing
//! twice.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use easel_client::Patience;
use easel_sync::{Filter, Journal, Queue, Settings, State, Transfer, Waiting};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::rig::{Lane, Rig};

const LIMIT: Duration = Duration::from_secs(60);

/// A queue over a lane.
struct AtWork {
    queue: Queue,
    cancel: CancellationToken,
    tasks: TaskTracker,
    journal: Journal,
}

impl AtWork {
    async fn start(lane: &Lane, journal: &Path) -> Self {
        let journal = Journal::open(journal).await.unwrap();
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let settings = Settings {
            settle: Duration::from_millis(100),
            first_probe: Duration::from_millis(100),
            last_probe: Duration::from_millis(500),
            ..Settings::default()
        };
        let queue = Queue::start_with(journal.clone(), lane.client.clone(), "rig", cancel.clone(), &tasks, settings)
            .await
            .unwrap();
        Self { queue, cancel, tasks, journal }
    }

    async fn until_waiting(&self, wanted: &Waiting) {
        wait_for(&format!("the queue to wait: {wanted:?}"), LIMIT, async || {
            let waiting = self.queue.summary().await.unwrap().waiting;
            if waiting.as_ref() == Some(wanted) { Ok(()) } else { Err(format!("{waiting:?}")) }
        })
        .await;
    }

    async fn until_done(&self) -> Vec<Transfer> {
        wait_for("all transfers to end", LIMIT, async || {
            let unfinished = self.queue.list(Filter::Unfinished, 0, 1_000).await.unwrap();
            let active = self.queue.summary().await.unwrap().active;
            if unfinished.is_empty() && active == 0 { Ok(()) } else { Err(format!("{active} at work, {unfinished:?}")) }
        })
        .await;
        self.queue.list(Filter::All, 0, 1_000).await.unwrap()
    }

    async fn stop(self) {
        self.cancel.cancel();
        self.tasks.close();
        tokio::time::timeout(Duration::from_secs(2), self.tasks.wait()).await.expect("the queue ends in two seconds");
        self.journal.close().await;
    }
}

/// A folder with files; a quote in a name makes its file go by a signed URL.
fn make_files(rig: &Rig, folder: &str, count: usize) -> (PathBuf, Vec<String>) {
    let top = rig.folder().join(folder);
    std::fs::create_dir_all(top.join("inner")).unwrap();
    let mut names = Vec::new();
    for number in 0..count {
        let name =
            if number % 2 == 0 { format!("{folder} {number}.bin") } else { format!("{folder} \"{number}\".bin") };
        let path = rig.write(&name, number, 20_000);
        let place = if number % 3 == 0 { top.join("inner") } else { top.clone() };
        std::fs::rename(path, place.join(&name)).unwrap();
        names.push(name);
    }
    (top, names)
}

fn assert_all(transfers: &[Transfer], state: State) {
    for transfer in transfers {
        assert_eq!(transfer.state, state, "{}: {:?}", transfer.name, transfer.failure);
    }
}

/// Exactly these files, those of a signed URL with every byte in storage once.
async fn assert_once(rig: &Rig, names: impl IntoIterator<Item = String>) {
    rig.assert_files(names).await;
    let mut written: HashMap<String, u32> = HashMap::new();
    for put in rig.storage.seen() {
        if put.status == Some(200) && put.method == "PUT" {
            *written.entry(put.path).or_default() += 1;
        }
    }
    assert!(written.values().all(|times| *times == 1), "a blob was stored twice");
    assert_eq!(written.len(), rig.files().await.iter().filter(|file| is_signed_way(&file["name"])).count());
}

fn is_signed_way(name: &serde_json::Value) -> bool {
    name.as_str().is_some_and(|name| name.contains('"'))
}

#[tokio::test]
async fn answers_lost_at_every_step_leave_each_file_once_and_none_already_there() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let (top, names) = make_files(&rig, "lost", 60);
    // Every second request of each kind is acted upon, and its answer dropped; a multipart upload's always is.
    let mut counts: HashMap<String, u32> = HashMap::new();
    lane.api.break_by(move |request| {
        let kind = if request.method == "GET" { "GET" } else { &request.path };
        let count = counts.entry(kind.to_owned()).or_default();
        *count += 1;
        if request.is("POST", "/uploads") || *count % 2 == 1 { Fault::DropAnswer } else { Fault::Pass }
    });
    let mut puts: HashMap<String, u32> = HashMap::new();
    rig.storage.break_by(move |request| {
        let count = puts.entry(request.path.clone()).or_default();
        *count += 1;
        if *count == 1 { Fault::DropAnswer } else { Fault::Pass }
    });
    let at_work = AtWork::start(&lane, &rig.folder().join("lost.db")).await;
    let enqueued = at_work.queue.enqueue(vec![top], None).await.unwrap();
    assert_eq!((enqueued.accepted.len(), enqueued.skipped.len()), (60, 0));
    assert_all(&at_work.until_done().await, State::Sent);
    at_work.stop().await;

    assert_once(&rig, names).await;
    rig.assert_folders(["lost".to_owned(), "inner".to_owned()]).await;
    let stored = lane.take("POST", "/uploads").into_iter().filter(|post| post.status == Some(201)).count();
    assert_eq!(stored, 30, "a multipart upload that was stored was sent again");
}

pub fn envelope(kind: &str, code: &str) -> String {
    format!(
        r#"{{"error":{{"type":"{kind}","code":"{code}","message":"m","doc_url":"d","request_id":"r","details":null,"retry_after_ms":null,"causes":null}}}}"#
    )
}

/// Breaks every answer of the API until the queue waits for the right reason, then lets it go on.
async fn check_waits(name: &str, fault: Fault, waiting: Waiting) {
    let rig = Rig::start().await;
    let short = Duration::from_millis(500);
    let patience = Patience { connect: short, answer: short, register: short, silence: short, last_byte: short };
    let lane = rig.lane_with(patience).await;
    lane.api.break_by(move |_| fault.clone());
    let (top, names) = make_files(&rig, name, 4);
    let at_work = AtWork::start(&lane, &rig.folder().join("journal.db")).await;
    at_work.queue.enqueue(vec![top], None).await.unwrap();
    at_work.until_waiting(&waiting).await;
    assert_eq!(rig.files().await.len(), 0, "{name}");
    lane.api.pass_all();
    assert_all(&at_work.until_done().await, State::Sent);
    assert_eq!(at_work.queue.summary().await.unwrap().waiting, None, "{name}");
    at_work.stop().await;
    assert_once(&rig, names).await;
}

#[tokio::test]
async fn a_service_that_is_away_is_waited_for() {
    check_waits("refuse", Fault::Refuse, Waiting::Offline).await;
}

#[tokio::test]
async fn a_service_that_never_answers_is_waited_for() {
    check_waits("silence", Fault::Silence, Waiting::Offline).await;
}

#[tokio::test]
async fn a_web_page_in_place_of_the_service_is_waited_out() {
    let fault = Fault::answer(200, &[("Content-Type", "text/html")], "<!doctype html><title>Sign in</title>");
    check_waits("html", fault, Waiting::NotTheService).await;
}

#[tokio::test]
async fn nonsense_in_place_of_the_service_is_waited_out() {
    check_waits("nonsense", Fault::answer(200, &[], "I am a printer"), Waiting::NotTheService).await;
}

#[tokio::test]
async fn a_refused_key_makes_the_queue_wait() {
    let body = envelope("authentication", "authentication");
    let fault = Fault::answer(401, &[("Content-Type", "application/json")], &body);
    check_waits("key", fault, Waiting::KeyRefused).await;
}

#[tokio::test]
async fn a_full_service_is_waited_for() {
    let body = envelope("upstream_error", "storage_full");
    let fault = Fault::answer(503, &[("Content-Type", "application/json"), ("Retry-After", "1")], &body);
    check_waits("full", fault, Waiting::StorageFull).await;
}

#[tokio::test]
async fn a_gateway_that_fails_is_waited_for() {
    let fault = Fault::answer(502, &[("Content-Type", "text/html")], "<h1>Bad gateway</h1>");
    check_waits("gateway", fault, Waiting::ServiceFailing { status: 502 }).await;
}

#[tokio::test]
async fn a_redirect_to_another_host_is_waited_out_and_the_key_does_not_arrive_there() {
    let other = Proxy::start().await;
    let address = other.url().replace("127.0.0.1", "localhost");
    let fault = Fault::answer(307, &[("Location", &address)], "");
    check_waits("redirect", fault, Waiting::RedirectRefused { to_host: "localhost".to_owned() }).await;
    assert_eq!(other.seen().len(), 0, "the other host was asked");
}

#[tokio::test]
async fn a_url_that_expired_is_signed_anew() {
    let rig: Arc<Rig> = Rig::start().await;
    let lane = rig.lane().await;
    let (top, names) = make_files(&rig, "expired", 4);
    let xml = "<Error><Code>ExpiredUrl</Code><Message>late</Message></Error>";
    let mut left = 2;
    rig.storage.break_by(move |_| {
        if left == 0 {
            return Fault::Pass;
        }
        left -= 1;
        Fault::answer(403, &[("Content-Type", "application/xml")], xml)
    });
    let at_work = AtWork::start(&lane, &rig.folder().join("journal.db")).await;
    at_work.queue.enqueue(vec![top], None).await.unwrap();
    assert_all(&at_work.until_done().await, State::Sent);
    at_work.stop().await;
    assert_once(&rig, names).await;
    assert_eq!(lane.take("POST", "/uploads/url").len(), 4, "each of the two signed twice");
}
