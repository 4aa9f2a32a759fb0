//! Lists: their order, how they are cut into pages, and what is around the items.
//!
//! Always true here: without a switch a cursor stands behind an item, so that what changes before it moves nothing.

use std::cmp::{Ordering, Reverse};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::Call;
use crate::faults::Contradiction;
use crate::records::{Cursor, Place, Reading, Row};
use crate::reply::{Outcome, Refusal, Reply};
use crate::state::State;
use crate::switch::Switch;

/// A whole list, before it is ordered and cut.
#[derive(Debug)]
pub(crate) struct Listing {
    resource: &'static str,
    rows: Vec<Row>,
    default_limit: u64,
    most: u64,
    /// Drive lists take `offset`, `sort` and `updated_since`, and tell their `total`.
    is_drive: bool,
    order: Order,
}

/// What a list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    NewestFirst,
    LatestChangeFirst,
    By(Column, bool),
    /// No order that anyone asked for.
    Whatever,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Name,
    UpdatedAt,
    Size,
}

impl Order {
    fn compare(self, one: &Row, other: &Row) -> Ordering {
        let order = match self {
            Self::NewestFirst => Reverse(one.created_at).cmp(&Reverse(other.created_at)),
            Self::LatestChangeFirst => Reverse(one.updated_at).cmp(&Reverse(other.updated_at)),
            Self::By(Column::Name, _) => one.name.to_lowercase().cmp(&other.name.to_lowercase()),
            Self::By(Column::UpdatedAt, _) => one.updated_at.cmp(&other.updated_at),
            Self::By(Column::Size, _) => one.size.cmp(&other.size),
            Self::Whatever => one.id.chars().rev().cmp(other.id.chars().rev()),
        };
        let order = if matches!(self, Self::By(_, true)) { order.reverse() } else { order };
        order.then_with(|| other.id.cmp(&one.id))
    }

    fn read(text: &str) -> Option<Self> {
        let (name, is_descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let column = match name {
            "name" => Column::Name,
            "updated_at" => Column::UpdatedAt,
            "size" => Column::Size,
            _ => return None,
        };
        Some(Self::By(column, is_descending))
    }
}

impl Listing {
    pub(crate) fn new(resource: &'static str, rows: Vec<Row>) -> Self {
        Self { resource, rows, default_limit: 20, most: 100, is_drive: false, order: Order::NewestFirst }
    }

    pub(crate) fn of_drive(resource: &'static str, rows: Vec<Row>) -> Self {
        Self { most: 200, is_drive: true, ..Self::new(resource, rows) }
    }

    pub(crate) fn limited(self, default_limit: u64, most: u64) -> Self {
        Self { default_limit, most, ..self }
    }
}

/// Of so many readings of a list one meets a cursor that expired: often enough to be met, and seldom enough that two
/// who read the same list with one key do not spoil each other's every attempt.
const EXPIRES_EVERY: u64 = 4;

impl State {
    /// One page of a list.
    pub(crate) fn page(&mut self, call: &Call<'_>, mut listing: Listing) -> Outcome {
        let limit = self.limit(call, &listing)?;
        if listing.is_drive {
            self.only_updated(call, &mut listing)?;
            if let Some(order) = self.asked_order(call)? {
                listing.order = order;
            }
        }
        if call.is_older {
            match listing.resource {
                "canvases" => listing.order = Order::LatestChangeFirst,
                "organizations" => listing.order = Order::By(Column::Name, false),
                _ => {}
            }
        }
        let order = listing.order;
        listing.rows.sort_by(|one, other| order.compare(one, other));
        let total = listing.rows.len();
        let (start, reading) = self.start(call)?;
        let start = match start {
            Place::Offset(offset) => offset.min(total),
            Place::After(last) => listing.rows.partition_point(|row| order.compare(row, &last) != Ordering::Greater),
        };
        let end = start.saturating_add(limit).min(total);
        let page = listing.rows[start..end].to_vec();
        let place = match page.last() {
            Some(last) if !self.has(Switch::ListsShift) => Place::After(Box::new(last.clone())),
            _ => Place::Offset(end),
        };
        let goes_round = self.faults.holds(&Contradiction::CursorGoesRound(call.route));
        let next = match (end < total, goes_round) {
            (true, _) => Some(self.give_cursor(call, place, reading)),
            (false, true) => Some(self.give_cursor(call, Place::Offset(0), reading)),
            (false, false) => None,
        };
        Ok(Reply::ok(self.around(call, &listing, page, &Cut { start, limit, total, has_more: end < total, next })))
    }

    fn limit(&self, call: &Call<'_>, listing: &Listing) -> Result<usize, Refusal> {
        let asked = call.number("limit")?;
        let is_clamped = self.has(Switch::ListsClampTo50);
        let (default, most) = if is_clamped || self.has(Switch::ListsRefuseAbove50) {
            (50, 50)
        } else if self.has(Switch::ListsOf50To200) {
            (50, 200)
        } else {
            (listing.default_limit, listing.most)
        };
        let limit = match asked {
            _ if self.has(Switch::PagesOfEverything) && !call.is_older => return Ok(usize::MAX),
            None => default,
            Some(asked) if asked > most && is_clamped => most,
            Some(asked) if asked == 0 || asked > most => return Err(Refusal::fields(&[("limit", "out_of_range")])),
            Some(asked) => asked,
        };
        Ok(usize::try_from(limit).unwrap_or(usize::MAX))
    }

