//! What a studio holds: its folders, files, designs and brand kits.
//!
//! Always true: a folder comes after the one that it lies in; what stands for a deleted copy of a file is left out. Not
//! here: where any of it goes (`destination`).

use std::collections::{HashMap, HashSet};

use easel_client::{Client, Error as ClientError, Place, read_whole};
use easel_wire::brand_kits::BrandKit;
use easel_wire::canvases::Canvas;
use easel_wire::drive::{File, Folder};
use easel_wire::{CanvasId, FolderId};

use crate::drive::copies;
use crate::drive::downloads::safe_name;

/// Items in one request; lists of brand kits take no more.
const PAGE: u16 = 100;

/// A folder of the studio.
pub(super) struct FolderHere {
    pub(super) id: FolderId,
    /// `None` at the top.
    pub(super) parent: Option<FolderId>,
    pub(super) name: String,
}

/// See the module.
pub(super) struct Survey {
    folders: Vec<FolderHere>,
    pub(super) files: Vec<File>,
    pub(super) designs: Vec<Canvas>,
    pub(super) kits: Vec<BrandKit>,
}

impl Survey {
    pub(super) async fn of(client: &Client) -> Result<Self, ClientError> {
        let folders = in_order(list_folders(client, &Place::Everywhere).await?);
        let mut files = list_files(client, &Place::Everywhere).await?;
        files.retain(|file| !copies::is_gone(file));
        let ask = |request| async move { client.list_canvases(&Place::Everywhere, &request).await };
        let designs = read_whole(PAGE, usize::MAX, ask, |canvas: &Canvas| canvas.id.text()).await?;
        Ok(Self { folders, files, designs, kits: list_kits(client).await? })
    }

    /// The folders, each after the one that it lies in.
    pub(super) fn folders(&self) -> &[FolderHere] {
        &self.folders
    }

    /// The folder that a file lies in; `None` at the top.
    pub(super) fn folder_of(&self, file: &File) -> Option<FolderId> {
        file.folder_id.flatten()
    }

    /// How many files there are, and how large they are together, as far as that is known.
    pub(super) fn sum(&self) -> (usize, u64) {
        (self.files.len(), self.files.iter().filter_map(|file| file.size_bytes).sum())
    }

    /// The designs, each with the name of its presentation, which no other has.
    pub(super) fn design_files(&self) -> Vec<(CanvasId, String)> {
        let mut taken = HashSet::new();
        // The oldest first, so that a name stays the same while designs are added.
        let named = self.designs.iter().rev().map(|design| {
            let stem = safe_name(&design.name);
            let name = (1_u32..).map(|number| match number {
                1 => format!("{stem}.pptx"),
                number => format!("{stem} ({number}).pptx"),
            });
            let name = name.into_iter().find(|name| taken.insert(name.to_lowercase())).unwrap_or_default();
            (design.id, name)
        });
        named.collect()
    }
}

/// The brand kits of a service.
pub(super) async fn list_kits(client: &Client) -> Result<Vec<BrandKit>, ClientError> {
    let ask = |request| async move { client.list_brand_kits(&request).await };
    read_whole(PAGE, usize::MAX, ask, |kit: &BrandKit| kit.id.text()).await
}

/// The files of a place. A service may answer with all files, whatever folder is asked for; those that say where they lie
/// are believed.
pub(super) async fn list_files(client: &Client, place: &Place) -> Result<Vec<File>, ClientError> {
    let ask = |request| async move { client.list_files(place, &request).await };
    let mut files = read_whole(PAGE, usize::MAX, ask, |file: &File| file.id.text()).await?;
    files.retain(|file| may_lie_in(file.folder_id, place));
    Ok(files)
}

/// The same of folders.
pub(super) async fn list_folders(client: &Client, place: &Place) -> Result<Vec<Folder>, ClientError> {
    let ask = |request| async move { client.list_folders(place, &request).await };
    let mut folders = read_whole(PAGE, usize::MAX, ask, |folder: &Folder| folder.id.text()).await?;
    folders.retain(|folder| may_lie_in(folder.parent_folder_id, place));
    Ok(folders)
}

/// Whether an item may lie in a place, by what it says of its folder: nothing, that it lies at the top, or which.
fn may_lie_in(folder: Option<Option<FolderId>>, place: &Place) -> bool {
    folder.is_none_or(|folder| match place {
        Place::Everywhere => true,
        Place::Top => folder.is_none(),
        Place::In(wanted) => folder == Some(*wanted),
    })
}

/// Puts each folder after the one that it lies in. What lies in a folder that is not listed goes to the top.
fn in_order(folders: Vec<Folder>) -> Vec<FolderHere> {
    let known: HashSet<FolderId> = folders.iter().map(|folder| folder.id).collect();
    let mut below: HashMap<Option<FolderId>, Vec<Folder>> = HashMap::new();
    for folder in folders {
        let parent = folder.parent_folder_id.flatten().filter(|parent| known.contains(parent));
        below.entry(parent).or_default().push(folder);
    }
    let mut ordered = Vec::new();
    let mut next = vec![None];
    while let Some(parent) = next.pop() {
        // Each list is taken out, so that a circle cannot be walked twice.
        for folder in below.remove(&parent).unwrap_or_default() {
            next.push(Some(folder.id));
            ordered.push(FolderHere { id: folder.id, parent, name: folder.name });
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(number: u128, parent: Option<u128>) -> Folder {
        let text = serde_json::json!({
            "id": FolderId::imagined(number).to_string(),
            "name": number.to_string(),
            "parent_folder_id": parent.map(|parent| FolderId::imagined(parent).to_string()),
        });
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn a_folder_comes_after_the_one_that_it_lies_in_whatever_the_list_says() {
        let ordered = in_order(vec![folder(3, Some(2)), folder(2, Some(1)), folder(9, Some(77)), folder(1, None)]);
        let names: Vec<_> = ordered.iter().map(|folder| folder.name.as_str()).collect();
        assert_eq!(names, ["9", "1", "2", "3"]);
        assert_eq!(ordered[0].parent, None, "the folder above it is not listed");
        assert_eq!(in_order(vec![folder(1, Some(2)), folder(2, Some(1))]).len(), 0, "a circle ends");
    }
    #[test]
    fn an_item_that_says_where_it_lies_is_believed() {
        let (here, other) = (FolderId::imagined(1), FolderId::imagined(2));
        let cases = [
            (Place::In(here), Some(Some(here)), true),
            (Place::In(here), Some(Some(other)), false),
            (Place::In(here), Some(None), false),
            (Place::In(here), None, true),
            (Place::Top, Some(None), true),
            (Place::Top, Some(Some(here)), false),
            (Place::Everywhere, Some(Some(other)), true),
        ];
        for (place, folder, expected) in cases {
            assert_eq!(may_lie_in(folder, &place), expected, "{place:?} {folder:?}");
        }
    }
}
