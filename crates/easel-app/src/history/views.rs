//! The history of synced folders as the page shows it: plain data, and how it comes from easel-sync's.

use easel_sync::folders::{self as sync, Scope, WhyLeft};
use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};

use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::synced::shown;

/// So many refusals are named; all are counted.
const MOST_REFUSED: usize = 50;

/// What happened to a file of a synced folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SyncedChange {
    /// It went up.
    Sent,
    /// It went up in the place of an older version.
    Replaced,
    /// It came down.
    Fetched,
    /// It came down in the place of an older version.
    FetchedAnew,
    /// A folder was made in the drive.
    FolderMadeThere,
    /// A folder was made here.
    FolderMadeHere,
    /// It was moved or renamed in the drive, as it was here.
    MovedThere {
        /// Where it was.
        from: String,
    },
    /// It was moved or renamed here, as it was in the drive.
    MovedHere {
        /// Where it was.
        from: String,
    },
    /// It went to this computer's trash, because it was deleted in the drive.
    Trashed,
    /// It was deleted in the drive, because it was deleted here.
    DeletedThere,
    /// Two contents wanted one name; both were kept.
    Conflict {
        /// The path that the other one has now.
        kept_as: String,
    },
    /// Something that this Easel does not know.
    Unknown,
}

/// Who made a change in the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HistoryAuthor {
    /// What they are called.
    pub name: String,
    /// It is the person themselves, from elsewhere.
    pub is_you: bool,
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedEvent {
    /// Names the line.
    pub id: WholeNumber,
    /// When, RFC 3339.
    pub at: String,
    /// The folder.
    pub folder_id: String,
    /// The folder's name; empty where it is no longer watched.
    pub folder_name: String,
    /// The path below it.
    pub path: String,
    /// What happened.
    pub change: SyncedChange,
    /// The change was made on this computer and went to the drive; else it was made in the drive and came here.
    pub is_from_here: bool,
    /// Who made it, where it came from the drive and that is known.
    pub by: Option<HistoryAuthor>,
    /// The file's size, where one went or came.
    pub bytes: Option<WholeNumber>,
    /// All lines of one run of a folder have this number; `null` for what an older Easel wrote down.
    pub run: Option<WholeNumber>,
    /// It is known what it found and left, so that it can be undone as far as that is kept anywhere.
    pub can_undo: bool,
}

impl SyncedEvent {
    pub(super) fn of(entry: &sync::HistoryEntry, folder_name: String) -> Self {
        Self {
            id: number(entry.id),
            at: entry.at.to_string(),
            folder_id: entry.folder.to_string(),
            folder_name,
            path: shown(&entry.path),
            change: SyncedChange::of(entry),
            is_from_here: is_from_here(&entry.what),
            by: entry.author.as_ref().map(|author| HistoryAuthor { name: shown(&author.name), is_you: author.is_you }),
            bytes: entry.bytes.map(Into::into),
            run: entry.run.map(number),
            can_undo: entry.can_be_undone,
        }
    }
}

/// Whether a change was made on this computer.
pub(super) const fn is_from_here(what: &sync::HistoryEvent) -> bool {
    !matches!(
        what,
        sync::HistoryEvent::Fetched
            | sync::HistoryEvent::FolderMadeHere
            | sync::HistoryEvent::MovedHere { .. }
            | sync::HistoryEvent::Trashed
            | sync::HistoryEvent::Conflict { .. }
    )
}

fn number(id: i64) -> WholeNumber {
    u64::try_from(id).unwrap_or_default().into()
}

impl SyncedChange {
    fn of(entry: &sync::HistoryEntry) -> Self {
        match &entry.what {
            sync::HistoryEvent::Sent => Self::Sent,
            sync::HistoryEvent::Replaced => Self::Replaced,
            // Where nobody wrote down what was there, it is told as what it is in any case.
            sync::HistoryEvent::Fetched if entry.can_be_undone && !entry.is_new => Self::FetchedAnew,
            sync::HistoryEvent::Fetched => Self::Fetched,
            sync::HistoryEvent::FolderMadeThere => Self::FolderMadeThere,
            sync::HistoryEvent::FolderMadeHere => Self::FolderMadeHere,
            sync::HistoryEvent::MovedThere { from } => Self::MovedThere { from: shown(from) },
            sync::HistoryEvent::MovedHere { from } => Self::MovedHere { from: shown(from) },
            sync::HistoryEvent::Trashed => Self::Trashed,
            sync::HistoryEvent::DeletedThere => Self::DeletedThere,
            sync::HistoryEvent::Conflict { kept_as } => Self::Conflict { kept_as: shown(kept_as) },
            _ => Self::Unknown,
        }
    }
}

