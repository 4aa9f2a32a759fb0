//! The designs that the built-in studio draws, to be looked at: forty fixed briefs, every page a picture.

use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// Draws the gallery into `target/gallery`: a PNG for each page and one contact sheet.
///
/// # Errors
/// When the example that draws does not build, or a design cannot be drawn.
pub fn draw(checkout: &Checkout) -> Result<(), Problem> {
    let example = ["run", "--quiet", "--package", "easel-canvas", "--example", "gallery", "--", "target/gallery"];
    Run::cargo(checkout, example).run()
}
