//! Conflicts: two versions of one file of a synced folder that were both kept, shown side by side until a person has
//! chosen.
//!
//! Always true: the page gives back what it was shown, so that a file that has changed since is not touched; a path of
//! this computer is never taken from the page. Not here: putting a version in the trash and renaming the other
//! (`easel-sync`), and which lines of two texts differ (`differences`).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use data_encoding::HEXLOWER_PERMISSIVE;
use easel_client::Picture;
use easel_sync::Folders;
use easel_sync::folders::{self as sync, ConflictId, Folder, WatchId};
use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::differences::{TextDifferences, compare};
use super::to_views::name_of;
use super::{SyncedFolders, read_id};
use crate::connections::active_connection::ActiveConnection;
use crate::drive::looks::FileText;
use crate::media::addresses;
use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// The most bytes of a text that are compared.
const MOST_TEXT_BYTES: usize = 1024 * 1024;
/// The longest wait of a comparison for what only the drive knows: when a version was made, and by whom.
const DRIVE_PATIENCE: Duration = Duration::from_secs(2);
/// The most drive files that are asked for at once.
const ASKED_AT_ONCE: usize = 8;

/// The clocks of two computers, or of a computer and its file system, tell for sure only what is further apart, in microseconds.
const APART_US: i64 = 1_000_000;

/// What is to become of two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKeep {
    /// The one with the name, which came from the drive.
    Original,
    /// The one with another name beside it, which was on this computer.
    Copy,
    /// Both, under the names that they have.
    Both,
}

/// One of the two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictVersion {
    /// Its own name.
    pub name: String,
    /// Its size.
    pub size_bytes: WholeNumber,
    /// When it got its content, RFC 3339; `null` where that is not known.
    pub changed_at: Option<String>,
    /// Names what is shown, for `settle_synced_conflicts`.
    pub seen: String,
    /// Its picture, where it is one: an address of the app's own protocol.
    pub picture: Option<String>,
}

/// Two versions of one file, of which the person has yet to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedConflict {
    /// Names it within its folder.
    pub id: String,
    /// The synced folder.
    pub folder_id: String,
    /// What that is called.
    pub folder_name: String,
    /// The path below it of the file with the name.
    pub path: String,
    /// When the two were found to differ, RFC 3339.
    pub at: String,
    /// The one with the name, which came from the drive.
    pub original: ConflictVersion,
    /// The one beside it, which was on this computer.
    pub copy: ConflictVersion,
    /// The one that got its content last; `null` where that is not known.
    pub newest: Option<ConflictKeep>,
    /// What is deleted in this folder stays in the drive, and so does the file with the other name.
    pub stays_in_drive: bool,
}

/// Two versions, looked into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictComparison {
    /// The two as they are now.
    pub conflict: SyncedConflict,
    /// Which lines differ, where both are texts.
    pub text: Option<TextDifferences>,
    /// Who made the one from the drive, where that is known.
    pub original_by: Option<ConflictAuthor>,
    /// Who made the other, where that is known.
    pub copy_by: Option<ConflictAuthor>,
}

/// Who made a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictAuthor {
    /// What they are called.
    pub name: String,
    /// It is the person themselves.
    pub is_you: bool,
}

/// What a person chose for one conflict, and of what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConflictChoice {
    /// From [`SyncedConflict`].
    pub folder_id: String,
    /// From [`SyncedConflict`].
    pub conflict_id: String,
    /// What is kept.
    pub keep: ConflictKeep,
    /// The `seen` of the one with the name.
    pub original_seen: String,
    /// The `seen` of the copy.
    pub copy_seen: String,
}

fn read_conflict(id: &str) -> Result<ConflictId, Problem> {
    id.parse().map(ConflictId).map_err(|_| messages::problem("conflict_over", &[]))
}

fn read_seen(seen: &str) -> Result<sync::ShownVersion, Problem> {
    seen.parse().map_err(|_| messages::problem("conflict_over", &[]))
}

