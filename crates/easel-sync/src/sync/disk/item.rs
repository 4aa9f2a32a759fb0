//! One item of the disk: its kind, and what tells it from others without reading its content.
//!
//! Not here: asking the system for it (`folder`).

use std::num::NonZeroI64;

use crate::sync::tree::{ChangedUs, LocalFile, LocalItem, Stamp};

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

/// What the file system calls an item, whatever its name is, and when the item came to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Node {
    pub inode: u64,
    /// Seconds since the epoch, or another count that the system keeps; nought where it keeps none.
    pub born_s: i64,
    /// Nanoseconds beside them.
    pub born_ns: u32,
}

/// An item as the system describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub kind: Kind,
    pub stamp: Stamp,
    /// What the stamp's identity is made of.
    pub node: Node,
    /// When anything about it last changed, its name and its rights included, in microseconds since the epoch; `None`
    /// where the system does not tell.
    pub changed_us: Option<i64>,
    /// The device number of the file system that the item is on.
    pub device: u64,
    /// Whether another file system, or another part of this one, is mounted at the item.
    pub is_mounted: bool,
}

impl Item {
    /// For how long the item has not changed at `now_us`, in milliseconds, at most what fits; 0 where that is not
    /// known. Some file systems are right about the time of the last writing only, others let programs set it: the
    /// later of the two times counts.
    pub fn still_ms(&self, now_us: Option<i64>) -> u16 {
        let (Some(now_us), Some(changed_us)) = (now_us, self.changed_us) else { return 0 };
        let still_ms = now_us.saturating_sub(changed_us.max(self.stamp.modified_us)) / 1_000;
        // A file whose time lies in the future is not known to stand still.
        u16::try_from(still_ms.clamp(0, i64::from(u16::MAX))).unwrap_or_default()
    }

    /// When anything about the item last changed.
    pub fn changed(&self) -> ChangedUs {
        self.changed_us.and_then(NonZeroI64::new)
    }

    /// The item as the engine sees it; `None` for what is neither file nor folder.
    pub fn as_local(&self) -> Option<LocalItem> {
        match self.kind {
            Kind::Folder => Some(LocalItem::Folder(self.stamp.identity)),
            Kind::File => Some(LocalItem::File(LocalFile {
                stamp: self.stamp,
                changed_us: self.changed(),
                hash: None,
                is_settled: true,
                still_ms: 0,
            })),
            _ => None,
        }
    }
}

impl Node {
    /// An identity that stays through renames and edits and is not used twice. An inode number is used again once its
    /// file is gone, but not with the same birth time. (The mixing is that of splitmix64.)
    pub const fn identity(&self) -> u64 {
        let mut mixed = self.inode;
        let mut round = 0;
        while round < 2 {
            mixed = mixed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^= mixed >> 31;
            if round == 0 {
                mixed ^= self.born_s.cast_unsigned().rotate_left(30) ^ self.born_ns as u64;
            }
            round += 1;
        }
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_of_both_times_counts_and_a_time_to_come_is_none() {
        let check = |modified_us: i64, changed_us: Option<i64>, now_us: Option<i64>, expected: u16| {
            let stamp = Stamp { size_bytes: 1, modified_us, identity: 1 };
            let item =
                Item { kind: Kind::File, stamp, node: Node::default(), changed_us, device: 1, is_mounted: false };
            assert_eq!(item.still_ms(now_us), expected, "{modified_us} {changed_us:?} {now_us:?}");
        };
        check(0, Some(1_000_000), Some(4_500_000), 3_500);
        check(1_000_000, Some(0), Some(4_500_000), 3_500);
        check(0, Some(0), Some(i64::MAX), u16::MAX);
        check(0, Some(5_000_000), Some(4_000_000), 0);
        check(5_000_000, Some(0), Some(4_000_000), 0);
        check(0, None, Some(4_000_000), 0);
        check(0, Some(0), None, 0);
    }
}
