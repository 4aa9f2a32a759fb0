//! One design: its source, other remixes of that, and its pages.
//!
//! Always true: remixes are looked for among the newest designs, to a bound, because the service has no list of them.
//! Not here: comparing two designs.

use easel_client::{Client, Error as ClientError, Feature, PageRequest, Place};
use easel_wire::CanvasId;
use easel_wire::canvases::{Canvas, CanvasPage, CanvasPages};

use super::views::{DesignDetails, DesignPage, DesignRef};
use super::{Designs, read_design};
use crate::media::addresses;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// Pages of 100 designs that are gone through for relatives.
const MOST_PAGES: usize = 3;
/// Pages that are shown of a design whose pages the service does not list (contract: 60).
const MOST_UNLISTED: u32 = 500;

/// The designs remixed from one of `sources`.
async fn read_relatives(client: &Client, sources: &[CanvasId]) -> Result<Vec<Canvas>, ClientError> {
    let mut found = Vec::new();
    let mut request = Some(PageRequest { limit: Some(100), ..PageRequest::default() });
    for _ in 0..MOST_PAGES {
        let Some(asked) = request else { break };
        let page = match client.list_canvases(&Place::Everywhere, &asked).await {
            Err(error) if asked.is_past_the_end(&error) => break,
            page => page?,
        };
        request = asked.after(&page);
        found.extend(
            page.items.into_iter().filter(|canvas| canvas.source_canvas_id.is_some_and(|id| sources.contains(&id))),
        );
    }
    Ok(found)
}

/// The pages with their numbers; where the service does not list them, as many as the design has, without their names.
fn numbered(pages: CanvasPages, canvas: &Canvas) -> Vec<CanvasPage> {
    let CanvasPages { total_pages, pages, .. } = pages;
    if pages.is_empty() {
        let count = total_pages.or(canvas.page_count).unwrap_or(1).clamp(1, MOST_UNLISTED);
        let (width, height) = (canvas.width, canvas.height);
        let page = |page_number| CanvasPage { page_number, name: None, width, height, node_count: None };
        return (1..=count).map(page).collect();
    }
    let is_numbered = pages.iter().all(|page| page.page_number > 0);
    let number = |(page, place): (CanvasPage, u32)| CanvasPage {
        page_number: if is_numbered { page.page_number } else { place },
        ..page
    };
    pages.into_iter().zip(1..).map(number).collect()
}

impl Designs {
    /// A design with what it came from and what else came from there.
    ///
    /// # Errors
    /// `canvas_not_found`, what the connection's state says, or what the service answers.
    pub async fn get_design(&self, design_id: String) -> Result<DesignDetails, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let canvas =
            client.get_canvas(id).await.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        let source_id = canvas.source_canvas_id;
        let sources: Vec<CanvasId> = [Some(id), source_id].into_iter().flatten().collect();
        let source = async {
            match source_id {
                Some(source) => client.get_canvas(source).await.map(Some),
                None => Ok(None),
            }
        };
        let (source, relatives) = tokio::join!(source, read_relatives(&client, &sources));
        // The design itself is there; whether its relatives can be told is of less weight.
        let source = source.unwrap_or_else(|error| {
            tracing::debug!(%error, "what a design was made from cannot be told");
            None
        });
        let relatives = relatives.unwrap_or_else(|error| {
            tracing::debug!(%error, "what was made from a design cannot be told");
            Vec::new()
        });
        if let Some(source) = &source {
            self.view_designs(&connection, std::slice::from_ref(source));
        }
        let (remixes, siblings): (Vec<Canvas>, Vec<Canvas>) =
            relatives.into_iter().filter(|other| other.id != id).partition(|other| other.source_canvas_id == Some(id));
        Ok(DesignDetails {
            source: source.map(|source| DesignRef {
                id: source.id.to_string(),
                name: messages::named(&source.name, Nameless::Design),
            }),
            design: self.view_design(&connection, canvas),
            siblings: self.view_designs(&connection, &siblings),
            remixes: self.view_designs(&connection, &remixes),
        })
    }

    /// The pages of a design, in order.
    ///
    /// # Errors
    /// `canvas_not_found`, what the connection's state says, or what the service answers.
    pub async fn list_design_pages(&self, design_id: String) -> Result<Vec<DesignPage>, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let pages = async {
            match client.list_canvas_pages(id).await {
                Err(ClientError::RouteMissing) => {
                    Ok(CanvasPages { canvas_name: None, total_pages: None, pages: Vec::new() })
                }
                pages => pages,
            }
        };
        let (canvas, pages) = tokio::try_join!(client.get_canvas(id), pages)
            .map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::CanvasPages)))?;
        self.view_designs(&connection, std::slice::from_ref(&canvas));
        let pages = numbered(pages, &canvas).into_iter().map(|page| DesignPage {
            picture: Some(addresses::of_page(&connection.id, id, canvas.updated_at, page.page_number)),
            number: page.page_number,
            name: page.name,
            width: page.width,
            height: page.height,
        });
        Ok(pages.collect())
    }
}
