//! Reads lists page by page, however a service counts (specification, "Differences between versions"; contract, "A
//! service that others wrote").
//!
//! Always true: a list is asked for in pages that the service takes, and a walk through one ends, whatever the service
//! answers. Not here: the items.

use std::collections::HashSet;
use std::ops::Deref;

use easel_wire::Timestamp;
use easel_wire::list::Page;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::{Call, Client};
use crate::error::Error;

/// The property that a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The name.
    Name,
    /// The last change.
    UpdatedAt,
    /// The size.
    Size,
}

/// An order of a list; a service that does not offer it answers in its usual order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// The property.
    pub key: SortKey,
    /// Whether the largest value comes first.
    pub is_descending: bool,
}

impl Sort {
    pub(crate) const fn as_query(self) -> &'static str {
        match (self.key, self.is_descending) {
            (SortKey::Name, false) => "name",
            (SortKey::Name, true) => "-name",
            (SortKey::UpdatedAt, false) => "updated_at",
            (SortKey::UpdatedAt, true) => "-updated_at",
            (SortKey::Size, false) => "size",
            (SortKey::Size, true) => "-size",
        }
    }
}

/// Items a page when a service is not told a number.
const USUAL_LIMIT: usize = 50;
/// The lengths to try when a service refuses a longer page.
const SHORTER_LIMITS: [u16; 3] = [100, 50, 20];

/// A page to ask for. The default is the first page of the service's usual length, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// Items a page, 1 to 200 in the drive.
    pub limit: Option<u16>,
    /// The cursor that the page before gave.
    pub cursor: Option<String>,
    /// How many items to skip, instead of a cursor.
    pub offset: Option<u64>,
    /// The order.
    pub sort: Option<Sort>,
    /// Only items that changed since, where the service can tell.
    pub updated_since: Option<Timestamp>,
}

impl PageRequest {
    /// The request for the page after `page`, which answered this one; `None` after the last.
    #[must_use]
    pub fn after<T>(&self, page: &Page<T>) -> Option<Self> {
        if page.items.is_empty() {
            return None;
        }
        if let Some(cursor) = &page.next_cursor {
            return Some(Self { cursor: Some(cursor.clone()), offset: None, ..self.clone() });
        }
        // A service that counts by offset says with `total` or `has_more` whether more follows. If it says neither, a
        // page of full length does not count as the last.
        let told = page.items.len() + page.unreadable;
        let offset = self.offset.unwrap_or_default() + told as u64;
        let is_full = [self.limit.map_or(USUAL_LIMIT, usize::from), USUAL_LIMIT, 100, 200].contains(&told);
        let more = page.has_more.unwrap_or_else(|| page.total.map_or(is_full, |total| offset < total));
        (more && self.cursor.is_none()).then(|| Self { cursor: None, offset: Some(offset), ..self.clone() })
    }

    /// Whether this refusal means that the list ends before this page, because the service does not accept its own
    /// cursor or offset. The pages so far are part of the list, and better than nothing.
    #[must_use]
    pub fn is_past_the_end(&self, error: &Error) -> bool {
        let is_further = self.cursor.is_some() || self.offset.is_some_and(|offset| offset > 0);
        is_further && matches!(error, Error::Api { status: 400 | 404 | 410 | 422, .. })
    }

    fn onto(&self, call: Call, longest: Option<u16>) -> Call {
        let limit = self.limit.map(|limit| limit.min(longest.unwrap_or(u16::MAX)));
        call.query("limit", limit.map(|limit| limit.to_string()).as_deref())
            .query("cursor", self.cursor.as_deref())
            .query("offset", self.offset.map(|offset| offset.to_string()).as_deref())
            .query("sort", self.sort.map(Sort::as_query))
            .query("updated_since", self.updated_since.map(|since| since.to_string()).as_deref())
    }
}

/// A walk through one list from its first page to its last.
#[derive(Debug)]
pub struct Walk {
    request: PageRequest,
    seen_cursors: HashSet<String>,
    first_of_last: Option<String>,
}

