//! Runs many seeds of the simulation, or replays one: what `cargo xtask simulate` starts.
//!
//! `simulate --seeds N [--start S] [--mutant NAME]`. Its last line says how many runs held. With one seed, what
//! happened in it is printed. With a mutant it succeeds when the planted bug is found.
#![expect(clippy::print_stdout, reason = "a program that reports to a terminal")]

mod check;
mod conflicts;
mod desk;
mod disk;
mod history;
mod judge;
mod mutants;
mod person;
mod run;
mod service;
mod undo;
mod way;
mod world;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// So many failing seeds are printed; the others are counted.
const MOST_PRINTED: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str, default: u64| value(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seeds, start) = (number("--seeds", 1_000), number("--start", 0));
    let planted = value("--mutant");
    let mutant = match &planted {
        None => None,
        Some(name) => match mutants::MUTANTS.iter().find(|(known, _)| known == name) {
            Some((_, mutant)) => Some(*mutant),
            None => {
                println!("no mutant is called {name}; there are:");
                for (known, _) in mutants::MUTANTS {
                    println!("  {known}");
                }
                return ExitCode::FAILURE;
            }
        },
    };
    let next = AtomicU64::new(start);
    let failed: Mutex<Vec<(u64, Vec<String>)>> = Mutex::new(Vec::new());
    let counts: Mutex<BTreeMap<&str, u64>> = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= start + seeds {
                        return;
                    }
                    let outcome = run::run_seed(seed, mutant, seeds == 1);
                    let mut all = counts.lock().unwrap_or_else(PoisonError::into_inner);
                    for (what, count) in &outcome.counts {
                        *all.entry(*what).or_insert(0) += count;
                    }
                    drop(all);
                    for line in &outcome.log {
                        println!("{line}");
                    }
                    if !outcome.violations.is_empty() {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).push((seed, outcome.violations));
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.sort();
    for (seed, violations) in failed.iter().take(MOST_PRINTED) {
        println!("seed {seed}: {}", violations.join("; "));
    }
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let counts: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    println!("in them: {}", counts.join(", "));
    let held = seeds - failed.len() as u64;
    println!("{held} of {seeds} runs held (seeds {start} to {})", start + seeds.saturating_sub(1));
    if failed.is_empty() == mutant.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
