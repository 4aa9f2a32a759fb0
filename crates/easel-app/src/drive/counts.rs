//! Counting what goes when items go, so that a person can be told before.
//!
//! Always true: counting stops after a bounded number of requests and says that there is more. Not here: deleting.

use std::collections::VecDeque;

use easel_client::{Client, Error as ClientError, PageRequest, Place};
use easel_wire::{FolderId, ItemRef};

use super::Drive;
use super::reading::read_item;
use super::views::ItemCounts;
use crate::problem::Problem;

/// The most requests of one count: a quarter of a minute's.
const MOST_REQUESTS: usize = 30;
const PAGE: u16 = 200;

#[derive(Debug, Default)]
struct Tally {
    folders: u64,
    files: u64,
    bytes: u64,
    requests: usize,
}

impl Tally {
    const fn may_ask(&self) -> bool {
        self.requests < MOST_REQUESTS
    }

    /// Counts what lies directly in a folder and returns the folders in it; `None` where that was too much to ask.
    async fn look_into(&mut self, client: &Client, folder: FolderId) -> Result<Option<Vec<FolderId>>, ClientError> {
        let place = Place::In(folder);
        let first = || Some(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
        let mut below = Vec::new();
        let mut request = first();
        while let Some(asked) = request {
            if !self.may_ask() {
                return Ok(None);
            }
            self.requests += 1;
            let page = client.list_files(&place, &asked).await?;
            request = asked.after(&page);
            self.files += page.items.len() as u64;
            self.bytes += page.items.iter().filter_map(|file| file.size_bytes).sum::<u64>();
        }
        let mut request = first();
        while let Some(asked) = request {
            if !self.may_ask() {
                return Ok(None);
            }
            self.requests += 1;
            let page = client.list_folders(&place, &asked).await?;
            request = asked.after(&page);
            self.folders += page.items.len() as u64;
            below.extend(page.items.iter().map(|folder| folder.id));
        }
        Ok(Some(below))
    }
}

impl Drive {
    /// Counts what goes when items go, folders with everything in them.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn count_items(&self, item_ids: Vec<String>) -> Result<ItemCounts, Problem> {
        let items = item_ids.iter().map(|id| read_item(id)).collect::<Result<Vec<_>, _>>()?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let note = |error: ClientError| self.connections.note_error(&connection, &error, "");
        let mut tally = Tally::default();
        let mut at_least = false;
        let mut folders = VecDeque::new();
        for item in items {
            match item {
                ItemRef::Folder(id) => {
                    tally.folders += 1;
                    folders.push_back(id);
                }
                ItemRef::File(id) => {
                    tally.files += 1;
                    if tally.may_ask() {
                        tally.requests += 1;
                        tally.bytes += client.get_file(id).await.map_err(note)?.size_bytes.unwrap_or_default();
                    } else {
                        at_least = true;
                    }
                }
                ItemRef::Canvas(_) => tally.files += 1,
            }
        }
        while let Some(folder) = folders.pop_front() {
            match tally.look_into(&client, folder).await.map_err(note)? {
                Some(below) => folders.extend(below),
                None => {
                    at_least = true;
                    break;
                }
            }
        }
        Ok(ItemCounts { folders: tally.folders.into(), files: tally.files.into(), bytes: tally.bytes.into(), at_least })
    }
}
