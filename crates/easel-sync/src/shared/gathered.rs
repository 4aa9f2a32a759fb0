//! Builds a map from rows as they come, and adds to one, without holding rows twice. Rows in the map's order are the
//! fastest.
//!
//! Not here: reading the rows.

use std::collections::BTreeMap;

/// So many rows go into the map together.
const AT_ONCE: usize = 16_384;

/// See the module.
pub(crate) struct Gathered<K, V> {
    map: BTreeMap<K, V>,
    some: Vec<(K, V)>,
}

impl<K: Ord, V> Gathered<K, V> {
    pub(crate) const fn new() -> Self {
        Self { map: BTreeMap::new(), some: Vec::new() }
    }

    /// Adds a row. Each key comes once.
    pub(crate) fn push(&mut self, key: K, value: V) {
        self.some.push((key, value));
        // Each time goes through the whole map: the larger it is, the less often.
        if self.some.len() >= AT_ONCE.max(self.map.len() / 4) {
            self.merge();
        }
    }

    pub(crate) fn into_map(mut self) -> BTreeMap<K, V> {
        self.merge();
        self.map
    }

    fn merge(&mut self) {
        self.map.append(&mut std::mem::take(&mut self.some).into_iter().collect());
    }
}

/// Adds rows to a map, in place of those with the same keys. The rows' memory is freed as they go.
pub(crate) fn add<K: Ord, V>(map: &mut BTreeMap<K, V>, mut rows: BTreeMap<K, V>) {
    // To append goes through the whole map.
    if rows.len() > map.len() / 4 {
        map.append(&mut rows);
    } else {
        map.extend(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_and_many_take_the_place_of_those_with_their_keys() {
        for count in [1, 90] {
            let mut map: BTreeMap<u32, bool> = (0..100).map(|key| (key, false)).collect();
            add(&mut map, (20..20 + count).map(|key| (key, true)).collect());
            assert_eq!(map.len() as u32, 100.max(20 + count));
            assert_eq!(map.values().filter(|is_new| **is_new).count() as u32, count);
        }
    }

    #[test]
    fn what_comes_is_all_there() {
        for count in [0, 1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE + 7] {
            let mut gathered = Gathered::new();
            // Every other one comes late.
            (0..count).step_by(2).for_each(|number| gathered.push(number, number + 1));
            (1..count).step_by(2).for_each(|number| gathered.push(number, number + 1));
            let map = gathered.into_map();
            assert!(map.iter().map(|(key, value)| (*key, *value)).eq((0..count).map(|number| (number, number + 1))));
        }
    }
}
