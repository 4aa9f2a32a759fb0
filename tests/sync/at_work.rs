//! Three people, each with a folder and an engine, and one drive folder. The third computer is off for the first half.

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

/// One side: a person, their folder, the engine that keeps it in step while their computer is on.
struct Side {
    root: PathBuf,
    home: Home,
    setting: Setting,
    engine: Option<Engine>,
    person: Person,
}

impl Side {
    fn new(name: &'static str, place: &TempDir, setting: &dyn Fn(&Path) -> Setting, seed: u64) -> Self {
        let root = place.path().join(name);
        std::fs::create_dir(&root).expect("a folder");
        let setting = setting(&root);
        let person = Person::new(name, &root, &place.path().join("limbo"), seed);
        let mut side = Self { root, home: Home::new(), setting, engine: None, person };
        side.turn_on();
        side
    }

    fn turn_on(&mut self) {
        self.engine = Some(Engine::start(&self.home, &self.setting));
    }

    fn turn_off(&mut self) {
        if let Some(engine) = self.engine.take() {
            let _ = engine.stop();
        }
    }

    fn is_at_rest(&self) -> bool {
        let lines = self.engine.iter().flat_map(Engine::lines).collect::<Vec<_>>();
        lines.iter().rev().find_map(|line| line["state"]["code"].as_str()) == Some("up_to_date")
    }

    fn describe(&self) -> String {
        self.engine.as_ref().map_or_else(|| "off".to_owned(), Engine::describe)
    }
}

/// Waits until nothing has moved on any side for longer than the drive goes without a look.
async fn wait_for_rest(sides: &[Side], still: Duration) {
    let mut seen: Option<(Instant, Vec<Tree>)> = None;
    wait_for("the engines to be at rest", PATIENCE, async || {
        let trees: Vec<Tree> = sides.iter().map(|side| read_disk_below(&side.root)).collect();
        let is_still = seen.as_ref().is_some_and(|(_, before)| *before == trees) && sides.iter().all(Side::is_at_rest);
        if !is_still {
            seen = Some((Instant::now(), trees));
            return Err(sides.iter().map(Side::describe).collect::<Vec<_>>().join("\n--\n"));
        }
        let since = seen.as_ref().map(|(since, _)| since.elapsed()).unwrap_or_default();
        if since >= still { Ok(()) } else { Err(format!("at rest for {since:?}")) }
    })
    .await;
}

/// Paths that differ between the two trees and that neither engine has a word for.
///
/// A file that a person gave a name which the drive cannot hold (another there differs from it in case alone) stays in the
/// drive where it was: one engine has the word for it at its new path, and the other side has it at the old one.
fn list_unexplained(trees: [&Tree; 2], notes: &BTreeSet<String>, clashes: &BTreeSet<String>) -> Vec<String> {
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
            (Some(hash), None) => is_under(trees[1], hash),
            (None, Some(hash)) => is_under(trees[0], hash),
            _ => false,
        }
    };
    let paths: BTreeSet<&String> = trees.iter().flat_map(|tree| tree.keys()).collect();
    paths
        .into_iter()
        .filter(|path| trees[0].get(*path) != trees[1].get(*path) && !is_noted(path) && !is_held_back(path))
        .map(|path| format!("{path}: {:?} and {:?}", trees[0].get(path), trees[1].get(path)))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn people_at_work_on_one_drive_folder_lose_nothing_and_end_equal() {
    let seed = soak::seed();
    let studio = Studio::start(Options::new());
    let key = studio.create_key("people at work");
    let place = TempDir::with_prefix("easel-work-").expect("a folder");
    let setting = |root: &Path| {
        Setting::new(&studio.base_url, &key.key, root, "Shared").flag("--both-ways").with("--deletions", "delete")
    };
    let new_side = |name, number| Side::new(name, &place, &setting, seed.wrapping_add(number));
    let mut sides = vec![new_side("ada", 0), new_side("ben", 1), new_side("cleo", 3)];
    let mut book = Book::default();
    let mut random = Noise::new(seed.wrapping_add(2));
    wait_for_rest(&sides, Duration::ZERO).await;

    sides[2].turn_off();
    let half = soak::duration(AT_WORK) / 2;
    let mut acts = work(&mut sides[..2], &mut random, &mut book, half).await;
    sides[2].turn_on();
    acts += work(&mut sides, &mut random, &mut book, half).await;
    wait_for_rest(&sides, STILL).await;

    // Each once more, to hear what stays different and why.
    let (mut notes, mut clashes) = (BTreeSet::new(), BTreeSet::new());
    for side in &mut sides {
        side.turn_off();
        let finished = Engine::run_once(&side.home, &side.setting);
        assert!(matches!(finished.status.code(), Some(0 | 1)), "{:#?}\n{}", finished.lines, finished.log);
        for line in finished.lines.iter().filter(|line| line["event"] == "skipped") {
            let Some(path) = line["path"].as_str() else { continue };
            notes.insert(path.to_owned());
            if line["why"]["code"] == "clash" || line["why"]["code"] == "name_taken" {
                clashes.insert(path.to_owned());
            }
        }
    }
    let trees: Vec<Tree> = sides.iter().map(|side| read_disk_below(&side.root)).collect();
    for pair in [[0, 1], [0, 2], [1, 2]] {
        let unexplained = list_unexplained(pair.map(|side| &trees[side]), &notes, &clashes);
        assert!(unexplained.is_empty(), "seed {seed}, {pair:?}: {unexplained:#?}\nnotes: {notes:#?}");
    }

    let kept = |side: &Side| contents(&side.root).into_iter().chain(side.home.read_trash()).collect::<Vec<_>>();
    let kept: BTreeSet<String> = sides.iter().flat_map(kept).collect();
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

/// People act for so long, in bursts and with pauses in which files stand still and are sent. How often they did.
async fn work(sides: &mut [Side], random: &mut Noise, book: &mut Book, how_long: Duration) -> u32 {
    let end = Instant::now() + how_long;
    let mut acts = 0;
    while Instant::now() < end {
        let whose = usize::try_from(random.draw() >> 32).expect("32 bits") % sides.len();
        sides[whose].person.act(book);
        acts += 1;
        let pause = if random.draw() >> 61 == 0 { 3_000 } else { 20 + (random.draw() >> 56) };
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    acts
}

fn contents(root: &Path) -> Vec<String> {
    read_disk_below(root).values().filter_map(Item::content).map(str::to_owned).collect()
}
