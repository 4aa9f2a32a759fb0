//! Canvases: lists, search, one canvas, its pages, its name (specification, "Endpoints"; contract, "Canvases and
//! export").
//!
//! Always true: lists are read in any form that the contract tolerates. A thumbnail's address is a capability: it
//! stands in no error and no log. Not here: exports (`exports`), and moving and deleting, which are the drive's
//! (`items`).

use easel_wire::canvases::{Canvas, CanvasPages, RenameCanvas};
use easel_wire::list::Page;
use easel_wire::{CanvasId, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::settle::is_same_name;

const RESOURCE: &str = "canvases";

impl Client {
    /// One page of the canvases in `place`, 1 to 100 of them, newest first. The lists of canvases offer no other order.
    ///
    /// # Errors
    /// `folder_not_found`; else what the service answers, or why it did not.
    pub async fn list_canvases(&self, place: &Place, page: &PageRequest) -> Result<Page<Canvas>, Error> {
        let call = self
            .call(Method::GET, &["canvases"])
            .needs(Scope::CanvasesRead)
            .query("folder_id", place.filter()?.as_deref());
        self.get_page(call, page, RESOURCE).await
    }

    /// One page of the canvases whose names hold every word of `query`, 1 to 255 characters with a word in them.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn search_canvases(&self, query: &str, page: &PageRequest) -> Result<Page<Canvas>, Error> {
        let call = self
            .call(Method::GET, &["canvases", "search"])
            .of(Feature::CanvasSearch)
            .needs(Scope::CanvasesRead)
            .query("query", Some(query));
        self.get_page(call, page, RESOURCE).await
    }

    /// One canvas.
    ///
    /// # Errors
    /// `canvas_not_found`; else what the service answers, or why it did not.
    pub async fn get_canvas(&self, canvas: CanvasId) -> Result<Canvas, Error> {
        let call = self.call(Method::GET, &["canvases", &canvas.text()]).needs(Scope::CanvasesRead);
        self.get_record(&call, &canvas.text(), "canvas", &["name", "page_count", "url", "canvas_url"]).await
    }

    /// The pages of a canvas, in order.
    ///
    /// # Errors
    /// `canvas_not_found`; else what the service answers, or why it did not.
    pub async fn list_canvas_pages(&self, canvas: CanvasId) -> Result<CanvasPages, Error> {
        self.get_json(
            &self
                .call(Method::GET, &["canvases", &canvas.text(), "pages"])
                .of(Feature::CanvasPages)
                .needs(Scope::DesignsRead),
        )
        .await
    }

    /// Gives a canvas another name, 1 to 255 characters.
    ///
    /// # Errors
    /// `canvas_name_conflict` with [`Error::existing_id`], `canvas_not_found`; [`Error::AnswerLost`] where what
    /// happened could not be found out; else what the service answers.
    pub async fn rename_canvas(&self, canvas: CanvasId, name: &str) -> Result<Canvas, Error> {
        let call = self
            .call(Method::PATCH, &["canvases", &canvas.text()])
            .needs(Scope::CanvasesWrite)
            .json(&RenameCanvas { name: name.to_owned() })?;
        let look = || async {
            let now = self.get_canvas(canvas).await?;
            Ok(is_same_name(&now.name, name).then_some(now))
        };
        self.send_settled(&call, |answer| answer.json(), look).await
    }
}
