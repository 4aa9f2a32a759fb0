//! Measures what is read from briefs by the example `briefs`: facts, instructions, words of nobody, kinds, pages.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// One line a figure, as the example writes them: of the open briefs, others only where their folder is named.
///
/// # Errors
/// When the example does not build or does not end well.
pub fn measure(checkout: &Checkout, names: &[String]) -> Result<String, Problem> {
    let mut arguments = vec!["run", "--quiet", "--release", "--package", "easel-canvas", "--example", "briefs", "--"];
    arguments.extend(names.iter().map(String::as_str));
    Run::cargo(checkout, arguments).read()
}
