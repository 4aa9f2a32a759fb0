//! An upload whose answer is lost, while the file is written to.

use std::os::unix::fs::MetadataExt as _;
use std::time::Duration;

use easel_stranger::{Config, Fault, Route, Stranger, Switches};
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_sync::{FolderSettings, Mutant, Planted};
use easel_tests::hurry::Hurry;
use easel_tests::trees::read_disk_below;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::computer::Computer;
use crate::day;

/// So many lists are asked for until one is given after the first.
const UNTOLD: u32 = 12;
const KEPT: &str = "Brand";
/// How long both sides may take to come to the same.
const LONGEST: Duration = Duration::from_secs(1_200);

/// Whether an edit arrives that was made after the service had taken the file and before anybody here knew of it, with the same size
/// and the file's time of before.
async fn does_the_edit_arrive(planted: Planted) -> bool {
    let hurry = Hurry::start();
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let home = TempDir::with_prefix("easel-unsure-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let file = computer.root.join("volume.bin");
    std::fs::write(&file, vec![b'a'; 4_000]).expect("a file");
    let settings = FolderSettings { planted, ..FolderSettings::default() };
    let running = computer.start_with(&stranger, &hurry, settings).await;
    stranger.fail(Route::Upload, 1, Fault::AnswerLost);
    // Nor does a list tell for a while what came of it, so that the folder is looked at again before that is known.
    for nth in 2..=UNTOLD {
        stranger.fail(Route::ListFiles, nth, Fault::Refused { status: 503, retry_after: Some(20) });
    }
    let drive = Target::New { parent: None, name: KEPT.to_owned() };
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: computer.root.clone(), drive, choices }).await.expect("a folder");

    let until = Instant::now() + LONGEST;
    while day::read_kept(&stranger).is_empty() {
        assert!(Instant::now() < until, "nothing was sent");
        sleep(Duration::from_millis(5)).await;
    }
    let before = std::fs::metadata(&file).expect("the file");
    std::fs::write(&file, vec![b'b'; 4_000]).expect("an edit");
    let time = before.modified().expect("its time");
    let reset = std::fs::File::options().write(true).open(&file).and_then(|file| file.set_modified(time));
    reset.expect("the time of before");
    let after = std::fs::metadata(&file).expect("the file");
    assert_eq!((after.ino(), after.len(), after.mtime_nsec()), (before.ino(), before.len(), before.mtime_nsec()));

    let is_same = || read_disk_below(&computer.root) == day::read_kept(&stranger);
    while Instant::now() < until && !(is_same() && running.folders.list()[0].state == State::UpToDate) {
        sleep(Duration::from_secs(1)).await;
    }
    running.stop().await;
    is_same()
}

fn run(planted: Planted) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(does_the_edit_arrive(planted))
}

#[test]
fn an_edit_that_hides_behind_a_lost_answer_is_sent_all_the_same() {
    assert!(run(Planted::default()));
    assert!(!run(Planted::new(Some(Mutant::IgnoresChangeTime))), "the change time alone tells of it");
}
