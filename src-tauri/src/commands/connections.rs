//! Commands about the services that Easel is connected to.

use easel_app::App;
use easel_app::connections::{ConnectionDraft, ConnectionTested, ConnectionView, InvitationDraft, InvitationTarget};
use tauri::State;

use super::answer::Answer;

/// Sets the built-in studio up, or starts it again, and puts it in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_local_studio(app: State<'_, App>, keep_for_session: bool) -> Answer<ConnectionView> {
    app.connections().start_local_studio(keep_for_session).await
}

/// Tries an address and a key without saving anything.
#[tauri::command]
#[specta::specta]
pub(crate) async fn test_connection(app: State<'_, App>, draft: ConnectionDraft) -> Answer<ConnectionTested> {
    app.connections().test_connection(draft).await
}

/// Tries an address and a key, saves them and puts the connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connect_service(app: State<'_, App>, draft: ConnectionDraft) -> Answer<ConnectionView> {
    app.connections().connect_service(draft).await
}

/// Gives a connection another key, after trying it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn replace_key(
    app: State<'_, App>,
    connection_id: String,
    key: String,
    keep_for_session: bool,
) -> Answer<ConnectionView> {
    app.connections().replace_key(connection_id, key, keep_for_session).await
}

/// Where an invitation leads.
#[tauri::command]
#[specta::specta]
pub(crate) async fn read_invitation(app: State<'_, App>, code: String) -> Answer<InvitationTarget> {
    app.connections().read_invitation(code).await
}

/// Redeems an invitation and puts the connection that it brings in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn redeem_invitation(app: State<'_, App>, draft: InvitationDraft) -> Answer<ConnectionView> {
    app.connections().redeem_invitation(draft).await
}

/// All connections.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_connections(app: State<'_, App>) -> Answer<Vec<ConnectionView>> {
    app.connections().list_connections().await
}

/// Puts a connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn select_connection(app: State<'_, App>, connection_id: String) -> Answer<ConnectionView> {
    app.connections().select_connection(connection_id).await
}

/// Forgets a connection, its key and its queue.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_connection(app: State<'_, App>, connection_id: String) -> Answer<()> {
    app.connections().remove_connection(connection_id).await
}

/// Forgets what was found out about the service of a connection, so that everything is tried again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn forget_capabilities(app: State<'_, App>, connection_id: String) -> Answer<ConnectionView> {
    app.connections().forget_capabilities(connection_id).await
}

/// Looks at once whether a service answers again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_connection(app: State<'_, App>, connection_id: String) -> Answer<ConnectionView> {
    app.connections().retry_connection(connection_id).await
}
