//! A file of the drive, as far as it is known, and its content hash.

use easel_wire::drive::File;
use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};

/// SHA-256 of a file's bytes.
pub type ContentHash = [u8; 32];

/// A file of the drive, as seen. If the service keeps no versions, its content never changes: an edit is another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// The folder it lies in; `None` at the top of the drive.
    pub folder: Option<FolderId>,
    /// The file's name, unique among the files beside it without regard to case and composition.
    pub name: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// The content's hash, where the service tells it.
    pub hash: Option<ContentHash>,
}

/// A drive file that gets new content, if it still has the agreed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacing {
    /// The file.
    pub file: FileId,
    /// The content that it has to have until then. If it has another one, someone has changed it, and nothing of theirs
    /// is replaced.
    pub expected: ContentHash,
}

/// A file as the engine sees it.
pub(crate) fn remote_file(file: File) -> RemoteFile {
    RemoteFile {
        folder: file.folder_id.flatten(),
        name: file.name,
        size_bytes: file.size_bytes.unwrap_or_default(),
        hash: file.content_hash.as_deref().and_then(parse_hash),
    }
}

/// The digest of `sha256:` and 64 hex digits.
pub(crate) fn parse_hash(text: &str) -> Option<ContentHash> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut hash = [0; 32];
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}