    fn only_updated(&self, call: &Call<'_>, listing: &mut Listing) -> Result<(), Refusal> {
        let Some(since) = call.query("updated_since") else { return Ok(()) };
        if self.has(Switch::UpdatedSinceRefused) {
            return Err(Refusal::fields(&[("updated_since", "unknown_parameter")]));
        }
        if self.has(Switch::UpdatedSinceIgnored) {
            return Ok(());
        }
        let since = read_time(since).ok_or_else(|| Refusal::fields(&[("updated_since", "not_a_time")]))?;
        let misses = self.has(Switch::UpdatedSinceMissesChanges);
        listing.rows.retain(|row| (if misses { row.created_at } else { row.updated_at }) >= since);
        Ok(())
    }

    fn asked_order(&self, call: &Call<'_>) -> Result<Option<Order>, Refusal> {
        let Some(sort) = call.query("sort") else { return Ok(None) };
        if self.has(Switch::SortRefused) {
            return Err(Refusal::fields(&[("sort", "unknown_parameter")]));
        }
        if self.has(Switch::SortIgnored) {
            return Ok(None);
        }
        let order = Order::read(sort).ok_or_else(|| Refusal::fields(&[("sort", "unknown_value")]))?;
        Ok(Some(if self.has(Switch::SortLies) { Order::Whatever } else { order }))
    }

    /// Where the page begins that was asked for, and in which reading of the list.
    fn start(&mut self, call: &Call<'_>) -> Result<(Place, Reading), Refusal> {
        let by_offset = self.pages_by_offset(call);
        let is_one_page = self.has(Switch::PagesOfEverything) && !call.is_older;
        if let (Some(token), false, false) = (call.query("cursor"), by_offset, is_one_page) {
            let cursor = self.cursors.of_token.get(token).cloned();
            let cursor = cursor
                .filter(|cursor| cursor.route == call.route && cursor.filters == filters(call))
                .ok_or_else(|| Refusal::new(400, "invalid_request", "This cursor is not one of this list"))?;
            self.let_expire(cursor.reading)?;
            return Ok((cursor.place, cursor.reading));
        }
        let offset = call.number("offset")?.filter(|_| !is_one_page).unwrap_or(0);
        Ok((Place::Offset(usize::try_from(offset).unwrap_or(usize::MAX)), Reading { before: 0, pages: 0 }))
    }

    /// Whether this list goes on by offset: what is bare has no place for a cursor.
    fn pages_by_offset(&self, call: &Call<'_>) -> bool {
        call.is_older || self.config.switches.any(&[Switch::PagesByOffset, Switch::ListsBare])
    }

    /// The first cursor of some readings is too old.
    fn let_expire(&self, reading: Reading) -> Result<(), Refusal> {
        let status = match () {
            () if self.has(Switch::CursorsExpireAs410) => 410,
            () if self.has(Switch::CursorsExpireAs400) => 400,
            () => return Ok(()),
        };
        if reading.before.is_multiple_of(EXPIRES_EVERY) && reading.pages == 1 {
            return Err(Refusal::new(status, "cursor_expired", "This cursor is too old; begin again"));
        }
        Ok(())
    }

    fn give_cursor(&mut self, call: &Call<'_>, place: Place, mut reading: Reading) -> String {
        if reading.pages == 0 {
            let begun = self.cursors.begun.entry((call.key.clone(), call.route, filters(call))).or_default();
            reading.before = *begun;
            *begun += 1;
        }
        reading.pages += 1;
        let token = format!("c{}_{}", self.cursors.of_token.len(), State::signature(&format!("{place:?}")));
        let cursor = Cursor { route: call.route, filters: filters(call), place, reading };
        self.cursors.of_token.insert(token.clone(), cursor);
        token
    }

    /// What stands around the items.
    fn around(&self, call: &Call<'_>, listing: &Listing, page: Vec<Row>, cut: &Cut) -> Value {
        let count = page.len();
        let items = page.into_iter().map(|row| row.json).collect::<Vec<_>>();
        if self.has(Switch::ListsBare) {
            return Value::Array(items);
        }
        let by_name = call.is_older || self.has(Switch::ListsUnderResourceName);
        let mut fields = serde_json::Map::new();
        fields.insert((if by_name { listing.resource } else { "data" }).to_owned(), items.into());
        let by_offset = self.pages_by_offset(call);
        if by_offset {
            fields.insert("limit".to_owned(), cut.limit.into());
            fields.insert("offset".to_owned(), cut.start.into());
        } else if !self.has(Switch::PagesOfEverything)
            && (cut.next.is_some() || !self.has(Switch::NextCursorAbsentAtEnd))
        {
            fields.insert("next_cursor".to_owned(), json!(cut.next));
        }
        if !self.has(Switch::HasMoreMissing) {
            fields.insert("has_more".to_owned(), cut.has_more.into());
        }
        if (listing.is_drive || by_offset) && !self.has(Switch::TotalMissing) {
            let total = if self.has(Switch::TotalOfThePage) { count } else { cut.total };
            fields.insert("total".to_owned(), total.into());
        }
        Value::Object(fields)
    }
}

/// How a list was cut.
struct Cut {
    start: usize,
    limit: usize,
    total: usize,
    has_more: bool,
    next: Option<String>,
}

/// What a cursor is bound to, in an order of its own.
fn filters(call: &Call<'_>) -> Vec<(String, String)> {
    let mut filters = call
        .query
        .iter()
        .filter(|(name, _)| !["cursor", "limit"].contains(&name.as_str()))
        .cloned()
        .collect::<Vec<_>>();
    filters.sort();
    filters
}

/// A time in any form that this service writes.
fn read_time(text: &str) -> Option<Timestamp> {
    // In a query a plus that nobody escaped is a blank.
    let text = text.replace(' ', "+");
    text.parse().ok().or_else(|| Timestamp::from_second(text.parse().ok()?).ok())
}
