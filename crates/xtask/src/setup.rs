//! What has to be there before anything can be built or tested.

use crate::checkout::Checkout;
use crate::command::{Problem, Run, is_installed};
use crate::{front_end, packages};

/// Everything that a build of the app needs: system packages, the front end's packages and its pages.
///
/// # Errors
/// When something is missing that cannot be installed here; it is named.
pub fn prepare_build(checkout: &Checkout) -> Result<(), Problem> {
    require_compiler()?;
    packages::install_missing(checkout, packages::BUILD)?;
    front_end::build(checkout)
}

/// Everything that drives the real window where nobody sits.
///
/// # Errors
/// As [`prepare_build`]; also where there is no way yet to drive the window.
pub fn prepare_virtual_desktop(checkout: &Checkout) -> Result<(), Problem> {
    if !cfg!(target_os = "linux") {
        return Err(Problem::new("the journeys in a real window are driven through X11, which needs Linux"));
    }
    packages::install_missing(checkout, packages::VIRTUAL_DESKTOP)
}

/// The test runner, built from source where it is missing.
///
/// # Errors
/// When Cargo cannot install it.
pub fn prepare_test_runner(checkout: &Checkout) -> Result<(), Problem> {
    if is_installed("cargo-nextest") || Run::cargo(checkout, ["nextest", "--version"]).read().is_ok() {
        return Ok(());
    }
    println!("Missing test runner, to be installed with Cargo: cargo-nextest (this takes some minutes, once)");
    Run::cargo(checkout, ["install", "cargo-nextest", "--locked"]).run()
}

fn require_compiler() -> Result<(), Problem> {
    if cfg!(target_os = "linux") || is_installed("cc") || cfg!(windows) {
        return Ok(());
    }
    Err(Problem::new(format!("no C compiler was found; install by hand: {}", packages::by_hand())))
}