/// What became of a conflict, or why nothing did, in words; `name` is the folder's.
fn of_conflict(connection: &ActiveConnection, error: &easel_sync::Error, name: &str) -> Problem {
    match error {
        easel_sync::Error::NoConflict => messages::problem("conflict_over", &[]),
        easel_sync::Error::ChangedSinceShown { path } => {
            messages::problem("conflict_changed", &[("path", messages::in_order(path).as_ref())])
        }
        easel_sync::Error::Disk { path, cause } if path.is_empty() => {
            messages::problem("conflict_folder", &[("name", name), ("reason", messages::disk_reason(*cause))])
        }
        easel_sync::Error::Disk { path, cause } => messages::problem(
            "conflict_refused",
            &[("path", messages::in_order(path).as_ref()), ("reason", messages::disk_reason(*cause))],
        ),
        error => connection.problem_of_sync(error),
    }
}

/// When the drive's file got the content that is here: not before the one moment, nor after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    earliest: Timestamp,
    latest: Timestamp,
}

impl Span {
    /// The moment, where it is known.
    fn exactly(self) -> Option<Timestamp> {
        (self.earliest == self.latest).then_some(self.earliest)
    }

    /// Which version is the newest, where the copy got its content at this moment; `None` where that cannot be told.
    fn newest(self, copy_at: Timestamp) -> Option<ConflictKeep> {
        let copy_us = copy_at.as_micros();
        if copy_us > self.latest.as_micros().saturating_add(APART_US) {
            Some(ConflictKeep::Copy)
        } else if copy_us.saturating_add(APART_US) < self.earliest.as_micros() {
            Some(ConflictKeep::Original)
        } else {
            None
        }
    }
}

/// What a version looks like.
pub(crate) enum ConflictPicture {
    /// As it is.
    Picture(Picture),
    /// By a picture that has to be drawn of this content.
    Document(Bytes),
}

fn view_version(
    connection_id: &str,
    conflict: &sync::Conflict,
    side: sync::Side,
    version: &sync::Version,
    changed_at: Option<Timestamp>,
) -> ConflictVersion {
    let name = version.path.rsplit('/').next().unwrap_or_default();
    let (folder, id, seen) = (conflict.folder, conflict.id, version.seen.to_string());
    let size_bytes = version.size_bytes;
    let has_picture =
        addresses::type_by_name(name, size_bytes).is_some() || addresses::is_drawn(name, None, Some(size_bytes));
    let picture = has_picture.then(|| {
        let side = if side == sync::Side::Original { "original" } else { "copy" };
        addresses::of_conflict(&format!("{connection_id}/{folder}/{id}/{side}/{seen}"))
    });
    ConflictVersion {
        name: messages::in_order(name).into_owned(),
        size_bytes: version.size_bytes.into(),
        changed_at: changed_at.map(|at| at.to_string()),
        seen,
        picture,
    }
}

/// `span` is when the one from the drive got its content, where anything is known of that.
fn view_conflict(
    connection_id: &str,
    folder: &Folder,
    conflict: &sync::Conflict,
    span: Option<Span>,
) -> SyncedConflict {
    let sync::Conflict { original, copy, .. } = conflict;
    let original_at = span.and_then(Span::exactly);
    SyncedConflict {
        id: conflict.id.to_string(),
        folder_id: conflict.folder.to_string(),
        folder_name: name_of(&folder.path),
        path: messages::in_order(&original.path).into_owned(),
        at: conflict.at.to_string(),
        original: view_version(connection_id, conflict, sync::Side::Original, original, original_at),
        copy: view_version(connection_id, conflict, sync::Side::Copy, copy, Some(copy.modified_at)),
        newest: span.and_then(|span| span.newest(copy.modified_at)),
        stays_in_drive: folder.choices.deletions == sync::DeletionRule::Keep,
    }
}

