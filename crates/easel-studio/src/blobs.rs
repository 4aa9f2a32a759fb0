//! Bytes: content-addressed blobs, staged uploads and half-written files, below `blobs` in the data folder.
//!
//! `sha256/ab/<hex>` is a content, shared by every file that has it; `pending/…` a PUT that waits to be registered;
//! `incoming/…` what is being written; `aside/…` contents that no row refers to. A content comes in two steps. It is
//! offered: brought to its place, and both to the disk, while nobody waits. Then it is kept, under the database's write
//! lock, which touches no disk unless a content was removed meanwhile, by whichever process. Removing happens under the
//! same lock, so that no content goes while a row comes. What was offered and not kept has to be removed like a
//! content; a crash in between leaves it to the next start, which sets it aside. Nothing is ever held whole in memory.
//! Not here: rows, and who may read what.

mod aside;
mod checked;
mod fault;
mod holding;
mod parts;
mod place;
mod store;

pub use aside::{SetAside, count_contents, list_contents};
pub use checked::hash_file;
pub use fault::{Fault, look_at};
pub use place::{ContentHash, Location, PENDING, path_of_content, sync_folder_of};
pub use store::{Blobs, Offered, Writing};
