//! Lists a folder: folders first, then designs, then files, in one order, by parts.
//!
//! Always true: a part costs two requests where the service counts and sorts, whatever the size of the folder, and the
//! first part one more for the designs; where the service does neither, the whole folder is read once, to a bound, and
//! cut and sorted here. Not here: searching.

use std::cmp::Ordering;

use easel_client::{Client, Error as ClientError, Feature, PageRequest, Place, Sort, SortKey};
use easel_wire::canvases::Canvas;
use easel_wire::drive::{File, Folder};
use easel_wire::id::IdText;
use easel_wire::list::Page;

use super::heads::Heads;
use super::reading::read_folder;
use super::views::{DriveItem, DriveListing, DriveSort, DriveSortColumn, FolderTree};
use super::{Drive, copies};
use crate::problem::Problem;

/// Items a request, the most that the drive lists allow.
const PAGE: u16 = 200;
/// The most items of one command.
const MOST_ITEMS: u32 = 1_000;
/// Items that are read at most where the service does not sort or count.
const MOST_WHOLE: usize = 5_000;

/// What the two drive lists have in common.
trait Listed: Sized {
    /// Tells the two lists apart.
    const KIND: &'static str;
    fn id(&self) -> IdText;
    async fn page(client: &Client, place: &Place, request: &PageRequest) -> Result<Page<Self>, ClientError>;
    fn compare(&self, other: &Self, column: DriveSortColumn) -> Ordering;
    /// By which column this kind is sorted when the person chose `column`.
    fn column(column: DriveSortColumn) -> DriveSortColumn {
        column
    }
}

impl Listed for Folder {
    const KIND: &'static str = "folders";
    fn id(&self) -> IdText {
        self.id.text()
    }
    async fn page(client: &Client, place: &Place, request: &PageRequest) -> Result<Page<Self>, ClientError> {
        client.list_folders(place, request).await
    }
    fn compare(&self, other: &Self, column: DriveSortColumn) -> Ordering {
        match column {
            DriveSortColumn::UpdatedAt => self.updated_at.cmp(&other.updated_at),
            DriveSortColumn::Name | DriveSortColumn::Size => compare_names(&self.name, &other.name),
        }
    }
    fn column(column: DriveSortColumn) -> DriveSortColumn {
        // A folder has no size.
        if column == DriveSortColumn::Size { DriveSortColumn::Name } else { column }
    }
}

impl Listed for File {
    const KIND: &'static str = "files";
    fn id(&self) -> IdText {
        self.id.text()
    }
    async fn page(client: &Client, place: &Place, request: &PageRequest) -> Result<Page<Self>, ClientError> {
        client.list_files(place, request).await
    }
    fn compare(&self, other: &Self, column: DriveSortColumn) -> Ordering {
        match column {
            DriveSortColumn::Name => compare_names(&self.name, &other.name),
            DriveSortColumn::UpdatedAt => self.updated_at.cmp(&other.updated_at),
            DriveSortColumn::Size => self.size_bytes.cmp(&other.size_bytes),
        }
    }
}

/// Designs have no size; by size they stand by name, as folders do.
fn sort_designs(canvases: &mut [Canvas], sort: DriveSort) {
    canvases.sort_by(|one, other| {
        let ordering = match sort.by {
            DriveSortColumn::UpdatedAt => one.updated_at.cmp(&other.updated_at),
            DriveSortColumn::Name | DriveSortColumn::Size => compare_names(&one.name, &other.name),
        };
        (if sort.descending { ordering.reverse() } else { ordering }).then(one.id.cmp(&other.id))
    });
}

fn compare_names(one: &str, other: &str) -> Ordering {
    one.to_lowercase().cmp(&other.to_lowercase())
}

/// A part of a list, and how long the list is.
struct ListSlice<T> {
    items: Vec<T>,
    total: usize,
}

/// Items `offset` to `offset + limit` of the list in `place`.
async fn read_part<T: Listed>(
    (client, heads): (&Client, &Heads),
    place: &Place,
    offset: usize,
    limit: usize,
    sort: DriveSort,
) -> Result<ListSlice<T>, ClientError> {
    let order = DriveSort { by: T::column(sort.by), descending: sort.descending };
    let mut items: Vec<T> = Vec::new();
    loop {
        // At least one item is asked for, because the answer tells how many there are.
        let wanted = (limit - items.len()).clamp(1, usize::from(PAGE));
        let request = PageRequest {
            limit: u16::try_from(wanted).ok(),
            offset: Some((offset + items.len()) as u64),
            sort: Some(as_query(order)),
            ..PageRequest::default()
        };
        if client.offers(Feature::Totals) == Some(false) {
            return read_whole(client, place, offset, limit, order).await;
        }
        let page = T::page(client, place, &request).await?;
        if client.offers(Feature::Totals).is_none() {
            client.learn(Feature::Totals, page.total.is_some());
        }
        let Some(total) = page.total.and_then(|total| usize::try_from(total).ok()) else {
            return read_whole(client, place, offset, limit, order).await;
        };
        let came = page.items.len();
        let is_beginning = heads.is_beginning(place, T::KIND, offset + items.len(), page.items.first().map(Listed::id));
        items.extend(page.items);
        if is_beginning || (total <= MOST_WHOLE && !looks_sorted(&items, order, total)) {
            return read_whole(client, place, offset, limit, order).await;
        }
        if items.len() >= limit || came == 0 || offset + items.len() >= total {
            items.truncate(limit);
            return Ok(ListSlice { items, total });
        }
    }
}