/// Which lines differ, where both files are texts; `None` where one is something else, or cannot be read.
async fn compare_texts(
    folders: &Folders,
    conflict: &sync::Conflict,
) -> Result<Option<TextDifferences>, easel_sync::Error> {
    let mut texts = Vec::with_capacity(2);
    for (side, version) in [(sync::Side::Original, &conflict.original), (sync::Side::Copy, &conflict.copy)] {
        let read = folders.read_conflict(conflict.folder, conflict.id, side, version.seen, MOST_TEXT_BYTES).await;
        let read = match read {
            // If the two cannot be read, the facts about them are shown.
            Err(easel_sync::Error::Disk { path, cause }) if !path.is_empty() => {
                tracing::debug!(%cause, "a version could not be read");
                return Ok(None);
            }
            read => read?,
        };
        let is_whole = read.len() as u64 == version.size_bytes;
        let Some(text) = FileText::read_as_it_is(&read, is_whole) else { return Ok(None) };
        texts.push((text.to_owned(), !is_whole));
    }
    let (Some((copy, is_copy_cut)), Some((original, is_original_cut))) = (texts.pop(), texts.pop()) else {
        return Ok(None);
    };
    let compared = tokio::task::spawn_blocking(move || compare(&original, &copy, is_original_cut || is_copy_cut));
    // A task that panicked tells nothing; the facts are shown.
    Ok(compared.await.ok())
}

/// When a version got its content. On this computer its file has the time at which it was fetched, so the drive is
/// asked; `None` where the drive does not tell, or has other content by now.
async fn find_span(connection: &ActiveConnection, version: &sync::Version) -> Option<Span> {
    let (id, hash) = (version.file_id?, version.agreed_hash?);
    let is_here = |told: Option<&String>| told.is_some_and(|told| is_hash(told, &hash));
    let client = connection.ready().await.ok()?.client;
    let file = client.get_file(id).await.ok()?;
    if !is_here(file.content_hash.as_ref()) {
        return None;
    }
    // The drive's file is also updated when it is renamed or moved.
    let (made, latest) = (file.created_at?, file.updated_at?);
    if made == latest {
        return Some(Span { earliest: made, latest });
    }
    // Versions may have been deleted, so that the newest one that is left only tells a moment at which the content was
    // still another.
    let replaced = match client.list_versions(id).await {
        // This content was replaced since the file was asked for, or came back; which, nobody tells.
        Ok(versions) if versions.first().is_some_and(|newest| is_here(newest.content_hash.as_ref())) => return None,
        Ok(versions) => versions.first().and_then(|newest| newest.replaced_at),
        Err(_) => None,
    };
    let earliest = replaced.map_or(made, |replaced| replaced.max(made));
    (earliest <= latest).then_some(Span { earliest, latest })
}

/// Whether a hash as the service writes it is this one.
fn is_hash(told: &str, hash: &[u8; 32]) -> bool {
    let digits = told.strip_prefix("sha256:").unwrap_or(told);
    HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).is_ok_and(|told| told == hash)
}

/// When the ones with the names got their content ([`find_span`]), in the order of the conflicts; `None` also where the drive
/// takes too long to tell.
async fn find_spans<'a>(
    connection: &Arc<ActiveConnection>,
    conflicts: impl Iterator<Item = &'a sync::Conflict>,
) -> Vec<Option<Span>> {
    let deadline = Instant::now() + DRIVE_PATIENCE;
    let originals: Vec<sync::Version> = conflicts.map(|conflict| conflict.original.clone()).collect();
    let mut spans = vec![None; originals.len()];
    let mut waiting = originals.into_iter().enumerate();
    let mut asked = JoinSet::new();
    let ask = |asked: &mut JoinSet<_>, (at, version): (usize, sync::Version)| {
        let connection = Arc::clone(connection);
        asked.spawn(async move { (at, find_span(&connection, &version).await) });
    };
    for next in waiting.by_ref().take(ASKED_AT_ONCE) {
        ask(&mut asked, next);
    }
    // Requests that have no answer at the deadline are dropped with the set.
    while let Ok(Some(told)) = timeout_at(deadline, asked.join_next()).await {
        if let Ok((at, span)) = told
            && let Some(place) = spans.get_mut(at)
        {
            *place = span;
        }
        if let Some(next) = waiting.next() {
            ask(&mut asked, next);
        }
    }
    spans
}

