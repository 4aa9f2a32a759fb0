//! Commands about webhook deliveries.

use easel_app::App;
use easel_app::deliveries::{DeliveryDetails, DeliveryFilter, DeliveryList, DeliveryView};
use tauri::State;

use super::answer::Answer;

/// A part of the log of deliveries, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_deliveries(
    app: State<'_, App>,
    filter: DeliveryFilter,
    cursor: Option<String>,
    limit: u32,
) -> Answer<DeliveryList> {
    app.deliveries().list_deliveries(filter, cursor, limit).await
}

/// A delivery with its request, its response and every attempt.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_delivery(app: State<'_, App>, delivery_id: String) -> Answer<DeliveryDetails> {
    app.deliveries().get_delivery(delivery_id).await
}

/// Sends deliveries again, each once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn redeliver(app: State<'_, App>, delivery_ids: Vec<String>) -> Answer<Vec<DeliveryView>> {
    app.deliveries().redeliver(delivery_ids).await
}
