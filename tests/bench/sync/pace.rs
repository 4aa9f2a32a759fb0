//! The real limit of 120 requests a minute, with 400 small files on their way: how much of it is used, and how soon a
//! person's click gets through. And the time from a file that was closed to its first request.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use easel_client::{Client, Connection, Lane};
use easel_sync::Journal;
use easel_sync::folders::{Choices, Draft, FolderSettings, Folders, State, Target as Drive};
use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, percentile_99, seconds, write};
use easel_tests::proxy::{Fault, Proxy, Seen};
use easel_tests::samples::Noise;
use easel_tests::studio::{Options, authority};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::place;

const FILES: usize = 400;
/// The service's default, a minute.
const BUDGET: f64 = 120.0;
/// The engine's start is not counted.
const START: Duration = Duration::from_secs(10);
/// What a file must stand still before it is sent.
const SETTLE: Duration = Duration::from_secs(2);
const CLOSED_FILES: u64 = 15;

/// When each request came, and whether it was one of a click.
type Arrivals = Arc<Mutex<Vec<(Instant, bool)>>>;

/// A folder at work in this process, so that clicks share its client, through a proxy that notes when requests come.
struct AtWork {
    client: Client,
    folders: Folders,
    proxy: Proxy,
    arrivals: Arrivals,
    cancel: CancellationToken,
    _place: tempfile::TempDir,
    _studio: easel_tests::studio::Studio,
    root: std::path::PathBuf,
}

impl AtWork {
    async fn start(options: Options, files: usize) -> Self {
        let place = fresh_folder("pace");
        let root = place.path().join("folder");
        std::fs::create_dir(&root).expect("a folder");
        if files > 0 {
            place::write_files(&root, files, 4_096);
        }
        let (studio, key) = place::studio(&place, options);
        let proxy = Proxy::start().await;
        proxy.forward_to(authority(&studio.base_url));
        let arrivals = Arrivals::default();
        let noted = Arc::clone(&arrivals);
        proxy.break_by(move |request: &Seen| {
            let is_click = request.path.ends_with("/whoami");
            noted.lock().expect("no panic").push((Instant::now(), is_click));
            Fault::Pass
        });
        let connection = Connection::new(&proxy.url(), key.key.clone().into()).expect("a connection");
        let client = Client::new(connection).expect("a client");
        client.whoami().await.expect("a service");
        let journal = Journal::open(&place.path().join("journal.db")).await.expect("a journal");
        let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
        let settings = FolderSettings::default();
        let folders = Folders::start(journal, client.clone(), "bench", settings, cancel.clone(), &tasks)
            .await
            .expect("watched folders");
        let drive = Drive::New { parent: None, name: "Bench".to_owned() };
        let draft = Draft { path: root.clone(), drive, choices: Choices::default() };
        folders.add(&draft).await.expect("a watched folder");
        Self { client, folders, proxy, arrivals, cancel, _place: place, _studio: studio, root }
    }

    fn arrivals(&self) -> Vec<(Instant, bool)> {
        self.arrivals.lock().expect("no panic").clone()
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

pub async fn measure_budget() {
    eprintln!("budget: 400 files at 120 requests a minute");
    let at_work = AtWork::start(Options::new().own_rate(), FILES).await;
    let began = Instant::now();
    tokio::time::sleep(START).await;
    let minute = Instant::now();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let used =
        at_work.arrivals().iter().filter(|(at, _)| *at >= minute && *at < minute + Duration::from_secs(60)).count();
    write(
        "400 files at 120 a minute, share of the budget used",
        100.0 * used as f64 / BUDGET,
        "%",
        Target::AtLeast(95.0),
    );

    // Clicks of one request and of five, at moments of nobody's choosing.
    let mut random = Noise::new(7);
    let mut waits = Vec::new();
    while began.elapsed() < Duration::from_secs(190) {
        tokio::time::sleep(Duration::from_millis(2_000 + (random.draw() >> 51))).await;
        let requests = if random.draw() >> 63 == 0 { 1 } else { 5 };
        let clicked = Instant::now();
        let client = at_work.client.in_lane(Lane::Person);
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..requests {
            let client = client.clone();
            asking.spawn(async move { client.whoami().await.map(drop) });
        }
        while let Some(answer) = asking.join_next().await {
            answer.expect("no panic").expect("an answer");
        }
        let arrived = at_work.arrivals();
        let arrived = arrived.iter().filter(|(at, is_click)| *is_click && *at >= clicked);
        waits.extend(arrived.map(|(at, _)| seconds(*at - clicked)));
    }
    write(
        "400 files at 120 a minute, a click's request leaves within (p99)",
        percentile_99(waits),
        "s",
        Target::AtMost(1.0),
    );
    let refused = at_work.proxy.seen().iter().filter(|request| request.status == Some(429)).count();
    write("400 files at 120 a minute, answers of 429", refused as f64, "", Target::AtMost(0.0));
}

pub async fn measure_closed_file() {
    eprintln!("closed files");
    let at_work = AtWork::start(Options::new(), 0).await;
    let deadline = Instant::now() + Duration::from_secs(30);
    while !matches!(at_work.folders.list()[0].state, State::UpToDate) {
        assert!(Instant::now() < deadline, "never up to date: {:?}", at_work.folders.list());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut waits = Vec::new();
    for number in 0..CLOSED_FILES {
        easel_tests::samples::write_noise(&at_work.root.join(format!("{number}.bin")), 100_000, number + 1);
        let closed = Instant::now();
        let is_sent = |seen: &Seen| seen.is("POST", "/uploads");
        while at_work.proxy.seen().iter().filter(|seen| is_sent(seen)).count() as u64 <= number {
            assert!(closed.elapsed() < Duration::from_secs(30), "file {number} was never sent");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        waits.push(1_000.0 * seconds(closed.elapsed().saturating_sub(SETTLE)));
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    write("a file closed, its first request after the settle time (p50)", median(waits), "ms", Target::AtMost(200.0));
}
