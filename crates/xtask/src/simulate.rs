//! `cargo xtask simulate`: the sync engine in simulated worlds, as many as are asked for, or one again.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// More worlds than this are worth an optimised build, which takes minutes; without one, as many take as long.
const MANY: u64 = 200_000;

/// Runs `seeds` worlds from `start` on, with a known bug planted if one is named. The last line says how many held.
///
/// # Errors
/// When a run did not hold, or a planted bug was not found.
pub fn run_seeds(checkout: &Checkout, seeds: u64, start: u64, mutant: Option<&str>) -> Result<(), Problem> {
    // So many take longer without optimisation than the building of it.
    let profile = if seeds > MANY { "release" } else { "dev" };
    let (seeds, start) = (seeds.to_string(), start.to_string());
    let mut arguments =
        vec!["run", "--quiet", "--profile", profile, "--package", "easel-tests", "--bin", "simulate", "--"];
    arguments.extend(["--seeds", seeds.as_str(), "--start", start.as_str()]);
    if let Some(mutant) = mutant {
        arguments.extend(["--mutant", mutant]);
    }
    Run::cargo(checkout, arguments).run()
}
