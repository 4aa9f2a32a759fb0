//! What arrived becomes files: the rows of uploads, and the one commit that uploads share which are ready at the same
//! moment.
//!
//! A commit waits for the disk, and only one can be under way: whoever gets the turn writes for all who wait. Always
//! true: an upload is written whole or not at all, whatever becomes of the others, and is answered after its commit.
//! Not here: how the bytes came, and what the request may say.

use std::collections::HashMap;

use easel_wire::Timestamp;
use easel_wire::error::code;
use tokio::sync::oneshot::{self, error::TryRecvError};

use crate::blobs::Location;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::drive::{self, Additions, FileRow, NewFile};
use crate::db::uploads::{MEMORY_US, SignedUploadRow};
use crate::db::{Tx, Viewer, quotas, removals, uploads as rows};
use crate::drive::file_url;
use crate::studio::commits::{Arrival, Received, Stored, Waiting};
use crate::studio::keeping::{keep, noted};
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::wire::id::kind;
use crate::wire::uploads::UploadResult;
use crate::wire::{FileId, FolderId};

/// Uploads written down in one commit at most, so that other writes get their turn in between.
const UPLOADS_A_COMMIT: usize = 64;

/// The result of an earlier register of this key, kept for a day; then the key is unknown.
pub(super) fn remembered(studio: &Studio, upload: &SignedUploadRow) -> Result<Option<UploadResult>, Error> {
    match &upload.consumed {
        None => Ok(None),
        Some((at, _)) if studio.clock.now().as_micros().saturating_sub(at.as_micros()) > MEMORY_US => {
            Err(Error::not_found(code::UPLOAD_NOT_FOUND))
        }
        Some((_, text)) => {
            serde_json::from_str(text).map(Some).map_err(|_| Error::Corrupt("the result of a registered upload"))
        }
    }
}

/// Makes a file of a content, or finds the one that has it. The content's first place is empty afterwards, unless it
/// was PUT and could not be registered: then it stays for another try.
pub(super) async fn store(studio: &SharedStudio, caller: &Caller, content: Received) -> Result<UploadResult, Error> {
    let hash = content.hash;
    let first_place = match &content.arrival {
        Arrival::Sent(offered) => offered.location().clone(),
        Arrival::Put { storage_key, .. } => Location::staged(storage_key),
    };
    let was_put = matches!(content.arrival, Arrival::Put { .. });
    let outcome = write_rows(studio, caller, content).await;
    if !outcome.as_ref().is_ok_and(|stored| stored.is_referred_to) {
        remove_unused(&studio.db, &studio.blobs, &[hash]).await;
    }
    if outcome.is_ok() || !was_put {
        studio.blobs.discard_soon(first_place).await;
    }
    outcome.map(|stored| stored.result)
}

/// Waits for a turn, and writes for all who wait by then, unless someone has done so meanwhile. Must not be dropped
/// half-way.
async fn write_rows(studio: &Studio, caller: &Caller, content: Received) -> Result<Stored, Error> {
    let (answer, mut answered) = oneshot::channel();
    studio.commits.waiting().push_back(Waiting { caller: caller.clone(), content, answer });
    loop {
        let turn = studio.commits.turn.lock().await;
        match answered.try_recv() {
            Ok(stored) => return stored,
            Err(TryRecvError::Closed) => return Err(Error::Panicked),
            Err(TryRecvError::Empty) => {}
        }
        let group: Vec<Waiting> = {
            let mut waiting = studio.commits.waiting();
            let count = waiting.len().min(UPLOADS_A_COMMIT);
            waiting.drain(..count).collect()
        };
        write_group(studio, group).await;
        drop(turn);
    }
}

/// Writes all in one commit if that succeeds; else each by itself, so that each fails for its own reason only.
async fn write_group(studio: &Studio, group: Vec<Waiting>) {
    if group.len() > 1
        && let Ok(stored) = write_all(studio, &group).await
    {
        for (waiting, stored) in group.into_iter().zip(stored) {
            // A client that is gone has its rows all the same.
            let _ = waiting.answer.send(Ok(stored));
        }
        return;
    }
    for waiting in group {
        let stored = write_all(studio, std::slice::from_ref(&waiting)).await;
        let stored = stored.and_then(|mut one| one.pop().ok_or(Error::Panicked));
        let _ = waiting.answer.send(stored);
    }
}

/// Writes all rows of all uploads of a group or none; the write connection is free again afterwards.
async fn write_all(studio: &Studio, group: &[Waiting]) -> Result<Vec<Stored>, Error> {
    let mut tx = studio.db.begin().await?;
    let before = studio.db.look();
    let written = async {
        let mut all = Vec::with_capacity(group.len());
        let mut additions = Additions::default();
        let wanted = group
            .iter()
            .map(|Waiting { caller, content, .. }| ((caller.team_id, content.folder_id), &content.name, content.hash));
        additions.look_up(&mut tx, wanted).await?;
        let mut registering = Registering::look_up(&mut tx, group, studio.clock.now()).await?;
        let new = group.iter().filter(|waiting| additions.is_new(&waiting.content.hash));
        let noted = noted(new.filter_map(|waiting| waiting.content.arrival.offered()));
        removals::refuse_removed(&mut tx, &noted).await?;
        for Waiting { caller, content, .. } in group {
            all.push(write_one(studio, caller, content, &mut tx, (&mut additions, &mut registering)).await?);
        }
        registering.finish(&mut tx, studio.clock.now()).await?;
        additions.finish(&mut tx).await?;
        Ok(all)
    };
    match written.await {
        Ok(all) => {
            tx.commit().await?;
            // Files say nothing of those who send them.
            studio.callers.hold_over(before.as_ref(), studio.db.look().as_ref());
            Ok(all)
        }
        Err(error) => {
            if let Err(error) = tx.rollback().await {
                tracing::warn!(%error, "a write could not be rolled back");
            }
            Err(error)
        }
    }
}

