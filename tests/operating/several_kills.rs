//! Three processes of one studio under load, of which one after another is killed, or stands still for longer than its lease, while the
//! database restarts, in order and after a crash, and the bucket goes away: nothing acknowledged is lost, nothing is done twice, and no rate
//! is exceeded but where a crash of the database forgot what was granted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::process::let_go;
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::samples::Noise;
use easel_tests::several::Rig;
use easel_tests::soak;
use easel_tests::studio::Options;
use nix::sys::signal::Signal;

use crate::backups::result;
use crate::load::{Habits, Load, list_files, see_acknowledged, see_tasks_end};
use crate::several::PATIENCE;
use crate::verify::findings;

/// Kills and clients here, and clients where `EASEL_SOAK_KILLS` says how many kills.
const SHORT: (u64, u64) = (6, 12);
const CLIENTS: u64 = 50;

/// How often the database is restarted and the bucket cut off, in the short form and in the long one. Of the restarts every second one is
/// after a crash.
const OUTAGES: (u64, u64) = (2, 5);

/// The lease of a process, in seconds, and how long one stands still.
const LEASE: &str = "4";
const STILL: Duration = Duration::from_secs(6);

/// Requests a minute of the key that asks for more.
const ALLOWED: usize = 60;

/// Tasks that ended well, their designs and all designs; tasks that have not ended and all of them; deliveries, the tasks that they are of,
/// and those still to be sent.
const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM tasks WHERE status = 'succeeded'),
  (SELECT COUNT(DISTINCT canvas_id) FROM tasks WHERE status = 'succeeded'), (SELECT COUNT(*) FROM canvases),
  (SELECT COUNT(*) FROM tasks WHERE status IN ('queued', 'running')), (SELECT COUNT(*) FROM tasks),
  (SELECT COUNT(*) FROM webhook_deliveries), (SELECT COUNT(DISTINCT task_id) FROM webhook_deliveries),
  (SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_end_and_stand_still_under_load_and_nothing_is_lost_or_done_twice() {
    let seed = soak::seed();
    let (kills, clients) = soak::number("EASEL_SOAK_KILLS").map_or(SHORT, |kills| (kills, CLIENTS));
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let options = Options::new().flag("--allow-local-callbacks").with("--beside-others", LEASE);
    let options = options.with("--concurrent-tasks", "0").requests_per_minute(u32::try_from(ALLOWED).expect("small"));
    let mut rig = Rig::start(options, 3);
    let http = rig.client(&rig.studios[0].create_key("load").key);
    // The team that works has no limit, the other one has what everybody gets.
    result(&rig.studios[0].command(&["limits", "set", "--requests-per-minute", "0"]), 0);
    rig.studios[0].add_organization("Greedy", "greedy@example.org");
    let greedy = rig.client(&rig.studios[0].create_key_for("greedy", "greedy@example.org").key);
    let mut asking = Asking::start(&greedy);

    let habits = Habits { clients, seed, callback_url: Some(receiver.url("/")), bears_failures: true };
    let mut load = Load::start_with(&http, &habits);
    let mut random = Noise::new(seed);
    let outages = if kills > SHORT.0 { OUTAGES.1 } else { OUTAGES.0 };
    let mut crashes = Vec::new();
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(100 + random.draw() % 500)).await;
        tokio::task::block_in_place(|| disturb(&mut rig, &mut random));
        let each = kills / outages;
        if (kill + 1) % each == 0 {
            let crashes_now = ((kill + 1) / each).is_multiple_of(2);
            crashes.extend(tokio::task::block_in_place(|| cut_off(&mut rig, crashes_now)));
        }
        // What is not asked about is not kept.
        let _ = (rig.front.api.take_seen(), rig.front.storage.take_seen());
    }
    load.wait_for_work(20).await;
    load.stop().await;
    let asked = asking.stop().await;

    let acknowledged = load.acknowledged();
    let files = see_acknowledged(&acknowledged, &acknowledged, &list_files(&http).await);
    let drawn = see_tasks_end(&http, &acknowledged.tasks).await;
    let counts = see_nothing_twice(&rig, &receiver).await;
    let granted = see_rate_kept(&asked, &crashes);
    rig.studios.iter_mut().for_each(|studio| assert!(studio.stop().success()));
    // Contents that were brought by those who were killed before they had written a row: one that finds itself alone sets them aside after
    // its start, and one of several does so once a day.
    rig.studios[0].restart();
    wait_for("a bucket with nothing that nobody names", PATIENCE, async || {
        let verified = rig.studios[0].command(&["verify", "--json"]);
        if verified.status.success() { Ok(()) } else { Err(format!("{:?}", findings(&verified.stdout))) }
    })
    .await;
    assert!(rig.studios[0].stop().success());
    let tasks = acknowledged.tasks.len();
    println!(
        "{kills} kills, {outages} restarts of the database ({} after a crash), {clients} clients, {files} acknowledged files, {drawn} designs of \
         {tasks} tasks ({counts}), {granted} requests granted",
        crashes.len()
    );
    assert!(files > 10 && drawn > 0, "nothing was acknowledged, so nothing was shown");
}

