//! The texts and pictures of a canvas, and changing them (contract, "Canvases and export": an addition, which few services have).
//!
//! Always true: whether a service has these routes is learned from its answers ([`Feature::CanvasTexts`]), and if it
//! was seen not to, it is not asked again. A change names the revision that it is meant for, so that what others
//! changed meanwhile is never lost.

use std::time::Duration;

use easel_wire::texts::{CanvasTexts, ChangePicture, ChangeTexts};
use easel_wire::{CanvasId, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::retry::Repeat;

/// A page is drawn before the answer comes, and others may be drawn before it.
pub(crate) const WHILE_DRAWN: Duration = Duration::from_secs(150);

impl Client {
    /// The texts of a canvas, page by page.
    ///
    /// # Errors
    /// `canvas_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the service answers,
    /// or why it did not.
    pub async fn list_texts(&self, canvas: CanvasId) -> Result<CanvasTexts, Error> {
        let call = self
            .call(Method::GET, &["canvases", &canvas.text(), "texts"])
            .of(Feature::CanvasTexts)
            .needs(Scope::DesignsRead);
        self.get_json(&call).await
    }

    /// Changes texts of a canvas, all or none; the earlier drawing becomes a version. Returns the texts afterwards, or
    /// for a check only, the texts that would result. If the answer is lost, the canvas's texts tell whether the change
    /// was made.
    ///
    /// # Errors
    /// `canvas_changed` where the canvas has another revision by now, `canvas_active_job`, `text_too_long`,
    /// `typeface_missing`, `canvas_not_found`; [`Error::RouteMissing`] where the service does not have it; else what
    /// the service answers, or why it did not.
    pub async fn change_texts(&self, canvas: CanvasId, change: &ChangeTexts) -> Result<CanvasTexts, Error> {
        let mut call = self
            .call(Method::POST, &["canvases", &canvas.text(), "texts"])
            .of(Feature::CanvasTexts)
            .needs(Scope::CanvasesWrite)
            .json(change)?;
        if change.check_only {
            call = call.repeat(Repeat::Harmless);
        } else {
            call = call.patience(WHILE_DRAWN);
        }
        let answer = self.get_json(&call).await;
        if change.check_only {
            return answer;
        }
        or_found(answer, self.list_texts(canvas), |texts| says_so(texts, change)).await
    }

    /// Puts another picture in the place of one; the earlier drawing becomes a version. Returns what stands on the pages
    /// afterwards. If the answer is lost, the canvas tells whether the picture of before is gone. Only a canvas whose pictures were
    /// told has this route.
    ///
    /// # Errors
    /// `canvas_changed` where the canvas has another revision by now, `canvas_active_job`, `picture_unreadable`,
    /// `file_not_found`, `canvas_not_found`; else what the service answers, or why it did not.
    pub async fn change_picture(&self, canvas: CanvasId, change: &ChangePicture) -> Result<CanvasTexts, Error> {
        let call = self
            .call(Method::POST, &["canvases", &canvas.text(), "pictures"])
            .needs(Scope::CanvasesWrite)
            .json(change)?
            .patience(WHILE_DRAWN);
        let is_made = |texts: &CanvasTexts| texts.revision != change.revision && !texts.has_picture(&change.reference);
        or_found(self.get_json(&call).await, self.list_texts(canvas), is_made).await
    }
}

/// The answer to a change; where it was lost, what is there now, if that shows that the change was made.
pub(crate) async fn or_found<T>(
    answer: Result<T, Error>,
    look: impl Future<Output = Result<T, Error>>,
    is_made: impl FnOnce(&T) -> bool,
) -> Result<T, Error> {
    match answer {
        Err(error) if error.is_answer_lost() => look.await.ok().filter(is_made).ok_or(error),
        answer => answer,
    }
}

/// Whether these are the texts after a change. Not every service keeps blanks around words.
fn says_so(texts: &CanvasTexts, change: &ChangeTexts) -> bool {
    let says = |text: &str, words: &str| text.split_whitespace().eq(words.split_whitespace());
    texts.revision != change.revision
        && change
            .changes
            .iter()
            .all(|one| texts.words(one.page_number, &one.reference).is_some_and(|text| says(text, &one.text)))
}
