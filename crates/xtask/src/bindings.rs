//! The front end's view of the app's commands and events, written by the app's own exporter.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;

/// Writes `ui/src/backend/bindings.ts` anew. A test of the app's crate compares the file with what this would write.
///
/// # Errors
/// When the exporter does not build or cannot write.
pub fn write(checkout: &Checkout) -> Result<(), Problem> {
    packages::install_missing(checkout, packages::BUILD)?;
    let export = ["run", "--quiet", "--package", "easel-desktop", "--example", "export_bindings"];
    Run::cargo(checkout, export).run()
}
