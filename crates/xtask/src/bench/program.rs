//! The programs that measure: built together with what they measure, once, and run as they were built.
//!
//! Not through `cargo run`: that builds for one package alone, with other features, and so everything a second time.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;
use crate::tools;

/// Measures by the program `bench-studio`, beside a bare handler, one that asks a PostgreSQL server for a row, and sha256sum.
///
/// # Errors
/// When something does not build or does not end well, or no part has such a name.
pub fn measure_studio(checkout: &Checkout, names: &[String], hear: impl FnMut(&str)) -> Result<String, Problem> {
    packages::install_missing(checkout, packages::PEERS)?;
    packages::install_missing(checkout, packages::TEST_TOOLS)?;
    build(checkout, &["easel-studio", "bench-studio"])?;
    run(checkout, "bench-studio", names, hear)
}

/// Measures by the program `bench-sync`, beside rclone, curl and find.
///
/// # Errors
/// When something does not build or does not end well, or no part has such a name.
pub fn measure_sync(checkout: &Checkout, names: &[String], hear: impl FnMut(&str)) -> Result<String, Problem> {
    packages::install_missing(checkout, packages::PEERS)?;
    tools::prepare_peers(checkout)?;
    build(checkout, &["easel-studio", "easel-sync", "bench-sync"])?;
    run(checkout, "bench-sync", names, hear)
}

/// Builds these programs for release.
///
/// # Errors
/// When one does not build.
pub fn build(checkout: &Checkout, programs: &[&str]) -> Result<(), Problem> {
    let chosen = programs.iter().flat_map(|program| ["--bin", *program]);
    Run::cargo(checkout, ["build", "--release", "--workspace"].into_iter().chain(chosen)).run()
}

/// One line a figure, as the program writes them, each also handed to `hear` as soon as it is known. `names` are the parts
/// that are measured; none, and all are.
///
/// # Errors
/// When it does not end well, or no part has such a name.
pub fn run(checkout: &Checkout, program: &str, names: &[String], hear: impl FnMut(&str)) -> Result<String, Problem> {
    let built = checkout.target().join("release").join(program);
    Run::new(checkout, &built.to_string_lossy(), names).read_lines(hear)
}
