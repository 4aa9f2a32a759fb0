//! Bytes: content-addressed blobs, staged uploads and half-written files, below `blobs` in the data folder or in a bucket.
//!
//! `sha256/ab/<hex>` is a content, shared by every file that has it; `pending/…` a PUT that waits to be registered;
//! `incoming/…` what is being written; `aside/…` contents that no row refers to. A content comes in two steps. It is offered: brought to its place, and both to the disk,
//! while nobody waits. Then it is kept, under the database's write lock, which touches no disk unless a content was removed
//! meanwhile, by whichever process. Removing happens under the same lock, so that no content goes while a row comes. What was offered and not kept
//! has to be removed like a content; a crash in between leaves it to the next start, which sets it aside. Nothing large is ever held whole in memory but a part of
//! what goes to a bucket, which [`bucket`] tells about; which of the two it is, nobody outside knows.
//! Not here: rows, and who may read what.

mod aside;
mod bucket;
mod bucket_aside;
mod carrying;
mod checked;
mod copying;
mod direct;
mod fault;
mod gate;
mod going;
mod holding;
mod mending;
mod owning;
mod parts;
mod place;
mod store;
mod unneeded;
mod writing;

pub use aside::{SetAside, count_contents, list_contents};
pub use bucket::BucketUrl;
pub use checked::hash_file;
pub use copying::copy_file;
pub use fault::Fault;
pub use gate::{Leave, Others, SharedClaim, SharedRemoval};
pub use going::{Fate, PendingRemoval};
pub use owning::{BlobsAt, Opening, bucket_of, copy_note, named_bucket, note_bucket};
pub use place::{ContentHash, Location, PENDING, path_of_content};
pub use store::{Blobs, Offered};
pub use writing::Writing;
