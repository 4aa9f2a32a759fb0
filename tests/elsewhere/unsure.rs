//! Edits that keep a file's size and put its time back, at moments when nobody here knows the file yet.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use easel_stranger::{Fault, Route, Stranger, Switches};
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, State, Target};
use easel_sync::{FolderSettings, Mutant, Planted};
use easel_tests::hurry::Hurry;
use easel_tests::trees::read_disk_below;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::computer::{Computer, Running};
use crate::day;

/// So many lists are asked for until one is given after the first.
const UNTOLD: u32 = 12;
const KEPT: &str = "Brand";
/// How long both sides may take to come to the same.
const LONGEST: Duration = Duration::from_secs(1_200);
/// How long a file may take to come.
const LONGEST_FETCH: Duration = Duration::from_secs(60);

/// Whether an edit arrives that was made after the service had taken the file and before anybody here knew of it, with the same size
/// and the file's time of before.
async fn does_the_edit_arrive(planted: Planted) -> bool {
    let hurry = Hurry::start();
    let stranger = day::open(Switches::none(), None).await;
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
    add(&running, &computer, drive).await;

    let until = Instant::now() + LONGEST;
    while day::read_kept(&stranger).is_empty() {
        assert!(Instant::now() < until, "nothing was sent");
        sleep(Duration::from_millis(5)).await;
    }
    edit_in_secret(&file);
    come_to_the_same(&stranger, &computer, running, until).await
}

/// Whether an edit arrives that was made right after the file had come from the drive.
async fn does_the_edit_of_what_came_arrive(planted: Planted) -> bool {
    let hurry = Hurry::start();
    let stranger = day::open(Switches::none(), None).await;
    let kept = stranger.make_folder(None, KEPT);
    stranger.put_file(Some(&kept), "volume.bin", vec![b'a'; 4_000]);
    let home = TempDir::with_prefix("easel-unsure-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let file = computer.root.join("volume.bin");
    let settings = FolderSettings { planted, ..FolderSettings::default() };
    let running = computer.start_with(&stranger, &hurry, settings).await;
    // The disk is asked in real time, so that the edit is made before anybody looks at the folder again.
    let edited = std::thread::spawn(move || {
        let until = std::time::Instant::now() + LONGEST_FETCH;
        while !file.exists() && std::time::Instant::now() < until {
            std::thread::yield_now();
        }
        // The engine notes the file's times as it puts it there.
        std::thread::sleep(Duration::from_millis(2));
        edit_in_secret(&file);
    });
    let drive = Target::Existing(kept.parse().expect("an id"));
    add(&running, &computer, drive).await;
    let until = Instant::now() + LONGEST;
    while !edited.is_finished() {
        assert!(Instant::now() < until, "nothing came");
        sleep(Duration::from_millis(5)).await;
    }
    edited.join().expect("an edit");
    come_to_the_same(&stranger, &computer, running, until).await
}

/// Keeps the computer's folder in step, both ways.
async fn add(running: &Running, computer: &Computer, drive: Target) {
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: computer.root.clone(), drive, choices }).await.expect("a folder");
}

/// Gives a file other content of the same size, and the time that it had.
fn edit_in_secret(path: &Path) {
    let before = std::fs::metadata(path).expect("the file");
    std::fs::write(path, vec![b'b'; 4_000]).expect("an edit");
    let time = before.modified().expect("its time");
    let reset = std::fs::File::options().write(true).open(path).and_then(|file| file.set_modified(time));
    reset.expect("the time of before");
    let after = std::fs::metadata(path).expect("the file");
    assert_eq!((after.ino(), after.len(), after.mtime_nsec()), (before.ino(), before.len(), before.mtime_nsec()));
}

/// Whether both sides come to the same until then.
async fn come_to_the_same(stranger: &Stranger, computer: &Computer, running: Running, until: Instant) -> bool {
    let is_same = || read_disk_below(&computer.root) == day::read_kept(stranger);
    while Instant::now() < until && !(is_same() && running.folders.list()[0].state == State::UpToDate) {
        sleep(Duration::from_secs(1)).await;
    }
    running.stop().await;
    is_same()
}

fn run(work: impl Future<Output = bool>) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

#[test]
fn an_edit_that_hides_behind_a_lost_answer_is_sent_all_the_same() {
    assert!(run(does_the_edit_arrive(Planted::default())));
    let planted = Planted::new(Some(Mutant::IgnoresChangeTime));
    assert!(!run(does_the_edit_arrive(planted)), "the change time alone tells of it");
}

#[test]
fn an_edit_of_what_has_only_just_come_is_sent() {
    assert!(run(does_the_edit_of_what_came_arrive(Planted::default())));
    let planted = Planted::new(Some(Mutant::IgnoresChangeTime));
    assert!(!run(does_the_edit_of_what_came_arrive(planted)), "the change time alone tells of it");
}