impl Walk {
    /// A walk that begins with `first`.
    #[must_use]
    pub fn new(first: PageRequest) -> Self {
        Self { request: first, seen_cursors: HashSet::new(), first_of_last: None }
    }

    /// The next request.
    #[must_use]
    pub const fn request(&self) -> &PageRequest {
        &self.request
    }

    /// Takes the answer to the request; `None` where the service refuses a page after the first, which ends the list.
    ///
    /// # Errors
    /// Any other error.
    pub fn take<T>(&self, came: Result<Page<T>, Error>) -> Result<Option<Page<T>>, Error> {
        match came {
            Ok(page) => Ok(Some(page)),
            Err(error) if self.request.is_past_the_end(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Goes on to the page after `page`, whose first item has the id `first`. Returns whether there is one.
    ///
    /// # Errors
    /// [`Error::Contradiction`] where the service repeated a cursor, so that the list would never end.
    pub fn go_on<T>(&mut self, page: &Page<T>, first: Option<&str>) -> Result<bool, Error> {
        let Some(next) = self.request.after(page) else { return Ok(false) };
        if let Some(cursor) = &next.cursor
            && !self.seen_cursors.insert(cursor.clone())
        {
            return Err(Error::Contradiction { what: "a list goes round" });
        }
        // A service that does not count answers every offset with the same page, which is the whole list.
        let is_repeated = next.cursor.is_none() && first.is_some() && self.first_of_last.as_deref() == first;
        self.first_of_last = first.map(str::to_owned);
        self.request = next;
        Ok(!is_repeated)
    }
}

/// What a list has, read in pages of `limit` items to its end, or until there are `most` items; the page that brought
/// those is not cut. `id` tells which item one is.
///
/// # Errors
/// What `ask` answers; [`Error::Contradiction`] where the list goes round.
pub async fn read_whole<T, I, F>(
    limit: u16,
    most: usize,
    ask: impl Fn(PageRequest) -> F,
    id: impl Fn(&T) -> I,
) -> Result<Vec<T>, Error>
where
    I: Deref<Target = str>,
    F: Future<Output = Result<Page<T>, Error>>,
{
    let mut items = Vec::new();
    let mut walk = Walk::new(PageRequest { limit: Some(limit), ..PageRequest::default() });
    while items.len() < most {
        let Some(page) = walk.take(ask(walk.request().clone()).await)? else { break };
        let goes_on = walk.go_on(&page, page.items.first().map(&id).as_deref())?;
        items.extend(page.items);
        if !goes_on {
            break;
        }
    }
    Ok(items)
}

impl Client {
    /// One page of a list, read by plain serde.
    pub(crate) async fn get_page<T: DeserializeOwned>(
        &self,
        call: Call,
        page: &PageRequest,
        resource: &'static str,
    ) -> Result<Page<T>, Error> {
        self.get_page_with(call, page, resource, |item| serde_json::from_value(item).ok()).await
    }

    /// One page of a list. If the service refuses a page for its length, shorter ones are asked for from then on.
    pub(crate) async fn get_page_with<T>(
        &self,
        call: Call,
        page: &PageRequest,
        resource: &'static str,
        read: impl Fn(Value) -> Option<T>,
    ) -> Result<Page<T>, Error> {
        let learned = &self.shared.key.learned;
        let mut longest = learned.read(|known| known.page_limit);
        loop {
            let error = match self.send(&page.onto(call.clone(), longest)).await {
                Ok(answer) => {
                    if longest.is_some() {
                        learned.change(|known| known.page_limit = longest);
                    }
                    return Page::read_with(answer.value()?, resource, read).map_err(|_| answer.other_shape());
                }
                Err(error) => error,
            };
            let asked = page.limit.map(|limit| limit.min(longest.unwrap_or(u16::MAX)));
            longest = match asked.filter(|_| page.cursor.is_none() && is_about_length(&error)) {
                Some(asked) => SHORTER_LIMITS.into_iter().find(|shorter| *shorter < asked),
                None => None,
            };
            if longest.is_none() {
                return Err(error);
            }
        }
    }
}

/// Whether a refusal may be about the length of the page: because it says so, or says nothing.
fn is_about_length(error: &Error) -> bool {
    let Error::Api { status: 400 | 422, .. } = error else { return false };
    let named = error.refused_fields();
    named.is_empty() || named.iter().any(|(field, _)| ["limit", "page_size", "per_page"].contains(field))
}

#[cfg(test)]
mod tests {
    use easel_wire::error::ErrorType;

    use super::*;

    #[test]
    fn a_walk_ends_whatever_the_service_answers() {
        let mut walk = Walk::new(PageRequest::default());
        assert!(walk.go_on(&page(2, Some("a"), None, None), Some("1")).unwrap());
        assert!(walk.go_on(&page(2, Some("b"), None, None), Some("3")).unwrap());
        assert!(matches!(walk.go_on(&page(2, Some("a"), None, None), Some("1")), Err(Error::Contradiction { .. })));
        // The service repeats the whole list, as often as it is asked.
        let mut walk = Walk::new(PageRequest { limit: Some(2), ..PageRequest::default() });
        assert!(walk.go_on(&page(2, None, None, None), Some("1")).unwrap());
        assert!(!walk.go_on(&page(2, None, None, None), Some("1")).unwrap());
    }

    #[test]
    fn a_further_page_that_is_refused_ends_a_list_and_the_first_one_does_not() {
        let refused = |status: u16| Error::bare(status, ErrorType::InvalidRequest, "invalid_request");
        let further = PageRequest { cursor: Some("7".to_owned()), ..PageRequest::default() };
        let by_offset = PageRequest { offset: Some(50), ..PageRequest::default() };
        let first = PageRequest { offset: Some(0), ..PageRequest::default() };
        for (request, status, expected) in [
            (&further, 400, true),
            (&by_offset, 422, true),
            (&first, 400, false),
            (&further, 401, false),
            (&further, 429, false),
            (&further, 503, false),
        ] {
            assert_eq!(request.is_past_the_end(&refused(status)), expected, "{request:?} {status}");
        }
    }

    fn page(items: usize, next_cursor: Option<&str>, has_more: Option<bool>, total: Option<u64>) -> Page<u8> {
        Page { items: vec![0; items], unreadable: 0, next_cursor: next_cursor.map(str::to_owned), has_more, total }
    }

    #[test]
    fn the_next_page_is_asked_for_in_the_form_that_the_service_counts_in() {
        let check = |request: PageRequest, page: Page<u8>, expected: Option<(Option<&str>, Option<u64>)>| {
            let next = request.after(&page);
            let found = next.as_ref().map(|next| (next.cursor.as_deref(), next.offset));
            assert_eq!(found, expected, "{request:?} {page:?}");
        };
        let first = PageRequest::default;
        let at = |offset: u64| PageRequest { offset: Some(offset), ..PageRequest::default() };
        let by_cursor = || PageRequest { cursor: Some("a".to_owned()), ..PageRequest::default() };
        check(first(), page(2, Some("b"), Some(true), Some(9)), Some((Some("b"), None)));
        check(by_cursor(), page(2, None, Some(false), Some(9)), None);
        check(by_cursor(), page(2, None, None, Some(9)), None);
        check(first(), page(2, None, None, Some(9)), Some((None, Some(2))));
        check(at(2), page(2, None, Some(true), None), Some((None, Some(4))));
        check(at(2), page(2, None, None, Some(4)), None);
        check(first(), page(2, None, None, None), None);
        check(first(), page(0, Some("b"), Some(true), Some(9)), None);
        // A service that does not say whether more follows.
        check(first(), page(50, None, None, None), Some((None, Some(50))));
        check(first(), page(49, None, None, None), None);
        check(at(200), page(200, None, None, None), Some((None, Some(400))));
        check(by_cursor(), page(50, None, None, None), None);
    }
}
