//! Processes of one studio that end, in whichever way: what they worked on is done by another, once; and no request fails when one goes in
//! order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use easel_tests::http::{Form, Http};
use easel_tests::patience::wait_for;
use easel_tests::process::let_go;
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::several::{self, Rig, client_of};
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::backups::result;
use crate::load::{Load, see_tasks_end};
use crate::several::{PATIENCE, text};

/// A process that is told to stop has ended by then.
const DRAINED: Duration = Duration::from_secs(30);

/// Options under which leases end soon.
fn hurried() -> Options {
    Options::new().flag("--allow-local-callbacks").with("--beside-others", "4").with("--concurrent-tasks", "0")
}

async fn start_tasks(http: &Http, count: usize, callback: &str) -> Vec<String> {
    let mut tasks = Vec::new();
    for number in 0..count {
        let body = json!({"prompt": format!("A card, number {number}"), "callback_url": callback});
        tasks.push(text(&http.post("/v1/tasks", &body).await.expect(202)["id"]));
    }
    tasks
}

/// Waits until every task has succeeded; with what they say then.
async fn see_done(http: &Http, tasks: &[String]) -> Vec<Value> {
    let mut done = Vec::new();
    for task in tasks {
        let ended = wait_for(task, PATIENCE, async || {
            let task = http.get(&format!("/v1/tasks/{task}")).await.expect(200);
            if matches!(task["status"].as_str(), Some("queued" | "running")) { Err(task) } else { Ok(task) }
        });
        let ended = ended.await;
        assert_eq!(ended["status"], "succeeded", "{ended}");
        done.push(ended);
    }
    done
}

/// Each task made one design, and told of it once.
async fn see_once(http: &Http, receiver: &Receiver, tasks: &[String]) {
    let canvases = http.get("/v1/canvases?limit=100").await.expect(200);
    assert_eq!(canvases["data"].as_array().map(Vec::len), Some(tasks.len()), "{canvases}");
    let deliveries = wait_for("the deliveries", PATIENCE, async || {
        let found = http.get("/v1/webhook_deliveries?limit=100").await.expect(200);
        let all = found["data"].as_array().cloned().unwrap_or_default();
        let are_done = all.iter().all(|one| one["status"] == "succeeded");
        if all.len() == tasks.len() && are_done { Ok(all) } else { Err(found) }
    });
    deliveries.await;
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    for request in receiver.received() {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        *told.entry(text(&body["data"]["id"])).or_default() += 1;
    }
    assert!(told.len() == tasks.len() && told.values().all(|times| *times == 1), "{told:?}");
}

/// The tasks that this process has begun to work on.
fn begun_by(studio: &Studio, tasks: &[String]) -> usize {
    let log = studio.log();
    let has_begun = |task: &&String| log.lines().any(|line| line.contains("working") && line.contains(task.as_str()));
    tasks.iter().filter(has_begun).count()
}

