//! Deliveries against a clock that moves only when told to: what the log keeps, and for how long.

use std::sync::Arc;
use std::time::Duration;

use easel_wire::Timestamp;
use uuid::Uuid;

use super::deliver::{Begun, begin};
use super::upkeep::delete_old;
use super::*;
use crate::background::keeper::Keeper;
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::accounts;
use crate::db::webhooks::{self as rows, AttemptEnd, DeliveryFilter, DeliveryRow, LogReader, Next};
use crate::fixture::{Fixture, pass};
use crate::studio::SharedStudio;
use crate::studio::leases::LEASE;
use crate::wire::webhooks::{DeliveryStatus, EventType};
use crate::wire::{DeliveryId, TaskId};

/// A delivery made now.
async fn add_delivery(fixture: &Fixture) -> DeliveryRow {
    let studio = &fixture.studio;
    let mut tx = studio.db.begin().await.unwrap();
    let team_id = accounts::find_team(&mut tx).await.unwrap().unwrap();
    let api_key_id = accounts::list_keys(&studio.db, None).await.unwrap()[0].id;
    let row = DeliveryRow {
        id: studio.new_id(),
        team_id,
        api_key_id,
        task_id: TaskId::from_uuid(Uuid::now_v7()),
        event_id: studio.new_id(),
        event_type: EventType::TaskSucceeded,
        target_url: "https://hooks.example/".to_owned(),
        status: DeliveryStatus::Pending,
        attempts: 0,
        claimed_by: None,
        request_headers: None,
        request_body: "{}".to_owned(),
        response_status_code: None,
        response_body_excerpt: None,
        replayed_from_id: None,
        created_at: studio.clock.now(),
        last_attempted_at: None,
    };
    rows::insert_delivery(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
    row
}

async fn ids(fixture: &Fixture) -> Vec<DeliveryId> {
    let mut tx = fixture.studio.db.begin().await.unwrap();
    let team = accounts::find_team(&mut tx).await.unwrap().unwrap();
    let reader = LogReader { team, only_of: None };
    let found =
        rows::list_deliveries(&mut tx, reader, &DeliveryFilter::default(), &Start::Offset(0), 10).await.unwrap();
    found.into_iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_delivery_is_kept_for_90_days_and_then_deleted_with_its_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("key", &[]).await;
    let old = add_delivery(&fixture).await;
    let mut tx = fixture.studio.db.begin().await.unwrap();
    begin_oldest(&mut tx, &fixture).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));
    let young = add_delivery(&fixture).await;
    let ninety_days = Duration::from_secs(7_776_000);
    fixture.clock.advance(ninety_days - Duration::from_secs(1));
    delete_old(&fixture.studio).await.unwrap();
    assert_eq!(ids(&fixture).await, [young.id, old.id]);
    fixture.clock.advance(Duration::from_micros(1));
    delete_old(&fixture.studio).await.unwrap();
    assert_eq!(ids(&fixture).await, [young.id]);
    let mut tx = fixture.studio.db.begin().await.unwrap();
    assert!(rows::list_attempts(&mut tx, &[old.id]).await.unwrap().is_empty());
}

#[tokio::test]
async fn old_deliveries_are_looked_for_at_the_start_and_then_every_hour() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("key", &[]).await;
    let hundred_days = Duration::from_secs(100 * 24 * 60 * 60);
    add_delivery(&fixture).await;
    fixture.clock.advance(hundred_days);
    let looking = tokio::spawn(forget_old(SharedStudio::clone(&fixture.studio)));
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    let until_none_is_left = async |between: Duration| {
        while !ids(&fixture).await.is_empty() {
            assert!(std::time::Instant::now() < deadline, "nobody deletes them");
            tokio::time::pause();
            tokio::time::advance(between).await;
            tokio::time::resume();
            tokio::task::yield_now().await;
        }
    };
    until_none_is_left(Duration::ZERO).await;
    add_delivery(&fixture).await;
    fixture.clock.advance(hundred_days);
    until_none_is_left(Duration::from_secs(60 * 60)).await;
    fixture.studio.active_tasks.stopping.cancel();
    looking.await.unwrap();
}

#[tokio::test]
async fn nobody_looks_before_the_next_attempt_is_due_and_it_is_made_when_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("key", &[]).await;
    let shares = Arc::default();
    let begun = async || match begin(&fixture.studio, &shares).await.unwrap() {
        Begun::Attempt(delivery, _) => Ok(*delivery),
        Begun::Nothing(pause) => Err(pause),
    };
    let a_minute = Duration::from_secs(60);
    assert_eq!(begun().await.unwrap_err(), a_minute);
    add_delivery(&fixture).await;
    let end = AttemptEnd {
        duration_ms: 1,
        response_status_code: None,
        response_body_excerpt: None,
        error: Some("the connection broke".to_owned()),
        request_headers: None,
    };
    for (wait_s, pause_s) in [(1, 1), (5, 5), (3_600, 60)] {
        let attempt = begun().await.unwrap();
        assert_eq!(begun().await.unwrap_err(), a_minute, "while it is under way nothing is due");
        let due = Timestamp::from_micros(fixture.studio.clock.now().as_micros() + wait_s * 1_000_000);
        let mut tx = fixture.studio.db.begin().await.unwrap();
        assert!(rows::end_attempt(&mut tx, &attempt, &end, Next::Again(due)).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(begun().await.unwrap_err(), Duration::from_secs(pause_s), "{wait_s} s");
        fixture.clock.advance(Duration::from_secs(wait_s.unsigned_abs()));
    }
    assert_eq!(begun().await.unwrap().attempts, 4);
}

