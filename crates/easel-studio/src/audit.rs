//! Entries of the audit log: which acts get one, and who did them.
//!
//! Deletions, changes of roles, invitations, keys made and revoked, refused keys, quotas: one entry each, in the transaction of the
//! act. Always true: no key, secret or signed URL is in an entry. Not here: refused keys, which are gathered first
//! ([`crate::studio::refusals`]), and reading the log: the operator does so with `easel-studio audit`, a team's admins at `/team/audit`.

use easel_wire::Timestamp;
use http::Uri;
use serde_json::Value;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::audit::{self as rows, AuditRow};
use crate::web::origin::Origin;
use crate::wire::{ApiKeyId, OrganizationId};

/// What the operator is called.
const OPERATOR: &str = "operator";

/// Writes what a caller did. In the transaction that does it.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note(
    conn: &mut DbConnection,
    caller: &Caller,
    origin: Origin,
    (action, subject, details): (&str, String, Value),
    now: Timestamp,
) -> Result<(), Error> {
    let who = (caller.organization_id, caller.names.email.as_str(), caller.api_key_id);
    note_as(conn, who, origin, (action, subject, details), now).await
}

/// Writes what someone did with a key, also with one that they got by it. In the transaction that does it.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note_as(
    conn: &mut DbConnection,
    (organization_id, email, api_key_id): (OrganizationId, &str, ApiKeyId),
    origin: Origin,
    (action, subject, details): (&str, String, Value),
    now: Timestamp,
) -> Result<(), Error> {
    let row = AuditRow {
        at: now,
        actor: email.to_owned(),
        api_key_id: Some(api_key_id),
        organization_id: Some(organization_id),
        address: origin.to_string(),
        action: action.to_owned(),
        subject,
        details,
    };
    rows::insert(conn, &row).await
}

/// Writes what the operator did at the command line. In the transaction that does it.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note_operator(
    conn: &mut DbConnection,
    organization_id: Option<OrganizationId>,
    (action, subject, details): (&str, String, Value),
    now: Timestamp,
) -> Result<(), Error> {
    #[cfg(unix)]
    let address = format!("command line, user {}", rustix::process::getuid().as_raw());
    #[cfg(not(unix))]
    let address = "command line".to_owned();
    let row = AuditRow {
        at: now,
        actor: OPERATOR.to_owned(),
        api_key_id: None,
        organization_id,
        address,
        action: action.to_owned(),
        subject,
        details,
    };
    rows::insert(conn, &row).await
}

/// The part of a request's path that is written down: the path is a stranger's text, and may be as long as a head.
#[must_use]
pub fn strangers_path(target: &Uri) -> String {
    const PATH_CHARS: usize = 100;
    target.path().chars().filter(|letter| !letter.is_control()).take(PATH_CHARS).collect()
}
