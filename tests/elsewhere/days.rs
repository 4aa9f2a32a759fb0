//! Many days' work, each at a stranger of other decisions.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use easel_stranger::{Entry, Stranger, Switch, Switches};
use easel_tests::hurry::Hurry;
use futures_util::FutureExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::day;

/// Days with real programs at once: most of such a day is waiting for files to stand still.
const AT_ONCE: usize = 40;
/// Days at once whose time is hurried: nothing is left to wait for.
const HURRIED_AT_ONCE: usize = 3;
/// A day that takes longer is told.
const LONG: Duration = Duration::from_secs(60);
/// What is not done in so long is never done, by the day's own clock.
const LONGEST: Duration = Duration::from_secs(2 * 3_600);
/// So many of the last requests are told of a day that failed.
const REQUESTS_TOLD: usize = 12;

/// Who does a day's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// Programs of their own, in real time.
    Programs,
    /// The same engines within this process, in hurried time.
    Engines,
}

/// Runs a day for each set, and tells of all that failed.
async fn run(sets: Vec<Switches>, by: By) {
    let at_once = if by == By::Programs { AT_ONCE } else { HURRIED_AT_ONCE };
    let (total, places) = (sets.len(), Arc::new(Semaphore::new(at_once)));
    let mut days = Vec::new();
    for switches in sets {
        let places = Arc::clone(&places);
        let told = switches.clone();
        let place = places.acquire_owned().await.expect("a place");
        // A runtime of its own, so that days do not wait for each other's.
        let day = tokio::task::spawn_blocking(move || {
            let _place = place;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(do_day(switches, by))
        });
        days.push((told, day));
    }
    let mut failed = Vec::new();
    for (switches, day) in days {
        if let Err(words) = day.await.expect("its end") {
            failed.push(format!("{switches}\n  {words}"));
        }
    }
    assert!(failed.is_empty(), "{} of {total} days failed:\n\n{}", failed.len(), failed.join("\n\n"));
}

async fn do_day(switches: Switches, by: By) -> Result<(), String> {
    let hurry = (by == By::Engines).then(Hurry::start);
    let stranger = day::open(switches, hurry.as_ref()).await;
    let began = Instant::now();
    let work = timeout(LONGEST, AssertUnwindSafe(day::work(&stranger, hurry.as_ref())).catch_unwind());
    let worked = work.await.unwrap_or_else(|_| Err(Box::new("it does not end".to_owned())));
    if began.elapsed() > LONG {
        eprintln!("a day of {:.0} s at {}", began.elapsed().as_secs_f64(), stranger.switches());
    }
    let worked = worked.map_err(|panic| format!("{}\n{}", words_of(&panic), last_requests(&stranger)));
    // Told at once: what ends early still says what it found.
    worked.inspect_err(|words| eprintln!("a day failed at {}\n  {words}", stranger.switches()))
}

fn words_of(panic: &Box<dyn Any + Send>) -> String {
    let words = panic.downcast_ref::<String>().cloned();
    words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned())).unwrap_or_default()
}

/// What was asked last, and what came of it.
fn last_requests(stranger: &Stranger) -> String {
    let log = stranger.log();
    let last = log.iter().rev().take(REQUESTS_TOLD).rev();
    let line = |entry: &Entry| {
        let Entry { method, path, query, status, refusal, carried, .. } = entry;
        let carried: String = format!("{carried:?}").chars().take(200).collect();
        format!("  {method} {path} {query:?} {carried} -> {status} {}", refusal.as_deref().unwrap_or_default())
    };
    last.map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_at_a_service_that_decides_as_the_contract() {
    run(vec![Switches::none()], By::Programs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_at_a_service_that_decides_everything_otherwise() {
    run(vec![Switches::all_against()], By::Programs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_two_decisions_meet_in_a_days_work() {
    run(Switches::covering(1), By::Engines).await;
}

#[ignore = "151 days: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn a_day_at_a_service_that_decides_one_thing_otherwise() {
    // To look into some of them: their names, with blanks between them.
    let chosen = std::env::var("EASEL_SWITCHES").unwrap_or_default();
    let is_chosen = |switch: &&Switch| chosen.is_empty() || chosen.split(' ').any(|name| name == switch.to_string());
    run(Switch::ALL.iter().filter(is_chosen).map(|switch| Switches::of(&[*switch])).collect(), By::Engines).await;
}

#[ignore = "many days: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn days_at_services_whose_decisions_are_drawn() {
    run(drawn(2_000), By::Engines).await;
}

#[ignore = "days in real time: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn days_with_programs_at_services_whose_decisions_are_drawn() {
    run(drawn(20), By::Programs).await;
}

/// Sets of switches by their seeds. One that failed is done again alone by its seed.
fn drawn(usual: u64) -> Vec<Switches> {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (first, days) = (number("EASEL_FIRST_SEED", 0), number("EASEL_SOAK_DAYS", usual));
    (first..first + days).map(Switches::drawn).collect()
}