/// Kills one process and starts it again, or has it stand still until others took what it held.
fn disturb(rig: &mut Rig, random: &mut Noise) {
    let which = usize::try_from(random.draw() % 3).expect("small");
    let studio = &mut rig.studios[which];
    if random.draw().is_multiple_of(2) {
        studio.kill();
        studio.restart();
    } else {
        studio.signal(Signal::SIGSTOP);
        std::thread::sleep(STILL);
        let_go(studio.pid());
    }
}

/// Restarts the database, and has the bucket away for a moment. Returns between which moments the database had crashed, if it did.
fn cut_off(rig: &mut Rig, crashes: bool) -> Option<(Instant, Instant)> {
    let before = Instant::now();
    if crashes {
        rig.server.restart();
    } else {
        rig.server.restart_in_order();
    }
    let crashed = crashes.then(|| (before, Instant::now()));
    std::thread::sleep(Duration::from_secs(1));
    rig.bucket.stop();
    std::thread::sleep(Duration::from_secs(3));
    rig.bucket.restart();
    crashed
}

/// Each task that ended well has one design and nothing else has one, and each is told of by one event, which nobody was sent more often
/// than it was tried.
async fn see_nothing_twice(rig: &Rig, receiver: &Receiver) -> String {
    let counts = wait_for("the deliveries", PATIENCE, async || {
        let counts = rig.database.query(COUNTS);
        let numbers: Vec<u64> = counts.trim().split('|').map(|count| count.parse().expect("a number")).collect();
        if numbers[3] == 0 && numbers[7] == 0 { Ok(numbers) } else { Err(counts) }
    });
    let counts = counts.await;
    assert_eq!((counts[0], counts[0]), (counts[1], counts[2]), "a design for each: {counts:?}");
    assert_eq!((counts[4], counts[4]), (counts[5], counts[6]), "a delivery for each: {counts:?}");
    let mut told: BTreeMap<String, (BTreeSet<String>, usize)> = BTreeMap::new();
    for request in receiver.received() {
        let event = request.event();
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        let (events, times) = told.entry(text(&event["data"]["id"])).or_default();
        events.insert(text(&event["id"]));
        *times += 1;
    }
    let most: usize =
        rig.database.query("SELECT MAX(attempts) FROM webhook_deliveries").trim().parse().expect("a number");
    for (task, (events, times)) in &told {
        assert!(events.len() == 1 && *times <= most, "{task} was told of {times} times by {events:?}");
    }
    assert_eq!(told.len() as u64, counts[4], "each is told of");
    format!("{counts:?}, {} requests to the receiver", told.values().map(|(_, times)| times).sum::<usize>())
}

/// What a client was answered.
#[derive(Default)]
struct Answers {
    /// When each request was sent that was granted, and when it was answered.
    granted: Vec<(Instant, Instant)>,
    /// How many were too many.
    refused: usize,
}

/// A client that asks for more than it may.
struct Asking {
    is_over: Arc<AtomicBool>,
    client: tokio::task::JoinHandle<Answers>,
}

impl Asking {
    fn start(http: &Http) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (http, over) = (http.clone(), Arc::clone(&is_over));
        let client = tokio::spawn(async move {
            let mut answers = Answers::default();
            while !over.load(Ordering::Relaxed) {
                let asked = Instant::now();
                let answer = http.try_request(http::Method::GET, "/v1/whoami", None, bytes::Bytes::new()).await;
                match answer.map(|answer| answer.status.as_u16()) {
                    Ok(200) => answers.granted.push((asked, Instant::now())),
                    Ok(429) => answers.refused += 1,
                    _ => {}
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            answers
        });
        Self { is_over, client }
    }

    async fn stop(&mut self) -> Answers {
        self.is_over.store(true, Ordering::Relaxed);
        (&mut self.client).await.expect("a client that ends")
    }
}

/// In no minute was more granted than is allowed, as far as times of sending and answering tell. A minute in which the database crashed does
/// not count: the table of what was granted is not logged.
fn see_rate_kept(answers: &Answers, crashes: &[(Instant, Instant)]) -> usize {
    for few in answers.granted.windows(ALLOWED + 1) {
        let (first, last) = (few[0].0, few[ALLOWED].1);
        // Requests are granted as soon as the database is there, which may be before the restart is known to be over.
        let is_forgotten = crashes.iter().any(|(before, after)| first <= *after && *before <= last);
        let took = last.duration_since(first);
        assert!(is_forgotten || took >= Duration::from_secs(60), "{} requests were granted within {took:?}", few.len());
    }
    assert!(answers.refused > 0, "no request was refused, so the rate was not reached");
    answers.granted.len()
}
