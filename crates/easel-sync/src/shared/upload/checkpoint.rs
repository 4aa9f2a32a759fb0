//! Checkpoints: how far an upload is, written down so that it can be resumed after a kill.
//!
//! Data only. Always true: a checkpoint is on disk before the request that it is about leaves; no checkpoint has the
//! signed address, because that is a capability.

use easel_wire::FileId;
use serde::{Deserialize, Serialize};

use crate::shared::drive_file::ContentHash;

/// How far an upload is, and so what may have happened in the drive without this side knowing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Checkpoint {
    /// Nothing was sent.
    #[default]
    NotBegun,
    /// The file was sent in one request.
    Sent {
        /// Since when, by this computer's clock, in microseconds since the epoch; 0 where that was not written down.
        since_us: i64,
        /// The file's content, where it was read before.
        hash: Option<ContentHash>,
    },
    /// A PUT to storage was begun; nothing was registered.
    Signed {
        /// The key in storage.
        key: String,
        /// When this upload began, in microseconds since the epoch.
        since_us: i64,
    },
    /// Storage has the bytes, as far as is known, and register may have been asked.
    Staged {
        /// The key in storage.
        key: String,
        /// When this upload began, in microseconds since the epoch.
        since_us: i64,
        /// The file's content; `None` where an older build wrote this down.
        hash: Option<ContentHash>,
    },
    /// The file is in the drive; its place has yet to be compared with the destination.
    Landed {
        /// The drive file.
        file: FileId,
        /// The file's content.
        hash: Option<ContentHash>,
        /// Whether the service calls it a duplicate.
        was_duplicate: bool,
        /// When this upload began, where an earlier request of it may have made the file and that was in doubt when the
        /// service answered.
        doubted_since_us: Option<i64>,
    },
}

impl Checkpoint {
    /// Whether a file may be in the drive because of this upload.
    #[must_use]
    pub const fn is_in_doubt(&self) -> bool {
        matches!(self, Self::Sent { .. } | Self::Staged { .. } | Self::Landed { .. })
    }

    /// Whether the service has all bytes, as far as is known: none of them is sent again.
    #[must_use]
    pub const fn has_all_bytes(&self) -> bool {
        matches!(self, Self::Staged { .. } | Self::Landed { .. })
    }

    /// Whether the service may have all bytes, because storage gave an address for them.
    #[must_use]
    pub const fn may_have_all_bytes(&self) -> bool {
        self.has_all_bytes() || matches!(self, Self::Signed { .. })
    }

    /// The file's content, where it is known.
    #[must_use]
    pub const fn hash(&self) -> Option<ContentHash> {
        match self {
            Self::NotBegun | Self::Signed { .. } => None,
            Self::Sent { hash, .. } | Self::Staged { hash, .. } | Self::Landed { hash, .. } => *hash,
        }
    }

    /// When this upload began, in microseconds since the epoch.
    #[must_use]
    pub const fn since_us(&self) -> Option<i64> {
        match self {
            Self::NotBegun => None,
            Self::Landed { doubted_since_us, .. } => *doubted_since_us,
            Self::Sent { since_us, .. } | Self::Signed { since_us, .. } | Self::Staged { since_us, .. } => {
                Some(*since_us)
            }
        }
    }

    /// The key in storage.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Signed { key, .. } | Self::Staged { key, .. } => Some(key),
            _ => None,
        }
    }
}
