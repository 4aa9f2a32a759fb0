//! The folders of the drive, as far as Easel has seen them: for breadcrumbs, and to tell a file's path.
//!
//! Always true: the last listing counts; if a folder is not known, all folders are asked for once, because the service
//! cannot be asked for a single one. Not here: files, and any judgement about how old this is.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use easel_client::{Client, Error as ClientError, PageRequest, Place, Walk};
use easel_wire::FolderId;
use easel_wire::drive::Folder;

use crate::drive::views::{Breadcrumb, FolderNode, FolderTree};
use crate::messages::{self, Nameless};

/// Folders a page, the most that the drive lists allow.
const PAGE: u16 = 200;
/// The most pages of one look: 5,000 folders, and a fifth of a minute's requests.
const MOST_PAGES: usize = 25;
/// No drive is deeper; a way that is longer goes in circles.
const DEEPEST: usize = 500;

#[derive(Debug, Clone)]
struct Known {
    name: String,
    parent: Option<FolderId>,
}

impl Known {
    fn of(folder: &Folder, parent: Option<FolderId>) -> Self {
        Self { name: messages::named(&folder.name, Nameless::Folder), parent }
    }
}

/// The folders of one drive.
#[derive(Debug, Default)]
pub(crate) struct FolderIndex {
    folders: Mutex<HashMap<FolderId, Known>>,
    is_learning: AtomicBool,
}

impl FolderIndex {
    fn folders(&self) -> std::sync::MutexGuard<'_, HashMap<FolderId, Known>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims the right to ask for all folders in the background; nobody else has it until [`Self::end_learning`].
    pub(crate) fn begin_learning(&self) -> bool {
        !self.is_learning.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn end_learning(&self) {
        self.is_learning.store(false, Ordering::Release);
    }

    /// Takes note of a folder that the service described; `within` is where it was found, for a service that does not
    /// say where it lies.
    pub(crate) fn note(&self, folder: &Folder, within: Option<FolderId>) {
        self.folders().insert(folder.id, Known::of(folder, folder.parent_folder_id.unwrap_or(within)));
    }

    /// Takes note of a folder's place and name after a change.
    pub(crate) fn note_change(&self, id: FolderId, name: Option<&str>, parent: Option<Option<FolderId>>) {
        let mut folders = self.folders();
        if let Some(known) = folders.get_mut(&id) {
            known.parent = parent.unwrap_or(known.parent);
            if let Some(name) = name {
                name.clone_into(&mut known.name);
            }
        }
    }

    /// Notes that a folder is gone.
    pub(crate) fn forget(&self, id: FolderId) {
        self.folders().remove(&id);
    }

    /// The way from below the top down to a folder; `None` where some part of it is not known.
    pub(crate) fn way_to(&self, id: FolderId) -> Option<Vec<Breadcrumb>> {
        let folders = self.folders();
        let mut way = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let known = folders.get(&id)?;
            way.push(Breadcrumb { id: id.to_string(), name: known.name.clone() });
            next = known.parent;
            if way.len() > DEEPEST {
                return None;
            }
        }
        way.reverse();
        Some(way)
    }

    /// The way to a folder as a person reads it, such as `Brand / Logos`; empty for the top.
    pub(crate) fn place_of(&self, id: Option<FolderId>) -> Option<String> {
        let Some(id) = id else { return Some(String::new()) };
        let way = self.way_to(id)?;
        Some(way.into_iter().map(|crumb| crumb.name).collect::<Vec<_>>().join(" / "))
    }

    /// Reads all folders, from one list, or if that does not tell their parents, list by list from the top. Returns
    /// whether there are more than were read.
    pub(crate) async fn load(&self, client: &Client) -> Result<bool, ClientError> {
        let mut pages_left = MOST_PAGES;
        let mut found = HashMap::new();
        let (folders, is_whole) = read_list(client, &Place::Everywhere, &mut pages_left).await?;
        let mut truncated = !is_whole;
        if folders.iter().all(|folder| folder.parent_folder_id.is_some()) {
            found
                .extend(folders.iter().map(|folder| (folder.id, Known::of(folder, folder.parent_folder_id.flatten()))));
        } else {
            let mut places = VecDeque::from([None]);
            while let Some(within) = places.pop_front() {
                let place = within.map_or(Place::Top, Place::In);
                let (folders, is_whole) = read_list(client, &place, &mut pages_left).await?;
                truncated |= !is_whole;
                for folder in &folders {
                    let parent = folder.parent_folder_id.unwrap_or(within);
                    // What was found above already is not gone through again, so that a circle ends.
                    if found.insert(folder.id, Known::of(folder, parent)).is_none() {
                        places.push_back(Some(folder.id));
                    }
                }
            }
        }
        let mut folders = self.folders();
        if truncated {
            folders.extend(found);
        } else {
            *folders = found;
        }
        Ok(truncated)
    }

