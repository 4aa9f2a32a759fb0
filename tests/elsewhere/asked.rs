//! What goes on beside a question that is open.

use std::time::Duration;

use easel_stranger::{Config, Stranger, Switches};
use easel_sync::FolderSettings;
use easel_sync::folders::{Choices, DeletionRule, Draft, Mode, Need, State, Target};
use easel_sync::watch::WatchSettings;
use easel_tests::hurry::Hurry;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::computer::{Computer, Running};

const KEPT: &str = "Brand";
/// How long something may take.
const LIMIT: Duration = Duration::from_secs(300);

async fn until(running: &Running, is_so: impl Fn(&State) -> bool) {
    let until = Instant::now() + LIMIT;
    loop {
        let folder = running.folders.list().into_iter().next().expect("the folder");
        if is_so(&folder.state) && folder.files > 0 {
            return;
        }
        assert!(Instant::now() < until, "{:?}", folder.state);
        sleep(Duration::from_millis(200)).await;
    }
}

/// While a question about deletions is open, a new file is sent, in a folder whose trees are kept in memory and in one that
/// has too many items for that.
async fn send_beside_a_question(kept_items: usize) {
    let hurry = Hurry::start();
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let home = TempDir::with_prefix("easel-asked-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    for number in 0..20 {
        std::fs::write(computer.root.join(format!("{number}.txt")), format!("file {number}")).expect("a file");
    }
    // What nobody tells of is not seen by chance.
    let watch = WatchSettings { whole_every: LIMIT * 100, ..WatchSettings::default() };
    let settings = FolderSettings { kept_items, watch, ..FolderSettings::default() };
    let running = computer.start_with(&stranger, &hurry, settings).await;
    let drive = Target::New { parent: None, name: KEPT.to_owned() };
    let choices = Choices { mode: Mode::BothWays, deletions: DeletionRule::Delete, ..Choices::default() };
    running.folders.add(&Draft { path: computer.root.clone(), drive, choices }).await.expect("a folder");
    until(&running, |state| *state == State::UpToDate).await;
    for number in 0..12 {
        std::fs::remove_file(computer.root.join(format!("{number}.txt"))).expect("it is gone");
    }
    let is_asked = |state: &State| matches!(state, State::NeedsYou { need: Need::ManyDeletionsThere { count: 12 } });
    until(&running, is_asked).await;
    std::fs::write(computer.root.join("beside.txt"), "written beside the question").expect("a file");
    let deadline = Instant::now() + LIMIT;
    let wanted = format!("{KEPT}/beside.txt");
    while stranger.drive().at(&wanted).next().is_none() {
        assert!(Instant::now() < deadline, "it is never sent: {:?}", running.folders.list());
        sleep(Duration::from_millis(200)).await;
    }
    until(&running, is_asked).await;
    assert_eq!(stranger.drive().files.len(), 21, "nothing is deleted before the answer");
    running.stop().await;
}

#[test]
fn beside_an_open_question_what_comes_to_stand_still_is_sent_however_large_the_folder_is() {
    for kept_items in [5, 50_000] {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(send_beside_a_question(kept_items));
    }
}
