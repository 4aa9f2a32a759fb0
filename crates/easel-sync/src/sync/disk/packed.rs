//! The items of one folder, packed in memory: the ends of their names in one text, and some fifteen bytes for each.
//!
//! Always true: items stand in the order of their names, and unpacking gives what was packed. Whole numbers take as
//! many bytes as they need; a time, and an inode, is stored as its difference from the item before, which is small where
//! files were written one after the other, and a birth as its difference from the last writing. An identity is made
//! anew of inode and birth, because its own eight bytes could not be told in fewer. The beginning that a name has in
//! common with the name before is stored as its length. A folder is packed in buffers that all folders share, and then
//! copied into a large block beside the folders before it: between blocks of their own, what else comes while folders
//! are read would stand on so many pages, each of which it keeps from being given back. At rest the items of all folders
//! lie in one block. Not here: the meaning of a change of an item (`seen`).

use std::num::NonZeroI64;

use bytes::{Bytes, BytesMut};

use super::item::Node;
use super::seen::Entry;
use crate::sync::tree::Stamp;

/// Every 64th item is marked, so that finding one reads no more items than these.
const APART: usize = 64;

/// The largest block that is made before it is known what comes into it, in bytes. The system maps it by itself.
const BLOCK: usize = 256 * 1024;

const IS_FOLDER: u8 = 1;
const HAS_CHANGED: u8 = 2;
/// The file has stood still for as long as can be told, so its time takes no bytes.
const IS_LONG_STILL: u8 = 4;
/// The birth is told by its difference from the last writing, in nanoseconds; else as it is.
const IS_BORN_NEAR: u8 = 8;

const NS_IN_S: i64 = 1_000_000_000;
const US_IN_S: i64 = 1_000_000;

/// See the module.
#[derive(Debug, Clone, Default)]
pub(super) struct Packed {
    /// The items; behind them the ends of their names, one after the other; and last the marks.
    bytes: Bytes,
    /// Where the ends of the names begin.
    ends_at: u32,
    /// Where the marks begin.
    marks_at: u32,
}

/// Where a marked item begins; the first item has no mark. A name at a mark is stored whole.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    byte: u32,
    /// Where its name begins, from the first name on.
    end: u32,
    /// The time and the inode of the item before the mark.
    modified_us: i64,
    inode: u64,
}

/// The bytes of a mark: its four numbers as they stand in it, the lowest byte of each first.
type MarkBytes = [u8; 24];

impl Mark {
    fn to_bytes(self) -> MarkBytes {
        let mut bytes = MarkBytes::default();
        bytes[..4].copy_from_slice(&self.byte.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.end.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.modified_us.to_le_bytes());
        bytes[16..].copy_from_slice(&self.inode.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &MarkBytes) -> Self {
        let place = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().unwrap_or_default());
        let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().unwrap_or_default());
        Self { byte: place(0), end: place(4), modified_us: number(8).cast_signed(), inode: number(16) }
    }
}

/// Packs the items of one folder after the other.
#[derive(Debug, Default)]
pub(super) struct Packer {
    bytes: Vec<u8>,
    ends: String,
    marks: Vec<Mark>,
    /// The rest of the present block, and how large it was.
    block: BytesMut,
    block_size: usize,
    count: usize,
    /// The last item's name, time and inode.
    name: String,
    modified_us: i64,
    inode: u64,
}

