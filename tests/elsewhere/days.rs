//! Many days' work, each at a stranger of other decisions.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use easel_stranger::{Entry, Stranger, Switch, Switches};
use futures_util::FutureExt;
use tokio::sync::Semaphore;

use crate::day;

/// Days at once: most of a day is waiting for files to stand still.
const AT_ONCE: usize = 40;
/// So many of the last requests are told of a day that failed.
const REQUESTS_TOLD: usize = 12;

/// Runs a day for each set, and tells of all that failed.
async fn run(sets: Vec<Switches>) {
    let (total, places) = (sets.len(), Arc::new(Semaphore::new(AT_ONCE)));
    let mut days = Vec::new();
    for switches in sets {
        let places = Arc::clone(&places);
        let told = switches.clone();
        let place = places.acquire_owned().await.expect("a place");
        // A runtime of its own, so that days do not wait for each other's.
        let day = tokio::task::spawn_blocking(move || {
            let _place = place;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let stranger = day::open(switches).await;
                let worked = AssertUnwindSafe(day::work(&stranger)).catch_unwind().await;
                let worked = worked.map_err(|panic| format!("{}\n{}", words_of(&panic), last_requests(&stranger)));
                // Told at once: what ends early still says what it found.
                worked.inspect_err(|words| eprintln!("a day failed at {}\n  {words}", stranger.switches()))
            })
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
    run(vec![Switches::none()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_at_a_service_that_decides_everything_otherwise() {
    run(vec![Switches::all_against()]).await;
}

#[ignore = "36 days, some of which wait for minutes: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn every_two_decisions_meet_in_a_days_work() {
    run(Switches::covering(1)).await;
}

#[ignore = "151 days: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn a_day_at_a_service_that_decides_one_thing_otherwise() {
    // To look into some of them: their names, with blanks between them.
    let chosen = std::env::var("EASEL_SWITCHES").unwrap_or_default();
    let is_chosen = |switch: &&Switch| chosen.is_empty() || chosen.split(' ').any(|name| name == switch.to_string());
    run(Switch::ALL.iter().filter(is_chosen).map(|switch| Switches::of(&[*switch])).collect()).await;
}

#[ignore = "many days: part of `cargo xtask soak`"]
#[tokio::test(flavor = "multi_thread")]
async fn days_at_services_whose_decisions_are_drawn() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    // One that failed is done again alone by its seed.
    let (first, days) = (number("EASEL_FIRST_SEED", 0), number("EASEL_SOAK_DAYS", 20));
    run((first..first + days).map(Switches::drawn).collect()).await;
}
