//! How far an upload is: what survives a crash of it.
//!
//! Data only. Always true: a checkpoint stands on disk before the request that it is about leaves; the signed address is
//! in none, because it is a capability.

use easel_wire::FileId;
use serde::{Deserialize, Serialize};

use crate::shared::drive_file::ContentHash;

/// What may have happened in the drive without this side knowing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Checkpoint {
    /// Nothing.
    #[default]
    NotBegun,
    /// It was sent in one request.
    Sent {
        /// Since when, by this computer's clock, in microseconds since the epoch; 0 where that was not written down.
        since_us: i64,
        /// Its content, where it was read before.
        hash: Option<ContentHash>,
    },
    /// A PUT to storage was begun; nothing was registered.
    Signed {
        /// The key in storage.
        key: String,
        /// Since when.
        since_us: i64,
    },
    /// Storage has the bytes, as far as is known, and register may have been asked.
    Staged {
        /// The key in storage.
        key: String,
        /// Since when.
        since_us: i64,
        /// Its content; `None` where an older build wrote this down.
        hash: Option<ContentHash>,
    },
    /// It is in the drive; where, and whether that is where it is wanted, is yet to be seen to.
    Landed {
        /// The drive file.
        file: FileId,
        /// Its content.
        hash: Option<ContentHash>,
        /// Whether the service calls it a duplicate.
        was_duplicate: bool,
        /// Since when an earlier request of this upload may have made it, where that was in doubt when the service answered.
        doubted_since_us: Option<i64>,
    },
}

impl Checkpoint {
    /// Whether a file may stand in the drive because of it.
    #[must_use]
    pub const fn is_in_doubt(&self) -> bool {
        matches!(self, Self::Sent { .. } | Self::Staged { .. } | Self::Landed { .. })
    }

    /// Whether the service has all bytes, as far as is known: none of them is to be sent again.
    #[must_use]
    pub const fn has_all_bytes(&self) -> bool {
        matches!(self, Self::Staged { .. } | Self::Landed { .. })
    }

    /// Whether the service may have all bytes: storage had an address for them.
    #[must_use]
    pub const fn may_have_all_bytes(&self) -> bool {
        self.has_all_bytes() || matches!(self, Self::Signed { .. })
    }

    /// What the file holds, where that is known.
    #[must_use]
    pub const fn hash(&self) -> Option<ContentHash> {
        match self {
            Self::NotBegun | Self::Signed { .. } => None,
            Self::Sent { hash, .. } | Self::Staged { hash, .. } | Self::Landed { hash, .. } => *hash,
        }
    }

    /// Since when it is under way, in microseconds since the epoch.
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
