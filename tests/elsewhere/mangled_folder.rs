//! A folder kept in step at a stranger, while each field of its answers that nobody promised is made other than it should
//! be, one at a time.
//!
//! Always true here: whatever the field, a run ends, and nothing that a person did not delete is gone on either side; once
//! the answers are as they should be again, both sides come to the same, at the latest when the drive has been read whole
//! a day later. A field that a step needs may keep it from being done meanwhile, and no other field may.

use std::sync::Arc;
use std::time::Duration;

use easel_stranger::{Field, Mangle, Route, Stranger, Switches, every_field};
use easel_tests::hurry::Hurry;
use easel_tests::samples::hash_bytes;
use easel_tests::trees::{Item, read_disk_below};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use crate::computer::Computer;
use crate::day;

/// Folders at once: their time is hurried, so nothing is left to wait for.
const AT_ONCE: usize = 3;
/// The size of each file, in bytes.
const FILE_BYTES: usize = 500;
/// The folder that is kept.
const KEPT: &str = "Brand";
/// The endpoints that keeping a folder in step asks.
const ASKED: [Route; 9] = [
    Route::Whoami,
    Route::ReadLimits,
    Route::ListFolders,
    Route::ListFiles,
    Route::ReadFile,
    Route::CreateFolder,
    Route::Upload,
    Route::MoveItem,
    Route::DownloadFile,
];
/// Answers are mangled for so long: the next question about changes does not reach back to what was told meanwhile.
const MANGLED: Duration = Duration::from_secs(60);
/// After so long the drive is read whole once more.
const A_DAY: Duration = Duration::from_secs(25 * 3_600);
/// What says where and under which name an item stands: without it, no item can be put anywhere.
const NEEDED: [&str; 4] = ["/name", "/folder_id", "/parent_folder_id", "/parent_id"];

#[tokio::test(flavor = "multi_thread")]
async fn no_field_that_nobody_promised_stops_a_folder_or_loses_a_file() {
    let fields = every_field(&Switches::none());
    // A list goes on until `next_cursor` is null (specification, "Differences between versions"): that is promised.
    let is_promised = |field: &Field| !field.is_free() || field.pointer == "/next_cursor";
    let free = fields.iter().filter(|field| !is_promised(field) && ASKED.contains(&field.route));
    let mangles: Vec<Mangle> = free.flat_map(Field::manglings).collect();
    let (total, places) = (mangles.len(), Arc::new(Semaphore::new(AT_ONCE)));
    let mut runs = Vec::new();
    for mangle in mangles {
        let place = Arc::clone(&places).acquire_owned().await.expect("a place");
        let told = mangle.to_string();
        let run = tokio::task::spawn_blocking(move || {
            let _place = place;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(keep(&mangle))
        });
        runs.push((told, run));
    }
    let mut failed = Vec::new();
    for (mangle, run) in runs {
        match run.await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => failed.push(format!("{mangle}: {why}")),
            Err(panic) => failed.push(format!("{mangle}: {panic}")),
        }
    }
    println!("{total} manglings of {} endpoints", ASKED.len());
    assert!(failed.is_empty(), "{} of {total} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Two files that both sides have, one that each makes while answers are mangled, and both sides after it.
async fn keep(mangle: &Mangle) -> Result<(), String> {
    let hurry = Hurry::start();
    let stranger = day::open(Switches::none(), Some(&hurry)).await;
    let home = TempDir::with_prefix("easel-mangled-folder-").expect("a folder");
    let computer = Computer::new(home.path().join(KEPT), KEPT);
    let write = |name: &str, seed: u64| day::write_earlier(&computer.root.join(name), &day::content(seed, FILE_BYTES));
    std::fs::create_dir(computer.root.join("Photos")).expect("a folder");
    write("logo.png", 1);
    write("Photos/0.png", 2);
    computer.run_once(&stranger, Some(&hurry)).await;
    let folder = stranger.drive().folder(KEPT).expect("the kept folder").to_owned();

    write("ours.png", 3);
    stranger.put_file(Some(&folder), "theirs.png", day::content(4, FILE_BYTES));
    stranger.mangle(Some(mangle.clone()));
    let said = computer.run_once(&stranger, Some(&hurry)).await;
    check_nothing_lost(&stranger, &computer)?;
    let is_needed = NEEDED.iter().any(|end| mangle.pointer.ends_with(end));
    if !is_needed && !is_same(&stranger, &computer) {
        return Err(format!("it was not kept in step: {said}"));
    }

    hurry.pass(MANGLED).await;
    computer.run_once(&stranger, Some(&hurry)).await;
    check_nothing_lost(&stranger, &computer)?;

    stranger.mangle(None);
    hurry.pass(A_DAY).await;
    for _ in 0..3 {
        let said = computer.run_once(&stranger, Some(&hurry)).await;
        check_nothing_lost(&stranger, &computer)?;
        if is_same(&stranger, &computer) {
            return Ok(());
        }
        if said.contains("NeedsYou") {
            return Err(format!("it asks a person: {said}"));
        }
    }
    Err(format!("afterwards: {:#?}\n{:#?}", read_disk_below(&computer.root), day::read_kept(&stranger)))
}

/// Every content is where it was made, under whichever name.
fn check_nothing_lost(stranger: &Stranger, computer: &Computer) -> Result<(), String> {
    let sides =
        [("here", read_disk_below(&computer.root), [1, 2, 3]), ("in the drive", day::read_kept(stranger), [1, 2, 4])];
    for (side, tree, seeds) in sides {
        let is_there = |seed: u64| {
            let item = Item::File(hash_bytes(&day::content(seed, FILE_BYTES)));
            tree.values().any(|found| *found == item)
        };
        if let Some(lost) = seeds.into_iter().find(|seed| !is_there(*seed)) {
            return Err(format!("content {lost} is not {side} any more: {tree:#?}"));
        }
    }
    Ok(())
}

fn is_same(stranger: &Stranger, computer: &Computer) -> bool {
    read_disk_below(&computer.root) == day::read_kept(stranger)
}
