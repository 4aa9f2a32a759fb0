//! What a studio holds: its folders, files, designs and brand kits.
//!
//! Always true: a folder comes after the one that it lies in; what stands for a deleted copy of a file is left out. Not
//! here: where any of it goes (`destination`).

use std::collections::{HashMap, HashSet};

use easel_client::{Client, Error as ClientError, PageRequest, Place, Walk};
use easel_wire::brand_kits::BrandKit;
use easel_wire::canvases::Canvas;
use easel_wire::drive::{File, Folder};
use easel_wire::list::Page;
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
        let folders = list_all(
            |request| {
                let client = client.clone();
                async move { client.list_folders(&Place::Everywhere, &request).await }
            },
            |folder: &Folder| folder.id.text().to_string(),
        );
        let folders = in_order(folders.await?);
        let mut files = list_files(client, Place::Everywhere).await?;
        files.retain(|file| !copies::is_gone(file));
        let designs = list_all(
            |request| {
                let client = client.clone();
                async move { client.list_canvases(&Place::Everywhere, &request).await }
            },
            |canvas: &Canvas| canvas.id.text().to_string(),
        );
        Ok(Self { folders, files, designs: designs.await?, kits: list_kits(client).await? })
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

/// The brand kits of a service; none where it has no route for them.
pub(super) async fn list_kits(client: &Client) -> Result<Vec<BrandKit>, ClientError> {
    let kits = list_all(
        |request| {
            let client = client.clone();
            async move { client.list_brand_kits(&request).await }
        },
        |kit: &BrandKit| kit.id.text().to_string(),
    );
    kits.await
}

/// All files in a place.
pub(super) async fn list_files(client: &Client, place: Place) -> Result<Vec<File>, ClientError> {
    let files = list_all(
        |request| {
            let (client, place) = (client.clone(), place);
            async move { client.list_files(&place, &request).await }
        },
        |file: &File| file.id.text().to_string(),
    );
    files.await
}

/// Everything that a list has, page by page.
pub(super) async fn list_all<T, F: Future<Output = Result<Page<T>, ClientError>>>(
    ask: impl Fn(PageRequest) -> F,
    id: impl Fn(&T) -> String,
) -> Result<Vec<T>, ClientError> {
    let mut all = Vec::new();
    let mut walk = Walk::new(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    while let Some(page) = walk.take(ask(walk.request().clone()).await)? {
        let goes_on = walk.go_on(&page, page.items.first().map(&id).as_deref())?;
        all.extend(page.items);
        if !goes_on {
            break;
        }
    }
    Ok(all)
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
}
