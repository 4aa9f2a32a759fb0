//! Everything that the desktop program does, without a window.
pub mod app;
pub mod connections;
pub mod drive;
pub mod events;
pub mod keys;
pub mod number;
pub mod overview;
pub mod problem;
pub mod settings;
pub mod uploads;
pub use app::App;
