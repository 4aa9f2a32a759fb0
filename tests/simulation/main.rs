//! The sync engine in simulated worlds: random trees, edits on both sides, crashes at any call, lost answers, limits,
//! and after each run the invariants. `cargo xtask simulate` runs more of the same, and replays the seed that a failure
//! names.

mod check;
mod conflicts;
mod desk;
mod disk;
mod history;
mod judge;
mod likeness;
mod mutants;
mod person;
mod run;
mod service;
mod undo;
mod way;
mod world;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Seeds whose runs failed at some time, in addition to those that every run has. What a seed draws changes with the
/// simulator, so a fault that they found has a test of its own as well, or was a fault of the judge. Held by their seed
/// alone are those that need a crash or a refusal between two calls of one step: 52,994,499, 53,114,306, 53,732,924,
/// 53,982,122 (announced, deleted and half handed copies, a refused file that moved), 25,426 (a file that the service tells nothing of), and
/// 703,419 (a folder that was removed here and is in the drive after all).
const ONCE_FAILED: [u64; 199] = [
    703_419, 886_053, 1_592, 12_648, 13_027, 13_198, 17_861, 21_071, 23_712, 25_609, 37_191, 37_533, 49_538, 65_084,
    76_487, 79_569, 145_194, 191_352, 192_842, 206_161, 209_726, 220_865, 265_753, 270_477, 277_686, 301_241, 449_352,
    520_483, 579_071, 601_234, 708_037, 744_197, 760_101, 772_863, 811_601, 830_434, 862_222, 917_392, 920_310,
    930_600, 951_552, 5_001_170, 5_003_370, 7_000_641, 20_014_744, 20_025_649, 20_027_360, 20_089_261, 20_102_186,
    20_146_545, 20_194_380, 20_207_170, 30_014_410, 30_036_526, 30_037_981, 30_045_357, 30_053_667, 30_077_168,
    30_098_795, 30_155_878, 30_157_843, 30_245_751, 30_258_250, 30_300_511, 30_345_035, 8_000_221, 8_004_142,
    8_011_555, 8_015_914, 8_008_113, 1_497, 2_523, 6_571, 48_114, 50_042_842, 50_063_928, 50_089_319, 50_159_291,
    37_221, 51_011, 68_520, 50_106_465, 70_039_540, 70_076_699, 90_056_026, 60_090_732, 60_038_105, 60_035_015, 74_367,
    54_236, 102_656, 106_500, 175_442, 179_129, 248_727, 299_042, 310_168, 575_674, 1_021_445, 1_058_293, 2_027_609,
    2_125_768, 2_286_371, 3_017_814, 3_083_299, 40_071_473, 40_224_477, 40_460_094, 40_519_222, 40_563_389, 50_209_035,
    50_431_233, 50_578_329, 50_594_786, 50_603_785, 50_704_054, 50_718_728, 50_748_977, 50_802_833, 50_834_868,
    50_945_673, 50_966_299, 51_130_156, 51_218_755, 51_286_762, 51_303_050, 51_309_026, 51_743_100, 51_883_023,
    51_994_561, 52_994_499, 53_114_306, 53_233_380, 53_238_953, 25_426, 53_709_758, 53_732_924, 53_982_122, 54_257_056,
    54_661_606, 54_668_841, 54_693_080, 54_693_255, 54_705_082, 54_752_004, 54_758_787, 54_777_372, 54_806_110,
    54_809_095, 54_825_825, 54_837_790, 54_837_797, 54_847_853, 58_009_249, 58_029_570, 60_051_702, 60_117_244,
    60_416_358, 60_447_028, 60_122_371, 60_667_566, 61_036_491, 62_177_842, 62_256_997, 62_379_965, 60_030_551,
    60_129_472, 60_463_661, 62_397_932, 60_379_165, 58_021_527, 60_160_692, 60_177_416, 62_540_929, 62_589_639,
    62_595_757, 62_613_927, 62_632_056, 62_359_692, 64_040_040, 64_116_848, 64_090_518, 62_416_037, 85_916, 161_092,
    387_135, 495_674, 117_203, 309_685, 323_747, 60_027_901, 60_182_293, 60_098_778, 60_434_332, 60_556_610,
    62_445_600, 62_448_809, 68_061_475, 69_119_966,
];

/// The first failing seeds of these, with their violations.
fn find_failures(seeds: &[u64], mutant: Option<easel_sync::Mutant>, enough: usize) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if found.lock().unwrap_or_else(PoisonError::into_inner).len() >= enough {
                        return;
                    }
                    let violations = run::run_seed(seed, mutant, false).violations;
                    if !violations.is_empty() {
                        let words = format!("seed {seed}: {}", violations.join("; "));
                        found.lock().unwrap_or_else(PoisonError::into_inner).push(words);
                    }
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn five_hundred_worlds_hold_and_those_that_once_did_not() {
    let seeds: Vec<u64> = (0..500).chain(ONCE_FAILED).collect();
    let failures = find_failures(&seeds, None, 5);
    assert!(failures.is_empty(), "replay with `cargo xtask simulate --seeds 1 --start SEED`:\n{}", failures.join("\n"));
}

#[test]
fn every_planted_bug_is_found_within_two_thousand_worlds() {
    let seeds: Vec<u64> = (0..2_000).collect();
    let missed: Vec<&str> = mutants::MUTANTS
        .iter()
        .filter(|(_, mutant)| find_failures(&seeds, Some(*mutant), 1).is_empty())
        .map(|(name, _)| *name)
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn the_worlds_have_every_kind_of_fault() {
    const FAULTS: [&str; 26] = [
        "addresses that expired",
        "answers lost",
        "calls that let others go first",
        "clock jumps",
        "conflicts half settled",
        "conflicts settled for the copy",
        "conflicts settled for the original",
        "crashes",
        "effects that came late",
        "events dropped",
        "failures of the disk",
        "failures of the store",
        "files given new content",
        "files given new content by others",
        "files taken to the top of the drive",
        "goings back among other things",
        "limits",
        "looks at folders that cannot be read",
        "looks at links",
        "old pictures of the drive",
        "refusals",
        "requests lost",
        "torn lists",
        "torn looks at the disk",
        "uploads cut",
        "waits for the budget",
    ];
    let mut counts = BTreeMap::new();
    for seed in 0..500 {
        for (what, count) in run::run_seed(seed, None, false).counts {
            *counts.entry(what).or_insert(0_u64) += count;
        }
    }
    let missing: Vec<&str> = FAULTS.into_iter().filter(|fault| !counts.contains_key(fault)).collect();
    assert!(missing.is_empty(), "never happened: {missing:?}; what did: {counts:?}");
}

#[test]
fn a_seed_always_runs_the_same_way() {
    for seed in 0..5 {
        let runs = [0, 1].map(|_| run::run_seed(seed, None, true).log);
        assert!(!runs[0].is_empty());
        assert_eq!(runs[0], runs[1], "seed {seed}");
    }
}
