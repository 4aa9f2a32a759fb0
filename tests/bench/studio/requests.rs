//! Answers in a second beside a bare handler that returns the same bytes, with 100,000 files and 10,000 tasks; what a page
//! costs at the end of a list; memory; and that a deleted key is refused at once while all this goes on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::process::read_resident_bytes;
use serde_json::Value;

use crate::bare::Bare;
use crate::load::{self, LANES, Lane, Until};
use crate::stock::{FILES, Stock, text};

const RUNS: usize = 5;
const A_RUN: Duration = Duration::from_secs(2);
/// Items of a page.
pub const PAGE: usize = 100;
/// Pages asked for at each end of the list.
pub const PAGES: usize = 50;
pub const MIB: f64 = 1_048_576.0;

pub async fn measure() {
    let stock = Stock::fill().await;
    let memory = || read_resident_bytes(stock.studio.pid()) as f64 / MIB;
    write_plain("memory after the start", memory(), "MiB");
    let key = stock.key.key.clone();
    let get = |path: &str| load::get(path, &key);

    let lists = walk(stock.authority(), &key, FILES).await;
    let whoami = [get("/v1/whoami")];
    let tasks: Vec<Bytes> = stock.tasks.iter().map(|task| get(&format!("/v1/tasks/{task}"))).collect();
    let place = fresh_folder("bare");
    let mut lane = Lane::open(stock.authority()).await;
    let mut bodies = Vec::new();
    for request in [&whoami[0], &tasks[0], &lists[0]] {
        bodies.push(lane.ask(request).await.body.to_vec());
    }
    let bare = Bare::start(place.path(), &[("whoami", &bodies[0]), ("task", &bodies[1]), ("files", &bodies[2])]);

    let beside = async |question: Question| beside_bare(stock.authority(), &bare, question).await;
    beside(Question::new("whoami", "whoami", whoami.to_vec(), Some(0.4))).await;
    beside(Question::new("task", "a task", tasks[..1].to_vec(), Some(0.4))).await;
    beside(Question::new("task", "each of 10,000 tasks in turn", tasks, None)).await;
    beside(Question::new("files", "a list of 100 among 100,000 files", lists[..1].to_vec(), Some(0.1))).await;
    beside(Question::new("files", "each of its pages in turn", lists.clone(), None)).await;
    compare_pages(stock.authority(), &lists, "100,000 files", 1.5).await;
    write("memory with 100,000 files and 10,000 tasks, after all this", memory(), "MiB", Target::AtMost(120.0));
    delete_a_key(&stock).await;
}

/// Every page of the list of all `files`, as requests.
pub async fn walk(authority: &str, key: &str, files: usize) -> Vec<Bytes> {
    let mut lane = Lane::open(authority).await;
    let (mut requests, mut seen, mut cursor) = (Vec::new(), 0, String::new());
    loop {
        let request = load::get(&format!("/v1/drive/files?limit={PAGE}{cursor}"), key);
        let page: Value = serde_json::from_slice(lane.ask(&request).await.body).expect("JSON");
        requests.push(request);
        seen += page["data"].as_array().expect("a list").len();
        match &page["next_cursor"] {
            Value::Null => break,
            next => cursor = format!("&cursor={}", text(next)),
        }
    }
    assert_eq!((seen, requests.len()), (files, files / PAGE));
    requests
}

/// What is asked of the studio, and of the bare handler in its place.
pub struct Question {
    /// The handler's name for its answer.
    name: &'static str,
    /// What it is called in the table.
    words: String,
    /// The studio's requests, which are asked in turn.
    requests: Arc<Vec<Bytes>>,
    /// The least share of the handler's answers in a second that the studio should give.
    at_least: Option<f64>,
}

impl Question {
    /// These requests of the studio beside `name` of the handler.
    pub fn new(name: &'static str, words: &str, requests: Vec<Bytes>, at_least: Option<f64>) -> Self {
        Self { name, words: words.to_owned(), requests: Arc::new(requests), at_least }
    }
}