/// The author of a version: who put the file in the drive, if nobody has given it other content since.
async fn find_author(connection: &ActiveConnection, version: &sync::Version) -> Option<ConflictAuthor> {
    let client = connection.ready().await.ok()?.client;
    let file = version.file_id?;
    let is_first = match client.list_versions(file).await {
        Ok(versions) => versions.is_empty(),
        // A service that keeps no versions gives no file other content.
        Err(easel_client::Error::Api { status: 404, .. }) => true,
        Err(_) => false,
    };
    if !is_first {
        return None;
    }
    let (name, is_you) = connection.view_person(client.get_file(file).await.ok()?.created_by.as_ref());
    name.map(|name| ConflictAuthor { name, is_you })
}

impl SyncedFolders {
    /// The open conflicts of a synced folder, or of all in view, the newest first in each.
    ///
    /// # Errors
    /// `synced_folder_unknown`, `conflict_folder` where the one that is asked for cannot be read, what the connection's state
    /// says, or what is the matter with the journal.
    pub async fn list_synced_conflicts(&self, folder_id: Option<String>) -> Result<Vec<SyncedConflict>, Problem> {
        let (connection, folders) = self.connections.synced_in_view().await?;
        let wanted = match folder_id.as_deref().map(read_id).transpose()? {
            Some(id) => vec![Self::find_synced(&folders, id)?],
            None => folders.list().into_iter().filter(|folder| folder.conflicts > 0).collect(),
        };
        let is_one = folder_id.is_some();
        let mut listed = Vec::new();
        for folder in &wanted {
            match folders.list_conflicts(folder.id).await {
                Ok(found) => listed.extend(found.into_iter().map(|conflict| (folder, conflict))),
                Err(error) if is_one => return Err(of_conflict(&connection, &error, &name_of(&folder.path))),
                // A folder that cannot be read tells so itself, and the conflicts of the others can be settled.
                Err(error) => tracing::debug!(%error, "the conflicts of a folder cannot be listed"),
            }
        }
        let spans = find_spans(&connection, listed.iter().map(|(_, conflict)| conflict)).await;
        let views = listed.iter().zip(spans);
        Ok(views.map(|((folder, conflict), span)| view_conflict(&connection.id, folder, conflict, span)).collect())
    }

    /// Looks into the two versions of a conflict.
    ///
    /// # Errors
    /// As [`Self::list_synced_conflicts`]; `conflict_over` where there is nothing to choose any more, `conflict_changed` where
    /// one changed while it was read.
    pub async fn compare_synced_conflict(
        &self,
        folder_id: String,
        conflict_id: String,
    ) -> Result<ConflictComparison, Problem> {
        let (id, conflict_id) = (read_id(&folder_id)?, read_conflict(&conflict_id)?);
        let (connection, folders) = self.connections.synced_in_view().await?;
        let folder = Self::find_synced(&folders, id)?;
        let say = |error: easel_sync::Error| of_conflict(&connection, &error, &name_of(&folder.path));
        let conflict = folders.get_conflict(id, conflict_id).await.map_err(say)?;
        let deadline = Instant::now() + DRIVE_PATIENCE;
        let span = timeout_at(deadline, find_span(&connection, &conflict.original)).await.ok().flatten();
        let view = view_conflict(&connection.id, &folder, &conflict, span);
        let text = match (&view.original.picture, &view.copy.picture) {
            (None, None) => compare_texts(&folders, &conflict).await.map_err(say)?,
            _ => None,
        };
        let authors = async {
            tokio::join!(find_author(&connection, &conflict.original), find_author(&connection, &conflict.copy))
        };
        let (original_by, copy_by) = timeout_at(deadline, authors).await.unwrap_or_default();
        Ok(ConflictComparison { conflict: view, text, original_by, copy_by })
    }

    /// Settles conflicts as the person chose, one after the other; what could not be done with each, `null` where it is done.
    ///
    /// # Errors
    /// What the connection's state says; then nothing is done.
    pub async fn settle_synced_conflicts(&self, choices: Vec<ConflictChoice>) -> Result<Vec<Option<Problem>>, Problem> {
        let (connection, folders) = self.connections.synced_in_view().await?;
        let mut outcomes = Vec::with_capacity(choices.len());
        for choice in &choices {
            outcomes.push(settle(&connection, &folders, choice).await.err());
        }
        Ok(outcomes)
    }

