//! The commands of the page, each one line: what they do is a method of the same name of [`easel_app::App`].
//!
//! Always true: nothing is decided here, and nothing here can block the interface's thread (every command is async); the
//! noun of a command names its file here, in easel-app and in the page.

use easel_app::problem::Problem;

mod brand_kits;
mod connections;
mod deliveries;
mod designs;
mod drive;
mod exports;
mod keys;
mod synced;
mod tasks;
mod uploads;
mod webhooks;
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
        drive::drag_files,
        uploads::choose_files,
        uploads::choose_folder,
        uploads::paste_files,
        uploads::set_drop_target,
        uploads::set_attach_area,
        uploads::set_step_area,
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
        designs::list_designs,
        designs::get_design,
        designs::list_design_pages,
        designs::rename_design,
        designs::remix_design,
        designs::vary_design,
        designs::describe_design,
        designs::edit_design,
        designs::choose_attachments,
        tasks::list_tasks,
        tasks::cancel_task,
        tasks::retry_task,
        exports::export_design,
        exports::export_designs,
        exports::choose_export_folder,
        exports::list_export_presets,
        exports::save_export_preset,
        exports::delete_export_preset,
        exports::list_exports,
        exports::cancel_export,
        exports::retry_export,
        exports::clear_exports,
        exports::reveal_export,
        exports::open_export,
        exports::drag_export,
        brand_kits::list_brand_kits,
        brand_kits::get_brand_kit,
        brand_kits::create_brand_kit,
        brand_kits::change_brand_kit,
        brand_kits::delete_brand_kit,
        brand_kits::add_brand_kit_image,
        brand_kits::add_brand_kit_logo,
        brand_kits::list_organizations,
        deliveries::list_deliveries,
        deliveries::get_delivery,
        deliveries::redeliver,
        webhooks::examine_signature,
        webhooks::get_receiver,
        webhooks::start_receiver,
        webhooks::stop_receiver,
        webhooks::set_receiver_secret,
        webhooks::set_receiver_takes_own_tasks,
        webhooks::clear_receiver,
        webhooks::get_received,
        synced::list_synced_folders,
        synced::choose_synced_source,
        synced::preview_synced_folder,
        synced::add_synced_folder,
        synced::pause_synced_folder,
        synced::resume_synced_folder,
        synced::look_again_at_synced_folder,
        synced::answer_synced_folder,
        synced::change_synced_folder,
        synced::remove_synced_folder,
        synced::relocate_synced_folder,
        synced::open_synced_folder,
        synced::send_synced_file_again,
        synced::pause_all_synced_folders,
        synced::resume_all_synced_folders,
        synced::list_synced_skips,
        synced::list_synced_history,
        keys::list_api_keys,
        keys::create_api_key,
        keys::delete_api_key,
        window::get_settings,
        window::set_settings,
        window::copy_text,
        window::copy_secret,
        window::get_diagnostics,
        window::confirm_close,
        window::take_link,
    ]
}
