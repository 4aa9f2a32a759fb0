//! Everything that the desktop program does, without a window.
//!
//! [`App`] is the program; a command of the window is a method of the same name. Always true: what the desktop provides
//! comes in through [`ports`]; what the page sees is plain data with ids as text and numbers that it can hold; an error
//! that reaches a person is a [`problem::Problem`]; keys are in the keychain and in memory only. Deliberately not here:
//! `tauri`, HTTP (easel-client), SQL (easel-sync), and the words of the window that are not about errors.

pub mod app;
mod causes;
pub mod connections;
pub mod data_dir;
pub mod drive;
pub mod events;
mod folders;
mod keychain;
pub mod keys;
pub mod number;
pub mod overview;
pub mod ports;
pub mod problem;
pub mod settings;
pub mod supervisor;
pub mod uploads;
mod words;

pub use app::App;
