//! Commands about brand kits and organizations.

use easel_app::App;
use easel_app::brand_kits::{BrandImagePurpose, BrandKitDraft, BrandKitView, FoundBrandView};
use easel_app::organizations::OrganizationView;
use easel_studio::typefaces;
use tauri::State;

use super::answer::Answer;
use crate::media;

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

/// Asks for a file and says what it shows of a brand.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_brand_file(app: State<'_, App>) -> Answer<Option<FoundBrandView>> {
    app.brand_kits().choose_brand_file().await
}

/// Puts the logo that was found into a kit.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_found_logo(app: State<'_, App>, kit_id: String, found_id: String) -> Answer<BrandKitView> {
    app.brand_kits().add_found_logo(kit_id, found_id).await
}

/// A typeface of the built-in studio, for a list with samples.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, specta::Type)]
pub(crate) struct TypefaceView {
    /// The family.
    family: String,
    /// The address of the font for text.
    regular: String,
    /// The address of the font for headings.
    bold: String,
}

/// The typefaces that the built-in studio sets designs in.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_typefaces() -> Answer<Vec<TypefaceView>> {
    let view = |family: &'static str| TypefaceView {
        family: family.to_owned(),
        regular: media::address_of_typeface(family, 400),
        bold: media::address_of_typeface(family, 700),
    };
    Ok(typefaces::families().into_iter().map(view).collect())
}

/// The organizations that the key can reach.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_organizations(app: State<'_, App>) -> Answer<Vec<OrganizationView>> {
    app.organizations().list_organizations().await
}
