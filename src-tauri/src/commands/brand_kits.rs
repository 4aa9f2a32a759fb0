//! Commands about brand kits and organizations.

use easel_app::App;
use easel_app::brand_kits::{BrandImagePurpose, BrandKitDraft, BrandKitView};
use easel_app::organizations::OrganizationView;
use tauri::State;

use super::answer::Answer;

/// The brand kits, the default first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_brand_kits(app: State<'_, App>) -> Answer<Vec<BrandKitView>> {
    app.brand_kits().list_brand_kits().await
}

/// One brand kit.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_brand_kit(app: State<'_, App>, kit_id: String) -> Answer<BrandKitView> {
    app.brand_kits().get_brand_kit(kit_id).await
}

/// Makes a brand kit.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_brand_kit(app: State<'_, App>, draft: BrandKitDraft) -> Answer<BrandKitView> {
    app.brand_kits().create_brand_kit(draft).await
}

/// Changes a brand kit to what the draft says.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_brand_kit(
    app: State<'_, App>,
    kit_id: String,
    draft: BrandKitDraft,
) -> Answer<BrandKitView> {
    app.brand_kits().change_brand_kit(kit_id, draft).await
}

/// Deletes a brand kit.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_brand_kit(app: State<'_, App>, kit_id: String) -> Answer<()> {
    app.brand_kits().delete_brand_kit(kit_id).await
}

/// Adds a picture of the drive to a kit.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_brand_kit_image(
    app: State<'_, App>,
    kit_id: String,
    file_id: String,
    purpose: BrandImagePurpose,
    label: Option<String>,
) -> Answer<BrandKitView> {
    app.brand_kits().add_brand_kit_image(kit_id, file_id, purpose, label).await
}

/// Asks for a picture and puts it into a kit as its logo.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_brand_kit_logo(app: State<'_, App>, kit_id: String) -> Answer<Option<BrandKitView>> {
    app.brand_kits().add_brand_kit_logo(kit_id).await
}

/// The organizations that the key can reach.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_organizations(app: State<'_, App>) -> Answer<Vec<OrganizationView>> {
    app.organizations().list_organizations().await
}
