//! A service whose clock is set back, and on again, while a computer is off.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use easel_stranger::{Clock, Config, Stranger, Switches};
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_sync::{FolderSettings, Mutant, Planted};
use easel_tests::hurry::Hurry;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::computer::{Computer, Running};

const KEPT: &str = "Brand";
/// How long a change in the drive may take until it is here, at most: long before the lists are read from end to end anyway.
const SOON: Duration = Duration::from_secs(240);

/// Whether a file is here soon that was put into the drive after its clock was set back by ten minutes, of the twenty for which
/// the computer was off, and before it was set on again by so many seconds.
async fn does_arrive(planted: Planted, on_again_s: i64) -> bool {
    let hurry = Hurry::start();
    let ahead_us = Arc::new(AtomicI64::new(0));
    let (wall, ahead) = (hurry.clone(), Arc::clone(&ahead_us));
    let clock = Clock::of(move || {
        jiff::Timestamp::from_microsecond(wall.wall_us() + ahead.load(Ordering::Acquire)).expect("a time")
    });
    let config = Config { requests_per_minute: None, clock, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let home = TempDir::with_prefix("easel-clock-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let settings = || FolderSettings { planted, ..FolderSettings::default() };
    for folder in ["old", "new"] {
        std::fs::create_dir(computer.root.join(folder)).expect("a folder");
    }
    for number in 0..5 {
        std::fs::write(computer.root.join(format!("old/{number}.txt")), format!("file {number}")).expect("a file");
    }
    let running = computer.start_with(&stranger, &hurry, settings()).await;
    let drive = Target::New { parent: None, name: KEPT.to_owned() };
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: computer.root.clone(), drive, choices }).await.expect("a folder");
    until_at_rest(&running).await;
    // What it did itself is told of, and what is older than that is not.
    sleep(Duration::from_secs(120)).await;
    std::fs::write(computer.root.join("new/later.txt"), "later").expect("a file");
    sleep(Duration::from_secs(120)).await;
    until_at_rest(&running).await;
    running.stop().await;

    sleep(Duration::from_secs(300)).await;
    ahead_us.fetch_sub(600_000_000, Ordering::AcqRel);
    // Not where anything was changed last: that the time of its folder went back would tell.
    let folder = stranger.drive().folder(&format!("{KEPT}/old")).map(str::to_owned);
    stranger.put_file(folder.as_deref(), "meanwhile.txt", b"put there after the clock was set back".to_vec());
    ahead_us.fetch_add(on_again_s * 1_000_000, Ordering::AcqRel);
    sleep(Duration::from_secs(900)).await;
    let running = computer.start_with(&stranger, &hurry, settings()).await;
    let until = Instant::now() + SOON;
    let mut has_arrived = false;
    while !has_arrived && Instant::now() < until {
        sleep(Duration::from_secs(1)).await;
        has_arrived = computer.root.join("old/meanwhile.txt").exists();
    }
    running.stop().await;
    has_arrived
}

async fn until_at_rest(running: &Running) {
    let until = Instant::now() + Duration::from_secs(600);
    loop {
        let folder = running.folders.list().into_iter().next().expect("the folder");
        if folder.state == State::UpToDate && folder.files > 0 {
            return;
        }
        assert!(Instant::now() < until, "{:?}", folder.state);
        sleep(Duration::from_secs(1)).await;
    }
}

fn run(planted: Planted, on_again_s: i64) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(does_arrive(planted, on_again_s))
}

#[test]
fn what_comes_after_a_clock_was_set_back_arrives_though_more_time_has_passed_since() {
    assert!(run(Planted::default(), 0));
    assert!(!run(Planted::new(Some(Mutant::TrustsTheClock)), 0), "the lists are read from end to end anyway");
}

#[test]
fn what_came_while_a_clock_was_set_back_arrives_though_it_was_set_on_since() {
    assert!(run(Planted::default(), 5_400));
    assert!(!run(Planted::new(Some(Mutant::TrustsTheClock)), 5_400), "the lists are read from end to end anyway");
}