/// The same from the whole list, to a bound.
async fn read_whole<T: Listed>(
    client: &Client,
    place: &Place,
    offset: usize,
    limit: usize,
    order: DriveSort,
) -> Result<ListSlice<T>, ClientError> {
    let ask = |request| async move { T::page(client, place, &request).await };
    let mut items: Vec<T> = easel_client::read_whole(PAGE, MOST_WHOLE, ask, Listed::id).await?;
    items.sort_by(|one, other| directed(one, other, order));
    let total = items.len();
    Ok(ListSlice { items: items.into_iter().skip(offset).take(limit).collect(), total })
}

fn directed<T: Listed>(one: &T, other: &T, order: DriveSort) -> Ordering {
    let ordering = one.compare(other, order.by);
    if order.descending { ordering.reverse() } else { ordering }
}

/// Whether the service sorted, as far as a part of the list shows. Where the whole list is one request away, one pair
/// out of order is enough to look; where it is many, services fold letters in ways of their own, and only a quarter is.
fn looks_sorted<T: Listed>(items: &[T], order: DriveSort, total: usize) -> bool {
    let pairs = items.windows(2);
    let all = pairs.len();
    let wrong = pairs.filter(|pair| directed(&pair[0], &pair[1], order) == Ordering::Greater).count();
    if total <= usize::from(PAGE) { wrong == 0 } else { wrong * 4 <= all }
}

const fn as_query(order: DriveSort) -> Sort {
    let key = match order.by {
        DriveSortColumn::Name => SortKey::Name,
        DriveSortColumn::UpdatedAt => SortKey::UpdatedAt,
        DriveSortColumn::Size => SortKey::Size,
    };
    Sort { key, is_descending: order.descending }
}

impl Drive {
    /// A part of a folder, folders first. Items whose deletion waits to be sent are left out.
    ///
    /// # Errors
    /// `folder_not_found`, what the connection's state says, or what the service answers.
    pub async fn list_drive(
        &self,
        folder_id: Option<String>,
        offset: u32,
        limit: u32,
        sort: DriveSort,
    ) -> Result<DriveListing, Problem> {
        let folder = read_folder(folder_id.as_deref())?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let place = folder.map_or(Place::Top, Place::In);
        let (start, limit) = (offset as usize, limit.clamp(1, MOST_ITEMS) as usize);
        let note = |error: ClientError| {
            if let (Some(folder), Some("folder_not_found")) = (folder, error.code()) {
                connection.folders.forget(folder);
            }
            self.connections.note_error(&connection, &error, "")
        };
        let way = async {
            let Some(folder) = folder else { return Ok(Vec::new()) };
            if connection.folders.way_to(folder).is_none() {
                connection.folders.load(&client).await?;
            }
            Ok(connection.folders.way_to(folder).unwrap_or_default())
        };
        // Designs begin where folders end and files where designs do, which is known only when the others have come.
        // The first part, which a person waits for, asks for all three at once.
        let read_designs = connection.shelved.read(&client, folder, start == 0);
        let (folders, mut designs, mut files, breadcrumbs) = if start == 0 {
            let folders = read_part::<Folder>((&client, &connection.heads), &place, 0, limit, sort);
            let files = read_part::<File>((&client, &connection.heads), &place, 0, limit, sort);
            tokio::try_join!(folders, read_designs, files, way).map_err(note)?
        } else {
            let folders = read_part::<Folder>((&client, &connection.heads), &place, start, limit, sort);
            let (folders, designs, breadcrumbs) = tokio::try_join!(folders, read_designs, way).map_err(note)?;
            let before = folders.total + designs.len();
            let shown = designs.len().saturating_sub(start.saturating_sub(folders.total));
            let room = limit.saturating_sub(folders.items.len() + shown);
            let from = start.saturating_sub(before);
            let files =
                read_part::<File>((&client, &connection.heads), &place, from, room, sort).await.map_err(note)?;
            (folders, designs, files, breadcrumbs)
        };
        let designs_total = designs.len();
        sort_designs(&mut designs, sort);
        let designs = designs.split_off(start.saturating_sub(folders.total).min(designs_total));
        let within = folder;
        for folder in &folders.items {
            connection.folders.note(folder, within);
        }
        self.connections.note_answer(&connection);
        let folder_items = folders.items.iter().map(|item| DriveItem::of_folder(item, within));
        let designs = self.designs.view_designs(&connection, &designs).into_iter().map(DriveItem::of_design);
        connection.copies.note(&files.items);
        let listed = files.items.len();
        files.items.retain(|file| !copies::is_gone(file));
        let gone = listed - files.items.len();
        let file_items = files.items.iter().map(|file| DriveItem::of_file(&connection, file, within));
        let mut items: Vec<DriveItem> = folder_items.chain(designs).chain(file_items).take(limit).collect();
        let came = items.len();
        connection.names.note(items.iter().map(|item| (&item.id, &item.name)));
        items.retain(|item| !self.deletions.is_hidden(&item.id));
        let hidden = gone + came - items.len();
        Ok(DriveListing {
            connection_id: connection.id.clone(),
            folder_id,
            breadcrumbs,
            items,
            offset: u64::from(offset).into(),
            total: (folders.total + designs_total + files.total).saturating_sub(hidden).into(),
        })
    }

