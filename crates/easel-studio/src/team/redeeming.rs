//! `POST /invitations/redeem`: a code becomes a person of the team with a key of their own.
//!
//! Always true: it needs no key and is tried so many times a minute alone; every code that is not good gets the same answer,
//! and is counted among the refused keys of the audit log. The key leaves in the answer and is kept nowhere.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use crate::audit;
use crate::core::error::Error;
use crate::db::members;
use crate::people::invitations;
use crate::people::keys::{KeyMaker, read_name};
use crate::studio::SharedStudio;
use crate::web::extract::Json as JsonBody;
use crate::web::origin::Origin;
use crate::wire::account::{Organization, User};
use crate::wire::team::{Redeem, Redeemed};

/// What a key is called whose person gave it no name.
const KEY_NAME: &str = "Easel";

/// Redeems a code.
pub async fn redeem_invitation(
    State(studio): State<SharedStudio>,
    origin: Origin,
    uri: http::Uri,
    JsonBody(body): JsonBody<Redeem>,
) -> Result<Response, Error> {
    studio.redemptions.take(origin, studio.clock.elapsed()).await?;
    let key_name = body.key_name.as_deref().map_or(Some(KEY_NAME), read_name);
    let key_name = key_name.ok_or_else(|| Error::validation("key_name", "invalid"))?;
    let redeemed = redeem(&studio, (&body.code, key_name), origin).await.inspect_err(|error| {
        if matches!(error, Error::InvitationRefused) {
            tracing::info!(peer = %origin, "invitation refused");
            studio.refusals.note(origin, audit::strangers_path(&uri), studio.clock.now());
        }
    })?;
    let mut response = (StatusCode::CREATED, Json(redeemed)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn redeem(studio: &SharedStudio, code: (&str, &str), origin: Origin) -> Result<Redeemed, Error> {
    let maker = KeyMaker { ids: &*studio.ids, master_key: &studio.master_key };
    let mut tx = studio.db.begin().await?;
    let (user, made) = invitations::redeem(&mut tx, maker, code, origin, studio.clock.now()).await?;
    let (organization, name) = members::name_organization_of(&mut tx, user.id).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, key = %made.id, "invitation redeemed");
    Ok(Redeemed {
        key: made.key,
        signing_secret: made.signing_secret,
        api_key_id: made.id,
        version_header: studio.config.version_header.to_string(),
        user: User { id: user.id, name: Some(user.name), email: Some(user.email) },
        organization: Organization { id: organization, uuid: Some(organization.uuid()), name: Some(name) },
    })
}
