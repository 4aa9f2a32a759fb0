//! A folder kept in step on a real disk, while a person does there what people do, all at once and in any order.
//!
//! Always true here: disk, watch and index of the drive are the real ones, and only time is hurried. A storm is drawn from
//! its seed, which is told where one fails, and `EASEL_FIRST_SEED` with `EASEL_SOAK_STORMS=1` replays. Where nobody touched
//! the drive the disk stays as the person left it, and the other way round; both sides come to the same; no content is gone
//! that nobody removed. Deliberately not here: a disk that fails, which `faults` has.

mod acts;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use easel_stranger::{Fault, Route, Stranger, Switches};
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_tests::hurry::Hurry;
use easel_tests::trees::{Item, Tree, read_disk_below, stand_in};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use crate::computer::{Computer, Running};
use crate::day;
use acts::Person;

/// Storms in every run.
const STORMS: u64 = 200;
/// Storms at once.
const AT_ONCE: usize = 3;
/// What has not come to rest after so long never does, by the storm's own clock.
const LONGEST: Duration = Duration::from_secs(6 * 3_600);
/// Both sides are the same for so long before that is believed.
const REST: Duration = Duration::from_secs(60);
/// The folder that is kept.
const KEPT: &str = "Brand";

/// Where the acts of a storm are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    Here,
    InTheDrive,
    OnBothSides,
}

#[tokio::test(flavor = "multi_thread")]
async fn storms_of_a_person_pass_and_nothing_is_lost() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (first, storms) = (number("EASEL_FIRST_SEED", 0), number("EASEL_SOAK_STORMS", STORMS));
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut runs = Vec::new();
    for seed in first..first + storms {
        let place = Arc::clone(&places).acquire_owned().await.expect("a place");
        runs.push((
            seed,
            tokio::task::spawn_blocking(move || {
                let _place = place;
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(weather(seed))
            }),
        ));
    }
    let mut failed = Vec::new();
    for (seed, run) in runs {
        match run.await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => failed.push(format!("storm {seed}: {why}")),
            Err(panic) => failed.push(format!("storm {seed}: {panic}")),
        }
    }
    println!("{storms} storms from seed {first}");
    assert!(failed.is_empty(), "{} of {storms} failed:\n{}", failed.len(), failed.join("\n"));
}

/// One storm.
async fn weather(seed: u64) -> Result<(), String> {
    let hurry = Hurry::start();
    let stranger = day::open(Switches::none(), Some(&hurry)).await;
    let home = TempDir::with_prefix("easel-storm-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let mut person = Person::new(seed, &computer.root);
    let side = [Where::Here, Where::InTheDrive, Where::OnBothSides][person.pick(3)];
    person.furnish();
    let mut running = computer.start(&stranger, &hurry).await;
    watch(&running, &computer.root).await;
    settle(&running, &stranger, &person, Duration::ZERO).await?;

    let rounds = 2 + person.pick(4);
    for _ in 0..rounds {
        trouble(&stranger, &mut person);
        for _ in 0..=person.pick(4) {
            let is_here = match side {
                Where::Here => true,
                Where::InTheDrive => false,
                Where::OnBothSides => person.pick(2) == 0,
            };
            if is_here {
                person.act_here().await;
            } else {
                person.act_in_drive(&stranger);
            }
            // Sometimes the engine gets to see what lies between two acts.
            sleep(Duration::from_millis([0, 0, 5, 300, 2_500, 40_000][person.pick(6)])).await;
        }
        if person.pick(8) == 0 {
            running.stop().await;
            person.act_here_unless(side == Where::InTheDrive).await;
            running = computer.start(&stranger, &hurry).await;
        }
    }
    let left = (read_disk_below(&computer.root), read_kept(&stranger));
    let settled = settle(&running, &stranger, &person, REST).await;
    let stays = || match side {
        Where::Here if read_disk_below(&computer.root) != left.0 => Err(format!(
            "nobody touched the drive, and here is not what the person left: {:#?}\nnow {:#?}",
            left.0,
            read_disk_below(&computer.root)
        )),
        Where::InTheDrive if read_kept(&stranger) != left.1 => Err(format!(
            "nobody touched this computer, and the drive is not what was left there: {:#?}\nnow {:#?}",
            left.1,
            read_kept(&stranger)
        )),
        _ => Ok(()),
    };
    let outcome = settled.and_then(|()| stays()).and_then(|()| check_nothing_lost(&computer.root, &person));
    running.stop().await;
    outcome.map_err(|why| format!("{why}\n{}", person.told()))
}

async fn watch(running: &Running, root: &Path) {
    let drive = Target::New { parent: None, name: KEPT.to_owned() };
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: root.to_owned(), drive, choices }).await.expect("a folder kept in step");
}

/// Answers that are lost on their way, or refused for a moment.
fn trouble(stranger: &Stranger, person: &mut Person) {
    const ROUTES: [Route; 6] =
        [Route::ListFiles, Route::ListFolders, Route::Upload, Route::MoveItem, Route::DownloadFile, Route::ReadFile];
    let faults = [Fault::AnswerLost, Fault::RequestLost, Fault::Refused { status: 503, retry_after: Some(20) }];
    for _ in 0..person.pick(3) {
        let nth = u32::try_from(person.pick(3)).unwrap_or(0) + 1;
        stranger.fail(ROUTES[person.pick(ROUTES.len())], nth, faults[person.pick(faults.len())].clone());
    }
}

/// Until both sides have been the same for a while, and Easel says so.
async fn settle(running: &Running, stranger: &Stranger, person: &Person, rest: Duration) -> Result<(), String> {
    let until = Instant::now() + LONGEST;
    let mut same_since = None;
    loop {
        let folder = running.folders.list().into_iter().next().expect("the folder");
        let (here, there) = (read_disk_below(&person.root), read_kept(stranger));
        let is_same = here == there && folder.state == State::UpToDate;
        let since = *same_since.get_or_insert_with(Instant::now);
        if is_same && since.elapsed() >= rest {
            return Ok(());
        }
        if !is_same {
            same_since = None;
        }
        if let State::NeedsYou { .. } = folder.state {
            running.folders.consent(folder.id).await.map_err(|error| error.to_string())?;
        }
        if Instant::now() > until {
            let notes = running.folders.list_skipped(folder.id, 0, 20).await;
            return Err(format!("{:?}\nhere {here:#?}\nthere {there:#?}\n{notes:?}", folder.state));
        }
        sleep(Duration::from_secs(5)).await;
    }
}

/// Every content that nobody removed is on the disk, and so on both sides.
fn check_nothing_lost(root: &Path, person: &Person) -> Result<(), String> {
    let tree = read_disk_below(root);
    let here: BTreeSet<&str> = tree.values().filter_map(Item::content).collect();
    match person.wanted().iter().find(|content| !here.contains(content.as_str())) {
        Some(lost) => Err(format!("nobody removed {lost}, and it is gone: {tree:#?}")),
        None => Ok(()),
    }
}

/// The folder in the drive, as people see it.
fn read_kept(stranger: &Stranger) -> Tree {
    day::read_kept(stranger).into_iter().filter_map(|(path, item)| stand_in(path, item)).collect()
}