    /// The files of the drive that changed last, newest first.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_recent_files(&self, limit: u32) -> Result<Vec<DriveItem>, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let limit = limit.clamp(1, u32::from(PAGE)) as usize;
        let newest = DriveSort { by: DriveSortColumn::UpdatedAt, descending: true };
        let part = read_part::<File>((&client, &connection.heads), &Place::Everywhere, 0, limit, newest).await;
        let part = part.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        connection.copies.note(&part.items);
        let seen = part.items.iter().filter(|file| !copies::is_gone(file));
        let items = seen.map(|file| DriveItem::of_file(&connection, file, None));
        Ok(items.filter(|item| !self.deletions.is_hidden(&item.id)).collect())
    }

    /// The folders of the drive, for choosing one.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_folder_tree(&self) -> Result<FolderTree, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let truncated = connection
            .folders
            .load(&client)
            .await
            .map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        Ok(connection.folders.tree(truncated))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names_and_sizes: &[(&str, u64)]) -> Vec<File> {
        let file = |(name, size): &(&str, u64)| {
            let id = "file_00000000000000000000000000";
            serde_json::from_value(serde_json::json!({"id": id, "name": name, "size_bytes": size})).unwrap()
        };
        names_and_sizes.iter().map(file).collect()
    }

    #[test]
    fn an_order_is_recognised_without_regard_to_case() {
        let items = files(&[("a", 3), ("B", 2), ("c", 1)]);
        let check = |by, descending, expected| {
            assert_eq!(looks_sorted(&items, DriveSort { by, descending }, 3), expected);
        };
        check(DriveSortColumn::Name, false, true);
        check(DriveSortColumn::Name, true, false);
        check(DriveSortColumn::Size, true, true);
        check(DriveSortColumn::Size, false, false);
        check(DriveSortColumn::UpdatedAt, false, true);
    }

    #[test]
    fn designs_stand_in_the_order_that_was_asked_for() {
        let check = |by, descending, expected: [&str; 3]| {
            let canvas = |(name, updated_at): (&str, &str)| {
                let id = "cvs_00000000000000000000000000";
                serde_json::from_value(serde_json::json!({"id": id, "name": name, "updated_at": updated_at})).unwrap()
            };
            let (old, new) = ("2026-05-01T12:00:00+00:00", "2026-05-02T12:00:00+00:00");
            let mut canvases: Vec<Canvas> =
                [("b", old), ("A", "2026-05-03T12:00:00+00:00"), ("c", new)].map(canvas).into();
            sort_designs(&mut canvases, DriveSort { by, descending });
            assert_eq!(canvases.iter().map(|canvas| canvas.name.as_str()).collect::<Vec<_>>(), expected);
        };
        check(DriveSortColumn::Name, false, ["A", "b", "c"]);
        check(DriveSortColumn::Size, true, ["c", "b", "A"]);
        check(DriveSortColumn::UpdatedAt, true, ["A", "c", "b"]);
    }

    #[test]
    fn in_a_long_list_a_few_names_may_stand_where_the_service_wants_them() {
        let by_name = DriveSort { by: DriveSortColumn::Name, descending: false };
        let mostly = files(&[("a", 1), ("b", 1), ("straße", 1), ("strasse", 1), ("t", 1)]);
        assert!(looks_sorted(&mostly, by_name, 4_000));
        assert!(!looks_sorted(&mostly, by_name, 5));
        let hardly = files(&[("b", 1), ("a", 1), ("d", 1), ("c", 1)]);
        assert!(!looks_sorted(&hardly, by_name, 4_000));
    }
}
