//! Where items land that come back out of the drive's trash.
//!
//! Always true: they come back before anything else is undone, in the folder and under the name that they had in the drive. Not here:
//! which items come back (`acts`).

use std::collections::{HashMap, HashSet};

use easel_wire::FolderId;

use super::acts::{Sources, TrashedPlace};
use crate::shared::names;
use crate::sync::tree;

/// Where items land that come back in the drive: before anything else is undone, in the folder and under the name that they had there.
pub(super) struct Landing {
    /// The paths of the folder as it is, with the names as the drive compares them.
    pub(super) taken: HashSet<String>,
    /// The paths of folders as they are, by identity.
    pub(super) folders: HashMap<u64, String>,
    /// The folders of the picture, by path: which one each is here, and what stands for it in the drive where it comes back.
    pub(super) parents: HashMap<String, (Option<u64>, Option<FolderId>)>,
}

impl Landing {
    /// Whether an item comes to its path of the picture by itself when it comes back in the drive: that is where it lay there, and nothing
    /// else is there now.
    pub(super) fn is_at(&self, path: &str, trashed: &TrashedPlace, sources: &Sources) -> bool {
        let (above, folder) = match tree::parent(path) {
            "" => (Some(""), sources.root),
            parent => {
                let (identity, comes_back) = self.parents.get(parent).copied().unwrap_or_default();
                let above = identity.and_then(|identity| self.folders.get(&identity)).map(String::as_str);
                let known = identity.and_then(|identity| sources.drive_folders.get(&identity).copied());
                (above, known.or(comes_back))
            }
        };
        // The drive follows a folder that moves only where nothing takes its path here, and nothing is yet where it goes.
        let parent = tree::parent(path);
        let is_taken = |above: &str| {
            self.parents.contains_key(above) || self.taken.contains(&compared(tree::parent(parent), parent))
        };
        let is_followed = above.is_none_or(|above| above == parent || !is_taken(above));
        let is_there = trashed.folder.zip(folder).is_none_or(|(lay_in, folder)| lay_in == Some(folder));
        let has_its_name = trashed.name.is_empty() || trashed.name == tree::name(path);
        is_there
            && is_followed
            && has_its_name
            && !above.is_some_and(|above| self.taken.contains(&compared(above, path)))
    }
}

pub(super) fn compared(parent: &str, path: &str) -> String {
    tree::join(parent, &names::key(tree::name(path)))
}