#[tokio::test]
async fn an_attempt_that_a_stop_interrupted_is_made_again_and_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("key", &[]).await;
    let studio = &fixture.studio;
    let made = add_delivery(&fixture).await;
    let begin = async || {
        let mut tx = studio.db.begin().await.unwrap();
        let begun = begin_oldest(&mut tx, &fixture).await.unwrap();
        tx.commit().await.unwrap();
        begun
    };
    assert_eq!(begin().await.unwrap().attempts, 1);
    assert!(begin().await.is_none(), "while an attempt is under way none is due");
    fixture.end_leases_before().await;
    let second = begin().await.unwrap();
    assert_eq!((second.id, second.attempts, second.event_id), (made.id, 2, made.event_id));
    let mut tx = studio.db.begin().await.unwrap();
    assert_eq!(rows::count_attempts(&mut tx, made.id).await.unwrap(), 1);
    assert!(rows::end_attempt(&mut tx, &second, &taken(), Next::Done).await.unwrap());
    let log = rows::list_attempts(&mut tx, &[made.id]).await.unwrap().remove(&made.id).unwrap();
    assert!(log[0].error.as_deref().unwrap().contains("stopped"), "{log:?}");
    assert_eq!((log[1].duration_ms, log[1].response_status_code, &log[1].error), (Some(7), Some(200), &None));
    tx.commit().await.unwrap();
    fixture.end_leases_before().await;
    assert!(begin().await.is_none(), "what was delivered stays so");
}

/// The end of an attempt that the receiver took.
fn taken() -> AttemptEnd {
    AttemptEnd {
        duration_ms: 7,
        response_status_code: Some(200),
        response_body_excerpt: Some(String::new()),
        error: None,
        request_headers: None,
    }
}

/// Begins an attempt, as the process of this studio does.
async fn begin_here(fixture: &Fixture) -> Option<DeliveryRow> {
    match begin(&fixture.studio, &Arc::default()).await.unwrap() {
        Begun::Attempt(delivery, _) => Some(*delivery),
        Begun::Nothing(_) => None,
    }
}

async fn end(fixture: &Fixture, delivery: &DeliveryRow) -> bool {
    let mut tx = fixture.studio.db.begin().await.unwrap();
    let was_held = rows::end_attempt(&mut tx, delivery, &taken(), Next::Done).await.unwrap();
    tx.commit().await.unwrap();
    was_held
}

#[tokio::test]
async fn an_attempt_that_another_process_took_over_is_ended_by_that_one_alone() {
    let folder = tempfile::tempdir().unwrap();
    let one = Fixture::start(folder.path(), 0).await;
    one.add_key("key", &[]).await;
    let other = one.beside().await;
    let mut keepers = [Keeper::new(&one.studio), Keeper::new(&other.studio)];
    let [own, others] = &mut keepers;
    pass(&one.clock, LEASE, &mut [own, others]).await;
    let made = add_delivery(&one).await;
    let first = begin_here(&one).await.unwrap();
    let held = one.studio.leases.hold(first.claim());
    pass(&one.clock, LEASE * 5, &mut [own, others]).await;
    assert!(begin_here(&other).await.is_none(), "who goes on holds it");
    // The first process stands still, and goes on too late.
    pass(&one.clock, LEASE * 2, &mut [others]).await;
    let second = begin_here(&other).await.unwrap();
    assert_eq!((second.id, second.attempts, &second.event_id), (made.id, 2, &made.event_id));
    assert!(!end(&one, &first).await);
    assert!(end(&other, &second).await);
    assert!(!end(&one, &first).await && !end(&other, &second).await, "an end is one");
    drop(held);
    let mut tx = one.studio.db.begin().await.unwrap();
    let log = rows::list_attempts(&mut tx, &[made.id]).await.unwrap().remove(&made.id).unwrap();
    let told: Vec<_> = log.iter().map(|one| (one.response_status_code, one.error.is_some())).collect();
    assert_eq!(told, [(None, true), (Some(200), false)]);
    assert_eq!(rows::count_pending(&mut tx).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn holders_that_race_for_deliveries_begin_each_of_them_once() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("key", &[]).await;
    for _ in 0..100 {
        add_delivery(&fixture).await;
    }
    let mut racing = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let fixture = fixture.beside().await;
        racing.spawn(async move {
            let mut begun = Vec::new();
            while let Some(delivery) = begin_here(&fixture).await {
                assert!(end(&fixture, &delivery).await, "nobody else has it");
                begun.push((delivery.id, delivery.attempts));
            }
            begun
        });
    }
    let begun: Vec<_> = racing.join_all().await.into_iter().flatten().collect();
    assert!(begun.iter().all(|(_, attempts)| *attempts == 1));
    let apart: std::collections::HashSet<_> = begun.iter().collect();
    assert_eq!((begun.len(), apart.len()), (100, 100));
}

/// Begins the attempt that is longest due, of any organization, as a process other than this studio.
async fn begin_oldest(tx: &mut crate::db::Tx, fixture: &Fixture) -> Result<Option<DeliveryRow>, Error> {
    let now = fixture.studio.clock.now();
    match rows::list_due(tx, now).await?.first() {
        Some(due) => rows::begin_attempt(tx, due, fixture.lease_of_another(), now).await,
        None => Ok(None),
    }
}
