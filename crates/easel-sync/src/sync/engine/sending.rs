//! Sends files to the drive by the one upload protocol (`upload`), with the store's intents as its checkpoints.
//!
//! Always true: an upload that was begun and cannot be ended for now keeps its intent, so that no byte that storage has
//! is sent again; a file that the service refuses for good is remembered with its stamp, and left alone until it
//! changes or a person asks.

use std::collections::BTreeSet;

use easel_wire::{FileId, FolderId};

use super::intent::Intent;
use super::intent::OpenUpload;
use super::removal::Renaming;
use super::state::{Engine, Ports};
use super::step_error::Broken;
use super::step_error::StepError;
use super::task::Outcome;
use crate::shared::causes::{Cause, Failure};
use crate::shared::planted::{Mutant, Planted};
use crate::shared::upload::{Arrived, Checkpoint, Checkpoints, Sending, Upload, UploadError};
use crate::sync::ports::{Clock, Destination, Disk, Drive, DriveError, Settlement, Source, Store, StoreError};
use crate::sync::tree::{
    self, Agreed, ChangedUs, ContentHash, LocalFile, LocalItem, Place, Record, RemoteFile, Replacing, Stamp,
};

/// The checkpoints of a path's upload.
struct Noted<'a, S> {
    store: &'a S,
    /// The agreed records, where they stand still meanwhile.
    agreed: Option<&'a Agreed>,
    path: &'a str,
    stamp: Stamp,
    changed_us: ChangedUs,
    replacing: Option<Replacing>,
    planted: Planted,
}

impl<S: Store> Noted<'_, S> {
    fn under_way(&self, at: Checkpoint) -> OpenUpload {
        let Self { stamp, changed_us, replacing, .. } = *self;
        OpenUpload { path: self.path.to_owned(), stamp, changed_us, at, replacing, refused: None }
    }

    async fn write(&self, under_way: OpenUpload) -> Result<(), StoreError> {
        if self.planted.is(Mutant::ForgetsIntents) {
            return Ok(());
        }
        self.store.intend(&[Intent::Upload(under_way)]).await
    }

    /// Keeps what has to be kept of an upload that broke off.
    async fn keep(&self, error: UploadError<StoreError>, at: Checkpoint) -> Broken {
        let error = match error {
            UploadError::Drive(error) => error,
            UploadError::Store(error) => return error.into(),
        };
        let under_way = self.under_way(at);
        let kept = match &error {
            DriveError::Refused(failure) if failure.cause.is_lasting() => {
                let refused = OpenUpload { refused: Some(failure.clone()), ..under_way };
                if let Err(error) = self.write(refused.clone()).await {
                    return error.into();
                }
                Some(refused)
            }
            _ => under_way.at.has_all_bytes().then_some(under_way),
        };
        Broken { error: error.into(), kept, announced: None }
    }
}

impl<S: Store> Checkpoints for Noted<'_, S> {
    type Error = StoreError;

    async fn save(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        if *checkpoint == Checkpoint::NotBegun {
            // With nothing open in the drive, the intent ends together with the step's result.
            return Ok(());
        }
        self.write(self.under_way(checkpoint.clone())).await
    }

    async fn belongs_to_another(&self, file: FileId) -> Result<bool, StoreError> {
        let mut records = self.agreed.iter().flat_map(|agreed| &agreed.records);
        Ok(records.any(|(path, record)| path != self.path && record.as_file().is_some_and(|other| other.file == file)))
    }
}

/// Sends a file. `under_way` is what is written down of an upload that was begun before.
pub(super) async fn send<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    under_way: OpenUpload,
    place: Place,
    (announced, planted): (Option<Renaming>, Planted),
) -> Result<Outcome, Broken> {
    let OpenUpload { path, stamp, changed_us, at, replacing, .. } = under_way;
    let known = at.hash();
    let noted = Noted { store: &ports.store, agreed: None, path: &path, stamp, changed_us, replacing, planted };
    let source = Source { path: path.clone(), stamp };
    let to = Destination { folder: Some(place.folder), name: place.name };
    let sending = Sending { source: &source, size_bytes: stamp.size_bytes, to: &to, replacing };
    let mut upload = Upload::new(&ports.drive, &noted, &ports.clock, sending, at, planted);
    let arrived = match upload.send().await {
        Ok(arrived) => arrived,
        Err(error) => return Err(noted.keep(error, upload.checkpoint().clone()).await),
    };
    let hash = content_of(ports, &path, stamp, known.or(arrived.hash)).await?;
    let stamp = stamp_of(ports, &path, stamp, planted).await?;
    Ok(Outcome::Sent { path, stamp, changed_us, hash, arrived, announced })
}

