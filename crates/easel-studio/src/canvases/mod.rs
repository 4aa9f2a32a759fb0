//! Canvases over HTTP, one file a verb (specification, "Endpoints"; contract, "Canvases and export").
//!
//! Always true: a canvas that the caller may not see answers as if it were not there. Not here: making and changing
//! drawings ([`crate::worker`]), exports ([`crate::exports`]), and a canvas as a drive item ([`crate::drive`]).

mod colors;
mod in_place;
mod open;
mod pictures;
mod read;
mod record;
mod rename;
mod texts;
mod versions;

pub use colors::{change_colors, list_colors};
pub use in_place::AT_ONCE as IN_PLACE_AT_ONCE;
pub use open::open_canvas;
pub use pictures::change_picture;
pub use read::{get_canvas, list_canvases, list_pages, search_canvases};
pub use record::canvas_url;
pub use rename::rename_canvas;
pub use texts::{change_texts, list_texts};
pub use versions::{list_versions, restore_version};

#[cfg(test)]
mod tests;
