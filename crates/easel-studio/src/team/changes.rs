//! What an admin or owner changes: invitations, roles, people, and keys that are lost.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use easel_wire::error::code;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::lists::invitation_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::{accounts, invitations as rows};
use crate::people::{Actor, invitations, members};
use crate::studio::SharedStudio;
use crate::web::extract::{Json as JsonBody, PathId};
use crate::web::origin::Origin;
use crate::wire::account::Role;
use crate::wire::id::kind;
use crate::wire::team::{ChangePerson, Invite, MadeInvitation, PersonChanged, TeamRemoved};
use crate::wire::{ApiKeyId, InvitationId, UserId};

/// `POST /team/invitations`.
pub async fn invite(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    JsonBody(body): JsonBody<Invite>,
) -> Result<Response, Error> {
    let mut tx = studio.db.begin().await?;
    let actor = Actor::Person(&caller, origin);
    let wanted = (caller.team_id, body.email.as_str(), body.role);
    let now = studio.clock.now();
    let (row, code) = invitations::invite(&mut tx, &*studio.ids, actor, wanted, &studio.config.base_url, now).await?;
    tx.commit().await?;
    tracing::info!(user = %caller.user_id, invitation = %row.id, "user invited");
    let made = MadeInvitation { invitation: invitation_on_wire(row), code };
    let mut response = (StatusCode::CREATED, Json(made)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// `DELETE /team/invitations/{invitation_id}`.
pub async fn revoke_invitation(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::Invitation>,
) -> Result<Json<TeamRemoved>, Error> {
    studio.room.lend(|| revoke(&studio, &caller, origin, id)).await?;
    Ok(removed(id.to_string()))
}

async fn revoke(studio: &SharedStudio, caller: &Caller, origin: Origin, id: InvitationId) -> Result<(), Error> {
    let mut tx = studio.db.begin().await?;
    let open = rows::find(&mut tx, id).await?.filter(|open| open.organization_id == caller.organization_id);
    let open = open.ok_or_else(|| Error::not_found(code::INVITATION_NOT_FOUND))?;
    invitations::revoke(&mut tx, Actor::Person(caller, origin), &open, studio.clock.now()).await?;
    Ok(tx.commit().await?)
}

/// `PATCH /team/people/{user_id}`: another role.
pub async fn change_person(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::User>,
    JsonBody(body): JsonBody<ChangePerson>,
) -> Result<Json<PersonChanged>, Error> {
    studio.room.lend(|| change(&studio, &caller, origin, id, Some(body.role))).await?;
    Ok(Json(PersonChanged { id, role: body.role }))
}

/// `DELETE /team/people/{user_id}`: the person's keys end, what they made stays.
pub async fn remove_person(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::User>,
) -> Result<Json<TeamRemoved>, Error> {
    studio.room.lend(|| change(&studio, &caller, origin, id, None)).await?;
    Ok(removed(id.to_string()))
}

async fn change(
    studio: &SharedStudio,
    caller: &Caller,
    origin: Origin,
    id: UserId,
    role: Option<Role>,
) -> Result<(), Error> {
    let mut tx = studio.db.begin().await?;
    let user = accounts::find_user_of(&mut tx, caller.organization_id, id).await?;
    let user = user.ok_or_else(|| Error::not_found(code::USER_NOT_FOUND))?;
    members::change(&mut tx, Actor::Person(caller, origin), &user, role, studio.clock.now()).await?;
    tx.commit().await?;
    members::log_change(&user, role);
    Ok(())
}

/// `DELETE /team/keys/{api_key_id}`: the next request with it is refused.
pub async fn delete_key(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::ApiKey>,
) -> Result<Json<TeamRemoved>, Error> {
    studio.room.lend(|| delete(&studio, &caller, origin, id)).await?;
    Ok(removed(id.to_string()))
}

async fn delete(studio: &SharedStudio, caller: &Caller, origin: Origin, id: ApiKeyId) -> Result<(), Error> {
    let mut tx = studio.db.begin().await?;
    let key = accounts::find_key(&mut tx, id).await?.filter(|key| key.organization_id == caller.organization_id);
    let key = key.ok_or_else(|| Error::not_found(code::API_KEY_NOT_FOUND))?;
    let actor = Actor::Person(caller, origin);
    actor.check(key.user_role)?;
    let now = studio.clock.now();
    accounts::delete_key(&mut tx, id, now).await?;
    let details = json!({ "name": key.name, "user": key.user_email });
    actor.note(&mut tx, key.organization_id, ("key_deleted", id.to_string(), details), now).await?;
    tx.commit().await?;
    tracing::info!(key = %id, "key deleted");
    Ok(())
}

const fn removed(id: String) -> Json<TeamRemoved> {
    Json(TeamRemoved { id, removed: true })
}
