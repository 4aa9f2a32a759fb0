//! The items in the drive and on the disk, in a form that can be compared.

use std::collections::BTreeMap;
use std::path::Path;

use easel_sync::pointers::{Pointer, State};
use easel_sync::tree;
use serde_json::Value;

use crate::http::Http;
use crate::samples::try_hash_file;

/// An item at a path: a file's SHA-256 in hex, or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A folder.
    Folder,
    /// A file.
    File(String),
}

impl Item {
    /// The content of a file.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        match self {
            Self::Folder => None,
            Self::File(hash) => Some(hash),
        }
    }
}

/// Items by path, `/` between names.
pub type Tree = BTreeMap<String, Item>;

/// Everything in the drive, by its path from the top.
///
/// # Panics
/// Where the service does not answer, or names an item twice.
pub async fn read_drive(service: &Http) -> Tree {
    // The files first: a folder that has a file by then has been made, also while someone else is at work.
    let files = list(service, "files").await;
    let folders = list(service, "folders").await;
    let by_id: BTreeMap<&str, &Value> =
        folders.iter().map(|folder| (folder["id"].as_str().expect("an id"), folder)).collect();
    let path_of = |name: &Value, parent: &Value| {
        let mut path = name.as_str().expect("a name").to_owned();
        let mut above = parent.as_str();
        while let Some(folder) = above.map(|id| by_id[id]) {
            path = format!("{}/{path}", folder["name"].as_str().expect("a name"));
            above = folder["parent_folder_id"].as_str();
        }
        path
    };
    let mut items = Tree::new();
    for folder in &folders {
        let path = path_of(&folder["name"], &folder["parent_folder_id"]);
        assert_eq!(items.insert(path, Item::Folder), None, "a folder is there twice");
    }
    for file in files {
        let path = path_of(&file["name"], &file["folder_id"]);
        let hash = file["content_hash"].as_str().and_then(|hash| hash.strip_prefix("sha256:")).expect("a hash");
        assert_eq!(items.insert(path, Item::File(hash.to_owned())), None, "a file is there twice");
    }
    items
}

/// Everything below a folder of the drive, by its path from there; copies in place of their pointers.
///
/// # Panics
/// As [`read_drive`].
pub async fn read_drive_below(service: &Http, folder: &str) -> Tree {
    let below = |path: &str| Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned());
    let items = read_drive(service).await.into_iter().filter_map(|(path, item)| Some((below(&path)?, item)));
    items.filter_map(|(path, item)| expand_pointers(path, item)).collect()
}

/// The copy of a pointer, and any other item as it is; `None` for a pointer that stands for nothing.
#[must_use]
pub fn expand_pointers(path: String, item: Item) -> Option<(String, Item)> {
    let (above, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(above, name)| (above, name));
    let Some(pointer) = Pointer::read(name) else { return Some((path, item)) };
    let hash = pointer.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    (pointer.state == State::Live).then(|| (tree::join(above, &pointer.name), Item::File(hash)))
}

async fn list(service: &Http, what: &str) -> Vec<Value> {
    let (mut items, mut query) = (Vec::new(), String::new());
    loop {
        let page = service.get(&format!("/v1/drive/{what}?limit=200{query}")).await.expect(200);
        items.extend(page["data"].as_array().expect("a list").iter().cloned());
        match page["next_cursor"].as_str() {
            Some(cursor) => query = format!("&cursor={cursor}"),
            None => return items,
        }
    }
}

/// Everything below a folder on disk, the folder itself included, by its path from above it.
///
/// # Panics
/// Where the folder has no name.
#[must_use]
pub fn read_disk(folder: &Path) -> Tree {
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let below = walk(folder, |_| true).into_iter().map(|(path, item)| (format!("{name}/{path}"), item));
    below.chain([(name.clone(), Item::Folder)]).collect()
}

/// Everything below a folder on disk, by its path from there. Hidden items are left out, and so are those that go away
/// while they are read: people and engines may be at work.
#[must_use]
pub fn read_disk_below(root: &Path) -> Tree {
    walk(root, |name| !name.starts_with('.'))
}

fn walk(root: &Path, is_wanted: impl Fn(&str) -> bool) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if !is_wanted(&entry.file_name().to_string_lossy()) {
                continue;
            }
            let Ok(relative) = path.strip_prefix(root) else { continue };
            let relative = relative.to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    tree.insert(relative, Item::Folder);
                    folders.push(path);
                }
                Ok(kind) if kind.is_file() => {
                    if let Ok(hash) = try_hash_file(&path) {
                        tree.insert(relative, Item::File(hash));
                    }
                }
                _ => {}
            }
        }
    }
    tree
}
