//! A folder kept in step on a real disk, while a person does there what people do, all at once and in any order.
//!
//! Always true here: a storm is drawn from its seed, which is told where one fails, and `EASEL_FIRST_SEED` with
//! `EASEL_SOAK_STORMS=1` replays. What the storms are worth is shown by bugs that are planted in the adapters: each is found.
//! Deliberately not here: a disk that fails, which `faults` has.

mod acts;
mod weather;

use std::sync::Arc;
use std::time::Duration;

use easel_sync::{Mutant, Planted};
use easel_tests::soak;
use tokio::sync::Semaphore;

use weather::{Forecast, Kind, weather};

/// Storms in every run.
const STORMS: u64 = 200;
/// Storms at once.
const AT_ONCE: usize = 3;
/// What has not come to rest after so long never does, by the storm's own clock.
const LONGEST: Duration = Duration::from_secs(6 * 3_600);
/// The same where nothing is looked through now and then for no reason, so that all that is noticed was told.
const LONGEST_TOLD: Duration = Duration::from_secs(1_800);
/// Each bug is found within so many storms.
const FOUND_WITHIN: u64 = 300;

/// The bugs that are planted in disk, watch and index.
const MUTANTS: [Mutant; 18] = [
    Mutant::DropsMarks,
    Mutant::SkipsNewFolders,
    Mutant::IgnoresChangeTime,
    Mutant::TakesGoneForUnreadable,
    Mutant::KeepsTheInside,
    Mutant::WatchesTheTop,
    Mutant::HearsHalfOfMoves,
    Mutant::HearsNoWriting,
    Mutant::HearsNoMaking,
    Mutant::HearsNoRemoving,
    Mutant::AsksFromTheEnd,
    Mutant::TrustsTheClock,
    Mutant::KeepsOldNames,
    Mutant::WakesNobody,
    Mutant::ForgetsTheTop,
    Mutant::CallsEditsEmpty,
    Mutant::FollowsRestores,
    Mutant::TakesAnyFolder,
];

/// What a storm ended with, where it did not end well.
type Failed = (u64, String);

#[tokio::test(flavor = "multi_thread")]
async fn storms_of_a_person_pass_and_nothing_is_lost() {
    pass(&Forecast { longest: LONGEST, ..Forecast::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long: a part of the soak"]
async fn storms_that_end_in_a_restored_drive_take_nothing_away() {
    let forecast =
        Forecast { longest: LONGEST_TOLD, looks_through: false, kind: Kind::Restored, ..Forecast::default() };
    pass(&forecast).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long: a part of the soak"]
async fn storms_with_names_of_every_kind_and_other_folders_in_its_place_pass() {
    pass(&Forecast { longest: LONGEST, kind: Kind::Odd, ..Forecast::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long: a part of the soak"]
async fn storms_find_the_bugs_that_are_planted_in_the_adapters() {
    let wanted = std::env::var("EASEL_PLANTED").ok();
    let first = first_seed();
    let mut unfound = Vec::new();
    for mutant in [None].into_iter().chain(MUTANTS.map(Some)) {
        let name = mutant.map_or_else(|| "Nothing".to_owned(), |mutant| format!("{mutant:?}"));
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let planted = Planted::new(mutant);
        let kind = if mutant == Some(Mutant::TakesAnyFolder) { Kind::Odd } else { Kind::Harsh };
        let forecast = Forecast { longest: LONGEST_TOLD, looks_through: false, kind, planted };
        let failed = run(first..first + FOUND_WITHIN, &forecast, true).await;
        println!("{name}: {:?}", failed.first());
        if failed.is_empty() == mutant.is_some() {
            unfound.push(name);
        }
    }
    assert!(unfound.is_empty(), "found though nothing is planted, or planted and not found: {unfound:?}");
}

/// Storms like this one, each of which has to end well.
async fn pass(forecast: &Forecast) {
    let first = first_seed();
    let seeds = first..first + soak::number("EASEL_SOAK_STORMS").unwrap_or(STORMS);
    let failed = run(seeds.clone(), forecast, false).await;
    eprintln!("storms with the seeds {seeds:?}");
    let failed: Vec<String> = failed.into_iter().map(|(seed, why)| format!("storm {seed}: {why}")).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

fn first_seed() -> u64 {
    soak::number("EASEL_FIRST_SEED").unwrap_or(0)
}

/// Storms with these seeds, several at once; no more are begun after the first that fails where one is enough.
async fn run(seeds: std::ops::Range<u64>, forecast: &Forecast, is_one_enough: bool) -> Vec<Failed> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let failed = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut runs = Vec::new();
    for seed in seeds {
        let place = Arc::clone(&places).acquire_owned().await.expect("a place");
        if is_one_enough && !failed.lock().expect("the list").is_empty() {
            break;
        }
        let (failed, forecast) = (Arc::clone(&failed), forecast.clone());
        runs.push(tokio::task::spawn_blocking(move || {
            let _place = place;
            let storm = std::panic::catch_unwind(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(weather(seed, &forecast))
            });
            let ended = storm.unwrap_or_else(|_| Err("it panicked".to_owned()));
            if let Err(why) = ended {
                failed.lock().expect("the list").push((seed, why));
            }
        }));
    }
    for run in runs {
        run.await.expect("its end");
    }
    let mut failed = std::mem::take(&mut *failed.lock().expect("the list"));
    failed.sort();
    failed
}
