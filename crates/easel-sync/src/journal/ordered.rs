//! A map of rows that come in its order: built without holding them twice, and with its nodes full.
//!
//! Not here: reading the rows.

use std::collections::BTreeMap;

/// So many are put into the map in one.
const AT_ONCE: usize = 16_384;

/// See the module.
pub(super) struct Ordered<K, V> {
    map: BTreeMap<K, V>,
    some: Vec<(K, V)>,
}

impl<K: Ord, V> Ordered<K, V> {
    pub(super) const fn new() -> Self {
        Self { map: BTreeMap::new(), some: Vec::new() }
    }

    /// Adds a row; those that come after have larger keys.
    pub(super) fn push(&mut self, key: K, value: V) {
        self.some.push((key, value));
        // Each time the whole map is gone through: the larger it is, the less often.
        if self.some.len() >= AT_ONCE.max(self.map.len() / 4) {
            self.merge();
        }
    }

    pub(super) fn into_map(mut self) -> BTreeMap<K, V> {
        self.merge();
        self.map
    }

    fn merge(&mut self) {
        self.map.append(&mut std::mem::take(&mut self.some).into_iter().collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_order_is_all_there() {
        for count in [0, 1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE + 7] {
            let mut ordered = Ordered::new();
            (0..count).for_each(|number| ordered.push(number, number + 1));
            let map = ordered.into_map();
            assert!(map.iter().map(|(key, value)| (*key, *value)).eq((0..count).map(|number| (number, number + 1))));
        }
    }
}
