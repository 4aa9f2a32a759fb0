//! Measures folders that are kept in step by the program `bench-sync`, in a release build, beside rclone and curl.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;

/// One line a figure, as the program writes them.
///
/// # Errors
/// When something does not build or does not end well.
pub fn measure(checkout: &Checkout) -> Result<String, Problem> {
    packages::install_missing(checkout, packages::PEERS)?;
    let programs = ["--bin", "easel-studio", "--bin", "easel-sync", "--bin", "bench-sync"];
    Run::cargo(checkout, [&["build", "--release"], programs.as_slice(), &["--workspace"]].concat()).run()?;
    Run::cargo(checkout, ["run", "--quiet", "--release", "--package", "easel-tests", "--bin", "bench-sync"]).read()
}
