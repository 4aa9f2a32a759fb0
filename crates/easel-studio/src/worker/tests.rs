//! Tasks shared by several processes, each a studio of its own on one data folder here, by one clock that moves only
//! when told to.

use std::collections::HashSet;
use std::time::Duration;

use easel_wire::Scope;
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::attempt::{self, Draft};
use super::failure::settle;
use super::*;
use crate::background::keeper::Keeper;
use crate::db::drive::files::list_content_hashes;
use crate::db::tasks::Try;
use crate::fixture::{Answer, Fixture, VERSION_HEADER, count_files, pass};
use crate::studio::leases::Held;
use crate::studio::leases::LEASE;

/// How long anything may take that is under way.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two processes on one data folder, and the state of each from one look to the next.
struct Pair {
    one: Fixture,
    other: Fixture,
    keepers: [Keeper; 2],
    folder: tempfile::TempDir,
}

impl Pair {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let one = Fixture::start(folder.path(), 0).await;
        one.add_key("owner", Scope::KNOWN).await;
        let other = one.beside().await;
        let keepers = [Keeper::new(&one.studio), Keeper::new(&other.studio)];
        let mut pair = Self { one, other, keepers, folder };
        // From now on each ends what is over at once.
        pair.pass(LEASE, &[0, 1]).await;
        pair
    }

    /// Lets so much time pass, in which the processes of `looking` look; the others stand still.
    async fn pass(&mut self, time: Duration, looking: &[usize]) {
        let keepers = self.keepers.iter_mut().enumerate().filter(|(at, _)| looking.contains(at));
        pass(&self.one.clock, time, &mut keepers.map(|(_, keeper)| keeper).collect::<Vec<_>>()).await;
    }

    async fn start(&self, body: Value) -> TaskId {
        let answer = ask(&self.one, Method::POST, "/v1/tasks", &[], body).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().parse().unwrap()
    }

    async fn count(&self, path: &str) -> usize {
        ask(&self.one, Method::GET, path, &[], Value::Null).await.json()["data"].as_array().unwrap().len()
    }
}

async fn ask(fixture: &Fixture, method: Method, path: &str, headers: &[(&str, &str)], body: Value) -> Answer {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let headers = [headers, &[("authorization", "Bearer owner"), (VERSION_HEADER, "2026-05-01")]].concat();
    fixture.ask(&method, path, &headers, body).await
}

async fn find(fixture: &Fixture, id: TaskId) -> TaskRow {
    tasks::find_task(&mut fixture.studio.db.begin().await.unwrap(), id).await.unwrap().unwrap()
}

/// Claims the next task, and draws it, as a worker does.
async fn claim_and_draw(fixture: &Fixture) -> (TaskRow, Held, Draft) {
    let task = claim(&fixture.studio).await.unwrap().expect("a task that waits");
    let held = fixture.studio.leases.hold(task.claim());
    drop(fixture.studio.active_tasks.begin(task.last_try()));
    let draft = attempt::draw(&fixture.studio, &Injection::default(), &task).await.unwrap();
    (task, held, draft)
}

/// Lets a worker of this process work until the task has ended.
async fn finish(fixture: &Fixture, id: TaskId) {
    let mut ends = fixture.studio.active_tasks.ends();
    let workers = start(&fixture.studio, 1, &Injection::default());
    let ended = async { while ends.recv().await.unwrap() != id {} };
    tokio::time::timeout(PATIENCE, ended).await.expect("a worker ends it");
    drop(workers);
}

