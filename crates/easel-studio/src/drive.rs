//! The drive over HTTP, one file a noun (specification, "Endpoints"; contract, "Drive").
//!
//! Always true: what the caller may not see answers as if it were not there; every change is one write transaction. Which
//! scope an endpoint needs stands in the router. Not here: SQL, and the bytes of files.

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
pub use listing::{Pages, new_pages, read_hidden};
pub use trash::{empty_trash, list_trash, purge_item, restore_item};
pub use tree::{DEFAULT_DEPTH, MAX_DEPTH, get_tree};
pub use versions::{get_version_content, list_versions, restore_version};

use easel_wire::error::FieldError;

use crate::error::Error;
use crate::names::Name;

/// Reads the name in a body.
///
/// # Errors
/// 422 for the field `name`, in the words of the [`crate::names::NameError`].
pub fn read_name(text: &str) -> Result<Name, Error> {
    Name::parse(text).map_err(|error| Error::Validation {
        fields: vec![FieldError { field: "name".to_owned(), code: error.code().to_owned() }],
        message: format!("name: {error}"),
    })
}

#[cfg(test)]
mod tests;