/// Which changes are to be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HistoryScope {
    /// One.
    One {
        /// From [`SyncedEvent`].
        id: WholeNumber,
    },
    /// All of a run.
    Run {
        /// From [`SyncedEvent`].
        run: WholeNumber,
    },
    /// All since a moment: the folder as it was then.
    Since {
        /// RFC 3339.
        at: String,
    },
}

impl HistoryScope {
    pub(super) fn read(&self) -> Result<Scope, Problem> {
        let number = |number: WholeNumber| i64::try_from(number.get()).unwrap_or_default();
        Ok(match self {
            Self::One { id } => Scope::One(number(*id)),
            Self::Run { run } => Scope::Run(number(*run)),
            Self::Since { at } => {
                let at: Result<Timestamp, _> = at.parse();
                Scope::Since(at.map_err(|_| messages::problem("history_moment", &[]))?)
            }
        })
    }
}

/// A change that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HistoryLeft {
    /// The path.
    pub path: String,
    /// Why, in a person's words.
    pub reason: String,
}

/// What undoing will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HistoryPreview {
    /// Changes that it is about.
    pub changes: WholeNumber,
    /// Files that come back.
    pub back_files: WholeNumber,
    /// Files that get an earlier content.
    pub earlier_files: WholeNumber,
    /// Bytes of both.
    pub bytes: WholeNumber,
    /// Files among those that come back that come beside one that was changed since.
    pub beside_files: WholeNumber,
    /// Files among those that come back with a later content, because nothing holds the earlier.
    pub later_files: WholeNumber,
    /// Files that go to the trash.
    pub trashed_files: WholeNumber,
    /// Files and folders that get their earlier name or place.
    pub moved_items: WholeNumber,
    /// Folders that come back.
    pub back_folders: WholeNumber,
    /// Folders that are removed, if nothing is in them.
    pub removed_folders: WholeNumber,
    /// Files whose content neither trash nor versions hold any more.
    pub lost_files: WholeNumber,
    /// Their paths; the first of them.
    pub lost: Vec<String>,
    /// What stays as it is, and why; the first of them.
    pub left: Vec<HistoryLeft>,
    /// How many those are in all.
    pub left_count: WholeNumber,
    /// Names all of this for `revert_history`.
    pub seen: String,
}

impl HistoryPreview {
    pub(super) fn of(preview: &sync::RevertPreview) -> Self {
        let figures = &preview.figures;
        let left = |left: &sync::Left| HistoryLeft { path: shown(&left.path), reason: reason_of(left.why).to_owned() };
        Self {
            changes: preview.changes.into(),
            back_files: figures.back_files.into(),
            earlier_files: figures.earlier_files.into(),
            bytes: figures.bytes.into(),
            beside_files: figures.beside_files.into(),
            later_files: figures.later_files.into(),
            trashed_files: figures.trashed_files.into(),
            moved_items: figures.moved_items.into(),
            back_folders: figures.back_folders.into(),
            removed_folders: figures.removed_folders.into(),
            lost_files: figures.lost_files.into(),
            lost: preview.lost.iter().map(|path| shown(path)).collect(),
            left: preview.left.iter().map(left).collect(),
            left_count: preview.left_count.into(),
            seen: preview.seen.clone(),
        }
    }
}

fn reason_of(why: WhyLeft) -> &'static str {
    messages::why_not_undone(match why {
        WhyLeft::NotRecorded => "not_recorded",
        WhyLeft::Gone => "gone",
        WhyLeft::ChangedSince => "changed_since",
        WhyLeft::PathTaken => "path_taken",
        WhyLeft::Unreadable => "unreadable",
    })
}

/// What was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HistoryRefused {
    /// The path.
    pub path: String,
    /// Why.
    pub problem: Problem,
}

/// What became of undoing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HistoryReverted {
    /// Steps that were done.
    pub done: WholeNumber,
    /// Steps that were not; the first of them.
    pub refused: Vec<HistoryRefused>,
    /// How many those are in all.
    pub refused_count: WholeNumber,
}

impl HistoryReverted {
    pub(super) fn of(reverted: &sync::Reverted, view: impl Fn(&sync::Refused) -> HistoryRefused) -> Self {
        Self {
            done: reverted.done.into(),
            refused: reverted.refused.iter().take(MOST_REFUSED).map(view).collect(),
            refused_count: reverted.refused.len().into(),
        }
    }
}