impl Packer {
    /// Begins a folder.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.marks.clear();
        self.name.clear();
        (self.count, self.modified_us, self.inode) = (0, 0, 0);
    }

    /// Adds an item. Items come in the order of their names.
    pub fn push(&mut self, name: &str, entry: &Entry) {
        if self.count > 0 && self.count.is_multiple_of(APART) {
            let (byte, end) = (offset(self.bytes.len()), offset(self.ends.len()));
            self.marks.push(Mark { byte, end, modified_us: self.modified_us, inode: self.inode });
            self.name.clear();
        }
        let Entry { stamp, node, changed_us, still_ms, is_folder } = *entry;
        let shared = shared_length(&self.name, name);
        self.ends.push_str(&name[shared..]);
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let is_long_still = still_ms == u16::MAX;
        let born = born_after(node, stamp.modified_us);
        self.bytes.push(
            flag(is_folder, IS_FOLDER)
                | flag(changed_us.is_some(), HAS_CHANGED)
                | flag(is_long_still, IS_LONG_STILL)
                | flag(born.is_some(), IS_BORN_NEAR),
        );
        self.put(shared as u64);
        self.put((name.len() - shared) as u64);
        self.put(stamp.size_bytes);
        self.put(fold(stamp.modified_us.wrapping_sub(self.modified_us)));
        if let Some(changed_us) = changed_us {
            self.put(fold(changed_us.get().wrapping_sub(stamp.modified_us)));
        }
        if !is_long_still {
            self.bytes.extend(still_ms.to_le_bytes());
        }
        self.put(fold(node.inode.wrapping_sub(self.inode).cast_signed()));
        if let Some(born) = born {
            self.put(fold(born));
        } else {
            self.put(fold(node.born_s));
            self.put(node.born_ns.into());
        }
        name.clone_into(&mut self.name);
        (self.modified_us, self.inode) = (stamp.modified_us, node.inode);
        self.count += 1;
    }

    /// The items that came since the folder was begun.
    pub fn pack(&mut self) -> Packed {
        let ends_at = self.bytes.len();
        let marks_at = ends_at + self.ends.len();
        let length = marks_at + self.marks.len() * size_of::<MarkBytes>();
        if self.block.capacity() < length {
            // A single folder takes no more than it needs.
            self.block_size = (self.block_size * 2).clamp(length, BLOCK.max(length));
            self.block = BytesMut::with_capacity(self.block_size);
        }
        self.block.extend_from_slice(&self.bytes);
        self.block.extend_from_slice(self.ends.as_bytes());
        for mark in &self.marks {
            self.block.extend_from_slice(&mark.to_bytes());
        }
        Packed { bytes: self.block.split().freeze(), ends_at: offset(ends_at), marks_at: offset(marks_at) }
    }

    /// Writes seven bits a byte, the lowest first; the eighth bit says that more follow.
    fn put(&mut self, mut number: u64) {
        while number > 0x7f {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

impl Packed {
    /// Moves the items of all these folders into one block of memory.
    pub fn gather(all: &mut [&mut Self]) {
        let block: Vec<&[u8]> = all.iter().map(|packed| packed.bytes.as_ref()).collect();
        let mut block = Bytes::from(block.concat());
        for packed in all {
            packed.bytes = block.split_to(packed.bytes.len());
        }
    }

    pub fn iter(&self) -> Items<'_> {
        self.iter_from(&Mark::default())
    }

    /// The items without their names.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let mut items = self.iter();
        std::iter::from_fn(move || items.read())
    }

    fn iter_from(&self, mark: &Mark) -> Items<'_> {
        let Mark { byte, end, modified_us, inode } = *mark;
        let (byte, end) = (byte as usize, end as usize);
        let (ends_at, marks_at) = (self.ends_at as usize, self.marks_at as usize);
        let (items, ends) = (&self.bytes[..ends_at], &self.bytes[ends_at..marks_at]);
        Items { items, ends, byte, end, modified_us, inode, name: String::new() }
    }

    pub fn find(&self, name: &str) -> Option<Entry> {
        let (marks, _) = self.bytes[self.marks_at as usize..].as_chunks();
        let is_before = |mark: &MarkBytes| {
            let mut items = self.iter_from(&Mark::of_bytes(mark));
            items.read().is_some() && items.name.as_str() <= name
        };
        let mark = marks.partition_point(is_before).checked_sub(1);
        let mut items = self.iter_from(&mark.map(|mark| Mark::of_bytes(&marks[mark])).unwrap_or_default());
        for _ in 0..APART {
            let entry = items.read()?;
            if items.name == name {
                return Some(entry);
            }
        }
        None
    }
}

/// A place in a folder's bytes. No folder has four gigabytes of them.
fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Folds a difference of either sign into a number that is small where the difference is.
const fn fold(difference: i64) -> u64 {
    ((difference << 1) ^ (difference >> 63)).cast_unsigned()
}

const fn unfold(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// How many nanoseconds after the last writing an item came to be, which is below nought as a rule; `None` where that is
/// further off than a number can tell.
fn born_after(node: Node, modified_us: i64) -> Option<i64> {
    let (modified_s, modified_ns) = (modified_us.div_euclid(US_IN_S), modified_us.rem_euclid(US_IN_S) * 1_000);
    let apart_s = node.born_s.checked_sub(modified_s)?.checked_mul(NS_IN_S)?;
    let born = apart_s.checked_add(i64::from(node.born_ns) - modified_ns)?;
    (i64::from(node.born_ns) < NS_IN_S).then_some(born)
}

/// The birth that is so many nanoseconds after the last writing: the seconds, and the nanoseconds beside them.
fn born_at(after_ns: i64, modified_us: i64) -> Option<(i64, u32)> {
    let (modified_s, modified_ns) = (modified_us.div_euclid(US_IN_S), modified_us.rem_euclid(US_IN_S) * 1_000);
    let ns = i128::from(after_ns) + i128::from(modified_ns);
    let apart_s = i64::try_from(ns.div_euclid(i128::from(NS_IN_S))).ok()?;
    let born_ns = u32::try_from(ns.rem_euclid(i128::from(NS_IN_S))).ok()?;
    Some((modified_s.checked_add(apart_s)?, born_ns))
}

/// How many bytes two names have in common at their beginning.
fn shared_length(one: &str, other: &str) -> usize {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, one), other)| one == other).last();
    same.map_or(0, |((at, char), _)| at + char.len_utf8())
}

/// The items of a folder, by their names.
#[derive(Debug, Clone)]
pub(super) struct Items<'a> {
    items: &'a [u8],
    ends: &'a [u8],
    byte: usize,
    end: usize,
    /// The last item's name, time and inode.
    name: String,
    modified_us: i64,
    inode: u64,
}

