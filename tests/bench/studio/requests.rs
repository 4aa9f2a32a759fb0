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
const PAGE: usize = 100;
/// Pages asked for at each end of the list.
const PAGES: usize = 50;
const MIB: f64 = 1_048_576.0;

pub async fn measure() {
    let stock = Stock::fill().await;
    let memory = || read_resident_bytes(stock.studio.pid()) as f64 / MIB;
    write_plain("memory after the start", memory(), "MiB");
    let key = stock.key.key.clone();
    let get = |path: &str| load::get(path, &key);

    let lists = walk(&stock).await;
    let whoami = [get("/v1/whoami")];
    let tasks: Vec<Bytes> = stock.tasks.iter().map(|task| get(&format!("/v1/tasks/{task}"))).collect();
    let place = fresh_folder("bare");
    let mut lane = Lane::open(stock.authority()).await;
    let mut bodies = Vec::new();
    for request in [&whoami[0], &tasks[0], &lists[0]] {
        bodies.push(lane.ask(request).await.body.to_vec());
    }
    let bare = Bare::start(place.path(), &[("whoami", &bodies[0]), ("task", &bodies[1]), ("files", &bodies[2])]);

    beside_bare(&stock, &bare, "whoami", "whoami", whoami.to_vec(), Some(0.4)).await;
    beside_bare(&stock, &bare, "task", "a task", tasks[..1].to_vec(), Some(0.4)).await;
    beside_bare(&stock, &bare, "task", "each of 10,000 tasks in turn", tasks, None).await;
    let page = lists[..1].to_vec();
    beside_bare(&stock, &bare, "files", "a list of 100 among 100,000 files", page, Some(0.1)).await;
    beside_bare(&stock, &bare, "files", "each of its pages in turn", lists.clone(), None).await;
    compare_pages(&stock, &lists).await;
    write("memory with 100,000 files and 10,000 tasks, after all this", memory(), "MiB", Target::AtMost(120.0));
    delete_a_key(&stock).await;
}

/// Every page of the list of all files, as requests.
async fn walk(stock: &Stock) -> Vec<Bytes> {
    let mut lane = Lane::open(stock.authority()).await;
    let (mut requests, mut seen, mut cursor) = (Vec::new(), 0, String::new());
    loop {
        let request = load::get(&format!("/v1/drive/files?limit={PAGE}{cursor}"), &stock.key.key);
        let page: Value = serde_json::from_slice(lane.ask(&request).await.body).expect("JSON");
        requests.push(request);
        seen += page["data"].as_array().expect("a list").len();
        match &page["next_cursor"] {
            Value::Null => break,
            next => cursor = format!("&cursor={}", text(next)),
        }
    }
    assert_eq!((seen, requests.len()), (FILES, FILES / PAGE));
    requests
}

/// Answers in a second of the studio, asked each of the requests in turn, and of the bare handler `name`, by turns.
async fn beside_bare(
    stock: &Stock,
    bare: &Bare,
    name: &'static str,
    words: &str,
    requests: Vec<Bytes>,
    target: Option<f64>,
) {
    let requests = Arc::new(requests);
    let plain = load::get(&format!("/{name}"), &stock.key.key);
    let mut rates: [Vec<f64>; 2] = Default::default();
    for _ in 0..RUNS {
        let plain = plain.clone();
        rates[0].push(load::ask_all(&bare.authority, Until::Time(A_RUN), move |_| plain.clone(), |_, _| {}).await);
        let requests = Arc::clone(&requests);
        let request = move |number: usize| requests[number % requests.len()].clone();
        rates[1].push(load::ask_all(stock.authority(), Until::Time(A_RUN), request, |_, _| {}).await);
    }
    let [bare, studio] = rates.map(median);
    write_plain(&format!("{words}: a bare handler"), bare, "/s");
    write_plain(&format!("{words}: the studio"), studio, "/s");
    let (words, ratio) = (format!("{words}: the studio beside it"), studio / bare);
    match target {
        Some(target) => write(&words, ratio, "×", Target::AtLeast(target)),
        None => write_plain(&words, ratio, "×"),
    }
}

/// What a page costs at the end of the list and at its start, each page asked for by itself and by its cursor.
async fn compare_pages(stock: &Stock, lists: &[Bytes]) {
    let mut lane = Lane::open(stock.authority()).await;
    let mut times: [Vec<f64>; 2] = Default::default();
    // The first page has no cursor, so both ends begin with the second from there.
    let (start, end) = (&lists[1..=PAGES], &lists[lists.len() - PAGES - 1..lists.len() - 1]);
    for _ in 0..RUNS {
        for (early, late) in start.iter().zip(end) {
            for (which, request) in [early, late].into_iter().enumerate() {
                let began = Instant::now();
                assert_eq!(lane.ask(request).await.status, 200);
                times[which].push(seconds(began.elapsed()) * 1_000.0);
            }
        }
    }
    let [start, end] = times.map(median);
    write_plain("a page of 100 by cursor at the start of 100,000 files", start, "ms");
    write_plain("a page of 100 by cursor at their end", end, "ms");
    write("a page at the end beside one at the start", end / start, "×", Target::AtMost(1.5));
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
