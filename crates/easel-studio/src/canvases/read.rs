//! `GET /v1/canvases`, `GET /v1/canvases/search`, `GET /v1/canvases/{canvas_id}` and `…/pages`.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use easel_wire::Version;

use super::record::canvas_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::core::names;
use crate::db::Viewer;
use crate::db::canvases::{self as rows, CanvasPosition, CanvasQuery, CanvasRow, Order, PageRow};
use crate::db::drive::Place;
use crate::drive::read_hidden;
use crate::studio::SharedStudio;
use crate::web::extract::{PathId, Query, Shape};
use crate::web::list::{DEFAULT_LIMIT, ListPage, MAX_LIMIT, PageQuery};
use crate::wire::FolderId;
use crate::wire::canvases::{Canvas, CanvasPage, CanvasPages};
use crate::wire::id::kind;

const RESOURCE: &str = "canvases";
/// What the top of the drive is called in a filter, as in the drive's own lists.
const TOP: &str = "root";

/// A page of canvases.
pub async fn list_canvases(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    answer_list(&studio, &caller, version, &query, Vec::new()).await
}

/// A page of the canvases whose names hold every word of `query`, or of `q`, as names are compared.
pub async fn search_canvases(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let words = read_words(&query)?;
    answer_list(&studio, &caller, version, &query, words).await
}

/// One canvas.
pub async fn get_canvas(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Json<Canvas>, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let canvas = rows::get_visible_canvas(&mut conn, Viewer::from(&caller), id).await?;
    Ok(Json(canvas_on_wire(&studio, canvas, studio.clock.now())))
}

/// The pages of a canvas.
pub async fn list_pages(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Json<CanvasPages>, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let canvas = rows::get_visible_canvas(&mut conn, Viewer::from(&caller), id).await?;
    let pages =
        (1..).zip(canvas.drawn.pages).map(|(page_number, PageRow { name, width, height, node_count })| CanvasPage {
            page_number,
            name: Some(name),
            width: Some(width),
            height: Some(height),
            node_count: Some(node_count),
        });
    let pages: Vec<CanvasPage> = pages.collect();
    Ok(Json(CanvasPages { canvas_name: Some(canvas.name), total_pages: u32::try_from(pages.len()).ok(), pages }))
}

async fn answer_list(
    studio: &SharedStudio,
    caller: &Caller,
    version: Version,
    query: &Query,
    words: Vec<String>,
) -> Result<Response, Error> {
    let place = read_place(query)?;
    // The order follows from the version, and a cursor is of one version only.
    let order = match version {
        Version::Legacy => Order::Changed,
        Version::Canonical => Order::Created,
    };
    let hidden = read_hidden(query, caller)?;
    let binding = format!("{RESOURCE} {place:?} {words:?} {hidden}");
    let page =
        PageQuery::<CanvasPosition>::of_list(query, &studio.cursors, &binding, version, (DEFAULT_LIMIT, MAX_LIMIT))?;
    let (offset, viewer) = (page.offset(), Viewer::from(caller));
    let asked = CanvasQuery { place, words, hidden, order, start: page.start, limit: page.limit };
    // One transaction, so that the page and the total are of the same moment.
    let mut tx = studio.db.read().begin().await?;
    let mut canvases = rows::list_canvases(&mut tx, viewer, &asked).await?;
    let total = match version {
        Version::Legacy => rows::count_canvases(&mut tx, viewer, &asked).await?,
        Version::Canonical => 0,
    };
    drop(tx);
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = canvases.len() > limit;
    canvases.truncate(limit);
    let next = canvases.last().filter(|_| more).map(|last| (last.created_at.as_micros(), last.id.uuid()));
    let next_cursor = next.map(|position| studio.cursors.seal(&binding, &position)).transpose()?;
    let now = studio.clock.now();
    let shown = |mut canvas: CanvasRow| {
        // The answer may tell that the canvas is there, but must not show its drawing.
        canvas.drawn.thumbnail_hash = canvas.drawn.thumbnail_hash.filter(|_| !hidden);
        canvas_on_wire(studio, canvas, now)
    };
    let items: Vec<Canvas> = canvases.into_iter().map(shown).collect();
    Ok(ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor }
        .into_list_response(version))
}

/// Left out: everywhere. `root`: the top. Else a folder, as an id in either form (contract, "Ids").
fn read_place(query: &Query) -> Result<Place, Error> {
    match query.text("folder_id")? {
        None => Ok(Place::Everywhere),
        Some(TOP) => Ok(Place::Top),
        Some(text) => text.parse::<FolderId>().map(Place::In).map_err(|error| Error::invalid_id("folder_id", &error)),
    }
}

/// The words of a search, as names are compared: from `query` or `q`; from both only if they are the same.
fn read_words(query: &Query) -> Result<Vec<String>, Error> {
    let (field, text) = match (query.text("query")?, query.text("q")?) {
        (Some(text), Some(other)) if text != other => {
            return Err(Error::validation("q", "not_with_another_query"));
        }
        (None, Some(text)) => ("q", text),
        (text, _) => ("query", text.unwrap_or_default()),
    };
    if text.chars().count() > names::MAX_CHARS {
        return Err(Error::validation(field, "too_long"));
    }
    let words: Vec<String> = text.split_whitespace().map(names::key_of).collect();
    if words.is_empty() { Err(Error::validation(field, "required")) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_needs_words_that_a_name_could_hold() {
        let check = |text: &str, expected: Result<&[&str], (&str, &str)>| {
            let found = read_words(&Query::parse(text)).map_err(|error| match error {
                Error::Validation { mut fields, .. } => {
                    let first = fields.remove(0);
                    (first.field, first.code)
                }
                other => panic!("{text}: {other}"),
            });
            let words = expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(found, words.map_err(|(field, code)| (field.to_owned(), code.to_owned())), "{text}");
        };
        let (long, longest) = ("x".repeat(256), "x".repeat(255));
        check("query=%20Big++DECK", Ok(&["big", "deck"]));
        check("query=%C3%84", Ok(&["ä"]));
        check("q=Big", Ok(&["big"]));
        check("q=Big&query=Big", Ok(&["big"]));
        check("", Err(("query", "required")));
        check("query=", Err(("query", "required")));
        check("query=++", Err(("query", "required")));
        check("q=++", Err(("q", "required")));
        check("q=&query=Big", Err(("q", "not_with_another_query")));
        check("q=big&query=Big", Err(("q", "not_with_another_query")));
        check(&format!("query={long}"), Err(("query", "too_long")));
        check(&format!("q={long}"), Err(("q", "too_long")));
        check(&format!("query={longest}"), Ok(&[&longest]));
    }
}