/// The content that was sent.
async fn content_of<D: Disk, R, S, C>(
    ports: &Ports<D, R, S, C>,
    path: &str,
    stamp: Stamp,
    known: Option<ContentHash>,
) -> Result<ContentHash, StepError> {
    match known {
        Some(hash) => Ok(hash),
        None => Ok(ports.disk.hash(path, &stamp).await?),
    }
}

/// The file's stamp when sending it was decided.
async fn stamp_of<D: Disk, R, S, C>(
    ports: &Ports<D, R, S, C>,
    path: &str,
    stamp: Stamp,
    planted: Planted,
) -> Result<Stamp, StepError> {
    if !planted.is(Mutant::StampsAfterwards) {
        return Ok(stamp);
    }
    Ok(match ports.disk.look(path).await? {
        Some(LocalItem::File(file)) => file.stamp,
        _ => stamp,
    })
}

/// What has to be found out about an upload that is open.
#[derive(Debug, Clone, Copy)]
enum Question {
    /// How to settle it: the file is still wanted as it was.
    Settle,
    /// Only what came of it.
    Look,
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Settles an upload that was left open by a crash, a lost answer or a wait. Where it stays open, `under_way` says
    /// how far it has come: a file that has landed is not registered again, because the answer to that may tell an
    /// older name.
    pub(super) async fn settle_upload(&mut self, under_way: &mut OpenUpload) -> Result<(), StepError> {
        let wanted = self.folder_above(&under_way.path);
        let is_same = self.local.file(&under_way.path).is_some_and(|local| local.stamp == under_way.stamp);
        // A file that cannot be seen for now may or may not be the same. A link in its place is seen.
        let is_unseen = self.local.is_hidden(&under_way.path) && !self.local.skipped.contains_key(&under_way.path);
        if !is_same && !is_unseen && !self.has_folder(wanted) {
            // The drive folder that the file was on its way to is not there any more.
            return self.settle_without_file(under_way).await;
        }
        let found = under_way.at.hash().and_then(|hash| Some((hash, self.find_by_content(hash)?)));
        if let Some((hash, (file, seen))) = found {
            // In another folder, the file may be this upload's own, where the service put it, or someone else's.
            let is_where_it_is_wanted = seen.folder.is_some() && seen.folder == wanted;
            let may_be_own = match under_way.at {
                // The file was on its way to the wanted folder, and a list may be older than the move.
                Checkpoint::Landed { was_duplicate: false, .. } => self.has_folder(wanted),
                _ => under_way.at.since_us().is_some_and(|since_us| since_us != 0),
            };
            if is_where_it_is_wanted || !may_be_own {
                let arrived = Arrived { file, seen, hash: Some(hash), was_duplicate: true, may_be_own };
                return self.settle_arrived(under_way, hash, arrived).await;
            }
            return match self.ask(under_way, wanted, Question::Settle).await? {
                Some(arrived) => self.settle_arrived(under_way, hash, arrived).await,
                None => {
                    let arrived = Arrived { file, seen, hash: Some(hash), was_duplicate: true, may_be_own: false };
                    self.settle_arrived(under_way, hash, arrived).await
                }
            };
        }
        // A file that has landed is settled without the local one; where an address was signed, storage may have the
        // bytes already.
        let has_landed = matches!(under_way.at, Checkpoint::Landed { .. });
        let is_hidden = is_unseen && !has_landed;
        let may_be_there = under_way.at.may_have_all_bytes();
        if !is_same && may_be_there && is_hidden {
            return Err(StepError::Path(Cause::Unreadable { detail: String::new() }.into()));
        }
        // Where the picture knows the content of the files, it answers as well as the service.
        let is_known = self.knows_contents(under_way.stamp.size_bytes);
        let question = match &under_way.at {
            Checkpoint::NotBegun => None,
            Checkpoint::Landed { .. } => Some(Question::Settle),
            Checkpoint::Signed { .. } | Checkpoint::Staged { .. } if is_same => Some(Question::Settle),
            Checkpoint::Sent { since_us, .. } if is_same && !is_known && *since_us != 0 => Some(Question::Settle),
            // The planner sees what became of the local file. A list may have missed the drive file.
            Checkpoint::Sent { since_us, hash: Some(_) } | Checkpoint::Staged { since_us, hash: Some(_), .. }
                if *since_us != 0 && self.has_folder(wanted) =>
            {
                Some(Question::Look)
            }
            Checkpoint::Signed { .. } | Checkpoint::Staged { .. } | Checkpoint::Sent { .. } => None,
        };
        let may_have_landed = question.is_some();
        let is_over = |error| match error {
            // A file that may have landed and is not known to be ours would look like a new one in the drive: so
            // nothing else goes on.
            StepError::Kind(cause) if may_have_landed => StepError::Look { cause, wait_ms: None, is_open: true },
            error => error,
        };
        if let Some(question) = question
            && let Some(arrived) = self.ask(under_way, wanted, question).await.map_err(is_over)?
        {
            let known = under_way.at.hash().or(arrived.hash);
            let hash = content_of(&self.ports, &under_way.path, under_way.stamp, known).await?;
            return self.settle_arrived(under_way, hash, arrived).await;
        }
        if is_same {
            return self.settle_with(Settlement { done: vec![under_way.path.clone()], ..Settlement::default() }).await;
        }
        self.settle_without_file(under_way).await
    }

