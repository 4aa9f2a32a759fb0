//! Two people, two folders, two engines, one drive folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use easel_tests::patience::wait_for;
use easel_tests::samples::Noise;
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};
use easel_tests::synced::{Engine, Home, Setting};
use easel_tests::trees::{Item, Tree, read_disk_below};
use tempfile::TempDir;

use crate::people::{Book, Person};

/// How long people are at work: seconds here, minutes where `EASEL_SOAK_SECONDS` says so.
const AT_WORK: Duration = Duration::from_secs(20);
/// How long the engines may then take until both sides agree.
const PATIENCE: Duration = Duration::from_secs(150);
/// How long nothing may move before that counts as rest.
const STILL: Duration = Duration::from_secs(15);

/// One side: a person, their folder, the engine that keeps it in step.
struct Side {
    root: PathBuf,
    home: Home,
    engine: Engine,
    person: Person,
}

impl Side {
    fn start(name: &'static str, place: &TempDir, setting: &dyn Fn(&Path) -> Setting, seed: u64) -> Self {
        let root = place.path().join(name);
        std::fs::create_dir(&root).expect("a folder");
        let home = Home::new();
        let engine = Engine::start(&home, &setting(&root));
        let person = Person::new(name, &root, &place.path().join("limbo"), seed);
        Self { root, home, engine, person }
    }

    fn is_at_rest(&self) -> bool {
        let lines = self.engine.lines();
        lines.iter().rev().find_map(|line| line["state"]["code"].as_str()) == Some("up_to_date")
    }
}

/// Paths that differ between the two trees and that neither engine has a word for.
///
/// A file that a person gave a name which the drive cannot hold (another there differs from it in case alone) stays in the
/// drive where it was: one engine has the word for it at its new path, and the other side has it at the old one.
fn list_unexplained(trees: &[Tree; 2], notes: &BTreeSet<String>, clashes: &BTreeSet<String>) -> Vec<String> {
    let is_noted = |path: &str| {
        notes
            .iter()
            .any(|noted| noted == path || path.strip_prefix(noted.as_str()).is_some_and(|rest| rest.starts_with('/')))
    };
    let is_held_back = |path: &String| {
        let [one, other] = [0, 1].map(|side: usize| trees[side].get(path).and_then(Item::content));
        let is_under = |tree: &Tree, hash: &str| {
            tree.iter().any(|(path, item)| item.content() == Some(hash) && clashes.contains(path))
        };
        match (one, other) {
            (Some(hash), None) => is_under(&trees[1], hash),
            (None, Some(hash)) => is_under(&trees[0], hash),
            _ => false,
        }
    };
    let paths: BTreeSet<&String> = trees.iter().flat_map(Tree::keys).collect();
    paths
        .into_iter()
        .filter(|path| trees[0].get(*path) != trees[1].get(*path) && !is_noted(path) && !is_held_back(path))
        .map(|path| format!("{path}: {:?} and {:?}", trees[0].get(path), trees[1].get(path)))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_at_work_on_one_drive_folder_lose_nothing_and_end_equal() {
    let seed = soak::seed();
    let studio = Studio::start(Options::new());
    let key = studio.create_key("two engines");
    let place = TempDir::with_prefix("easel-two-").expect("a folder");
    let setting = |root: &Path| {
        Setting::new(&studio.base_url, &key.key, root, "Shared").flag("--both-ways").with("--deletions", "delete")
    };
    let mut sides =
        [Side::start("ada", &place, &setting, seed), Side::start("ben", &place, &setting, seed.wrapping_add(1))];
    let mut book = Book::default();
    let mut random = Noise::new(seed.wrapping_add(2));

    let end = Instant::now() + soak::duration(AT_WORK);
    let mut acts = 0;
    while Instant::now() < end {
        let side = usize::from(random.draw() >> 63 == 1);
        sides[side].person.act(&mut book);
        acts += 1;
        // Bursts, and pauses in which files stand still and are sent.
        let pause = if random.draw() >> 61 == 0 { 3_000 } else { 20 + (random.draw() >> 56) };
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }

    // Unchanged for longer than the drive goes without a look.
    let mut still: Option<(Instant, [Tree; 2])> = None;
    wait_for("both engines to be at rest", PATIENCE, async || {
        let trees = [0, 1].map(|side: usize| read_disk_below(&sides[side].root));
        let is_still = still.as_ref().is_some_and(|(_, before)| *before == trees) && sides.iter().all(Side::is_at_rest);
        if !is_still {
            still = Some((Instant::now(), trees));
            return Err(sides.iter().map(|side| side.engine.describe()).collect::<Vec<_>>().join("\n--\n"));
        }
        let since = still.as_ref().map(|(since, _)| since.elapsed()).unwrap_or_default();
        if since > STILL { Ok(()) } else { Err(format!("at rest for {since:?}")) }
    })
    .await;

    // Each once more, to hear what stays different and why.
    let [ada, ben] = sides.map(|side| {
        let _ = side.engine.stop();
        (side.root, side.home)
    });
    let (mut notes, mut clashes) = (BTreeSet::new(), BTreeSet::new());
    for (root, home) in [&ada, &ben] {
        let finished = Engine::run_once(home, &setting(root));
        assert!(matches!(finished.status.code(), Some(0 | 1)), "{:#?}\n{}", finished.lines, finished.log);
        for line in finished.lines.iter().filter(|line| line["event"] == "skipped") {
            let Some(path) = line["path"].as_str() else { continue };
            notes.insert(path.to_owned());
            if line["why"]["code"] == "clash" || line["why"]["code"] == "name_taken" {
                clashes.insert(path.to_owned());
            }
        }
    }
    let trees = [read_disk_below(&ada.0), read_disk_below(&ben.0)];
    let unexplained = list_unexplained(&trees, &notes, &clashes);
    assert!(unexplained.is_empty(), "seed {seed}: {unexplained:#?}\nnotes: {notes:#?}");

    let kept: BTreeSet<String> =
        [&ada, &ben].into_iter().flat_map(|(root, home)| contents(root).into_iter().chain(home.read_trash())).collect();
    let is_lost = |hash: &String| !book.removed.contains(hash) && !kept.contains(hash);
    let lost: Vec<&String> = book.written.iter().filter(|(hash, _)| is_lost(hash)).map(|(_, words)| words).collect();
    assert!(lost.is_empty(), "seed {seed}: lost {lost:#?}");
    println!(
        "{acts} acts, {} contents written, {} removed by people, {} differences with a word",
        book.written.len(),
        book.removed.len(),
        notes.len()
    );
}

fn contents(root: &Path) -> Vec<String> {
    read_disk_below(root).values().filter_map(Item::content).map(str::to_owned).collect()
}
