//! Searches the drive's items by name, in the index: the service itself cannot search by name.
//!
//! Always true: an item matches when its name has every word of the search, without regard to case and composition, as
//! the drive compares names; folders come first, then names that begin with the words, then the others by name. Not
//! here: designs, which the service searches itself.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use easel_wire::{FileId, FolderId, ItemRef};

use super::DriveIndex;
use crate::shared::error::Error;
use crate::shared::names;
use crate::sync::tree::{ContentHash, RemoteFile};

/// An item that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriveMatch {
    /// The item's id.
    pub item: ItemRef,
    /// The item's name.
    pub name: String,
    /// The item's folder; `None` at the top.
    pub folder: Option<FolderId>,
    /// The folder's path, such as `/Brand/Photos`; empty at the top.
    pub place: String,
    /// A file's size in bytes.
    pub size_bytes: Option<u64>,
    /// The hash of a file's content, where the service tells it.
    pub hash: Option<ContentHash>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriveMatches {
    /// The first matches.
    pub items: Vec<DriveMatch>,
    /// How many matches there are in all.
    pub total: u64,
    /// False while the drive's lists are still being read: there may be more matches.
    pub is_complete: bool,
}

/// The words of a search, as names are compared.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: Vec<String>,
    whole: String,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let whole = names::key(text.trim()).into_owned();
        Self { words: whole.split_whitespace().map(str::to_owned).collect(), whole }
    }

    fn rank(&self, name: &str, is_file: bool) -> Option<Rank> {
        let key = names::key(name).into_owned();
        let is_match = !self.words.is_empty() && self.words.iter().all(|word| key.contains(word.as_str()));
        is_match.then(|| Rank { is_file, is_within: !key.starts_with(&self.whole), key })
    }
}

/// A match's rank among the others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_file: bool,
    is_within: bool,
    key: String,
}

#[derive(Debug)]
struct Ranked {
    rank: Rank,
    item: ItemRef,
    name: String,
    folder: Option<FolderId>,
    size_bytes: Option<u64>,
    hash: Option<ContentHash>,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| self.item.to_string().cmp(&other.item.to_string()))
    }
}

/// The best matches so far: of a hundred thousand, only as many are held as are shown.
#[derive(Debug)]
pub(super) struct Best {
    words: Words,
    most: usize,
    kept: BinaryHeap<Ranked>,
    total: u64,
}

impl Best {
    pub(super) fn new(words: Words, most: usize) -> Self {
        Self { words, most, kept: BinaryHeap::new(), total: 0 }
    }

    pub(super) fn see_file(&mut self, id: FileId, file: &RemoteFile) {
        let Some(rank) = self.words.rank(&file.name, true) else { return };
        let (name, size_bytes) = (file.name.clone(), Some(file.size_bytes));
        self.keep(Ranked { rank, item: ItemRef::File(id), name, folder: file.folder, size_bytes, hash: file.hash });
    }

    fn see_folder(&mut self, id: FolderId, name: &str, folder: Option<FolderId>) {
        let Some(rank) = self.words.rank(name, false) else { return };
        let (item, name) = (ItemRef::Folder(id), name.to_owned());
        self.keep(Ranked { rank, item, name, folder, size_bytes: None, hash: None });
    }

    fn keep(&mut self, ranked: Ranked) {
        self.total += 1;
        self.kept.push(ranked);
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }
}

impl DriveIndex {
    /// The items whose names have every word of `text`, as far as the drive is known: the first `most` of them.
    ///
    /// # Errors
    /// What the journal fails with.
    pub(crate) async fn search(&self, text: &str, most: usize) -> Result<DriveMatches, Error> {
        self.load().await?;
        let mut best = Best::new(Words::of(text), most);
        let _one_at_a_time = self.writing.lock().await;
        self.flush(None).await?;
        for (id, seen) in &self.picture().folders {
            best.see_folder(*id, &seen.folder.name, seen.folder.parent);
        }
        self.journal.look_through_drive_files(&self.connection_id, |id, file| best.see_file(id, file)).await?;
        let picture = self.picture();
        let items = best.kept.into_sorted_vec().into_iter().map(|ranked| DriveMatch {
            place: ranked.folder.and_then(|folder| picture.path_of(folder)).unwrap_or_default(),
            item: ranked.item,
            name: ranked.name,
            folder: ranked.folder,
            size_bytes: ranked.size_bytes,
            hash: ranked.hash,
        });
        Ok(DriveMatches { items: items.collect(), total: best.total, is_complete: picture.until.whole_at.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use easel_wire::Id;

    #[test]
    fn names_match_by_all_their_words_folders_first_and_no_more_is_held_than_is_shown() {
        let check = |text: &str, most: usize, expected: &[&str], total: u64| {
            let mut best = Best::new(Words::of(text), most);
            for (number, name) in
                ["Launch plan.txt", "plan", "My LAUNCH, final plan.PDF", "Straße.png"].iter().enumerate()
            {
                let file = RemoteFile { folder: None, name: (*name).to_owned(), size_bytes: 1, hash: None };
                best.see_file(Id::imagined(number as u128), &file);
            }
            best.see_folder(Id::imagined(9), "Old plans", None);
            assert_eq!(best.total, total, "{text}");
            let names: Vec<String> = best.kept.into_sorted_vec().into_iter().map(|ranked| ranked.name).collect();
            assert_eq!(names, expected, "{text}");
        };
        check("plan", 9, &["Old plans", "plan", "Launch plan.txt", "My LAUNCH, final plan.PDF"], 4);
        check("  PLAN launch ", 9, &["Launch plan.txt", "My LAUNCH, final plan.PDF"], 2);
        check("plan", 2, &["Old plans", "plan"], 4);
        check("STRASSE", 9, &["Straße.png"], 1);
        check("nothing", 9, &[], 0);
        check("   ", 9, &[], 0);
    }
}
