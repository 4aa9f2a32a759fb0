//! Uploads: by one multipart request, or by signed URL, PUT and register (specification, "Upload limits record" to
//! "Upload result record", "Endpoints"; contract, "Uploads").
//!
//! Always true: a file's bytes are on the disk before its row, and its row before the answer; a content that the caller
//! may see already is not stored again; nothing is overwritten. What was begun is finished when the client goes away.
//! Not here: the rows ([`commit`]), the PUT itself ([`crate::routes::storage`]) and names ([`crate::core::names`]).

mod commit;
mod fields;
mod multipart;
mod replacing;
mod signed;

pub use multipart::create;
pub use replacing::replace_content;
pub use signed::{get_limits, register, sign};

#[cfg(test)]
mod tests;
