//! Measures the canvas by its example `bench`, in a release build.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// One line a figure, as the example writes them.
///
/// # Errors
/// When the example does not build or does not end well.
pub fn measure(checkout: &Checkout) -> Result<String, Problem> {
    Run::cargo(checkout, ["run", "--quiet", "--release", "--package", "easel-canvas", "--example", "bench"]).read()
}
