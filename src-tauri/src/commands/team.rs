//! Commands about the team of the studio in view.

use easel_app::App;
use easel_app::team::{AuditEntryView, MadeInvitationView, TeamRole, TeamView};
use tauri::State;

use super::answer::Answer;

/// The people, open invitations and keys.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_team(app: State<'_, App>) -> Answer<TeamView> {
    app.team().get_team().await
}

/// The newest entries of the audit log, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_team_log(app: State<'_, App>, limit: u32) -> Answer<Vec<AuditEntryView>> {
    app.team().list_team_log(limit).await
}

/// Invites a person for 72 hours.
#[tauri::command]
#[specta::specta]
pub(crate) async fn invite_person(app: State<'_, App>, email: String, role: TeamRole) -> Answer<MadeInvitationView> {
    app.team().invite_person(email, role).await
}

/// Revokes an open invitation.
#[tauri::command]
#[specta::specta]
pub(crate) async fn revoke_invitation(app: State<'_, App>, id: String) -> Answer<()> {
    app.team().revoke_invitation(id).await
}

/// Gives a person another role.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_person_role(app: State<'_, App>, id: String, role: TeamRole) -> Answer<()> {
    app.team().change_person_role(id, role).await
}

/// Removes a person with their keys.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_person(app: State<'_, App>, id: String) -> Answer<()> {
    app.team().remove_person(id).await
}

/// Deletes a key of someone in the team.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_team_key(app: State<'_, App>, id: String) -> Answer<()> {
    app.team().delete_team_key(id).await
}
