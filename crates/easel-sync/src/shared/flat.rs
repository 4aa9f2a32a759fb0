//! Maps laid flat in memory, and built anew: the second copies of what stays for long, made where there is room, so
//! that the pages around the first ones can go back to the system.
//!
//! A tree of ten thousand folders is tens of thousands of small blocks. They come while much larger trees are read and
//! planned, so that each of them stands between blocks that are freed soon after, and a page with any block in it cannot
//! be given back. Copies would be made in the holes between the first ones, and leave as many. So all such maps are laid
//! flat first, each in three large blocks, which leaves the small ones' pages empty; and then they are built anew, side
//! by side, at once or when they are needed again. Always true: a map that was laid flat is built with what it had. Not
//! here: when this is worth its time (`folders`).

use std::collections::BTreeMap;

/// Shows each text in an entry of a map, always in the same order.
pub(crate) type TextsOf<K, V> = fn(&mut (K, V), &mut dyn FnMut(&mut String));

/// A map in three blocks of memory, see the module.
pub(crate) struct Flat<K, V> {
    /// The entries, without their texts.
    entries: Vec<(K, V)>,
    /// The texts of all entries, one after the other.
    texts: String,
    /// How many bytes of them each text has.
    lengths: Vec<usize>,
    texts_of: TextsOf<K, V>,
}

impl<K: Ord, V> Flat<K, V> {
    /// Lays a map flat, which is empty then.
    pub(crate) fn take(map: &mut BTreeMap<K, V>, texts_of: TextsOf<K, V>) -> Self {
        let mut entries = Vec::with_capacity(map.len());
        let (mut texts, mut lengths) = (String::new(), Vec::new());
        for mut entry in std::mem::take(map) {
            texts_of(&mut entry, &mut |text| {
                texts.push_str(text);
                lengths.push(text.len());
                *text = String::new();
            });
            entries.push(entry);
        }
        texts.shrink_to_fit();
        lengths.shrink_to_fit();
        Self { entries, texts, lengths, texts_of }
    }

    /// Builds the map anew.
    pub(crate) fn into_map(mut self) -> BTreeMap<K, V> {
        let mut begin = 0;
        let mut lengths = self.lengths.into_iter();
        for entry in &mut self.entries {
            (self.texts_of)(entry, &mut |text| {
                let end = begin + lengths.next().unwrap_or_default();
                self.texts[begin..end].clone_into(text);
                begin = end;
            });
        }
        self.entries.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_was_laid_flat_is_built_with_what_it_had() {
        for count in [0, 1, 5_000] {
            let entry = |number: u32| (format!("key {number}"), (number, "ü".repeat(number as usize % 7)));
            let map: BTreeMap<String, (u32, String)> = (0..count).map(entry).collect();
            let mut taken = map.clone();
            let flat = Flat::take(&mut taken, |(key, (_, text)), show| {
                show(key);
                show(text);
            });
            assert!(taken.is_empty());
            assert_eq!(flat.into_map(), map);
        }
    }
}
