//! Which folders may have changed since they were read, and the observer that knows.

use std::collections::BTreeSet;

/// Folders that may have changed since they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dirty {
    /// These folders, by path below the watched folder, which itself is the empty path. Their subfolders have not
    /// changed, unless a subfolder is new.
    Folders(BTreeSet<String>),
    /// Nobody knows which: all of them may have changed.
    Everything,
}

impl Dirty {
    /// No folder.
    #[must_use]
    pub const fn nothing() -> Self {
        Self::Folders(BTreeSet::new())
    }

    /// Whether no folder may have changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Folders(folders) if folders.is_empty())
    }

    /// Adds the folders of `other`.
    pub fn add(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Folders(folders), Self::Folders(more)) => folders.extend(more),
            _ => *self = Self::Everything,
        }
    }
}

/// Watches folders, and so knows which of them changed.
pub trait Observer: Send + Sync {
    /// The folder at this path below the watched one is about to be read. From now on its changes are told.
    fn enter(&self, folder: &str);
}