/// The signed uploads that a group registers, asked for once and written down once.
struct Registering {
    /// By their storage keys.
    uploads: HashMap<String, SignedUploadRow>,
    /// Those of this group, with their answers.
    consumed: Vec<(String, String)>,
}

impl Registering {
    async fn look_up(tx: &mut Tx, group: &[Waiting], now: Timestamp) -> Result<Self, Error> {
        let keys =
            group.iter().filter_map(|waiting| waiting.content.arrival.storage_key().map(str::to_owned)).collect();
        let found = rows::find_signed_uploads(tx, keys, now).await?;
        let uploads = found.into_iter().map(|upload| (upload.storage_key.clone(), upload)).collect();
        Ok(Self { uploads, consumed: Vec::new() })
    }

    fn find(&self, storage_key: &str) -> Result<&SignedUploadRow, Error> {
        self.uploads.get(storage_key).ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))
    }

    /// Notes the answer to an upload, for whoever of the group registers the same one.
    fn consume(&mut self, storage_key: &str, result: &UploadResult, now: Timestamp) -> Result<(), Error> {
        let text = serde_json::to_string(result).map_err(|_| Error::Corrupt("an upload result"))?;
        if let Some(upload) = self.uploads.get_mut(storage_key) {
            upload.consumed = Some((now, text.clone()));
        }
        self.consumed.push((storage_key.to_owned(), text));
        Ok(())
    }

    async fn finish(self, tx: &mut Tx, now: Timestamp) -> Result<(), Error> {
        let results: Vec<_> = self.consumed.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        rows::mark_consumed(tx, &results, now).await
    }
}

async fn write_one(
    studio: &Studio,
    caller: &Caller,
    content: &Received,
    tx: &mut Tx,
    (additions, registering): (&mut Additions, &mut Registering),
) -> Result<Stored, Error> {
    let viewer = Viewer::from(caller);
    let now = studio.clock.now();
    if let Some(storage_key) = content.arrival.storage_key()
        && let Some(result) = remembered(studio, registering.find(storage_key)?)?
    {
        return Ok(Stored { result, is_referred_to: false });
    }
    if let Some(folder) = content.folder_id {
        additions.check_folder(tx, viewer, folder).await?;
    }
    let result = match additions.find_by_content(tx, viewer, &content.hash).await? {
        Some(file) => {
            drive::files::share_in(tx, viewer, &file).await?;
            // A content that came in the request was offered before; either way the blob is whole now.
            if let Arrival::Put { storage_key, offered: None } = &content.arrival {
                studio.blobs.offer(Location::staged(storage_key), content.hash).await?;
            }
            describe(studio, file, true)
        }
        None => {
            match &content.arrival {
                Arrival::Sent(offered) => {
                    let organization = caller.organization_id;
                    if caller.overrides.have_quota() {
                        additions.write(tx).await?;
                    }
                    quotas::refuse_beyond(tx, organization, &caller.overrides, content.size_bytes, 1).await?;
                    studio.blobs.keep(offered).await?;
                }
                // The content has counted since its PUT.
                Arrival::Put { offered: Some(offered), .. } => studio.blobs.keep(offered).await?,
                Arrival::Put { storage_key, offered: None } => {
                    let offered = studio.blobs.offer(Location::staged(storage_key), content.hash).await?;
                    keep(tx, &studio.blobs, &offered).await?;
                }
            }
            let file = NewFile {
                id: studio.new_id::<kind::File>(),
                name: content.name.clone(),
                folder_id: content.folder_id,
                mime_type: content.mime_type.clone(),
                size_bytes: content.size_bytes,
                content_hash: content.hash,
            };
            let id = file.id;
            // Putting the content at its place may have taken a while, so the moment is taken now: clients ask for
            // changes by it.
            let name = additions.add(tx, viewer, file, studio.clock.now()).await?;
            let sort = (content.mime_type.clone(), content.size_bytes);
            result_of(studio, id, name.as_str().to_owned(), sort, content.folder_id, false)
        }
    };
    if let Some(storage_key) = content.arrival.storage_key() {
        registering.consume(storage_key, &result, now)?;
    }
    Ok(Stored { result, is_referred_to: true })
}

/// The upload result record of a file.
pub(super) fn describe(studio: &Studio, file: FileRow, was_duplicate: bool) -> UploadResult {
    let FileRow { id, name, mime_type, size_bytes, folder_id, .. } = file;
    result_of(studio, id, name, (mime_type, size_bytes), folder_id, was_duplicate)
}

fn result_of(
    studio: &Studio,
    id: FileId,
    name: String,
    (mime_type, size_bytes): (String, u64),
    folder_id: Option<FolderId>,
    was_duplicate: bool,
) -> UploadResult {
    UploadResult {
        file_id: id,
        id,
        was_duplicate,
        url: Some(file_url(&studio.config, id)),
        filename: Some(name),
        mime_type: Some(mime_type),
        size_bytes: Some(size_bytes),
        folder_id,
    }
}