/// Answers in a second of the studio and of the handler, by turns.
pub async fn beside_bare(authority: &str, bare: &Bare, question: Question) {
    let Question { name, words, requests, at_least } = question;
    let plain = load::get(&format!("/{name}"), "nobody's");
    let mut rates: [Vec<f64>; 2] = Default::default();
    for _ in 0..RUNS {
        let plain = plain.clone();
        rates[0].push(load::ask_all(&bare.authority, Until::Time(A_RUN), move |_| plain.clone(), |_, _| {}).await);
        let requests = Arc::clone(&requests);
        let request = move |number: usize| requests[number % requests.len()].clone();
        rates[1].push(load::ask_all(authority, Until::Time(A_RUN), request, |_, _| {}).await);
    }
    let [handler, studio] = rates.map(median);
    write_plain(&format!("{words}: {}", bare.words), handler, "/s");
    write_plain(&format!("{words}: the studio"), studio, "/s");
    let (words, ratio) = (format!("{words}: the studio beside it"), studio / handler);
    match at_least {
        Some(least) => write(&words, ratio, "×", Target::AtLeast(least)),
        None => write_plain(&words, ratio, "×"),
    }
}

/// What a page costs at the end of the list and at its start, each page asked for by itself and by its cursor; one item fewer in each run,
/// so that no page is one that is kept.
pub async fn compare_pages(authority: &str, lists: &[Bytes], among: &str, at_most: f64) {
    let mut lane = Lane::open(authority).await;
    let mut times: [Vec<f64>; 2] = Default::default();
    // The first page has no cursor, so both ends begin with the second from there.
    let (start, end) = (&lists[1..=PAGES], &lists[lists.len() - PAGES - 1..lists.len() - 1]);
    for run in 0..RUNS {
        let fewer = format!("limit={}", PAGE - 1 - run);
        let shorter = |request: &Bytes| String::from_utf8_lossy(request).replace(&format!("limit={PAGE}"), &fewer);
        for (early, late) in start.iter().map(shorter).zip(end.iter().map(shorter)) {
            for (which, request) in [early.as_bytes(), late.as_bytes()].into_iter().enumerate() {
                let began = Instant::now();
                assert_eq!(lane.ask(request).await.status, 200);
                times[which].push(seconds(began.elapsed()) * 1_000.0);
            }
        }
    }
    let [start, end] = times.map(median);
    write_plain(&format!("a page of 100 by cursor at the start of {among}"), start, "ms");
    write_plain(&format!("a page of 100 by cursor at the end of {among}"), end, "ms");
    write(&format!("a page at the end of {among} beside one at the start"), end / start, "×", Target::AtMost(at_most));
}

/// Deletes a key from another process while requests with it are answered as fast as can be: whatever is asked once that
/// process has ended is refused.
async fn delete_a_key(stock: &Stock) {
    let doomed = stock.studio.create_key("doomed");
    let request = load::get("/v1/whoami", &doomed.key);
    let mut lanes = tokio::task::JoinSet::new();
    for _ in 0..LANES {
        let (request, mut lane) = (request.clone(), Lane::open(stock.authority()).await);
        lanes.spawn(async move {
            let mut last = None;
            loop {
                let began = Instant::now();
                match lane.ask(&request).await.status {
                    200 => last = Some(began),
                    401 => return last.expect("the key was good before"),
                    other => panic!("{other}"),
                }
            }
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    stock.studio.delete_key(&doomed.id);
    let deleted = Instant::now();
    let mut late = 0.0_f64;
    while let Some(last) = lanes.join_next().await {
        late = late.max(seconds(last.expect("a lane that ends").saturating_duration_since(deleted)));
    }
    write("a request let in so long after its key was deleted elsewhere", late, "s", Target::AtMost(0.0));
}
