//! Looking for something in the whole drive by its name.
//!
//! Always true: folders and files are looked for in what easel-sync knows of the drive, as the service has no such
//! question; designs are asked for there, which has one. What a person has deleted is not found. Not here: the
//! gallery's search.

use easel_client::{Client, Error as ClientError, PageRequest};
use easel_sync::folders::DriveMatch;
use easel_wire::canvases::Canvas;
use easel_wire::{ErrorType, ItemRef};

use super::Drive;
use super::views::{DriveFound, DriveFoundItem, DriveItemKind};
use crate::connections::active_connection::ActiveConnection;
use crate::media::addresses;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// The longest search, in characters (contract: one name's length).
const MOST_CHARS: usize = 255;
/// The most items of one search.
const MOST_ITEMS: u32 = 500;
/// The most designs that one search asks for.
const DESIGNS: u16 = 50;

impl Drive {
    /// The items of the drive in view whose names have every word of `query`: folders, then designs, then files.
    ///
    /// # Errors
    /// What the connection's state says, what the service answers, or what the journal fails with.
    pub async fn search_drive(&self, query: String, limit: u32) -> Result<DriveFound, Problem> {
        let query: String = query.trim().chars().take(MOST_CHARS).collect();
        let connection = self.connections.selected()?;
        let session = connection.ready().await?;
        if query.is_empty() {
            return Ok(DriveFound {
                connection_id: connection.id.clone(),
                items: Vec::new(),
                total: 0_u64.into(),
                is_complete: true,
            });
        }
        let limit = limit.clamp(1, MOST_ITEMS) as usize;
        let designs = async {
            search_designs(&session.client, &query)
                .await
                .map_err(|error| self.connections.note_error(&connection, &error, ""))
        };
        let matches = async {
            session.synced.search_drive(&query, limit).await.map_err(|error| connection.problem_of_sync(&error))
        };
        let (designs, found) = tokio::try_join!(designs, matches)?;
        let (folders, files): (Vec<_>, Vec<_>) =
            found.items.into_iter().partition(|item| matches!(item.item, ItemRef::Folder(_)));
        let total = found.total + designs.len() as u64;
        let of_match = |found: &DriveMatch| of_match(&connection.id, found);
        let folders = folders.iter().map(of_match);
        let designs = designs.iter().map(|canvas| of_design(&connection, canvas));
        let mut items: Vec<_> = folders.chain(designs).chain(files.iter().map(of_match)).take(limit).collect();
        let came = items.len();
        items.retain(|item| !self.deletions.is_hidden(&item.id));
        let hidden = (came - items.len()) as u64;
        self.connections.note_answer(&connection);
        Ok(DriveFound {
            connection_id: connection.id.clone(),
            items,
            total: total.saturating_sub(hidden).into(),
            is_complete: found.is_complete,
        })
    }
}

/// The first designs that the service finds; a service that cannot search designs finds none.
async fn search_designs(client: &Client, query: &str) -> Result<Vec<Canvas>, ClientError> {
    let request = PageRequest { limit: Some(DESIGNS), ..PageRequest::default() };
    match client.search_canvases(query, &request).await {
        Err(ClientError::RouteMissing) => Ok(Vec::new()),
        // What the key may not see is not found; folders and files are all the same.
        Err(error) if error.error_type() == Some(&ErrorType::Permission) => Ok(Vec::new()),
        page => Ok(page?.items),
    }
}

fn of_match(connection_id: &str, found: &DriveMatch) -> DriveFoundItem {
    let is_folder = matches!(found.item, ItemRef::Folder(_));
    DriveFoundItem {
        kind: match found.item {
            ItemRef::Folder(_) => DriveItemKind::Folder,
            ItemRef::Canvas(_) => DriveItemKind::Design,
            ItemRef::File(_) => DriveItemKind::File,
        },
        id: found.item.to_string(),
        name: messages::named(&found.name, if is_folder { Nameless::Folder } else { Nameless::File }),
        folder_id: found.folder.map(|id| id.to_string()),
        place: found.place.trim_start_matches('/').replace('/', " / "),
        size_bytes: found.size_bytes.map(Into::into),
        thumbnail: match (found.item, found.size_bytes, found.hash) {
            (ItemRef::File(file), Some(size_bytes), Some(hash)) => {
                addresses::preview_by_name(connection_id, (file, &found.name), size_bytes, &hash)
            }
            _ => None,
        },
    }
}

fn of_design(connection: &ActiveConnection, canvas: &Canvas) -> DriveFoundItem {
    DriveFoundItem {
        kind: DriveItemKind::Design,
        id: canvas.id.to_string(),
        name: messages::named(&canvas.name, Nameless::Design),
        folder_id: canvas.folder_id.map(|id| id.to_string()),
        place: connection.folders.place_of(canvas.folder_id).unwrap_or_default(),
        size_bytes: None,
        thumbnail: Some(addresses::of_design(&connection.id, canvas.id, canvas.updated_at)),
    }
}
