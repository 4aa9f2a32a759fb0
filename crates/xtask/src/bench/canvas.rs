//! Measures the canvas by its example `bench`, in a release build.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;

/// One line a figure, as the example writes them.
///
/// # Errors
/// When the example does not build or does not end well.
pub fn measure(checkout: &Checkout) -> Result<String, Problem> {
    packages::install_missing(checkout, packages::BROWSER)?;
    Run::cargo(checkout, ["run", "--quiet", "--release", "--package", "easel-canvas", "--example", "bench"]).read()
}
