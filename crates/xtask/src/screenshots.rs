//! `cargo xtask screenshots`: every screen of the real window, light and dark, in two sizes, under `target/screenshots`.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::{run, setup};

/// Builds the app, starts it on a virtual desktop and takes the pictures.
///
/// # Errors
/// When something does not build, or a state is not reached that a picture is to show.
pub fn take(checkout: &Checkout) -> Result<(), Problem> {
    setup::prepare_build(checkout)?;
    setup::prepare_virtual_desktop(checkout)?;
    run::build_programs(checkout)?;
    let program = checkout.target().join("debug/screenshots");
    Run::new(checkout, &program.to_string_lossy(), [""; 0])
        .with("EASEL_SCREENSHOTS", checkout.path("target/screenshots"))
        .run()
}
