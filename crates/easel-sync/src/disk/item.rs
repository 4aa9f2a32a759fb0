//! One item of the disk: what kind it is, and what tells it from others without reading it.
//!
//! One `statx` an item on Linux, which also tells the birth time and whether something is mounted there.

use std::io;
use std::os::fd::AsFd;

use rustix::path::Arg;

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
const fn identify(inode: u64, born_s: i64, born_ns: u32) -> u64 {
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

const fn to_us(seconds: i64, nanoseconds: u32) -> i64 {
    seconds.saturating_mul(1_000_000).saturating_add((nanoseconds / 1_000) as i64)
}

/// What is at `name` in the folder; a link itself, not what it points to. An empty name is the folder.
#[cfg(target_os = "linux")]
pub(super) fn look(folder: impl AsFd, name: impl Arg) -> io::Result<Item> {
    use rustix::fs::{AtFlags, StatxAttributes, StatxFlags};
    let wanted = StatxFlags::TYPE | StatxFlags::SIZE | StatxFlags::MTIME | StatxFlags::INO | StatxFlags::BTIME;
    let seen = rustix::fs::statx(folder, name, AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH, wanted)?;
    // Where a file system keeps no birth time it is nought.
    let identity = identify(seen.stx_ino, seen.stx_btime.tv_sec, seen.stx_btime.tv_nsec);
    Ok(Item {
        kind: kind_of(u32::from(seen.stx_mode)),
        stamp: Stamp {
            size_bytes: seen.stx_size,
            modified_us: to_us(seen.stx_mtime.tv_sec, seen.stx_mtime.tv_nsec),
            identity,
        },
        device: (u64::from(seen.stx_dev_major) << 32) | u64::from(seen.stx_dev_minor),
        is_mounted: seen.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
    })
}

/// What is at `name` in the folder; a link itself, not what it points to. An empty name is the folder.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::cast_lossless, clippy::cast_sign_loss, clippy::unnecessary_cast, reason = "the systems' types differ")]
pub(super) fn look(folder: impl AsFd, name: impl Arg) -> io::Result<Item> {
    let name = name.into_c_str()?;
    let seen = if name.is_empty() {
        rustix::fs::fstat(folder)?
    } else {
        rustix::fs::statat(folder, &*name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?
    };
    #[cfg(any(target_os = "macos", target_os = "ios"))]
    let born = (seen.st_birthtime as i64, seen.st_birthtime_nsec as u32);
    #[cfg(not(any(target_os = "macos", target_os = "ios")))]
    let born = (0, 0);
    Ok(Item {
        kind: kind_of(seen.st_mode as u32),
        stamp: Stamp {
            size_bytes: seen.st_size as u64,
            modified_us: to_us(seen.st_mtime as i64, seen.st_mtime_nsec as u32),
            identity: identify(seen.st_ino as u64, born.0, born.1),
        },
        device: seen.st_dev as u64,
        is_mounted: false,
    })
}

fn kind_of(mode: u32) -> Kind {
    use rustix::fs::FileType;
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::SymbolicLink,
        FileType::Socket => Kind::Socket,
        FileType::Fifo => Kind::Pipe,
        _ => Kind::Device,
    }
}
