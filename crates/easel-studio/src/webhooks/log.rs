//! `GET /v1/webhook_deliveries` and `GET /v1/webhook_deliveries/{delivery_id}` (contract, "Webhooks").

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use easel_wire::Timestamp;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::tasks::list_unseen;
use crate::db::webhooks::{self as rows, DeliveryFilter, DeliveryPosition, DeliveryRow, LogReader};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::web::extract::{PathId, Query, Shape};
use crate::web::list::{ListPage, PageQuery};
use crate::wire::ApiKeyId;
use crate::wire::account::Role;
use crate::wire::id::kind;
use crate::wire::webhooks::{DELIVERY_LIMITS, Delivery};

const RESOURCE: &str = "deliveries";
/// A member sees the deliveries of their own keys, admins and owners those of the team.
pub(super) fn reader(caller: &Caller) -> LogReader {
    let sees_all = matches!(caller.role, Role::Admin | Role::Owner);
    LogReader { team: caller.team_id, only_of: (!sees_all).then_some(caller.user_id) }
}

/// Whether the caller may see the task that a delivery tells of. Who reads the log of a team does not see everything in
/// it.
pub(super) async fn sees_task(conn: &mut DbConnection, caller: &Caller, row: &DeliveryRow) -> Result<bool, Error> {
    Ok(list_unseen(conn, Viewer::from(caller), std::iter::once(row.task_id)).await?.is_empty())
}

/// A page of the log, the newest first.
pub async fn list_deliveries(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let filter = read_filter(&query)?;
    let binding = format!("{RESOURCE} {filter:?}");
    let page = PageQuery::<DeliveryPosition>::of_list(&query, &studio.cursors, &binding, version, DELIVERY_LIMITS)?;
    let reader = reader(&caller);
    // One transaction, so that the page and the total are of the same moment.
    let mut tx = studio.db.read().begin().await?;
    let mut found = rows::list_deliveries(&mut tx, reader, &filter, &page.start, page.limit).await?;
    let total = rows::count_deliveries(&mut tx, reader, &filter).await?;
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| (last.created_at.as_micros(), last.id.uuid()));
    let next_cursor = next.map(|position| studio.cursors.seal(&binding, &position)).transpose()?;
    let ids: Vec<_> = found.iter().map(|row| row.id).collect();
    let mut attempts = rows::list_attempts(&mut tx, &ids).await?;
    let unseen = list_unseen(&mut tx, Viewer::from(&caller), found.iter().map(|row| row.task_id)).await?;
    drop(tx);
    let items = found.into_iter().map(|row| {
        let log = attempts.remove(&row.id).unwrap_or_default();
        let sees_task = !unseen.contains(&row.task_id);
        row.into_record(log, sees_task)
    });
    let (items, offset) = (items.collect(), page.offset());
    Ok(ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor }
        .into_list_response(version))
}

/// One delivery with every attempt.
pub async fn get_delivery(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Delivery>,
) -> Result<Json<Delivery>, Error> {
    let mut tx = studio.db.read().begin().await?;
    let row = rows::get_delivery(&mut tx, reader(&caller), id).await?;
    let log = rows::list_attempts(&mut tx, &[id]).await?.remove(&id).unwrap_or_default();
    let sees_task = sees_task(&mut tx, &caller, &row).await?;
    Ok(Json(row.into_record(log, sees_task)))
}

fn read_filter(query: &Query) -> Result<DeliveryFilter, Error> {
    let api_key_id = query.text("api_key_id")?.map(str::parse::<ApiKeyId>).transpose();
    let moment = |name: &str| match query.text(name)? {
        Some(text) => text.parse::<Timestamp>().map(Some).map_err(|_| Error::validation(name, "invalid")),
        None => Ok(None),
    };
    Ok(DeliveryFilter {
        api_key_id: api_key_id.map_err(|error| Error::invalid_id("api_key_id", &error))?,
        event_type: query.choice("event_type")?,
        status: query.choice("status")?,
        from: moment("from")?,
        to: moment("to")?,
    })
}
