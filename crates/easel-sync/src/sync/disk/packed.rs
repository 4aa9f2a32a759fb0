//! The items of one folder, packed in memory: their names in one text, and some twenty bytes for each.
//!
//! Always true: items stand in the order of their names, and unpacking gives what was packed. Whole numbers take as
//! many bytes as they need; a time is stored as its difference from the item before, which is small where files were
//! written one after the other. Not here: the meaning of a change of an item (`seen`).

use std::num::NonZeroI64;

use super::seen::Entry;
use crate::sync::tree::Stamp;

/// Every so manieth item is marked: finding an item reads no more items than these.
const APART: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Packed {
    names: String,
    bytes: Vec<u8>,
    /// Where each marked item begins.
    marks: Vec<Mark>,
    count: usize,
    /// The last item's time.
    modified_us: i64,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    byte: u32,
    name: u32,
    /// The time of the item before the mark.
    modified_us: i64,
}

impl Packed {
    /// Adds an item. Items come in the order of their names.
    pub fn push(&mut self, name: &str, entry: &Entry) {
        if self.count.is_multiple_of(APART) {
            let at = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            self.marks.push(Mark {
                byte: at(self.bytes.len()),
                name: at(self.names.len()),
                modified_us: self.modified_us,
            });
        }
        let Entry { stamp, changed_us, still_ms, is_folder } = *entry;
        self.names.push_str(name);
        self.bytes.push(u8::from(is_folder) | u8::from(changed_us.is_some()) << 1);
        self.put(name.len() as u64);
        self.put(stamp.size_bytes);
        self.put(fold(stamp.modified_us.wrapping_sub(self.modified_us)));
        if let Some(changed_us) = changed_us {
            self.put(fold(changed_us.get().wrapping_sub(stamp.modified_us)));
        }
        self.bytes.extend(still_ms.to_le_bytes());
        self.bytes.extend(stamp.identity.to_le_bytes());
        self.modified_us = stamp.modified_us;
        self.count += 1;
    }

    /// No more items will come: gives back spare memory.
    pub fn tighten(&mut self) {
        self.names.shrink_to_fit();
        self.bytes.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    pub fn iter(&self) -> Items<'_> {
        Items { packed: self, byte: 0, name: 0, modified_us: 0 }
    }

    pub fn find(&self, name: &str) -> Option<Entry> {
        let from = |mark: &Mark| Items {
            packed: self,
            byte: mark.byte as usize,
            name: mark.name as usize,
            modified_us: mark.modified_us,
        };
        let is_before = |mark: &Mark| from(mark).next().is_some_and(|(first, _)| first <= name);
        let mark = self.marks.partition_point(is_before).checked_sub(1)?;
        from(&self.marks[mark]).take(APART).find(|(other, _)| *other == name).map(|(_, entry)| entry)
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

/// Folds a difference of either sign into a number that is small where the difference is.
const fn fold(difference: i64) -> u64 {
    ((difference << 1) ^ (difference >> 63)).cast_unsigned()
}

const fn unfold(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// The items of a folder, by their names.
#[derive(Debug, Clone)]
pub(super) struct Items<'a> {
    packed: &'a Packed,
    byte: usize,
    name: usize,
    modified_us: i64,
}

impl Items<'_> {
    fn take_byte(&mut self) -> Option<u8> {
        let byte = self.packed.bytes.get(self.byte).copied()?;
        self.byte += 1;
        Some(byte)
    }

    fn take_bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.packed.bytes.get(self.byte..)?.first_chunk().copied()?;
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
}

impl<'a> Iterator for Items<'a> {
    type Item = (&'a str, Entry);

    fn next(&mut self) -> Option<(&'a str, Entry)> {
        let kind = self.take_byte()?;
        let length = usize::try_from(self.take_number()?).ok()?;
        let name = self.packed.names.get(self.name..self.name + length)?;
        self.name += length;
        let size_bytes = self.take_number()?;
        let modified_us = self.modified_us.wrapping_add(unfold(self.take_number()?));
        self.modified_us = modified_us;
        let changed_us = match kind & 2 {
            0 => None,
            _ => NonZeroI64::new(modified_us.wrapping_add(unfold(self.take_number()?))),
        };
        let still_ms = u16::from_le_bytes(self.take_bytes()?);
        let identity = u64::from_le_bytes(self.take_bytes()?);
        let stamp = Stamp { size_bytes, modified_us, identity };
        Some((name, Entry { stamp, changed_us, still_ms, is_folder: kind & 1 != 0 }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn entry() -> impl Strategy<Value = Entry> {
        let times = (any::<i64>(), any::<Option<i64>>());
        (any::<u64>(), times, any::<u64>(), any::<u16>(), any::<bool>()).prop_map(
            |(size_bytes, (modified_us, changed_us), identity, still_ms, is_folder)| {
                let stamp = Stamp { size_bytes, modified_us, identity };
                Entry { stamp, changed_us: changed_us.and_then(NonZeroI64::new), still_ms, is_folder }
            },
        )
    }

    proptest! {
        #[test]
        fn what_comes_out_is_what_went_in(items in prop::collection::btree_map("\\PC{1,8}", entry(), 0..200)) {
            let items: BTreeMap<String, Entry> = items;
            let mut packed = Packed::default();
            items.iter().for_each(|(name, entry)| packed.push(name, entry));
            packed.tighten();
            let out: Vec<_> = packed.iter().map(|(name, entry)| (name.to_owned(), entry)).collect();
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
    fn files_written_one_after_the_other_take_twenty_bytes_beside_their_names() {
        let mut packed = Packed::default();
        for number in 0..1_000 {
            let modified_us = 1_790_000_000_000_000 + i64::from(number) * 50;
            let stamp = Stamp { size_bytes: 4_096, modified_us, identity: u64::MAX };
            let changed_us = NonZeroI64::new(modified_us + 20);
            packed.push(&format!("{number:05}"), &Entry { stamp, changed_us, still_ms: 60_000, is_folder: false });
        }
        assert!(packed.bytes.len() + packed.marks.len() * size_of::<Mark>() < 20_000, "{}", packed.bytes.len());
    }
}
