//! Makes the page's views of synced folders from easel-sync's types.
//!
//! Always true: a path is shown from the home folder on, with a sign for each letter that turns others round. Not here:
//! the types themselves (`views`).

use std::path::Path;

use easel_sync::folders as sync;

use super::left_out;
use super::views::{
    SyncDeletions, SyncMode, SyncedChoices, SyncedFolderView, SyncedPreview, SyncedSkip, SyncedState, SyncedUndoing,
};
use crate::causes;
use crate::messages;

fn view_choices(choices: &sync::Choices) -> SyncedChoices {
    let (ignore, left_out) = left_out::split(&choices.ignore);
    SyncedChoices {
        mode: match choices.mode {
            sync::Mode::UploadOnly => SyncMode::UploadOnly,
            sync::Mode::BothWays => SyncMode::BothWays,
        },
        deletions: match choices.deletions {
            sync::DeletionRule::Keep => SyncDeletions::Keep,
            sync::DeletionRule::Delete => SyncDeletions::Delete,
        },
        ignore,
        left_out,
    }
}

/// A folder for the page. `host` is what the service is called.
pub(super) fn view_folder(folder: &sync::Folder, host: &str) -> SyncedFolderView {
    SyncedFolderView {
        id: folder.id.to_string(),
        name: name_of(&folder.path),
        path: show_path(&folder.path),
        drive_folder_id: folder.drive_folder_id.to_string(),
        drive_place: folder.drive_path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" / "),
        choices: view_choices(&folder.choices),
        state: view_state(&folder.state, &name_of(&folder.path), host),
        files: folder.files.into(),
        bytes: folder.bytes.into(),
        skipped_count: folder.skipped_count.into(),
        copies_here_alone: folder.copies_here_alone.into(),
        conflicts: folder.conflicts.into(),
        last_looked_at: folder.last_looked_at.map(|at| at.to_string()),
        looks_every_ms: folder.looks_every_ms.map(Into::into),
        polling_reason: match &folder.seen_by {
            sync::SeenBy::Watching => None,
            sync::SeenBy::Polling { reason } => Some(reason.clone()),
        },
        undoing: folder.undoing.map(|sync::UndoingProgress { done, refused, total }| SyncedUndoing {
            done: done.into(),
            refused: refused.into(),
            total: total.into(),
        }),
    }
}

fn view_state(state: &sync::State, name: &str, host: &str) -> SyncedState {
    match state {
        sync::State::Looking => SyncedState::Looking,
        sync::State::UpToDate => SyncedState::UpToDate,
        sync::State::Settling => SyncedState::Settling,
        sync::State::Working {
            stage,
            done,
            total,
            bytes_done,
            bytes_total,
            bytes_per_second,
            time_left_ms,
            limited_by,
        } => SyncedState::Working {
            stage: (*stage).into(),
            done: (*done).into(),
            total: (*total).into(),
            bytes_done: (*bytes_done).into(),
            bytes_total: (*bytes_total).into(),
            bytes_per_second: (*bytes_per_second).into(),
            time_left_ms: time_left_ms.map(Into::into),
            limited_by: (*limited_by).into(),
        },
        sync::State::Waiting { cause } => SyncedState::Waiting { problem: causes::of_waiting(cause, host) },
        sync::State::Paused => SyncedState::Paused,
        sync::State::NeedsYou { need } => SyncedState::NeedsYou { need: causes::of_need(need, name) },
        // The enum is open: what a newer build adds is on its way to something that has words.
        _ => SyncedState::Starting,
    }
}

pub(super) fn view_preview(preview: &sync::Preview) -> SyncedPreview {
    SyncedPreview {
        up_files: preview.up_files.into(),
        up_bytes: preview.up_bytes.into(),
        down_files: preview.down_files.into(),
        down_bytes: preview.down_bytes.into(),
        folders: (preview.folders_there + preview.folders_here).into(),
        already_same: preview.already_same.into(),
        conflicts: preview.conflicts.into(),
        deletions: (preview.deletions_there + preview.deletions_here).into(),
        skipped: preview.skipped.iter().map(view_skip).collect(),
        skipped_count: preview.skipped_count.into(),
        time_ms: preview.time_ms.map(Into::into),
        limited_by: preview.limited_by.into(),
    }
}

pub(super) fn view_skip(note: &sync::Note) -> SyncedSkip {
    SyncedSkip {
        path: shown(&note.path),
        reason: causes::of_difference(&note.why),
        can_send_again: note.why == sync::Why::OnlyHere,
    }
}

/// A path below a folder, its letters in the order in which they are.
pub(crate) fn shown(path: &str) -> String {
    messages::in_order(path).into_owned()
}

/// The last part of a path, for a person.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    shown(&name)
}

/// A path for people: from their home folder on, if it lies there.
pub(crate) fn show_path(path: &Path) -> String {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).filter(|home| !home.is_empty());
    show_from(path, home.as_deref().map(Path::new))
}

fn show_from(path: &Path, home: Option<&Path>) -> String {
    let written = match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    };
    shown(&written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_is_shown_from_the_home_folder_on() {
        let check = |path: &str, home: Option<&str>, shown: &str| {
            assert_eq!(show_from(Path::new(path), home.map(Path::new)), shown);
        };
        check("/srv/ada/Brand", Some("/srv/ada"), "~/Brand");
        check("/srv/ada", Some("/srv/ada"), "~");
        check("/srv/adam/Brand", Some("/srv/ada"), "/srv/adam/Brand");
        check("/media/archive", None, "/media/archive");
        check("/media/a\u{202E}b", None, "/media/a\u{FFFD}b");
    }
}
