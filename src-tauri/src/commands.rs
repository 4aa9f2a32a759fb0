//! The commands of the page, each one line: what they do is a method of the same name of [`easel_app::App`].
//!
//! Always true: nothing is decided here, and nothing here can block the interface's thread (every command is async); the
//! noun of a command names its file here, in easel-app and in the page.

use easel_app::problem::Problem;

mod connections;
mod drive;
mod keys;
mod uploads;
mod window;

type Answer<T> = Result<T, Problem>;

/// Every command, with the types that the page sees.
pub(crate) fn collect() -> tauri_specta::Commands<tauri::Wry> {
    tauri_specta::collect_commands![
        window::get_overview,
        connections::start_local_studio,
        connections::test_connection,
        connections::connect_service,
        connections::replace_key,
        connections::list_connections,
        connections::select_connection,
        connections::remove_connection,
        connections::retry_connection,
        drive::list_drive,
        drive::list_recent_files,
        drive::create_folder,
        drive::rename_item,
        drive::move_items,
        drive::count_items,
        drive::delete_items,
        drive::undo_deletion,
        drive::list_folder_tree,
        drive::download_file,
        drive::cancel_download,
        drive::open_file,
        drive::reveal_download,
        uploads::choose_files,
        uploads::choose_folder,
        uploads::paste_files,
        uploads::set_drop_target,
        uploads::list_transfers,
        uploads::pause_transfer,
        uploads::resume_transfer,
        uploads::cancel_transfer,
        uploads::retry_transfer,
        uploads::pause_all_transfers,
        uploads::resume_all_transfers,
        uploads::retry_failed_transfers,
        uploads::clear_finished_transfers,
        uploads::promote_transfer,
        uploads::reveal_transfer,
        uploads::move_duplicate_here,
        keys::list_api_keys,
        keys::create_api_key,
        keys::delete_api_key,
        window::get_settings,
        window::set_settings,
        window::copy_text,
        window::confirm_close,
    ]
}
