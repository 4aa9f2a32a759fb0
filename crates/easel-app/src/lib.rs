//! Everything that the desktop program does, without a window.
//!
//! [`App`] is the program; a command of the window is a method of the same name, of the program or of one of its nouns
//! (`app.uploads()`). Always true: the desktop's services come in through [`ports`]; the page gets plain data with ids
//! as text and numbers that it can hold; an error that reaches a person is a [`problem::Problem`]; keys are in the
//! keychain and in memory only. Deliberately not here: `tauri`, HTTP (easel-client), SQL (easel-sync), and the words of
//! the window that are not about errors.

pub mod app;
pub mod backups;
pub mod brand_kits;
mod causes;
pub mod connections;
mod continuation;
mod core;
pub mod data_dir;
pub mod deliveries;
pub mod designs;
pub mod diagnostics;
pub mod doctor;
pub mod drive;
pub mod events;
pub mod exports;
mod folders;
pub mod history;
mod id_paths;
mod json_store;
mod kept_files;
mod keychain;
pub mod keys;
pub mod links;
pub mod media;
mod messages;
pub mod migration;
pub mod notices;
pub mod number;
pub mod organizations;
pub mod overview;
pub mod ports;
pub mod preferences;
pub mod problem;
pub mod receiver;
mod request_coalescer;
pub mod settings;
pub mod status_summary;
mod stored;
pub mod supervisor;
pub mod synced;
pub mod tasks;
pub mod team;
pub mod uploads;
pub mod writing;

pub use app::App;
pub use easel_sync::memory;