    /// All known folders as a tree, each level by name. What lies below an unknown folder stands at the top.
    pub(crate) fn tree(&self, truncated: bool) -> FolderTree {
        let folders = self.folders();
        let mut below: HashMap<Option<FolderId>, Vec<(FolderId, &str)>> = HashMap::new();
        for (id, known) in folders.iter() {
            let parent = known.parent.filter(|parent| folders.contains_key(parent));
            below.entry(parent).or_default().push((*id, &known.name));
        }
        FolderTree { folders: nodes(&mut below, None), truncated }
    }
}

/// The folders in a place, as far as `pages_left` reach, and whether those are all.
async fn read_list(client: &Client, place: &Place, pages_left: &mut usize) -> Result<(Vec<Folder>, bool), ClientError> {
    let mut folders: Vec<Folder> = Vec::new();
    let mut walk = Walk::new(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    while let Some(left) = pages_left.checked_sub(1) {
        *pages_left = left;
        let Some(page) = walk.take(client.list_folders(place, walk.request()).await)? else { break };
        let goes_on = walk.go_on(&page, page.items.first().map(|folder| folder.id.text()).as_deref())?;
        folders.extend(page.items);
        if !goes_on {
            return Ok((folders, true));
        }
    }
    Ok((folders, false))
}

/// The nodes below a folder. Each folder's list is taken out, so that a circle cannot be walked twice.
fn nodes(below: &mut HashMap<Option<FolderId>, Vec<(FolderId, &str)>>, parent: Option<FolderId>) -> Vec<FolderNode> {
    let mut children = below.remove(&parent).unwrap_or_default();
    children.sort_by_cached_key(|(id, name)| (name.to_lowercase(), *id));
    children
        .into_iter()
        .map(|(id, name)| FolderNode { id: id.to_string(), name: name.to_owned(), children: nodes(below, Some(id)) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(number: u32, name: &str, parent: Option<u32>) -> Folder {
        let text = serde_json::json!({"id": id(number), "name": name, "parent_folder_id": parent.map(id)});
        serde_json::from_value(text).unwrap()
    }

    fn id(number: u32) -> FolderId {
        format!("fld_{number}").parse().unwrap()
    }

    #[test]
    fn the_way_to_a_folder_is_known_when_all_of_it_is() {
        let index = FolderIndex::default();
        index.note(&folder(2, "Logos", Some(1)), None);
        assert_eq!(index.way_to(id(2)), None);
        index.note(&folder(1, "Brand", None), None);
        assert_eq!(index.place_of(Some(id(2))).unwrap(), "Brand / Logos");
        assert_eq!(index.place_of(None).unwrap(), "");
        index.note_change(id(2), None, None);
        assert_eq!(index.place_of(Some(id(2))).unwrap(), "Brand / Logos", "what is not told stays");
        index.note_change(id(2), Some("Marks"), Some(None));
        assert_eq!(index.place_of(Some(id(2))).unwrap(), "Marks");
        index.forget(id(2));
        assert_eq!(index.place_of(Some(id(2))), None);
    }

    #[test]
    fn folders_that_hold_each_other_end_the_search() {
        let index = FolderIndex::default();
        index.note(&folder(1, "A", Some(2)), None);
        index.note(&folder(2, "B", Some(1)), None);
        assert_eq!(index.way_to(id(1)), None);
        assert!(index.tree(false).folders.is_empty());
    }

    #[test]
    fn the_tree_is_sorted_by_name_without_regard_to_case() {
        let index = FolderIndex::default();
        for (number, name, parent) in [(1, "b", None), (2, "A", None), (3, "c", Some(2)), (4, "lost", Some(99))] {
            index.note(&folder(number, name, parent), None);
        }
        let tree = index.tree(true);
        let names: Vec<_> = tree.folders.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["A", "b", "lost"]);
        assert_eq!(tree.folders[0].children[0].name, "c");
        assert!(tree.truncated);
    }
}