    /// Settles an upload that has not landed, and whose file is not at its path. If storage has the bytes and the file is
    /// elsewhere by now, the upload follows; else nobody waits for it.
    async fn settle_without_file(&mut self, under_way: &mut OpenUpload) -> Result<(), StepError> {
        if matches!(under_way.at, Checkpoint::Staged { .. }) {
            if let Some(to) = self.find_moved(under_way) {
                match self.open.iter().position(|intent| intent.paths().any(|open| open == to)) {
                    None => self.follow_file(under_way, to).await?,
                    Some(at) if self.waits_for_its_path(at) => self.change_places(under_way, at).await?,
                    // What is open there is settled first: a path has one intent.
                    Some(_) => return Err(StepError::Path(Cause::Changed.into())),
                }
                return Box::pin(self.settle_upload(under_way)).await;
            }
            if self.local.just_gone.contains(&under_way.path) {
                // The file may have moved during the look.
                return Err(StepError::Path(Cause::Changed.into()));
            }
        }
        self.settle_with(Settlement { done: vec![under_way.path.clone()], ..Settlement::default() }).await
    }

    /// The path at which the file of an upload is by now, where its content is not agreed on there.
    fn find_moved(&self, under_way: &OpenUpload) -> Option<String> {
        let is_known = |path: &str, file: &LocalFile| {
            let record = self.agreed.records.get(path).and_then(Record::as_file);
            record.is_some_and(|record| record.is_untouched(file)) || self.refused.contains_key(path)
        };
        let mut files = self.local.items.iter().filter_map(|(path, item)| Some((path, item.as_file()?)));
        let moved = files.find(|(path, file)| file.stamp == under_way.stamp && !is_known(path, file));
        moved.map(|(path, _)| path.clone())
    }

    /// Has an upload follow its file to another path: storage has the bytes, and they need not be sent again.
    async fn follow_file(&self, under_way: &mut OpenUpload, to: String) -> Result<(), StepError> {
        let from = self.take_path(under_way, to);
        self.ports.store.intend(&[Intent::Upload(under_way.clone())]).await?;
        self.ports.store.settle(&Settlement { done: vec![from], ..Settlement::default() }).await?;
        Ok(())
    }

    /// Whether an open intent is an upload whose file has moved on, and which was settled in vain before: it waits until
    /// the path of its file is free.
    fn waits_for_its_path(&self, at: usize) -> bool {
        let Some(Intent::Upload(under_way)) = self.open.get(at) else { return false };
        matches!(under_way.at, Checkpoint::Staged { .. })
            && self.unresolved.contains_key(&under_way.path)
            && self.find_moved(under_way).is_some_and(|to| to != under_way.path)
    }

