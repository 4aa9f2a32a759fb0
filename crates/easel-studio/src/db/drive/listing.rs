//! Pages of the two drive lists, and how many items there are in all (contract, "Versions" and "Drive").
//!
//! Always true: a page is found through an index by its first item, so the last page costs as much as the first; a
//! total without `updated_since` is read from `drive_counts`, so it costs the same at any number of rows. Not here: the
//! form of a cursor on the wire, and the rows themselves.

use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::QueryBuilder;
use uuid::Uuid;

use super::table::Table;
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::{DbConnection, Engine, Viewer};
use crate::wire::FolderId;

/// If at most so many items have changed, a list with `updated_since` sorts those alone, instead of walking its own
/// order past all the others.
const FEW_CHANGES: u64 = 1_000;

/// Where a list looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In every folder and at the top.
    Everywhere,
    /// Directly at the top.
    Top,
    /// Directly in this folder.
    In(FolderId),
}

/// What a list is ordered by. Items that agree in it are ordered by their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortKey {
    /// When it was made.
    CreatedAt,
    /// When it last changed.
    UpdatedAt,
    /// Its name, without regard to case.
    Name,
    /// Its size in bytes. Folders have none, so they stay in the order in which they were made.
    Size,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sort {
    /// What it is ordered by.
    pub key: SortKey,
    /// Whether the greatest comes first.
    pub descending: bool,
}

impl Default for Sort {
    /// `created_at` descending (specification, "Differences between versions").
    fn default() -> Self {
        Self { key: SortKey::CreatedAt, descending: true }
    }
}

/// What an item has in the column that its list is ordered by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SortValue {
    /// Microseconds or bytes.
    Number(i64),
    /// A name's key.
    Text(String),
}

/// An item's position in its list: its value in the column that the list is ordered by, and its id.
pub type Position = (SortValue, Uuid);

/// A page of a list, as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListQuery {
    /// Where to look.
    pub place: Place,
    /// In which order.
    pub sort: Sort,
    /// Only items that changed at this moment or later.
    pub updated_since: Option<Timestamp>,
    /// Where the page starts.
    pub start: Start<Position>,
    /// How many items at most.
    pub limit: u32,
    /// Only items that others have hidden from the viewer, who is an admin or an owner, in place of those that the
    /// viewer sees.
    pub hidden: bool,
}

impl ListQuery {
    /// Whether a page of files is one statement, which is of one moment by itself.
    #[must_use]
    pub fn is_one_statement(&self) -> bool {
        self.updated_since.is_none() && !matches!(self.place, Place::In(_))
    }
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Listed<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// Where the last item stands; `None` where no page follows.
    pub next: Option<Position>,
    /// How many there are in all, on every page together.
    pub total: u64,
}

/// The column of a table that a list is ordered by.
const fn column_of(table: Table, key: SortKey) -> &'static str {
    match (key, table) {
        (SortKey::CreatedAt, _) | (SortKey::Size, Table::Folders | Table::Canvases) => "created_at",
        (SortKey::UpdatedAt, _) => "updated_at",
        (SortKey::Name, _) => "name_key",
        (SortKey::Size, Table::Files) => "size_bytes",
    }
}

