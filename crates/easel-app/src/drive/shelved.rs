//! The designs in a folder, for its listing: after the folders, before the files.
//!
//! Always true: the service lists designs newest first and in no other order, so those of a folder are read whole, to a
//! bound, and sorted here; they are read anew with the first part of a listing and kept for a short time for the parts
//! after it. A service without designs has none in its folders. Not here: the gallery.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Place};
use easel_wire::FolderId;
use easel_wire::canvases::Canvas;
use tokio::time::Instant;

/// Designs a request.
const PAGE: u16 = 100;
/// Designs of one folder that are shown at most.
const MOST: usize = 2_000;
/// How long they are good for the next part of a listing.
const KEPT: Duration = Duration::from_secs(30);

/// The designs of the folder that was listed last.
#[derive(Debug, Default)]
pub(crate) struct Shelved {
    last: Mutex<Option<CachedListing>>,
}

#[derive(Debug)]
struct CachedListing {
    folder: Option<FolderId>,
    read_at: Instant,
    canvases: Vec<Canvas>,
}

impl Shelved {
    /// The designs in a folder, newest first; `None` is the top of the drive. `is_fresh` asks the service in any case.
    pub(super) async fn read(
        &self,
        client: &Client,
        folder: Option<FolderId>,
        is_fresh: bool,
    ) -> Result<Vec<Canvas>, ClientError> {
        if !is_fresh && let Some(kept) = self.kept(folder) {
            return Ok(kept);
        }
        let canvases = match read_whole(client, &folder.map_or(Place::Top, Place::In)).await {
            Err(ClientError::RouteMissing) => Vec::new(),
            read => read?,
        };
        let kept = CachedListing { folder, read_at: Instant::now(), canvases: canvases.clone() };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(canvases)
    }

    fn kept(&self, folder: Option<FolderId>) -> Option<Vec<Canvas>> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref()
            .filter(|kept| kept.folder == folder && kept.read_at.elapsed() < KEPT)
            .map(|kept| kept.canvases.clone())
    }

    /// Something changed: the next listing asks again.
    pub(crate) fn forget(&self) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn is_in(canvas: &Canvas, place: &Place) -> bool {
    match place {
        Place::Everywhere => true,
        Place::Top => canvas.folder_id.is_none(),
        Place::In(folder) => canvas.folder_id.is_none_or(|found| found == *folder),
    }
}

async fn read_whole(client: &Client, place: &Place) -> Result<Vec<Canvas>, ClientError> {
    let ask = |request| async move { client.list_canvases(place, &request).await };
    let mut canvases = easel_client::read_whole(PAGE, MOST, ask, |canvas: &Canvas| canvas.id.text()).await?;
    // A service may answer with all designs, whatever folder is asked for; those that say where they lie are believed.
    canvases.retain(|canvas| is_in(canvas, place));
    canvases.truncate(MOST);
    Ok(canvases)
}
