//! The colours of a canvas, and choosing others (contract, "Canvases and export": an addition, which few services have).
//!
//! Always true: whether a service has these routes is learned from its answers ([`Feature::CanvasColors`]), and if it
//! was seen not to, it is not asked again. A change names the revision that it is meant for, so that what others
//! changed meanwhile is never lost.

use easel_wire::colors::{CanvasColors, ChangeColors};
use easel_wire::{CanvasId, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::texts::{WHILE_DRAWN, or_found};

impl Client {
    /// The colours of a canvas that can be chosen.
    ///
    /// # Errors
    /// `canvas_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the service answers,
    /// or why it did not.
    pub async fn list_colors(&self, canvas: CanvasId) -> Result<CanvasColors, Error> {
        let call = self
            .call(Method::GET, &["canvases", &canvas.text(), "colors"])
            .of(Feature::CanvasColors)
            .needs(Scope::DesignsRead);
        self.get_json(&call).await
    }

    /// Draws a canvas in other colours; the earlier drawing becomes a version. Returns the colours afterwards. If the
    /// answer is lost, the canvas's colours tell whether the change was made.
    ///
    /// # Errors
    /// `canvas_changed` where the canvas has another revision by now, `canvas_active_job`, `canvas_not_found`;
    /// [`Error::RouteMissing`] where the service does not have it; else what the service answers, or why it did not.
    pub async fn change_colors(&self, canvas: CanvasId, change: &ChangeColors) -> Result<CanvasColors, Error> {
        let call = self
            .call(Method::POST, &["canvases", &canvas.text(), "colors"])
            .of(Feature::CanvasColors)
            .needs(Scope::CanvasesWrite)
            .json(change)?
            .patience(WHILE_DRAWN);
        or_found(self.get_json(&call).await, self.list_colors(canvas), |colors| has_them(colors, change)).await
    }
}

/// Whether these are the colours after a change.
fn has_them(colors: &CanvasColors, change: &ChangeColors) -> bool {
    let is_so = |chosen: Option<&str>, color: Option<&str>| match (chosen, color) {
        (Some(chosen), Some(color)) => chosen.eq_ignore_ascii_case(color),
        (chosen, color) => chosen == color,
    };
    colors.revision != change.revision
        && change.changes.iter().all(|one| is_so(colors.chosen(&one.role), one.color.as_deref()))
}
