//! Measures the window by the program `bench-app`, in a release build on a virtual desktop, and the size of its package.

use std::fs;

use super::program;
use crate::checkout::Checkout;
use crate::command::Problem;
use crate::{package, setup};

/// One line a figure, as the program writes them, each also handed to `hear` as soon as it is known. `names` are the parts
/// that are measured, `package` among them; none, and all are.
///
/// # Errors
/// When something does not build or does not end well, or no part has such a name.
pub fn measure(checkout: &Checkout, names: &[String], mut hear: impl FnMut(&str)) -> Result<String, Problem> {
    setup::prepare_virtual_desktop(checkout)?;
    setup::prepare_build(checkout)?;
    program::build(checkout, &["easel", "easel-studio", "bench-app"])?;
    let mut written = String::new();
    let of_window: Vec<String> = names.iter().filter(|name| *name != PACKAGE).cloned().collect();
    if names.is_empty() || of_window.len() < names.len() {
        let line = weigh_package(checkout)?;
        hear(&line);
        written.push_str(&line);
        written.push('\n');
    }
    if names.is_empty() || !of_window.is_empty() {
        written.push_str(&program::run(checkout, "bench-app", &of_window, hear)?);
    }
    Ok(written)
}

/// The part that is not the program's.
const PACKAGE: &str = "package";

fn weigh_package(checkout: &Checkout) -> Result<String, Problem> {
    let package = package::build(checkout)?;
    let size_bytes = fs::metadata(&package).map_err(|error| Problem::of(&package, &error))?.len();
    let verdict = if size_bytes <= package::LARGEST_BYTES { "met" } else { "missed" };
    let in_megabytes = |bytes: u64| bytes as f64 / 1e6;
    Ok(format!(
        "the package\t{:.1} MB\tat most {:.1} MB\t{verdict}",
        in_megabytes(size_bytes),
        in_megabytes(package::LARGEST_BYTES)
    ))
}
