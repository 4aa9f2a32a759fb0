//! A canvas that is changed in its place: the drawing that a change is meant for, and the new one that takes its place.
//!
//! Always true: a change is meant for the drawing that its caller saw, and refused if there is another by now or a task
//! is about to make one; the drawing of before becomes a version. Not here: what is changed (`texts`, `colors`).

use data_encoding::HEXLOWER;
use easel_wire::error::code;

use crate::audit;
use crate::blobs::ContentHash;
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, get_visible_canvas, update_canvas};
use crate::db::tasks::has_active_task;
use crate::drawers::RenderError;
use crate::drawing::Drawing;
use crate::drawn::{Arriving, Written};
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;
use crate::web::origin::Origin;
use crate::wire::CanvasId;

/// Documents that are read or changed at once.
pub const AT_ONCE: usize = 2;

/// A change of a canvas in its place.
pub struct InPlace {
    pub canvas: CanvasId,
    /// The drawing that it is meant for, as its caller wrote it.
    pub revision: String,
    /// What the audit log calls it.
    pub event: &'static str,
    /// Of what so many are changed: the name of that number in the audit log, and the number.
    pub changed: (&'static str, usize),
}

impl InPlace {
    /// Puts the new drawing on the canvas, and removes contents that are no longer used; to its end also where the client
    /// goes away, so that no blob is left without its canvas.
    ///
    /// # Errors
    /// `canvas_changed`, `canvas_active_job`, `canvas_not_found`, and what storing fails with.
    pub async fn store(
        self,
        studio: &SharedStudio,
        caller: Caller,
        origin: Origin,
        drawn: (Drawing, Arriving),
    ) -> Result<CanvasRow, Error> {
        let studio = studio.clone();
        to_the_end(async move { self.store_whole(&studio, &caller, origin, drawn).await }).await
    }

    async fn store_whole(
        &self,
        studio: &SharedStudio,
        caller: &Caller,
        origin: Origin,
        drawn: (Drawing, Arriving),
    ) -> Result<CanvasRow, Error> {
        let mut written = Written::default();
        let stored = self.place(studio, caller, origin, drawn, &mut written).await;
        written.settle(studio, stored.is_ok()).await;
        let (canvas, dropped) = stored?;
        remove_unused(&studio.db, &studio.blobs, &dropped).await;
        tracing::info!(user = %caller.user_id, key = %caller.api_key_id, canvas = %self.canvas, "{}", self.event);
        Ok(canvas)
    }

    /// Puts the new drawing on the canvas, if that still has the drawing that was seen. Returns the contents that went
    /// with earlier versions.
    async fn place(
        &self,
        studio: &SharedStudio,
        caller: &Caller,
        origin: Origin,
        (drawing, arrived): (Drawing, Arriving),
        written: &mut Written,
    ) -> Result<(CanvasRow, Vec<ContentHash>), Error> {
        let drawn = written.write(drawing, arrived).await?;
        let mut tx = studio.db.begin_for(caller.team_id).await?;
        let (viewer, now) = (Viewer::from(caller), studio.clock.now());
        let canvas = get_visible_canvas(&mut tx, viewer, self.canvas).await?;
        check_base(&canvas, &self.revision)?;
        if has_active_task(&mut tx, self.canvas).await? {
            return Err(Error::CanvasActiveJob);
        }
        if canvas.drawn.document_hash == drawn.document_hash {
            // It is so already.
            return Ok((canvas, Vec::new()));
        }
        written.keep(&mut tx, studio).await?;
        let (canvas, dropped) =
            update_canvas(&mut tx, viewer, self.canvas, (&drawn, studio.new_id()), None, now).await?;
        let (what, count) = self.changed;
        let details = serde_json::json!({ "name": canvas.name, what: count });
        audit::note(&mut tx, caller, origin, (self.event, self.canvas.to_string(), details), now).await?;
        tx.commit().await?;
        Ok((canvas, dropped))
    }
}

/// The revision of a canvas, by which a change names the drawing it is meant for.
pub fn revision_of(canvas: &CanvasRow) -> String {
    format!("sha256:{}", HEXLOWER.encode(&canvas.drawn.document_hash))
}

/// Refuses a change that is meant for another drawing than this.
///
/// # Errors
/// `canvas_changed`.
pub fn check_base(canvas: &CanvasRow, revision: &str) -> Result<(), Error> {
    if revision_of(canvas) == revision { Ok(()) } else { Err(Error::conflict(code::CANVAS_CHANGED, None)) }
}

/// Refuses what names no drawing at all.
///
/// # Errors
/// `validation_failed`.
pub fn check_revision(revision: &str) -> Result<(), Error> {
    let is_revision = revision.strip_prefix("sha256:").is_some_and(|digits| {
        digits.len() == 64 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    });
    if is_revision { Ok(()) } else { Err(Error::validation("revision", "invalid")) }
}

impl From<RenderError> for Error {
    fn from(undone: RenderError) -> Self {
        match undone {
            RenderError::Here(error) => error,
            RenderError::TypefaceMissing(words) => Self::TypefaceMissing(words),
            RenderError::Interrupted => Self::Crowded,
            undone @ (RenderError::Undrawable(_) | RenderError::Deadly(_)) => {
                tracing::error!(error = %undone, "a canvas cannot be read or changed in its place");
                Self::Corrupt("a document that cannot be read")
            }
        }
    }
}