async fn wait_until_it_works(studio: &Studio, tasks: &[String]) {
    wait_for("its work", PATIENCE, async || {
        let begun = begun_by(studio, tasks);
        if begun > 0 { Ok(()) } else { Err(begun) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_of_a_process_that_is_killed_are_done_by_another_exactly_once() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let mut rig = Rig::start(hurried().with("--inject", "pause=1500"), 3);
    let key = rig.studios[0].create_key("k").key;
    let tasks = start_tasks(&rig.client(&key), 9, &receiver.url("/")).await;
    wait_until_it_works(&rig.studios[1], &tasks).await;
    rig.studios[1].kill();
    rig.front.take_turns(&[&rig.studios[0], &rig.studios[2]]);
    let http = rig.client(&key);
    let done = see_done(&http, &tasks).await;
    let again = done.iter().filter(|task| task["attempt"].as_u64() > Some(1)).count();
    assert!((1..=2).contains(&again), "the two workers of the one that was killed: {done:?}");
    see_once(&http, &receiver, &tasks).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_stood_still_for_longer_than_a_lease_does_nothing_twice() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let rig = Rig::start(hurried().with("--inject", "pause=2500"), 3);
    let key = rig.studios[0].create_key("k").key;
    let tasks = start_tasks(&client_of(&rig.studios[0], &key), 6, &receiver.url("/")).await;
    let still = &rig.studios[2];
    wait_until_it_works(still, &tasks).await;
    still.signal(Signal::SIGSTOP);
    let http = client_of(&rig.studios[0], &key);
    let done = see_done(&http, &tasks).await;
    assert!(done.iter().any(|task| task["attempt"] == 2), "nothing was taken from it: {done:?}");
    let_go(still.pid());
    let noticed = wait_for("that it lost what it had", PATIENCE, async || {
        if still.log().contains("another process has taken the task") { Ok(()) } else { Err("nothing") }
    });
    noticed.await;
    see_once(&http, &receiver, &tasks).await;
    // It goes on with what comes next.
    client_of(still, &key).get("/v1/whoami").await.is(200);
}

/// Options of processes that are replaced one after the other: who was just chosen by the proxy is answered still.
fn rolled_out() -> Options {
    Options::new().with("--concurrent-tasks", "0").with("--linger", "1")
}

/// Clients that ask without pause, of whom none may be refused.
struct Clients {
    is_over: Arc<AtomicBool>,
    asked: Arc<AtomicU64>,
    clients: JoinSet<()>,
}

impl Clients {
    fn start(http: &Http, count: usize) -> Self {
        let (is_over, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut clients = JoinSet::new();
        for client in 0..count {
            let (http, is_over, asked) = (http.clone(), Arc::clone(&is_over), Arc::clone(&asked));
            clients.spawn(async move {
                for number in 0_u64.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    http.get("/v1/whoami").await.is(200);
                    let form =
                        Form::of_file(&format!("{client} {number}.txt"), format!("{client} {number}").as_bytes());
                    let file = text(&http.post_form("/v1/uploads", &form).await.expect(201)["file_id"]);
                    http.get(&format!("/v1/drive/files/{file}/content")).await.is(200);
                    http.get("/v1/drive/files?limit=20").await.is(200);
                    asked.fetch_add(4, Ordering::Relaxed);
                }
            });
        }
        Self { is_over, asked, clients }
    }

    /// So many requests so far.
    fn count(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Waits for so many more.
    async fn go_on(&mut self, more: u64) {
        let wanted = self.count() + more;
        while self.count() < wanted {
            if let Some(ended) = self.clients.try_join_next() {
                ended.expect("no client is refused");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn stop(mut self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        while let Some(ended) = self.clients.join_next().await {
            ended.expect("no client is refused");
        }
        self.count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_are_stopped_and_started_in_turn_under_load_without_a_failed_request() {
    let mut rig = Rig::start(rolled_out(), 3);
    let key = rig.studios[0].create_key("k").key;
    let http = rig.client(&key);
    let mut clients = Clients::start(&http, 6);
    let tasks = start_tasks(&http, 6, "https://example.org/never").await;
    for number in 0..3 {
        clients.go_on(60).await;
        let others: Vec<&Studio> = (0..3).filter(|other| *other != number).map(|other| &rig.studios[other]).collect();
        rig.front.take_turns(&others);
        let told = Instant::now();
        let mut studios = std::mem::take(&mut rig.studios);
        studios = tokio::task::spawn_blocking(move || {
            assert!(studios[number].stop().success());
            studios[number].restart();
            studios
        })
        .await
        .expect("a process that ends and starts");
        println!("process {number} was back after {:?}", told.elapsed());
        rig.studios = studios;
        rig.front.take_turns(&rig.studios.iter().collect::<Vec<_>>());
    }
    clients.go_on(60).await;
    let asked = clients.stop().await;
    let done = see_done(&http, &tasks).await;
    let refused =
        rig.front.api.seen().iter().filter(|request| request.status.is_none_or(|status| status >= 500)).count();
    assert_eq!(refused, 0, "of {asked}");
    println!("{asked} requests, {} designs", done.len());
    rig.studios.iter_mut().for_each(|studio| assert!(studio.stop().success()));
    let found = result(&rig.studios[0].command(&["verify", "--json"]), 0);
    assert_eq!(found["findings"], 0, "{found}");
}

/// What a later version brings in: a column more in every table, with a value in each row, and an index; a table at a time, so that
/// nobody waits for two.
const ONE_MIGRATION_MORE: &str = "-- no-transaction
DO $$ DECLARE named TEXT; BEGIN
  FOR named IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_sqlx_migrations' LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN of_a_later_version BIGINT NOT NULL DEFAULT 7', named);
    COMMIT;
    EXECUTE format('CREATE INDEX %I ON %I (of_a_later_version)', named || '_later', named);
    COMMIT;
  END LOOP;
END $$";

#[tokio::test(flavor = "multi_thread")]
async fn a_later_version_takes_over_process_by_process_under_load_without_a_failed_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let migration = folder.path().join("more.sql");
    std::fs::write(&migration, ONE_MIGRATION_MORE).expect("a file");
    let mut rig = Rig::start(rolled_out(), 3);
    let later =
        rig.options.clone().environment("EASEL_STUDIO_TESTS_MIGRATION", migration.to_str().expect("a path of text"));
    let http = rig.client(&rig.studios[0].create_key("k").key);
    let mut clients = Clients::start(&http, 3);
    let mut load = Load::start(&http, 3, soak::seed());
    let mut gone = Vec::new();
    for _ in 0..3 {
        clients.go_on(60).await;
        tokio::task::block_in_place(|| {
            // The newer one comes first, as its machine does, so that there are never fewer than three.
            rig.studios.push(several::start_beside(&rig.front, &later, &rig.studios[0]));
            rig.front.take_turns(&rig.studios[1..].iter().collect::<Vec<_>>());
            let mut oldest = rig.studios.remove(0);
            assert!(oldest.stop().success());
            gone.push(oldest);
        });
    }
    clients.go_on(60).await;
    load.wait_for_work(10).await;
    load.stop().await;
    let asked = clients.stop().await;
    see_tasks_end(&http, &load.acknowledged().tasks).await;
    let seen = [rig.front.api.seen(), rig.front.storage.seen()].concat();
    let failed: Vec<_> = seen.iter().filter(|request| request.status.is_none_or(|status| status >= 500)).collect();
    assert!(failed.is_empty(), "{failed:?}");
    println!("{asked} and {} requests", seen.len());
    let columns = "SELECT COUNT(*) FROM information_schema.columns WHERE column_name = 'of_a_later_version'";
    assert!(rig.database.query(columns).trim().parse::<u32>().expect("a number") > 30);
    rig.studios.iter_mut().for_each(|studio| assert!(studio.stop().success()));
    let found = result(&rig.studios[0].command(&["verify", "--json"]), 0);
    assert_eq!(found["findings"], 0, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_told_to_stop_gives_back_what_does_not_end_in_time() {
    let mut rig = Rig::start(Options::new().with("--inject", "pause=90000").with("--linger", "2"), 1);
    let key = rig.studios[0].create_key("k").key;
    let tasks = start_tasks(&rig.client(&key), 1, "https://example.org/never").await;
    wait_until_it_works(&rig.studios[0], &tasks).await;
    let options = Options::new().database(&rig.database).bucket(&rig.bucket);
    let other = several::start_beside(&rig.front, &options, &rig.studios[0]);
    let leaving = rig.client(&key);
    rig.studios[0].signal(Signal::SIGTERM);
    let told = Instant::now();
    let said = wait_for("that it stops", PATIENCE, async || {
        let ready = leaving.get("/readyz").await;
        if ready.status == 503 { Ok(ready.value()) } else { Err(ready.status) }
    });
    assert_eq!(said.await["status"], "stopping");
    leaving.get("/v1/whoami").await.is(200);
    rig.front.take_turns(&[&other]);
    let mut stopping = rig.studios.remove(0);
    let (status, took) = tokio::task::spawn_blocking(move || (stopping.wait(), told.elapsed())).await.expect("its end");
    assert!(status.success() && took < DRAINED, "{status} after {took:?}");
    let given = Instant::now();
    let done = see_done(&rig.client(&key), &tasks).await;
    // Nobody waited for the lease of thirty seconds.
    println!("ended after {took:?}, done {:?} later: {}", given.elapsed(), done[0]["attempt"]);
    assert!(given.elapsed() < Duration::from_secs(20), "{:?}", given.elapsed());
    drop(other);
}
