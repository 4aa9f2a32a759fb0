//! Which folders may be other than they were, and who knows it.

use std::collections::BTreeSet;

/// Which folders may be other than they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dirty {
    /// These, by path below the watched one, which itself is the empty path. What is in their folders is not, unless those
    /// are new.
    Folders(BTreeSet<String>),
    /// Nobody knows: all of them.
    Everything,
}

impl Dirty {
    /// Nothing.
    #[must_use]
    pub const fn nothing() -> Self {
        Self::Folders(BTreeSet::new())
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Folders(folders) if folders.is_empty())
    }

    /// Adds what another says.
    pub fn add(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Folders(folders), Self::Folders(more)) => folders.extend(more),
            _ => *self = Self::Everything,
        }
    }
}

/// Who watches folders, and so knows which are other than they were.
pub trait Observer: Send + Sync {
    /// A folder, by path below the watched one, is about to be read. From now on its changes are told.
    fn enter(&self, folder: &str);
}
