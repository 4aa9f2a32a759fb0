//! Pages of canvases (contract, "Canvases and export"; specification, "Differences between versions", list order).
//!
//! Always true: a page is found through an index by its first item, so the last page costs as much as the first; only a
//! search by words looks at names one after the other. Not here: the form of a cursor on the wire.

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::rows::CanvasRow;
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::drive::nesting::visibility_in;
use crate::db::drive::table::Table;
use crate::db::drive::{Place, listing};
use crate::db::selected::columns;
use crate::db::{DbConnection, Engine, Viewer};

/// The order of a list, the latest first. Canvases of one moment are ordered by their ids, the greatest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// When they were made: `2026-05-01`.
    Created,
    /// When they last changed: `2026-04-12`.
    Changed,
}

impl Order {
    const fn column(self) -> &'static str {
        match self {
            Self::Created => "created_at",
            Self::Changed => "updated_at",
        }
    }
}

/// A canvas's position in its list: the moment that the list is ordered by, and its id.
pub type CanvasPosition = (i64, Uuid);

/// A page of canvases, as it is asked for.
#[derive(Debug, Clone)]
pub struct CanvasQuery {
    /// Where to look.
    pub place: Place,
    /// What a name must hold, each of them, as names are compared; none for every canvas.
    pub words: Vec<String>,
    /// Only canvases that others have hidden from the viewer, who is an admin or an owner.
    pub hidden: bool,
    /// In which order.
    pub order: Order,
    /// Where the page starts.
    pub start: Start<CanvasPosition>,
    /// How many at most.
    pub limit: u64,
}

/// A page of canvases, and one more where more follow.
///
/// # Errors
/// 404 `folder_not_found` for the folder whose canvases are asked for.
pub async fn list_canvases(
    conn: &mut DbConnection,
    viewer: Viewer,
    query: &CanvasQuery,
) -> Result<Vec<CanvasRow>, Error> {
    if let Place::In(folder) = query.place
        && !query.hidden
    {
        visibility_in(conn, viewer, Some(folder)).await?;
    }
    let column = query.order.column();
    // The rows themselves are looked up only for what the inner query has picked.
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("canvases", canvases),
        " FROM canvases WHERE id IN (SELECT id FROM canvases"
    ));
    push_filter(&mut sql, viewer, query);
    if let Start::After((moment, id)) = &query.start {
        sql.push(format_args!(" AND ({column}, id) < (")).push_bind(*moment).push(", ").push_bind(*id).push(")");
    }
    sql.push(format_args!(" ORDER BY {column} DESC, id DESC LIMIT "));
    sql.push_bind(i64::try_from(query.limit).unwrap_or(i64::MAX - 1) + 1);
    if let Start::Offset(offset) = query.start {
        sql.push(" OFFSET ").push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
    }
    sql.push(format_args!(") ORDER BY {column} DESC, id DESC"));
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// How many canvases the list has in all.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_canvases(conn: &mut DbConnection, viewer: Viewer, query: &CanvasQuery) -> Result<u64, Error> {
    if query.words.is_empty() {
        return listing::count(conn, viewer, Table::Canvases, query.place, None, query.hidden).await;
    }
    let mut sql = QueryBuilder::<Engine>::new("SELECT COUNT(*) FROM canvases");
    push_filter(&mut sql, viewer, query);
    let count: i64 = sql.build_query_scalar().fetch_one(conn).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

fn push_filter(sql: &mut QueryBuilder<Engine>, viewer: Viewer, query: &CanvasQuery) {
    sql.push(" WHERE team_id = ").push_bind(viewer.team.uuid());
    match query.place {
        Place::Everywhere => {}
        Place::Top => {
            sql.push(" AND folder_id IS NULL");
        }
        Place::In(folder) => {
            sql.push(" AND folder_id = ").push_bind(folder.uuid());
        }
    }
    listing::push_sight(sql, viewer, "private_to", query.hidden);
    for word in &query.words {
        sql.push(" AND name_key LIKE ").push_bind(pattern(word)).push(" ESCAPE '!'");
    }
}

/// What holds `word`, letter for letter.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
