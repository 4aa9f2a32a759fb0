//! Finds drive files by one of their properties, with little memory: a number and an id for each file, where a map
//! would hold the property itself.
//!
//! Always true: a file that was found by its number is checked against the property, so that two properties with one
//! number are not confused.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};

use easel_wire::FileId;

/// See the module.
#[derive(Debug, Default)]
pub struct Index {
    rows: Vec<Row>,
}

/// A file and its property's number, without padding between the two.
#[derive(Debug)]
struct Row {
    number: [u8; 4],
    file: FileId,
}

impl Row {
    const fn number(&self) -> u32 {
        u32::from_ne_bytes(self.number)
    }
}

impl Index {
    /// An index of these files, each with its property.
    pub fn new(files: impl Iterator<Item = (impl Hash, FileId)>) -> Self {
        let mut rows: Vec<_> = files.map(|(key, file)| Row { number: number(&key).to_ne_bytes(), file }).collect();
        rows.sort_by_key(Row::number);
        rows.shrink_to_fit();
        Self { rows }
    }

    /// The last of the files with this property that `is_it` confirms.
    pub fn find(&self, key: &impl Hash, is_it: impl Fn(FileId) -> bool) -> Option<FileId> {
        let number = number(key);
        let from = self.rows.partition_point(|row| row.number() < number);
        let like = self.rows[from..].iter().take_while(|row| row.number() == number);
        like.map(|row| row.file).filter(|file| is_it(*file)).last()
    }
}

/// The property's number, the same for the same property in one run of the program.
fn number(key: &impl Hash) -> u32 {
    let number = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
    (number >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_with_a_key_is_found_that_is_it_indeed() {
        let files: Vec<FileId> = (0..100).map(FileId::imagined).collect();
        let keys = (0..100).map(|number| number % 10);
        let index = Index::new(keys.zip(files.iter().copied()));
        assert_eq!(index.find(&3, |_| true), Some(files[93]));
        assert_eq!(index.find(&3, |file| file < files[50]), Some(files[43]));
        assert_eq!(index.find(&3, |_| false), None);
        assert_eq!(index.find(&10, |_| true), None);
    }
}
