//! The drive in the database: folders, files and what changes them (contract, "Drive").
//!
//! Always true:
//! - Every item's `private_to` follows from its own visibility and that of the folders above it: the nearest private
//!   one decides, and its maker alone sees what is below. So every item has a viewer, and nobody sees another's private
//!   item.
//! - Fewer people may see an item only if its maker or an overseer wants that, by a setting or by a move ([`items`]).
//! - A name is taken by at most one item of a kind in a folder, whoever may see it.
//! - An item that nobody else sees gives way: a name that looks free to a viewer is theirs to take, and the hidden item
//!   gets a number, so that no answer tells of it.
//! - A folder's `updated_at` moves with every change to a direct child.
//! - Whatever decides and then writes does both in one write transaction, which the caller began.
//!
//! Not here: the wire, blobs, ids and the clock; the callers bring them.

pub mod additions;
pub mod files;
pub mod folders;
pub mod items;
pub mod listing;
pub(super) mod moments;
pub(super) mod naming;
pub(super) mod nesting;
pub mod retention;
pub(super) mod table;
pub mod trash;
pub mod tree;
pub mod versions;

pub use additions::Additions;
pub use files::{FileRow, NewFile, find_file, get_visible_file, insert_file, is_content_used};
pub use folders::{FolderRow, get_visible_folder, insert_folder};
pub use listing::{ListQuery, Listed, Place, Position, Sort, SortKey};

#[cfg(test)]
mod tests;
