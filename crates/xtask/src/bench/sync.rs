//! Measures folders that are kept in step by the program `bench-sync`, in a release build, beside rclone and curl.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;

/// One line a figure, as the program writes them, each also handed to `hear` as soon as it is known. `names` are the parts
/// that are measured; none, and all are.
///
/// # Errors
/// When something does not build or does not end well, or no part has such a name.
pub fn measure(checkout: &Checkout, names: &[String], hear: impl FnMut(&str)) -> Result<String, Problem> {
    packages::install_missing(checkout, packages::PEERS)?;
    let programs = ["--bin", "easel-studio", "--bin", "easel-sync", "--bin", "bench-sync"];
    Run::cargo(checkout, [&["build", "--release"], programs.as_slice(), &["--workspace"]].concat()).run()?;
    let run = ["run", "--quiet", "--release", "--package", "easel-tests", "--bin", "bench-sync", "--"];
    let names = names.iter().map(String::as_str);
    Run::cargo(checkout, run.into_iter().chain(names)).read_lines(hear)
}
