//! Folders, and what is known of the files in each: in two large blocks of memory, however many they are.
//!
//! Always true: the rows stand in the order of their paths, and no path stands twice. A folder that had memory of its
//! own would keep what is beside it from being given back: it stays for days, and comes while thousands of files
//! around it come and go. Not here: what it means that a folder stands here (`unloaded`).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Sum;
use crate::sync::tree::{bounds_below, rename_keys};

/// See the module.
#[derive(Debug, Clone, Default)]
pub(super) struct FolderSums {
    /// The paths, one after the other.
    paths: String,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// Where the path begins and ends, in bytes.
    begin: usize,
    end: usize,
    sum: Sum,
}

impl FolderSums {
    pub fn contains(&self, folder: &str) -> bool {
        self.find(folder).is_ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Sum)> {
        self.rows.iter().map(|row| (self.path(row), row.sum))
    }

    /// The paths below a folder.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        self.rows[self.range_below(folder)].iter().map(|row| self.path(row))
    }

    /// Adds folders, or replaces what is known of them.
    pub fn extend(&mut self, folders: &BTreeMap<String, Sum>) {
        if folders.is_empty() {
            return;
        }
        let mut all = Self::default();
        let known = self.iter().filter(|(path, _)| !folders.contains_key(*path));
        let mut known = known.peekable();
        for (path, sum) in folders {
            while let Some((before, sum)) = known.next_if(|(before, _)| *before < path.as_str()) {
                all.push(before, sum);
            }
            all.push(path, *sum);
        }
        known.for_each(|(path, sum)| all.push(path, sum));
        all.paths.shrink_to_fit();
        all.rows.shrink_to_fit();
        *self = all;
    }

    /// Removes those of these folders that are there.
    pub fn remove(&mut self, folders: &BTreeSet<String>) {
        let paths = &self.paths;
        // The paths themselves stay until the next folders are added.
        self.rows.retain(|row| !folders.contains(&paths[row.begin..row.end]));
    }

    /// Follows a folder to another path, with all below it.
    pub fn rename(&mut self, from: &str, to: &str) {
        let own = self.find(from).ok().map(|at| &self.rows[at]);
        let rows = self.rows[self.range_below(from)].iter().chain(own);
        let mut moved: BTreeMap<_, _> = rows.map(|row| (self.path(row).to_owned(), row.sum)).collect();
        self.remove(&moved.keys().cloned().collect());
        rename_keys(&mut moved, from, to);
        self.extend(&moved);
    }

    /// Adds a folder that comes after all others.
    fn push(&mut self, path: &str, sum: Sum) {
        let begin = self.paths.len();
        self.paths.push_str(path);
        self.rows.push(Row { begin, end: self.paths.len(), sum });
    }

    /// Where the row of a folder is, or would be.
    fn find(&self, folder: &str) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| self.path(row).cmp(folder))
    }

    fn path(&self, row: &Row) -> &str {
        &self.paths[row.begin..row.end]
    }

    fn range_below(&self, folder: &str) -> Range<usize> {
        let at = |bound: &str| self.rows.partition_point(|row| self.path(row) < bound);
        match bounds_below(folder) {
            Some((first, end)) => at(&first)..at(&end),
            None => self.rows.partition_point(|row| row.begin == row.end)..self.rows.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sync::tree::range_below;

    #[derive(Debug, Clone)]
    enum Act {
        Extend(BTreeMap<String, u64>),
        Remove(BTreeSet<String>),
        Rename(String, String),
    }

    fn path() -> impl Strategy<Value = String> {
        proptest::sample::select(vec!["", "a", "a/b", "a/b/c", "a!", "a0", "ab", "b", "b/ü", "z"])
            .prop_map(str::to_owned)
    }

    fn act() -> impl Strategy<Value = Act> {
        prop_oneof![
            proptest::collection::btree_map(path(), 0_u64..9, 0..5).prop_map(Act::Extend),
            proptest::collection::btree_set(path(), 0..4).prop_map(Act::Remove),
            (path(), path())
                .prop_filter("a folder moves to a free place", |(from, to)| !from.is_empty()
                    && !to.is_empty()
                    && from != to)
                .prop_map(|(from, to)| Act::Rename(from, to)),
        ]
    }

    proptest! {
        #[test]
        fn the_rows_are_those_of_a_map(acts in proptest::collection::vec(act(), 0..12)) {
            let sum = |files| Sum { files, bytes: files * 10 };
            let (mut sums, mut map) = (FolderSums::default(), BTreeMap::new());
            for act in acts {
                match act {
                    Act::Extend(folders) => {
                        let folders: BTreeMap<_, _> = folders.into_iter().map(|(path, files)| (path, sum(files))).collect();
                        sums.extend(&folders);
                        map.extend(folders);
                    }
                    Act::Remove(folders) => {
                        sums.remove(&folders);
                        map.retain(|path, _| !folders.contains(path));
                    }
                    Act::Rename(from, to) => {
                        sums.rename(&from, &to);
                        rename_keys(&mut map, &from, &to);
                    }
                }
                prop_assert!(sums.iter().eq(map.iter().map(|(path, sum)| (path.as_str(), *sum))));
                for folder in ["", "a", "a/b", "b", "none"] {
                    prop_assert_eq!(sums.contains(folder), map.contains_key(folder));
                    let below = range_below(&map, folder).map(|(path, _)| path.as_str()).filter(|path| !path.is_empty());
                    prop_assert!(sums.below(folder).eq(below));
                }
            }
        }
    }
}
