//! Exports over HTTP and the work behind them (specification, "Endpoints", behaviour rule 6, and "Limits"; contract,
//! "Canvases and export").
//!
//! Always true: an export shows the canvas as it was when it was asked for; an acknowledged export is worked on, also
//! after a crash, by the process that holds it, whichever was asked for it; rendering runs in processes of its own, few
//! at a time and teams in turns; a result is there for seven days and then gone, row and bytes. An export fires no
//! webhook and counts toward no cap on tasks. Not here: SQL, and the rendering itself ([`crate::drawing`]).

mod expiry;
mod record;
mod start;
mod status;
mod work;

pub use expiry::expire;
pub use start::start_export;
pub use status::get_export_status;
pub use work::{begin_waiting, take_back};

#[cfg(test)]
mod tests;
