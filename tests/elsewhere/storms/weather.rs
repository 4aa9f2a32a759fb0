//! One storm: acts, troubles and restarts, then rest, and what must be so.
//!
//! Always true here: disk, watch and index of the drive are the real ones, and only time is hurried. Where nobody touched
//! the drive the disk stays as the person left it, and the other way round, unless the drive looked older and the person had
//! what is here kept; both sides come to the same; no content is gone that nobody removed. Deliberately not here: what a person does (`acts`), and which storms (`storms`).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use easel_stranger::{Backup, Clock, Config, Fault, Route, Stranger, Switches};
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, Need, State, Target};
use easel_sync::watch::WatchSettings;
use easel_sync::{FolderSettings, Planted};
use easel_tests::hurry::Hurry;
use easel_tests::trees::{Item, Tree, expand_pointers, read_disk_below};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use super::acts::Person;
use crate::computer::{Computer, Running};
use crate::day;

/// Both sides are the same for so long before that is believed.
const REST: Duration = Duration::from_secs(60);
/// A question that is not so any more is gone within so long.
const LOOKED_AGAIN: Duration = Duration::from_secs(120);
/// A restored drive is noticed within so long: the lists are read from end to end every hour until the service has shown that
/// it tells of changes.
const NOTICED: Duration = Duration::from_secs(2 * 3_600);
/// So many of the last requests are told where a restored drive is not settled with.
const LAST_REQUESTS: usize = 12;
/// The folder that is kept.
pub const KEPT: &str = "Brand";

/// What storms have beside what all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Usual,
    /// Some begin with a single file, and in some the service is restored from a backup.
    Harsh,
    /// In all whose clocks were not set back the service is restored from a backup.
    Restored,
    /// Names of every kind, and rights and the folder's own place change.
    Odd,
}

/// What storms of one kind have in common.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// What has not come to rest after so long never does, by the storm's own clock.
    pub longest: Duration,
    /// Whether everything is looked through now and then although nothing was told.
    pub looks_through: bool,
    /// What they have beside what all storms have.
    pub kind: Kind,
    /// A known bug.
    pub planted: Planted,
}

impl Default for Forecast {
    fn default() -> Self {
        Self { longest: Duration::MAX, looks_through: true, kind: Kind::Usual, planted: Planted::default() }
    }
}

impl Forecast {
    fn settings(&self) -> FolderSettings {
        let mut watch = WatchSettings::default();
        if !self.looks_through {
            watch.whole_every = self.longest * 2;
        }
        FolderSettings { watch, planted: self.planted, ..FolderSettings::default() }
    }
}

/// The service's clock: the storm's own, set on or back.
#[derive(Debug, Clone, Default)]
struct ServiceClock {
    ahead_us: Arc<AtomicI64>,
    /// What changed since then bears earlier moments than before, and nothing tells that from a drive that went back.
    was_set_back: bool,
}

impl ServiceClock {
    fn of(&self, hurry: &Hurry) -> Clock {
        let (hurry, ahead_us) = (hurry.clone(), Arc::clone(&self.ahead_us));
        Clock::of(move || {
            let now_us = hurry.wall_us() + ahead_us.load(Ordering::Acquire);
            jiff::Timestamp::from_microsecond(now_us).expect("a time")
        })
    }

    fn jump(&mut self, person: &mut Person) {
        let seconds = [-3_600, -40, 25, 5_400][person.pick(4)];
        self.ahead_us.fetch_add(seconds * 1_000_000, Ordering::AcqRel);
        self.was_set_back |= seconds < 0;
        // Set back and on again between two looks, the clock itself tells of nothing any more.
        person.may_drive_look_older |= self.was_set_back && seconds > 0;
        person.tell(format!("the service's clock jumps by {seconds} s"));
    }
}

/// Where the acts of a storm are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    Here,
    InTheDrive,
    OnBothSides,
}

