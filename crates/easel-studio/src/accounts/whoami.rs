//! `GET /v1/whoami` (contract, "Requests and responses").

use axum::Json;
use axum::extract::State;

use crate::core::caller::Caller;
use crate::studio::SharedStudio;
use crate::wire::account::{Entitlements, Organization, Team, User, Whoami};

/// The owner and the rights of the request's key.
pub async fn get_whoami(State(studio): State<SharedStudio>, caller: Caller) -> Json<Whoami> {
    let names = &caller.names;
    let config = &studio.config;
    let limits = config.limits(caller.plan, &caller.overrides);
    Json(Whoami {
        user: User { id: caller.user_id, name: Some(names.user.clone()), email: Some(names.email.clone()) },
        team: Team { id: caller.team_id, uuid: Some(caller.team_id.uuid()), name: Some(names.team.clone()) },
        organization: Organization {
            id: caller.organization_id,
            uuid: Some(caller.organization_id.uuid()),
            name: Some(names.organization.clone()),
        },
        role: caller.role,
        plan: caller.plan,
        scopes: caller.scopes.to_vec(),
        api_key_id: Some(caller.api_key_id),
        entitlements: Entitlements {
            concurrency_cap: Some(limits.concurrent_tasks),
            requests_per_minute: Some(limits.requests_per_minute),
            exports_per_minute: Some(limits.exports_per_minute),
        },
    })
}
