//! What may be the matter with a content, and the look that finds it.
//!
//! Always true: a look changes nothing. Not here: which contents are looked at, and what mends them.

use std::path::Path;

use super::checked::hash_file;
use super::place::ContentHash;

/// A fault of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The content is not at its place.
    Missing,
    /// What lies there is something else.
    Damaged,
}

impl Fault {
    /// The fault as it is printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Damaged => "damaged",
        }
    }
}

/// How many bytes a content has that lies at `place` and is whole, else what is wrong with it.
pub fn look_at(place: &Path, hash: &ContentHash) -> Result<u64, Fault> {
    match hash_file(place) {
        Ok((found, bytes)) if found == *hash => Ok(bytes),
        Ok(_) => Err(Fault::Damaged),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Fault::Missing),
        // A disk that cannot read it is as good as one that reads something else.
        Err(error) => {
            tracing::warn!(place = %place.display(), %error, "a content cannot be read");
            Err(Fault::Damaged)
        }
    }
}
