//! The gallery: all designs, or those that a search finds, by parts.
//!
//! Always true: in the service's own order a part costs one request, wherever it begins, and every design that was
//! there throughout is shown once (the service's cursors see to it). The service offers no other order, so for one all
//! designs are read once, to a bound, and sorted here. Not here: what a card shows.

use std::ops::ControlFlow;
use std::sync::PoisonError;

use easel_client::{Client, Error as ClientError, Feature, PageRequest, Place, Walk};
use easel_wire::canvases::Canvas;
use easel_wire::list::Page;

use super::views::{DesignList, DesignSort, DesignView};
use super::{Designs, Sorted};
use crate::continuation::Continuation;
use crate::problem::Problem;

/// The most designs of one command: the part that a person scrolled through is asked for again when something changed.
const MOST_ITEMS: u32 = 500;
/// Designs a request.
const PAGE: u16 = 100;
/// Designs that are read at most to sort them here.
const MOST_WHOLE: usize = 2_000;
/// Stands before a place in what was sorted here; a cursor of a service never begins so.
const PLACE: &str = "place:";
/// The longest search, in characters (contract: one name's length).
const MOST_SEARCH_CHARS: usize = 255;

async fn read_page(client: &Client, query: &str, request: &PageRequest) -> Result<Page<Canvas>, ClientError> {
    if query.is_empty() {
        client.list_canvases(&Place::Everywhere, request).await
    } else {
        client.search_canvases(query, request).await
    }
}

pub(super) fn sort_designs(canvases: &mut [Canvas], sort: DesignSort) {
    match sort {
        DesignSort::Newest => canvases.sort_by_key(|canvas| std::cmp::Reverse((canvas.created_at, canvas.id))),
        DesignSort::Changed => canvases.sort_by_key(|canvas| std::cmp::Reverse((canvas.updated_at, canvas.id))),
        DesignSort::Name => canvases.sort_by_cached_key(|canvas| (canvas.name.to_lowercase(), canvas.id)),
    }
}

impl Designs {
    /// A part of the gallery. Designs whose deletion waits to be sent are left out.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_designs(
        &self,
        query: String,
        sort: DesignSort,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<DesignList, Problem> {
        let query: String = query.trim().chars().take(MOST_SEARCH_CHARS).collect();
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let limit = limit.clamp(1, MOST_ITEMS) as usize;
        let feature = (!query.is_empty()).then_some(Feature::CanvasSearch);
        let note = |error: ClientError| self.connections.note_error_of(&connection, &error, feature);
        if sort != DesignSort::Newest {
            let place = cursor.as_deref().and_then(|cursor| cursor.strip_prefix(PLACE)?.parse::<usize>().ok());
            let place = place.unwrap_or_default();
            let known = self.inner.sorted.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let fits =
                |known: &Sorted| (&known.connection_id, &known.query, known.sort) == (&connection.id, &query, sort);
            let sorted = match known.filter(|known| place > 0 && fits(known)) {
                Some(known) => known,
                None => {
                    let mut canvases = read_whole(&client, &query).await.map_err(note)?;
                    sort_designs(&mut canvases, sort);
                    let designs = self.view_designs(&connection, &canvases);
                    Sorted { connection_id: connection.id.clone(), query, sort, designs }
                }
            };
            let total = sorted.designs.len();
            let designs: Vec<DesignView> = sorted.designs.iter().skip(place).take(limit).cloned().collect();
            let end = place + designs.len();
            *self.inner.sorted.lock().unwrap_or_else(PoisonError::into_inner) = Some(sorted);
            self.connections.note_answer(&connection);
            return Ok(self.without_deleted(DesignList {
                connection_id: connection.id.clone(),
                designs,
                total: Some(total.into()),
                next: (end < total).then(|| format!("{PLACE}{end}")),
            }));
        }
        let mut canvases: Vec<Canvas> = Vec::new();
        let is_first = cursor.is_none();
        let mut next = Some(Continuation::read(cursor.as_deref()));
        let mut total = None;
        while let Some(here) = next.take_if(|_| canvases.len() < limit) {
            let asked = here.request((limit - canvases.len()).min(usize::from(PAGE)));
            let mut page = match read_page(&client, &query, &asked).await {
                Err(error) if !canvases.is_empty() && asked.is_past_the_end(&error) => break,
                page => page.map_err(note)?,
            };
            total = page.total;
            let first = page.items.first().map(|canvas| canvas.id.text());
            next = here.after(&asked, &mut page, first.as_deref());
            canvases.extend(page.items);
        }
        self.connections.note_answer(&connection);
        let all = (is_first && next.is_none()).then_some(canvases.len() as u64);
        Ok(self.without_deleted(DesignList {
            connection_id: connection.id.clone(),
            designs: self.view_designs(&connection, &canvases),
            total: total.or(all).map(Into::into),
            next: next.map(|next| next.text()),
        }))
    }

    pub(super) fn without_deleted(&self, mut list: DesignList) -> DesignList {
        let came = list.designs.len() as u64;
        list.designs.retain(|design| !self.deletions.is_hidden(&design.id));
        let hidden = came - list.designs.len() as u64;
        list.total = list.total.map(|total| total.get().saturating_sub(hidden).into());
        list
    }
}

/// All designs, to a bound.
async fn read_whole(client: &Client, query: &str) -> Result<Vec<Canvas>, ClientError> {
    let mut canvases = Vec::new();
    walk_designs(client, query, |page| {
        canvases.extend(page);
        ControlFlow::Continue(())
    })
    .await?;
    Ok(canvases)
}

/// Gives `take` all designs page by page, until it has what it wants or [`MOST_WHOLE`] were seen. Says whether those
/// were all.
pub(super) async fn walk_designs(
    client: &Client,
    query: &str,
    mut take: impl FnMut(Vec<Canvas>) -> ControlFlow<()> + Send,
) -> Result<bool, ClientError> {
    let mut walk = Walk::new(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    let mut seen = 0;
    while seen < MOST_WHOLE {
        let Some(page) = walk.take(read_page(client, query, walk.request()).await)? else { return Ok(true) };
        let goes_on = walk.go_on(&page, page.items.first().map(|canvas| canvas.id.text()).as_deref())?;
        seen += page.items.len();
        if take(page.items).is_break() || !goes_on {
            return Ok(!goes_on);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designs_are_sorted_as_people_look_for_them() {
        let canvas = |number: u32, name: &str, created: i64, updated: i64| -> Canvas {
            let moment = |micros| easel_wire::Timestamp::from_micros(micros);
            serde_json::from_value(serde_json::json!({
                "id": format!("cvs_{number:026}"), "name": name, "created_at": moment(created), "updated_at": moment(updated),
            }))
            .unwrap()
        };
        let all = [canvas(1, "banner", 1, 9), canvas(2, "Annual", 2, 3), canvas(3, "Cards", 3, 4)];
        let check = |sort: DesignSort, expected: [&str; 3]| {
            let mut sorted = all.to_vec();
            sort_designs(&mut sorted, sort);
            assert_eq!(sorted.iter().map(|canvas| canvas.name.as_str()).collect::<Vec<_>>(), expected, "{sort:?}");
        };
        check(DesignSort::Newest, ["Cards", "Annual", "banner"]);
        check(DesignSort::Changed, ["banner", "Cards", "Annual"]);
        check(DesignSort::Name, ["Annual", "banner", "Cards"]);
    }
}