    /// Has an upload follow its file to the path of another one, which gets this one's path in return: files that
    /// changed places would wait for each other for ever.
    async fn change_places(&mut self, under_way: &mut OpenUpload, at: usize) -> Result<(), StepError> {
        let Some(Intent::Upload(mut other)) = self.open.get(at).cloned() else {
            return Err(StepError::Path(Cause::Changed.into()));
        };
        let to = self.take_path(&mut other, under_way.path.clone());
        self.take_path(under_way, to.clone());
        let intents = [Intent::Upload(under_way.clone()), Intent::Upload(other.clone())];
        self.ports.store.intend(&intents).await?;
        if let Some(failure) = self.unresolved.remove(&to) {
            self.unresolved.insert(other.path.clone(), failure);
        }
        self.open[at] = Intent::Upload(other);
        Ok(())
    }

    /// Gives an upload another path, and returns the one before. What is agreed there may not be what it was to replace.
    fn take_path(&self, under_way: &mut OpenUpload, to: String) -> String {
        let own = self.agreed.records.get(&to).and_then(Record::as_file).map(|record| record.file);
        under_way.replacing = under_way.replacing.filter(|replacing| own == Some(replacing.file));
        std::mem::replace(&mut under_way.path, to)
    }

    async fn settle_arrived(
        &mut self,
        under_way: &OpenUpload,
        hash: ContentHash,
        arrived: Arrived,
    ) -> Result<(), StepError> {
        self.look_up_files(BTreeSet::from([arrived.file])).await?;
        let settlement =
            self.finish_upload(under_way.path.clone(), (under_way.stamp, under_way.changed_us), hash, arrived);
        self.settle_with(settlement).await
    }

    /// Asks the service what became of an upload. `None`: no file. Where no answer can be had, `under_way` says how far
    /// the upload has come.
    async fn ask(
        &mut self,
        under_way: &mut OpenUpload,
        wanted: Option<FolderId>,
        question: Question,
    ) -> Result<Option<Arrived>, StepError> {
        let OpenUpload { path, stamp, changed_us, at, replacing, .. } = under_way.clone();
        // The upload's folder has to be made first.
        if !self.has_folder(wanted) {
            return Err(StepError::Path(Cause::FolderGone.into()));
        }
        let ports = std::sync::Arc::clone(&self.ports);
        let planted = self.settings.planted;
        let agreed = Some(&self.agreed);
        let noted = Noted { store: &ports.store, agreed, path: &path, stamp, changed_us, replacing, planted };
        let source = Source { path: path.clone(), stamp };
        let to = Destination { folder: wanted, name: tree::name(&path).to_owned() };
        let sending = Sending { source: &source, size_bytes: stamp.size_bytes, to: &to, replacing };
        let mut upload = Upload::new(&ports.drive, &noted, &ports.clock, sending, at, planted);
        let answer = match question {
            Question::Settle => upload.resume().await,
            Question::Look => upload.look().await,
        };
        match answer {
            Ok(arrived) => Ok(arrived),
            Err(error) => {
                let Broken { error, kept, .. } = noted.keep(error, upload.checkpoint().clone()).await;
                match kept {
                    Some(kept) if kept.refused.is_some() => {
                        self.refused.insert(path, kept);
                        Err(StepError::Refused)
                    }
                    kept => {
                        if let Some(kept) = kept {
                            *under_way = kept;
                        }
                        Err(error)
                    }
                }
            }
        }
    }

    fn has_folder(&self, wanted: Option<FolderId>) -> bool {
        wanted.is_some_and(|folder| self.remote.folders.contains_key(&folder))
    }

    fn find_by_content(&self, hash: ContentHash) -> Option<(FileId, RemoteFile)> {
        let mut files = self.remote.files.iter();
        let has_it = |id: FileId, seen: &RemoteFile| seen.hash == Some(hash) && !self.remote.pointers.contains(id);
        files.find(|(id, seen)| has_it(**id, seen)).map(|(id, seen)| (*id, seen.clone()))
    }

