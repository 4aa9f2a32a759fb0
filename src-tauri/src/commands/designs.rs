//! Commands about designs.

use easel_app::App;
use easel_app::designs::{
    DesignAttachment, DesignColorChange, DesignColors, DesignDetails, DesignDraft, DesignList, DesignMark, DesignMarks,
    DesignPage, DesignResize, DesignSort, DesignTextChange, DesignTexts, DesignVersionList, DesignVersionRestored,
    DesignView, RemixOutcome,
};
use easel_app::tasks::TaskView;
use tauri::State;

use super::answer::Answer;

/// A part of the gallery, or of what a search finds.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_designs(
    app: State<'_, App>,
    query: String,
    sort: DesignSort,
    cursor: Option<String>,
    limit: u32,
) -> Answer<DesignList> {
    app.designs().list_designs(query, sort, cursor, limit).await
}

/// A design with what it came from and what else came from there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_design(app: State<'_, App>, design_id: String) -> Answer<DesignDetails> {
    app.designs().get_design(design_id).await
}

/// The pages of a design.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_design_pages(app: State<'_, App>, design_id: String) -> Answer<Vec<DesignPage>> {
    app.designs().list_design_pages(design_id).await
}

/// Gives a design another name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn rename_design(app: State<'_, App>, design_id: String, name: String) -> Answer<DesignView> {
    app.designs().rename_design(design_id, name).await
}

/// Remixes a design: an exact copy, or a changed one where there are words.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remix_design(
    app: State<'_, App>,
    design_id: String,
    prompt: Option<String>,
) -> Answer<RemixOutcome> {
    app.generation().remix_design(design_id, prompt).await
}

/// Asks for variations of a design, 1 to 12.
#[tauri::command]
#[specta::specta]
pub(crate) async fn vary_design(app: State<'_, App>, design_id: String, count: u32) -> Answer<Vec<TaskView>> {
    app.generation().vary_design(design_id, count).await
}

/// Lays a design out anew in other sizes.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resize_design(
    app: State<'_, App>,
    design_id: String,
    resizes: Vec<DesignResize>,
) -> Answer<Vec<TaskView>> {
    app.generation().resize_design(design_id, resizes).await
}

/// The designs that are starred or rejected.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_design_marks(app: State<'_, App>) -> Answer<DesignMarks> {
    app.marks().list_design_marks().await
}

/// Stars designs, rejects them, or takes their mark away.
#[tauri::command]
#[specta::specta]
pub(crate) async fn mark_designs(
    app: State<'_, App>,
    design_ids: Vec<String>,
    mark: Option<DesignMark>,
) -> Answer<DesignMarks> {
    app.marks().mark_designs(design_ids, mark).await
}

/// The starred designs whose names have `query`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_starred_designs(app: State<'_, App>, query: String, sort: DesignSort) -> Answer<DesignList> {
    app.marks().list_starred_designs(query, sort).await
}

/// Asks for a design.
#[tauri::command]
#[specta::specta]
pub(crate) async fn describe_design(app: State<'_, App>, draft: DesignDraft) -> Answer<TaskView> {
    app.generation().describe_design(draft).await
}

/// Asks for a change to a design, in place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn edit_design(app: State<'_, App>, design_id: String, prompt: String) -> Answer<TaskView> {
    app.generation().edit_design(design_id, prompt).await
}

/// Asks for files to work from and begins to send them.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_attachments(app: State<'_, App>) -> Answer<Vec<DesignAttachment>> {
    app.attachments().choose_attachments().await
}

/// The earlier drawings of a design, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_design_versions(app: State<'_, App>, design_id: String) -> Answer<DesignVersionList> {
    app.designs().list_design_versions(design_id).await
}

/// Puts an earlier drawing on its design again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn restore_design_version(
    app: State<'_, App>,
    design_id: String,
    version_id: String,
) -> Answer<DesignVersionRestored> {
    app.designs().restore_design_version(design_id, version_id).await
}

/// The colours of a design.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_design_colors(app: State<'_, App>, design_id: String) -> Answer<DesignColors> {
    app.designs().list_design_colors(design_id).await
}

/// Draws a design in other colours.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_design_colors(
    app: State<'_, App>,
    design_id: String,
    revision: String,
    changes: Vec<DesignColorChange>,
) -> Answer<DesignColors> {
    app.designs().change_design_colors(design_id, revision, changes).await
}

/// The texts of a design, page by page.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_design_texts(app: State<'_, App>, design_id: String) -> Answer<DesignTexts> {
    app.designs().list_design_texts(design_id).await
}

/// Gives texts of a design other words, all or none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_design_texts(
    app: State<'_, App>,
    design_id: String,
    revision: String,
    changes: Vec<DesignTextChange>,
) -> Answer<DesignTexts> {
    app.designs().change_design_texts(design_id, revision, changes).await
}

/// Asks what would come of other words, and changes nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_design_texts(
    app: State<'_, App>,
    design_id: String,
    revision: String,
    changes: Vec<DesignTextChange>,
) -> Answer<DesignTexts> {
    app.designs().check_design_texts(design_id, revision, changes).await
}

/// Asks for a picture and begins to send it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_picture(app: State<'_, App>) -> Answer<Option<DesignAttachment>> {
    app.attachments().choose_picture().await
}

/// Puts a picture in the place of one of a design, as soon as it is in the drive.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_design_picture(
    app: State<'_, App>,
    design_id: String,
    revision: String,
    reference: String,
    attachment_id: String,
) -> Answer<DesignTexts> {
    let file = app.attachments().wait_for_attachment(&attachment_id).await?;
    app.designs().change_design_picture(design_id, revision, reference, file).await
}