    /// Takes back that the person wanted both versions.
    ///
    /// # Errors
    /// `synced_folder_unknown`, `conflict_over` where one of the two is gone, what the connection's state says, or what is the
    /// matter with the journal.
    pub async fn reopen_synced_conflict(&self, folder_id: String, conflict_id: String) -> Result<(), Problem> {
        let (id, conflict) = (read_id(&folder_id)?, read_conflict(&conflict_id)?);
        let (connection, folders) = self.connections.synced_in_view().await?;
        folders.reopen_conflict(id, conflict).await.map_err(|error| of_conflict(&connection, &error, ""))
    }

    /// What a version looks like, by what stands in its address; `None` where that is not there (any more).
    pub(crate) async fn read_conflict_picture(&self, address: &str) -> Option<ConflictPicture> {
        let mut parts = address.split('/');
        let (connection_id, folder, conflict, side, seen) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let connection = self.connections.find(connection_id)?;
        let folders = connection.ready().await.ok()?.synced;
        let (folder, conflict) = (folder.parse().map(WatchId).ok()?, conflict.parse().map(ConflictId).ok()?);
        let found = folders.get_conflict(folder, conflict).await.ok()?;
        let (side, version) = match side {
            "original" => (sync::Side::Original, &found.original),
            "copy" => (sync::Side::Copy, &found.copy),
            _ => return None,
        };
        let seen = seen.parse().ok().filter(|seen| parts.next().is_none() && version.seen == *seen)?;
        let mime_type = addresses::type_by_name(&version.path, version.size_bytes);
        if mime_type.is_none() && !addresses::is_drawn(&version.path, None, Some(version.size_bytes)) {
            return None;
        }
        let most_bytes = usize::try_from(version.size_bytes).ok()?;
        let read = folders.read_conflict(folder, conflict, side, seen, most_bytes).await;
        let bytes = read.inspect_err(|error| tracing::debug!(%error, "a version could not be read")).ok()?.into();
        Some(match mime_type {
            Some(mime_type) => ConflictPicture::Picture(Picture { mime_type: mime_type.to_owned(), bytes }),
            None => ConflictPicture::Document(bytes),
        })
    }
}

async fn settle(connection: &Arc<ActiveConnection>, folders: &Folders, choice: &ConflictChoice) -> Result<(), Problem> {
    let (id, conflict) = (read_id(&choice.folder_id)?, read_conflict(&choice.conflict_id)?);
    let seen = (read_seen(&choice.original_seen)?, read_seen(&choice.copy_seen)?);
    let keep = match choice.keep {
        ConflictKeep::Original => sync::Keep::One(sync::Side::Original),
        ConflictKeep::Copy => sync::Keep::One(sync::Side::Copy),
        ConflictKeep::Both => sync::Keep::Both,
    };
    let folder = SyncedFolders::find_synced(folders, id)?;
    let settled = folders.settle_conflict(id, conflict, keep, seen).await;
    settled.map_err(|error| of_conflict(connection, &error, &name_of(&folder.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_newest_only_where_that_is_certain() {
        let at = Timestamp::from_micros;
        let span = Span { earliest: at(10), latest: at(20) };
        let check = |copy_us: i64, expected: Option<ConflictKeep>| assert_eq!(span.newest(at(copy_us)), expected);
        check(9 - APART_US, Some(ConflictKeep::Original));
        check(10 - APART_US, None);
        check(20 + APART_US, None);
        check(21 + APART_US, Some(ConflictKeep::Copy));
        assert_eq!(span.exactly(), None);
        assert_eq!(Span { earliest: at(20), ..span }.exactly(), Some(at(20)));
    }

    #[test]
    fn a_hash_is_compared_as_services_write_it() {
        let hash = [0xAB; 32];
        let digits = "ab".repeat(32);
        for told in [format!("sha256:{digits}"), digits.clone(), digits.to_uppercase()] {
            assert!(is_hash(&told, &hash), "{told}");
        }
        for told in ["", "sha256:", &digits[2..], &"ac".repeat(32)] {
            assert!(!is_hash(told, &hash), "{told}");
        }
    }
}
