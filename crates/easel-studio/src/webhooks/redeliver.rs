//! `POST /v1/webhook_deliveries/{delivery_id}/redeliver`: the recorded delivery once more (specification,
//! "Authentication", webhook replay permission; contract, "Webhooks").

use axum::Json;
use axum::extract::State;
use http::StatusCode;

use super::log::sees_task;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::webhooks::{self as rows, DeliveryRow, LogReader};
use crate::studio::SharedStudio;
use crate::web::extract::PathPrefixedId;
use crate::wire::account::Role;
use crate::wire::id::kind;
use crate::wire::webhooks::{Delivery, DeliveryStatus};

/// Replays a delivery: a new one with the same event, the same body and the same key. Only who made the key that sent
/// it, an admin or an owner may; where the key is deleted, only the latter two.
pub async fn redeliver(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathPrefixedId(id): PathPrefixedId<kind::Delivery>,
) -> Result<(StatusCode, Json<Delivery>), Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let team = LogReader { team: caller.team_id, only_of: None };
    let original = rows::get_delivery(&mut tx, team, id).await?;
    let (maker, key_is_there) = rows::get_key_maker(&mut tx, original.api_key_id).await?;
    let leads = matches!(caller.role, Role::Admin | Role::Owner);
    let made_the_key = key_is_there && maker == caller.user_id;
    if !leads && !made_the_key {
        return Err(Error::ReplayNotPermitted);
    }
    let replay = DeliveryRow {
        id: studio.new_id(),
        status: DeliveryStatus::Pending,
        attempts: 0,
        claimed_by: None,
        request_headers: None,
        response_status_code: None,
        response_body_excerpt: None,
        replayed_from_id: Some(original.id),
        created_at: studio.clock.now(),
        last_attempted_at: None,
        ..original
    };
    rows::insert_delivery(&mut tx, &replay).await?;
    let sees_task = sees_task(&mut tx, &caller, &replay).await?;
    tx.commit().await?;
    studio.active_tasks.delivering.notify_one();
    Ok((StatusCode::ACCEPTED, Json(replay.into_record(Vec::new(), sees_task))))
}
