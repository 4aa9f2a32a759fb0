//! Tables by id. Always true: an id carries a good hash of itself, which is used as it is, because a plan of a hundred
//! thousand files looks up a million ids.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use easel_wire::Id;

/// A map by id.
pub type IdMap<K, V> = HashMap<Id<K>, V, BuildHasherDefault<IdHasher>>;
/// A set of ids.
pub type IdSet<K> = HashSet<Id<K>, BuildHasherDefault<IdHasher>>;

/// Uses the hash that an id carries.
#[derive(Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Ids write one number. Any other bytes are hashed plainly, which is slower and as correct.
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use easel_wire::FileId;

    use super::*;

    #[test]
    fn every_id_is_found_again() {
        let ids: Vec<FileId> = (0..10_000).map(FileId::imagined).collect();
        let map: IdMap<_, _> = ids.iter().zip(0..).map(|(id, number)| (*id, number)).collect();
        assert!(ids.iter().zip(0..).all(|(id, number)| map.get(id) == Some(&number)));
        assert_eq!(map.len(), ids.len());
    }
}
