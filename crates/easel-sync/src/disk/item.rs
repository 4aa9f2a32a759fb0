//! One item of the disk: what kind it is, and what tells it from others without reading it.
//!
//! Not here: asking the system for it (`folder`).

use crate::tree::{LocalFile, LocalItem, Stamp};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    SymbolicLink,
    Socket,
    Pipe,
    Device,
}

/// An item as the system describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub kind: Kind,
    pub stamp: Stamp,
    /// The file system it is on.
    pub device: u64,
    /// Whether another file system, or another part of this one, is mounted there.
    pub is_mounted: bool,
}

impl Item {
    /// As the engine sees it; `None` for what is neither file nor folder.
    pub const fn as_local(&self) -> Option<LocalItem> {
        match self.kind {
            Kind::Folder => Some(LocalItem::Folder(self.stamp.identity)),
            Kind::File => Some(LocalItem::File(LocalFile { stamp: self.stamp, hash: None, is_settled: true })),
            _ => None,
        }
    }
}

/// An identity that stays through renames and edits and is not used twice: an inode number is, once its file is gone,
/// but not with the same birth time. (The mixing is that of splitmix64.)
pub(super) const fn identify(inode: u64, born_s: i64, born_ns: u32) -> u64 {
    let mut mixed = inode;
    let mut round = 0;
    while round < 2 {
        mixed = mixed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        if round == 0 {
            mixed ^= born_s.cast_unsigned().rotate_left(30) ^ born_ns as u64;
        }
        round += 1;
    }
    mixed
}