fn lost_leases(fixture: &Fixture) -> u64 {
    fixture.studio.metrics.lost_leases(crate::db::leases::Work::Task)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn holders_that_race_for_two_hundred_tasks_get_each_of_them_once() {
    let pair = Pair::new().await;
    let first = find(&pair.one, pair.start(json!({"prompt": "A deck"})).await).await;
    let mut tx = pair.one.studio.db.begin().await.unwrap();
    for _ in 1..200 {
        tasks::insert_task(&mut tx, &TaskRow { id: pair.one.studio.new_id(), ..first.clone() }).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut racing = JoinSet::new();
    for _ in 0..4 {
        let studio = pair.one.beside().await.studio;
        for _ in 0..2 {
            let studio = SharedStudio::clone(&studio);
            racing.spawn(async move {
                let mut drawn = Vec::new();
                while let Some(task) = claim(&studio).await.unwrap() {
                    let mut tx = studio.db.begin().await.unwrap();
                    let end = End::without_result(TaskStatus::Canceled, ProgressRow::default(), None);
                    let ended = tasks::end_task(&mut tx, &task, &end, studio.clock.now()).await.unwrap();
                    tx.commit().await.unwrap();
                    assert!(ended.is_some(), "nobody else has it");
                    drawn.push(task.last_try());
                }
                drawn
            });
        }
    }
    let drawn: Vec<Try> = racing.join_all().await.into_iter().flatten().collect();
    assert!(drawn.iter().all(|of| of.attempt == 1));
    assert_eq!((drawn.len(), drawn.iter().collect::<HashSet<_>>().len()), (200, 200));
}

#[tokio::test]
async fn what_an_old_holder_brings_too_late_is_refused_and_leaves_nothing() {
    let mut pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck", "callback_url": "http://127.0.0.1:9/"})).await;
    let (task, held, draft) = claim_and_draw(&pair.one).await;
    pair.pass(LEASE - LEASE / 6, &[1]).await;
    assert_eq!(find(&pair.one, id).await.status, TaskStatus::Running, "nobody takes what is held");
    pair.pass(LEASE / 2, &[1]).await;
    assert_eq!(find(&pair.one, id).await.status, TaskStatus::Queued);
    finish(&pair.other, id).await;
    let done = find(&pair.one, id).await;
    assert_eq!((done.status, done.attempt), (TaskStatus::Succeeded, 2));
    let contents = async || {
        let mut conn = pair.one.studio.db.read().acquire().await.unwrap();
        list_content_hashes(&mut conn).await.unwrap()
    };
    let before = contents().await;

    // The first process goes on where it stood.
    let refused = attempt::store(&pair.one.studio, &task, draft).await.unwrap_err();
    assert!(matches!(refused, Failure::LeaseLost), "{refused:?}");
    settle(&pair.one.studio, &task, refused).await;
    drop(held);
    assert_eq!(find(&pair.one, id).await, done);
    assert_eq!((lost_leases(&pair.one), lost_leases(&pair.other)), (1, 0));
    assert_eq!((pair.count("/v1/canvases").await, pair.count("/v1/webhook_deliveries").await), (1, 1));
    // The drawings of both are one content, which stays, and there is no other.
    assert_eq!(contents().await, before);
    for hash in &before {
        assert!(pair.one.studio.blobs.size_of(hash).await.unwrap().is_some());
    }
    let lying = |place: &str| count_files(&pair.folder.path().join("blobs").join(place));
    assert_eq!((lying("sha256"), lying("incoming")), (before.len(), 0));
}

#[tokio::test]
async fn what_an_old_holder_says_of_its_try_changes_nothing_of_a_later_one() {
    type Say = fn() -> Failure;
    let cases: [(&str, Say); 4] = [
        ("passing", Failure::breakdown),
        ("final", || Failure::Final("It cannot be.".to_owned())),
        ("needs someone", || Failure::NeedsSomeone("Do something.".to_owned())),
        ("canceled", || Failure::Canceled),
    ];
    for (name, failure) in cases {
        let mut pair = Pair::new().await;
        let id = pair.start(json!({"prompt": "A deck"})).await;
        let task = claim(&pair.one.studio).await.unwrap().unwrap();
        pair.pass(LEASE * 2, &[1]).await;
        let later = claim(&pair.other.studio).await.unwrap().unwrap();
        settle(&pair.one.studio, &task, failure()).await;
        let progress = ProgressRow { percent: 70, ..ProgressRow::default() };
        let mut tx = pair.one.studio.db.begin().await.unwrap();
        let holder = pair.one.studio.leases.holder();
        assert!(!tasks::write_progress(&mut tx, task.last_try(), holder, &progress).await.unwrap(), "{name}");
        // The older try cannot write in the name of the later one either, because that is not its own.
        assert!(!tasks::write_progress(&mut tx, later.last_try(), holder, &progress).await.unwrap(), "{name}");
        tx.commit().await.unwrap();
        assert_eq!(find(&pair.one, id).await, later, "{name}");
        assert_eq!(lost_leases(&pair.one), 1, "{name}");
    }
}

#[tokio::test]
async fn who_works_for_long_holds_on_and_is_told_when_the_lease_was_ended_all_the_same() {
    let mut pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck"})).await;
    let (task, held, draft) = claim_and_draw(&pair.one).await;
    pair.pass(LEASE * 20, &[0, 1]).await;
    assert!(task.is_held(&find(&pair.one, id).await));
    // The process stands still for so long that another takes the task.
    pair.pass(LEASE * 2, &[1]).await;
    assert_eq!(find(&pair.one, id).await.status, TaskStatus::Queued);
    pair.pass(LEASE / 2, &[0, 1]).await;
    tokio::time::timeout(PATIENCE, held.lost()).await.expect("it is told");
    drop(draft);
}

#[tokio::test]
async fn a_process_that_stood_still_goes_on_with_what_nobody_took() {
    let mut pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck"})).await;
    let (task, held, draft) = claim_and_draw(&pair.one).await;
    pair.one.clock.advance(LEASE * 10);
    pair.keepers[0].look().await;
    pair.pass(LEASE, &[0, 1]).await;
    assert!(attempt::store(&pair.one.studio, &task, draft).await.is_ok());
    drop(held);
    let done = find(&pair.one, id).await;
    assert_eq!((done.status, done.attempt, lost_leases(&pair.one)), (TaskStatus::Succeeded, 1, 0));
}

#[tokio::test]
async fn a_task_is_canceled_by_a_process_that_does_not_work_on_it() {
    let mut pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck"})).await;
    let mut ends = pair.one.studio.active_tasks.ends();
    let mut news = pair.one.studio.active_tasks.news();
    let workers = start(&pair.one.studio, 1, &"pause=600000".parse().unwrap());
    let begun = async {
        while find(&pair.one, id).await.status != TaskStatus::Running
            || pair.one.studio.active_tasks.preview(id).is_none()
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, begun).await.expect("a worker begins");
    pair.keepers[0].look().await;
    let answer = ask(&pair.other, Method::POST, &format!("/v1/tasks/{id}/cancel"), &[], Value::Null).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (202, &json!("running")));
    news.mark_unchanged();
    pair.keepers[0].look().await;
    assert!(news.has_changed().unwrap(), "what changed is seen at the next look");
    let ended = tokio::time::timeout(PATIENCE, async { while ends.recv().await.unwrap() != id {} }).await;
    ended.expect("its worker stops");
    drop(workers);
    assert_eq!(find(&pair.other, id).await.status, TaskStatus::Canceled);
}

#[tokio::test]
async fn who_waits_hears_of_what_another_process_does_at_the_next_look() {
    let Pair { one, other, mut keepers, folder: _folder } = Pair::new().await;
    // A worker without work, in a process that gets no requests.
    let mut ends = one.studio.active_tasks.ends();
    let workers = start(&one.studio, 1, &Injection::default());
    let waiting = ask(&other, Method::POST, "/v1/tasks", &[("prefer", "wait=30")], json!({"prompt": "A deck"}));
    let working = async {
        let mut conn = other.studio.db.read().acquire().await.unwrap();
        while tasks::find_oldest_queued(&mut conn).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        keepers[0].look().await;
        ends.recv().await.unwrap();
        keepers[1].look().await;
    };
    let (answer, ()) = tokio::time::timeout(PATIENCE / 3, async { tokio::join!(waiting, working) })
        .await
        .expect("it is told before the time is up");
    assert_eq!(answer.json()["status"], "succeeded", "{}", answer.text());
    drop(workers);
}

#[tokio::test]
async fn how_far_a_task_is_stands_written_for_others_and_is_written_once_a_look() {
    let mut pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck"})).await;
    let (task, held, _draft) = claim_and_draw(&pair.one).await;
    let report = |percent| {
        let progress = ProgressRow { percent, step: Some("drawing".to_owned()), message: None };
        pair.one.studio.active_tasks.report(task.last_try(), progress);
    };
    report(30);
    report(40);
    let seen = async || {
        let task = ask(&pair.other, Method::GET, &format!("/v1/tasks/{id}"), &[], Value::Null).await.json();
        let preview = ask(&pair.other, Method::GET, &format!("/v1/tasks/{id}/preview"), &[], Value::Null).await.json();
        assert_eq!(task["progress"], preview["progress"], "{preview}");
        task["progress"]["percent"].as_u64().unwrap()
    };
    assert_eq!(seen().await, 0);
    let before = pair.one.studio.db.look();
    pair.keepers[0].look().await;
    assert_ne!(pair.one.studio.db.look(), before);
    assert_eq!(seen().await, 40);
    let before = pair.one.studio.db.look();
    pair.keepers[0].look().await;
    assert_eq!(pair.one.studio.db.look(), before, "nothing new is nothing to write");
    // The process that takes it over begins anew.
    drop(held);
    pair.pass(LEASE * 2, &[1]).await;
    let again = find(&pair.one, id).await;
    assert_eq!((again.status, again.progress), (TaskStatus::Queued, ProgressRow::default()));
}

#[tokio::test]
async fn nothing_is_written_while_nothing_is_held() {
    let mut pair = Pair::new().await;
    let before = pair.one.studio.db.look();
    assert!(before.is_some());
    pair.pass(LEASE * 10, &[0, 1]).await;
    assert!(claim(&pair.one.studio).await.unwrap().is_none());
    assert_eq!(pair.one.studio.db.look(), before);
}

#[tokio::test]
async fn a_calendar_that_jumps_ends_no_lease_that_is_renewed_and_keeps_none_that_is_not() {
    for hours in [-5, 5] {
        let mut pair = Pair::new().await;
        let id = pair.start(json!({"prompt": "A deck"})).await;
        let task = claim(&pair.one.studio).await.unwrap().unwrap();
        let held = pair.one.studio.leases.hold(task.claim());
        pair.one.clock.jump(hours * 3_600_000_000);
        // The other looks first.
        for _ in 0..20 {
            pair.keepers[1].look().await;
            pair.pass(LEASE / 6, &[0]).await;
        }
        assert!(task.is_held(&find(&pair.one, id).await), "{hours} hours");
        pair.one.clock.jump(-hours * 3_600_000_000);
        pair.pass(LEASE * 3, &[1]).await;
        assert_eq!(find(&pair.one, id).await.status, TaskStatus::Queued, "{hours} hours, and back");
        drop(held);
    }
}

#[tokio::test]
async fn a_process_that_starts_takes_nothing_unless_it_has_the_folder_for_itself() {
    let pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A deck"})).await;
    let task = claim(&pair.one.studio).await.unwrap().unwrap();
    let new = pair.other.beside().await;
    let mut keeper = Keeper::new(&new.studio);
    // As far as the new process can know, the other had no time to renew its leases.
    for _ in 0..5 {
        new.clock.advance(LEASE / 6);
        keeper.look().await;
    }
    assert!(task.is_held(&find(&new, id).await));
    new.end_leases_before().await;
    assert_eq!(find(&new, id).await.status, TaskStatus::Queued);
}

#[tokio::test]
async fn what_a_process_gives_back_is_another_s_at_once_and_its_last_try_is_not_lost_with_it() {
    let pair = Pair::new().await;
    let id = pair.start(json!({"prompt": "A card"})).await;
    for attempt in 1..=MAX_ATTEMPTS + 1 {
        let (task, _held, _draft) = claim_and_draw(&pair.one).await;
        assert_eq!((task.id, task.attempt), (id, attempt));
        crate::background::reaper::give_back(&pair.one.studio).await.unwrap();
        let waiting = find(&pair.other, id).await;
        assert_eq!((waiting.status, waiting.claimed_by), (TaskStatus::Queued, None), "at once, after try {attempt}");
    }
    // What another holds is not given back.
    let (task, _held, _draft) = claim_and_draw(&pair.other).await;
    crate::background::reaper::give_back(&pair.one.studio).await.unwrap();
    assert_eq!(find(&pair.one, id).await.claimed_by, task.claimed_by);
}