/// How many items a list has in all.
pub(in crate::db) async fn count(
    conn: &mut DbConnection,
    viewer: Viewer,
    table: Table,
    place: Place,
    updated_since: Option<Timestamp>,
    hidden: bool,
) -> Result<u64, Error> {
    let mut sql = QueryBuilder::<Engine>::new("SELECT ");
    if let Some(moment) = updated_since {
        sql.push("COUNT(*) FROM ").push(table.name()).push(" AS item");
        push_filter(&mut sql, viewer, table, place, hidden);
        sql.push(" AND updated_at >= ").push_bind(moment.as_micros());
    } else {
        push_count(&mut sql, viewer, table, place, hidden);
    }
    let count: i64 = sql.build_query_scalar().fetch_one(conn).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Appends how many items a place has in all, as the only column of a statement.
fn push_count(sql: &mut QueryBuilder<Engine>, viewer: Viewer, table: Table, place: Place, hidden: bool) {
    sql.push("CAST(COALESCE(SUM(").push(table.name()).push("), 0) AS BIGINT) FROM drive_counts WHERE team_id = ");
    sql.push_bind(viewer.team.uuid()).push(" AND place = ").push_bind(counted_place(place));
    push_sight(sql, viewer, "private_to", hidden);
}

/// Begins the columns of a statement with how many items the list has in all, as `total`.
pub(super) fn select_total(viewer: Viewer, table: Table, query: &ListQuery) -> QueryBuilder<Engine> {
    let mut sql = QueryBuilder::new("SELECT (SELECT ");
    push_count(&mut sql, viewer, table, query.place, query.hidden);
    sql.push(") AS total, ");
    sql
}

/// How `drive_counts` writes a place: a folder's id, nothing for the top, `*` for everything together.
pub(super) fn counted_place(place: Place) -> Vec<u8> {
    match place {
        Place::Everywhere => b"*".to_vec(),
        Place::Top => Vec::new(),
        Place::In(folder) => folder.uuid().as_bytes().to_vec(),
    }
}

/// Appends conditions, order and limit for the page and one item more, which tells whether more follow. Where an offset is
/// skipped, or few changed items are sorted, the rows themselves are looked up only for what an inner query, which an index
/// answers alone, has picked: skipping touches no row.
pub(super) fn push_page(sql: &mut QueryBuilder<Engine>, viewer: Viewer, table: Table, query: &ListQuery, total: u64) {
    let column = column_of(table, query.sort.key);
    let direction = if query.sort.descending { "DESC" } else { "ASC" };
    // A unary plus keeps the planner from walking this order when sorting the few changed items is less work.
    let sorted_afterwards =
        query.updated_since.is_some() && total <= FEW_CHANGES && query.sort.key != SortKey::UpdatedAt;
    let plus = if sorted_afterwards && column != "name_key" { "+" } else { "" };

    let picks_first = sorted_afterwards || matches!(query.start, Start::Offset(1..));

    if picks_first {
        sql.push(" WHERE item.id IN (SELECT item.id FROM ").push(table.name()).push(" AS item");
    }
    push_filter(sql, viewer, table, query.place, query.hidden);
    if let Some(moment) = query.updated_since {
        sql.push(" AND item.updated_at >= ").push_bind(moment.as_micros());
    }
    if let Start::After((value, id)) = &query.start {
        let beyond = if query.sort.descending { "<" } else { ">" };
        sql.push(format_args!(" AND ({plus}item.{column}, item.id) {beyond} ("));
        match value {
            SortValue::Number(number) => sql.push_bind(*number),
            SortValue::Text(text) => sql.push_bind(text.clone()),
        };
        sql.push(", ").push_bind(*id).push(")");
    }
    sql.push(format_args!(" ORDER BY {plus}item.{column} {direction}, item.id {direction} LIMIT "));
    sql.push_bind(i64::from(query.limit) + 1);
    if picks_first {
        if let Start::Offset(offset) = query.start {
            sql.push(" OFFSET ").push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
        }
        sql.push(format_args!(") ORDER BY item.{column} {direction}, item.id {direction}"));
    }
}

/// Cuts the item that was asked for beyond the page, and says where the next page starts.
pub(super) fn into_listed<T>(
    mut items: Vec<T>,
    limit: u32,
    total: u64,
    position: impl Fn(&T) -> Position,
) -> Listed<T> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(position);
    Listed { items, next, total }
}

/// Appends the condition for the team's items that are listed: those that the viewer sees, or those that are hidden
/// from them.
pub(in crate::db) fn push_sight(sql: &mut QueryBuilder<Engine>, viewer: Viewer, column: &str, hidden: bool) {
    let listed = if hidden { "NOT IN" } else { "IN" };
    sql.push(format_args!(" AND {column} {listed} (x'', ")).push_bind(viewer.user.uuid()).push(")");
}

fn push_filter(sql: &mut QueryBuilder<Engine>, viewer: Viewer, table: Table, place: Place, hidden: bool) {
    sql.push(" WHERE item.team_id = ").push_bind(viewer.team.uuid());
    match place {
        Place::Everywhere => {}
        Place::Top => {
            sql.push(format_args!(" AND item.{} IS NULL", table.parent_column()));
        }
        Place::In(folder) => {
            sql.push(format_args!(" AND item.{} = ", table.parent_column())).push_bind(folder.uuid());
        }
    }
    push_sight(sql, viewer, "item.private_to", hidden);
}