/// One storm.
pub async fn weather(seed: u64, forecast: &Forecast) -> Result<(), String> {
    let hurry = Hurry::start();
    let mut clock = ServiceClock::default();
    let config = Config { requests_per_minute: None, clock: clock.of(&hurry), ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let home = TempDir::with_prefix("easel-storm-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let mut person = Person::new(seed, &computer.root, forecast.kind == Kind::Odd);
    let side = [Where::Here, Where::InTheDrive, Where::OnBothSides][person.pick(3)];
    person.furnish(forecast.kind == Kind::Harsh && seed % 6 == 5);
    let mut running = computer.start_with(&stranger, &hurry, forecast.settings()).await;
    watch(&running, &computer.root).await;
    settle(&running, &stranger, &mut person, (Duration::ZERO, forecast.longest)).await?;

    let backup = stranger.back_up();
    let rounds = 2 + person.pick(4);
    for _ in 0..rounds {
        disturb(&stranger, &mut person);
        if person.pick(6) == 0 {
            clock.jump(&mut person);
        }
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
            running = computer.start_with(&stranger, &hurry, forecast.settings()).await;
        }
    }
    let left = (read_disk_below(&computer.root), read_kept(&stranger));
    let settled = settle(&running, &stranger, &mut person, (REST, forecast.longest)).await;
    let stays = || match side {
        Where::Here if read_disk_below(&computer.root) != left.0 => Err(format!(
            "nobody touched the drive, and here is not what the person left: {:#?}\nnow {:#?}",
            left.0,
            read_disk_below(&computer.root)
        )),
        // A drive that looks older gets again what is here: the person said so.
        Where::InTheDrive if !person.has_kept_own && read_kept(&stranger) != left.1 => Err(format!(
            "nobody touched this computer, and the drive is not what was left there: {:#?}\nnow {:#?}",
            left.1,
            read_kept(&stranger)
        )),
        _ => Ok(()),
    };
    let mut outcome = settled.and_then(|()| stays()).and_then(|()| check_nothing_lost(&computer.root, &person));
    let is_restored = match forecast.kind {
        Kind::Usual | Kind::Odd => false,
        Kind::Harsh => seed % 4 == 1,
        Kind::Restored => true,
    };
    if outcome.is_ok() && is_restored && !clock.was_set_back {
        outcome = restore(&running, &stranger, &mut person, (&backup, forecast.longest.max(NOTICED))).await;
    }
    running.stop().await;
    outcome.map_err(|why| format!("{why}\n{}", person.told()))
}

/// The service is restored from a backup of the beginning. The person says that what is here is to be kept and sent again.
async fn restore(
    running: &Running,
    stranger: &Stranger,
    person: &mut Person,
    (backup, longest): (&Backup, Duration),
) -> Result<(), String> {
    let contents = |tree: Tree| tree.into_values().filter_map(|item| item.content().map(str::to_owned));
    let left: BTreeSet<String> = contents(read_disk_below(&person.root)).collect();
    stranger.restore(backup);
    person.tell("the drive is restored from a backup".to_owned());
    person.may_drive_look_older = true;
    let settled = settle(running, stranger, person, (REST, longest)).await;
    settled.map_err(|why| {
        let log = stranger.log();
        let last: Vec<String> = log
            .iter()
            .rev()
            .take(LAST_REQUESTS)
            .map(|entry| format!("{} {} {:?} {}", entry.method, entry.path, entry.query, entry.status))
            .collect();
        format!("{why}\n{}", last.join("\n"))
    })?;
    let here: BTreeSet<String> = contents(read_disk_below(&person.root)).collect();
    if left.is_subset(&here) { Ok(()) } else { Err(format!("a restored drive took away {:?}", left.difference(&here))) }
}

async fn watch(running: &Running, root: &Path) {
    let drive = Target::New { parent: None, name: KEPT.to_owned() };
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: root.to_owned(), drive, choices }).await.expect("a folder kept in step");
}

/// Answers that are lost on their way, late, or refused for a moment.
fn disturb(stranger: &Stranger, person: &mut Person) {
    const ROUTES: [Route; 6] =
        [Route::ListFiles, Route::ListFolders, Route::Upload, Route::MoveItem, Route::DownloadFile, Route::ReadFile];
    let faults = [
        Fault::AnswerLost,
        Fault::RequestLost,
        Fault::Refused { status: 503, retry_after: Some(20) },
        Fault::Late(Duration::from_secs(16)),
    ];
    for _ in 0..person.pick(4) {
        let nth = u32::try_from(person.pick(3)).unwrap_or(0) + 1;
        stranger.fail(ROUTES[person.pick(ROUTES.len())], nth, faults[person.pick(faults.len())].clone());
    }
}

/// Until both sides have been the same for a while, and Easel says so.
async fn settle(
    running: &Running,
    stranger: &Stranger,
    person: &mut Person,
    (rest, longest): (Duration, Duration),
) -> Result<(), String> {
    let until = Instant::now() + longest;
    let (mut same_since, mut untrue_since) = (None, None);
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
        if let State::NeedsYou { need } = &folder.state
            && !is_so(need, here.is_empty(), there.is_empty(), person.may_drive_look_older)
        {
            // It may have been so when it was asked.
            if untrue_since.get_or_insert_with(Instant::now).elapsed() >= LOOKED_AGAIN {
                return Err(format!("the person is asked what is not so: {need:?}\nhere {here:#?}\nthere {there:#?}"));
            }
        } else if let State::NeedsYou { need } = &folder.state {
            person.has_kept_own |= matches!(need, Need::DriveWentBack { .. });
            running.folders.consent(folder.id).await.map_err(|error| error.to_string())?;
        }
        if !matches!(folder.state, State::NeedsYou { .. }) {
            untrue_since = None;
        }
        if Instant::now() > until {
            let notes = running.folders.list_skipped(folder.id, 0, 20).await;
            return Err(format!("{:?}\nhere {here:#?}\nthere {there:#?}\n{notes:?}", folder.state));
        }
        sleep(Duration::from_secs(5)).await;
    }
}

/// Whether what a person is asked is so: a folder that is called empty is, and a drive that is called older looks so.
const fn is_so(need: &Need, is_empty_here: bool, is_empty_there: bool, may_look_older: bool) -> bool {
    match need {
        Need::FolderEmpty => is_empty_here,
        Need::DriveFolderEmpty => is_empty_there,
        Need::DriveWentBack { .. } => may_look_older,
        _ => true,
    }
}

/// Every content that nobody removed is on the disk, and so on both sides. Of a drive that looked older the person said that what is
/// here is sent again, in place of what others have put there.
fn check_nothing_lost(root: &Path, person: &Person) -> Result<(), String> {
    let tree = read_disk_below(root);
    let here: BTreeSet<&str> = tree.values().filter_map(Item::content).collect();
    let is_replaced = |path: &str| person.has_kept_own && path.starts_with(KEPT);
    let mut wanted = person.wanted().iter().filter(|(_, path)| !is_replaced(path));
    match wanted.find(|(content, _)| !here.contains(content.as_str())) {
        Some((lost, path)) => {
            Err(format!("nobody removed what was written at {path} ({lost}), and it is gone: {tree:#?}"))
        }
        None => Ok(()),
    }
}

/// The folder in the drive, as people see it.
pub fn read_kept(stranger: &Stranger) -> Tree {
    day::read_kept(stranger).into_iter().filter_map(|(path, item)| expand_pointers(path, item)).collect()
}
