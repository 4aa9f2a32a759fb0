//! Commands about webhooks as a developer receives them: the signature doctor and the receiver on this computer.

use easel_app::App;
use easel_app::doctor::{PastedWebhook, SignatureDiagnosis};
use easel_app::receiver::{ReceivedDetails, ReceiverView};
use tauri::State;

use super::answer::Answer;

/// Says what is wrong with a webhook.
#[tauri::command]
#[specta::specta]
pub(crate) async fn examine_signature(app: State<'_, App>, pasted: PastedWebhook) -> Answer<SignatureDiagnosis> {
    app.doctor().examine_signature(pasted).await
}

/// The receiver as it is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_receiver(app: State<'_, App>) -> Answer<ReceiverView> {
    app.receiver().get_receiver().await
}

/// Begins to listen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_receiver(app: State<'_, App>) -> Answer<ReceiverView> {
    app.receiver().start_receiver().await
}

/// Ends listening.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_receiver(app: State<'_, App>) -> Answer<ReceiverView> {
    app.receiver().stop_receiver().await
}

/// Takes a secret to verify with; empty for none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_receiver_secret(app: State<'_, App>, secret: String) -> Answer<ReceiverView> {
    app.receiver().set_receiver_secret(secret).await
}

/// Whether designs that are asked for in this window report to the receiver.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_receiver_takes_own_tasks(app: State<'_, App>, takes: bool) -> Answer<ReceiverView> {
    app.receiver().set_receiver_takes_own_tasks(takes).await
}

/// Forgets what came so far.
#[tauri::command]
#[specta::specta]
pub(crate) async fn clear_receiver(app: State<'_, App>) -> Answer<ReceiverView> {
    app.receiver().clear_receiver().await
}

/// One request with everything that came.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_received(app: State<'_, App>, number: u32) -> Answer<ReceivedDetails> {
    app.receiver().get_received(number).await
}