    /// Whether the picture knows the content of all drive files of this size.
    fn knows_contents(&self, size_bytes: u64) -> bool {
        self.remote.files.values().all(|seen| seen.hash.is_some() || seen.size_bytes != size_bytes)
    }

    /// Forgets refusals of files that the look saw changed. A refused file that moved is registered at its new path, or
    /// refused there again while it has the same name: its bytes are not sent again. The refusal of a file that was not
    /// seen stays, because a look may have missed the file.
    pub(super) async fn review_refusals(&mut self) -> Result<(), StepError> {
        let stamp_at = |path: &str| self.local.file(path).map(|file| file.stamp);
        let (mut over, mut missed) = (Vec::new(), Vec::new());
        for under_way in self.refused.values() {
            match stamp_at(&under_way.path) {
                Some(stamp) if stamp == under_way.stamp => {}
                Some(_) => over.push(under_way.path.clone()),
                None => missed.push(under_way),
            }
        }
        let mut moved = Vec::new();
        if !missed.is_empty() {
            for (path, item) in &self.local.items {
                let LocalItem::File(file) = item else { continue };
                let Some(under_way) = missed.iter().find(|under_way| under_way.stamp == file.stamp) else { continue };
                let has_its_name = tree::name(path) == tree::name(&under_way.path);
                let refused = under_way.refused.clone().filter(|_| has_its_name);
                over.push(under_way.path.clone());
                if refused.is_some() || under_way.at.has_all_bytes() {
                    moved.push(OpenUpload { path: path.clone(), refused, ..(*under_way).clone() });
                }
            }
        }
        if over.is_empty() {
            return Ok(());
        }
        let intents: Vec<Intent> = moved.iter().cloned().map(Intent::Upload).collect();
        self.ports.store.intend(&intents).await?;
        // An intent takes the place of an older one of its path.
        let is_taken = |path: &&String| moved.iter().any(|under_way| under_way.path == **path);
        let done = over.iter().filter(|path| !is_taken(path)).cloned().collect();
        self.ports.store.settle(&Settlement { done, ..Settlement::default() }).await?;
        for path in over {
            self.refused.remove(&path);
        }
        for under_way in moved {
            self.take_up(under_way);
        }
        Ok(())
    }

    /// The local files that the service refuses as they are.
    pub(super) fn list_refused(&self) -> impl Iterator<Item = (String, Failure)> {
        // Of a file that cannot be seen for now nothing is known that would lift its refusal.
        let is_as_refused = |under_way: &&OpenUpload| match self.local.file(&under_way.path) {
            Some(file) => file.stamp == under_way.stamp,
            None => self.local.is_hidden(&under_way.path),
        };
        let left_alone = self.refused.values().filter(is_as_refused);
        left_alone.filter_map(|under_way| Some((under_way.path.clone(), under_way.refused.clone()?)))
    }

    /// Takes up an upload from the store: to be settled, or to be left alone.
    pub(super) fn take_up(&mut self, under_way: OpenUpload) {
        if under_way.refused.is_some() {
            self.refused.insert(under_way.path.clone(), under_way);
        } else {
            self.open.push(Intent::Upload(under_way));
        }
    }

    /// Lets refused files be tried again: `path`, and the paths below it; all where `path` is empty. The next run tries
    /// them. Bytes that storage has are not sent again.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn try_refused_again(&mut self, path: &str) -> Result<(), StoreError> {
        let was_loaded = self.load_for_order().await?;
        let is_meant = |at: &String| at == path || tree::is_below(at, path);
        let meant: Vec<OpenUpload> =
            self.refused.values().filter(|under_way| is_meant(&under_way.path)).cloned().collect();
        let again: Vec<OpenUpload> =
            meant.into_iter().map(|under_way| OpenUpload { refused: None, ..under_way }).collect();
        let intents: Vec<Intent> = again.iter().cloned().map(Intent::Upload).collect();
        self.ports.store.intend(&intents).await?;
        for under_way in again {
            self.refused.remove(&under_way.path);
            self.take_up(under_way);
        }
        self.is_loaded = was_loaded;
        Ok(())
    }
}
