//! `GET /team` and `GET /team/audit`.

use axum::Json;
use axum::extract::State;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::accounts::KeyRow;
use crate::db::audit::{self, AuditRow, Wanted};
use crate::db::invitations::{self, InvitationRow};
use crate::db::members::ListedUser;
use crate::db::{accounts, members, quotas};
use crate::studio::SharedStudio;
use crate::web::extract::Query;
use crate::wire::team::{
    AuditEntry, AuditLog, DEFAULT_ENTRIES, MAX_ENTRIES, TeamInvitation, TeamKey, TeamMembers, TeamPerson, TeamStorage,
};

/// People, open invitations, keys and storage of the caller's organization.
pub async fn get_team(State(studio): State<SharedStudio>, caller: Caller) -> Result<Json<TeamMembers>, Error> {
    let organization = Some(caller.organization_id);
    let usage = quotas::get_usage(&mut *studio.db.reader().await?, caller.organization_id).await?;
    let people = members::list_users(&studio.db, organization).await?;
    let invitations = invitations::list(&studio.db, organization).await?;
    let keys = accounts::list_keys(&studio.db, organization).await?;
    Ok(Json(TeamMembers {
        people: people.into_iter().map(person_on_wire).collect(),
        invitations: invitations.into_iter().map(invitation_on_wire).collect(),
        keys: keys.into_iter().map(key_on_wire).collect(),
        storage: TeamStorage {
            used_bytes: usage.bytes,
            max_bytes: caller.overrides.max_bytes,
            used_files: usage.files,
            max_files: caller.overrides.max_files,
        },
    }))
}

/// The newest entries of the audit log that are the caller's organization's, the newest first.
pub async fn list_audit_log(
    State(studio): State<SharedStudio>,
    caller: Caller,
    query: Query,
) -> Result<Json<AuditLog>, Error> {
    let limit = match query.text("limit")? {
        None => DEFAULT_ENTRIES,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=MAX_ENTRIES).contains(limit))
            .ok_or_else(|| Error::validation("limit", "out_of_range"))?,
    };
    let wanted = Wanted { organization: Some(caller.organization_id), ..Wanted::default() };
    let mut rows = audit::list(&mut *studio.db.reader().await?, wanted, limit).await?;
    rows.reverse();
    Ok(Json(AuditLog { entries: rows.into_iter().map(entry_on_wire).collect() }))
}

fn person_on_wire(row: ListedUser) -> TeamPerson {
    TeamPerson { id: row.id, email: row.email, name: row.name, role: row.role, created_at: row.created_at }
}

fn key_on_wire(row: KeyRow) -> TeamKey {
    TeamKey {
        id: row.id,
        name: row.name,
        user_email: row.user_email,
        scopes: row.scopes,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        expires_at: row.expires_at,
    }
}

/// An invitation in an answer.
pub fn invitation_on_wire(row: InvitationRow) -> TeamInvitation {
    TeamInvitation {
        id: row.id,
        email: row.email,
        role: row.role,
        invited_by: row.invited_by.unwrap_or_else(|| "operator".to_owned()),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}

fn entry_on_wire(row: AuditRow) -> AuditEntry {
    let AuditRow { at, actor, api_key_id, address, action, subject, details, .. } = row;
    AuditEntry { at, actor, api_key_id, address, action, subject, details }
}
