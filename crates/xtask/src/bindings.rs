//! The front end's view of the app's commands and events, written by the app's own exporter (the test
//! that otherwise compares them).

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages;

/// Writes `ui/src/backend/bindings.ts` anew. A test of the app's crate compares the file with what this would write.
///
/// # Errors
/// When the exporter does not build or cannot write.
pub fn write(checkout: &Checkout) -> Result<(), Problem> {
    packages::install_missing(checkout, packages::BUILD)?;
    let test = ["test", "--quiet", "--package", "easel-desktop", "--lib", "the_bindings_of_the_page_are_up_to_date"];
    Run::cargo(checkout, test).with("EASEL_WRITE_BINDINGS", "1").run()
}