impl Items<'_> {
    fn take_byte(&mut self) -> Option<u8> {
        let byte = self.items.get(self.byte).copied()?;
        self.byte += 1;
        Some(byte)
    }

    fn take_bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.items.get(self.byte..)?.first_chunk().copied()?;
        self.byte += N;
        Some(bytes)
    }

    fn take_number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.take_byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }

    fn take_length(&mut self) -> Option<usize> {
        usize::try_from(self.take_number()?).ok()
    }

    /// Reads the next item; its name is `self.name` then.
    fn read(&mut self) -> Option<Entry> {
        let flags = self.take_byte()?;
        let (shared, length) = (self.take_length()?, self.take_length()?);
        self.name.truncate(shared);
        self.name.push_str(str::from_utf8(self.ends.get(self.end..self.end + length)?).ok()?);
        self.end += length;
        let size_bytes = self.take_number()?;
        let modified_us = self.modified_us.wrapping_add(unfold(self.take_number()?));
        self.modified_us = modified_us;
        let changed_us = match flags & HAS_CHANGED {
            0 => None,
            _ => NonZeroI64::new(modified_us.wrapping_add(unfold(self.take_number()?))),
        };
        let still_ms = match flags & IS_LONG_STILL {
            0 => u16::from_le_bytes(self.take_bytes()?),
            _ => u16::MAX,
        };
        let inode = self.inode.wrapping_add(unfold(self.take_number()?).cast_unsigned());
        self.inode = inode;
        let (born_s, born_ns) = match flags & IS_BORN_NEAR {
            0 => (unfold(self.take_number()?), u32::try_from(self.take_number()?).ok()?),
            _ => born_at(unfold(self.take_number()?), modified_us)?,
        };
        let node = Node { inode, born_s, born_ns };
        let stamp = Stamp { size_bytes, modified_us, identity: node.identity() };
        Some(Entry { stamp, node, changed_us, still_ms, is_folder: flags & IS_FOLDER != 0 })
    }
}

impl Iterator for Items<'_> {
    type Item = (String, Entry);

    fn next(&mut self) -> Option<(String, Entry)> {
        let entry = self.read()?;
        Some((self.name.clone(), entry))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn node() -> impl Strategy<Value = Node> {
        let anywhere = (any::<u64>(), any::<i64>(), any::<u32>());
        let near = (any::<u64>(), -10_i64..2_000_000_000, 0_u32..1_000_000_000);
        prop_oneof![anywhere, near].prop_map(|(inode, born_s, born_ns)| Node { inode, born_s, born_ns })
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let modified_us = prop_oneof![any::<i64>(), -10_000_000_i64..2_000_000_000_000_000];
        let times = (modified_us, any::<Option<i64>>());
        (any::<u64>(), times, node(), any::<u16>(), any::<bool>()).prop_map(
            |(size_bytes, (modified_us, changed_us), node, still_ms, is_folder)| {
                let stamp = Stamp { size_bytes, modified_us, identity: node.identity() };
                Entry { stamp, node, changed_us: changed_us.and_then(NonZeroI64::new), still_ms, is_folder }
            },
        )
    }

    proptest! {
        #[test]
        fn what_comes_out_is_what_went_in(items in prop::collection::btree_map("(ab|é|日){0,4}\\PC{1,6}", entry(), 0..200), other in entry()) {
            let items: BTreeMap<String, Entry> = items;
            let mut packer = Packer::default();
            packer.push("of another folder", &other);
            packer.clear();
            items.iter().for_each(|(name, entry)| packer.push(name, entry));
            let packed = packer.pack();
            let out: Vec<_> = packed.iter().collect();
            prop_assert_eq!(out, items.clone().into_iter().collect::<Vec<_>>());
            for (name, entry) in &items {
                prop_assert_eq!(packed.find(name), Some(*entry));
            }
            for other in ["", "m", "\u{10ffff}"] {
                prop_assert_eq!(packed.find(other), items.get(other).copied());
            }
        }
    }

    #[test]
    fn files_written_one_after_the_other_take_fifteen_bytes() {
        let mut packer = Packer::default();
        for number in 0..1_000_u32 {
            let modified_us = 1_790_000_000_000_000 + i64::from(number) * 50;
            let (born_s, born_ns) = (1_790_000_000, number * 50_000 - number.min(20) * 1_000);
            let node = Node { inode: 7_340_000 + u64::from(number), born_s, born_ns };
            let stamp = Stamp { size_bytes: 4_096, modified_us, identity: node.identity() };
            let changed_us = NonZeroI64::new(modified_us + 20);
            let entry = Entry { stamp, node, changed_us, still_ms: u16::MAX, is_folder: false };
            packer.push(&format!("{number:05}"), &entry);
        }
        let packed = packer.pack();
        assert!(packed.bytes.len() < 15_000, "{}", packed.bytes.len());
    }
}
