//! `GET /v1/organizations` (contract, "Requests and responses").
//!
//! A key reaches the organization of its user's team and no other.

use axum::extract::State;
use axum::response::Response;
use easel_wire::Version;
use uuid::Uuid;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::accounts::{self, OrganizationRow};
use crate::studio::SharedStudio;
use crate::web::extract::{Query, Shape};
use crate::web::list::{DEFAULT_LIMIT, ListPage, MAX_LIMIT, PageQuery};

const RESOURCE: &str = "organizations";

/// An organization's position in its list: when it was made, and its id.
type Position = (i64, Uuid);

/// A page of the organizations that the key reaches: by name in `2026-04-12`, the newest first in `2026-05-01`
/// (specification, "Differences between versions").
pub async fn list_organizations(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let page = PageQuery::<Position>::of_list(&query, &studio.cursors, RESOURCE, version, (DEFAULT_LIMIT, MAX_LIMIT))?;
    let mut rows = accounts::list_organizations(&studio.db, caller.user_id).await?;
    let total = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    sort(&mut rows, version);
    let skipped = match &page.start {
        Start::Offset(offset) => usize::try_from(*offset).unwrap_or(usize::MAX),
        Start::After(position) => rows.iter().take_while(|row| position_of(row) >= *position).count(),
    };
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let mut rest = rows.into_iter().skip(skipped);
    let rows: Vec<OrganizationRow> = rest.by_ref().take(limit).collect();
    let next = rows.last().filter(|_| rest.next().is_some()).map(position_of);
    let next_cursor = next.map(|position| studio.cursors.seal(RESOURCE, &position)).transpose()?;
    let items = rows.into_iter().map(|row| row.record).collect();
    let offset = page.offset();
    Ok(ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor }
        .into_list_response(version))
}

fn sort(rows: &mut [OrganizationRow], version: Version) {
    match version {
        Version::Legacy => rows.sort_by(|a, b| a.record.name.cmp(&b.record.name).then(a.record.id.cmp(&b.record.id))),
        Version::Canonical => rows.sort_by_key(|row| std::cmp::Reverse(position_of(row))),
    }
}

fn position_of(row: &OrganizationRow) -> Position {
    (row.created_at.as_micros(), row.record.id.uuid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::OrganizationId;
    use crate::wire::organizations::OrganizationRecord;
    use easel_wire::Timestamp;

    #[test]
    fn organizations_come_by_name_in_the_old_version_and_the_newest_first_in_the_new_one() {
        let row = |name: &str, made: i64, id: u128| OrganizationRow {
            record: OrganizationRecord {
                id: OrganizationId::from_uuid(Uuid::from_u128(id)),
                name: Some(name.to_owned()),
                plan: None,
                teams: Vec::new(),
            },
            created_at: Timestamp::from_micros(made),
        };
        let mut rows = vec![row("b", 2, 1), row("c", 1, 2), row("a", 2, 3)];
        let names = |rows: &[OrganizationRow]| -> Vec<String> {
            rows.iter().filter_map(|row| row.record.name.clone()).collect()
        };
        sort(&mut rows, Version::Legacy);
        assert_eq!(names(&rows), ["a", "b", "c"]);
        sort(&mut rows, Version::Canonical);
        assert_eq!(names(&rows), ["a", "b", "c"]);
        rows[0].created_at = Timestamp::from_micros(0);
        sort(&mut rows, Version::Canonical);
        assert_eq!(names(&rows), ["b", "c", "a"]);
    }
}
