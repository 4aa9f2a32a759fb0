//! `GET /v1/healthz`: whether the service is up.
//!
//! Not here: whether it can do its work ([`super::readiness`]).

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::core::error::Error;
use crate::db::accounts;
use crate::studio::SharedStudio;

/// Answers that the service is up and its database answers.
pub async fn get_health(State(studio): State<SharedStudio>) -> Result<Json<Value>, Error> {
    accounts::check_answers(&studio.db).await?;
    Ok(Json(json!({ "status": "ok" })))
}
