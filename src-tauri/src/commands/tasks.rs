//! Commands about tasks.

use easel_app::App;
use easel_app::tasks::{TaskFilter, TaskList, TaskView};
use tauri::State;

use super::answer::Answer;

/// A part of the tasks, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_tasks(
    app: State<'_, App>,
    filter: TaskFilter,
    cursor: Option<String>,
    limit: u32,
) -> Answer<TaskList> {
    app.tasks().list_tasks(filter, cursor, limit).await
}

/// Cancels a task.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_task(app: State<'_, App>, task_id: String) -> Answer<TaskView> {
    app.tasks().cancel_task(task_id).await
}

/// Tries again what failed, as a new task.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_task(app: State<'_, App>, task_id: String) -> Answer<TaskView> {
    app.tasks().retry_task(task_id).await
}
