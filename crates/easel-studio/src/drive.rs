//! The drive over HTTP, one file a noun (specification, "Endpoints"; contract, "Drive").
//!
//! Always true: what the caller may not see answers as if it were not there; every change is one write transaction.
//! Which scope an endpoint needs stands in the router. Not here: SQL, and the bytes of files.

mod download;
mod files;
mod folders;
mod items;
mod listing;
mod trash;
mod tree;
mod versions;

pub use download::{get_content, sign_download};
pub use files::{file_on_wire, file_url, get_file, list_files};
pub use folders::{create_folder, list_folders};
pub use items::{change_item, delete_item, move_item};
pub use listing::read_hidden;
pub use trash::{empty_trash, list_trash, purge_item, restore_item};
pub use tree::get_tree;
pub use versions::{get_version_content, list_versions, restore_version};

#[cfg(test)]
mod tests;
