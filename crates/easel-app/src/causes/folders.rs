//! How the needs and the differences of synced folders are worded.
//!
//! Always true: what a folder asks has its number in both answers. Not here: the words themselves
//! ([`crate::messages`]).

use easel_sync::folders::{Need, Why};

use crate::messages;
use crate::synced::views::{SyncedNeed, SyncedQuestion};

/// What a synced folder needs of the person; `name` is the folder's.
pub(crate) fn of_need(need: &Need, name: &str) -> SyncedNeed {
    let named = ("name", name);
    let plain = |code: &str| SyncedNeed { problem: messages::problem(code, &[named]), question: None };
    let emptied = |code: &str| SyncedNeed {
        problem: messages::problem(code, &[named]),
        question: Some(SyncedQuestion { go_on: messages::empty_on_purpose(), keep: None }),
    };
    let deletions = |code: &str, count: u64, is_there: bool| {
        let items = messages::items(count);
        let (go_on, keep) = messages::answers_to_deletions(count, is_there);
        SyncedNeed {
            problem: messages::problem(code, &[named, ("count", items.as_str())]),
            question: Some(SyncedQuestion { go_on, keep: Some(keep) }),
        }
    };
    match need {
        Need::FolderMissing => plain("need_folder_missing"),
        Need::FolderEmpty => emptied("need_folder_empty"),
        Need::DriveFolderEmpty => emptied("need_drive_folder_empty"),
        Need::DriveFolderGone => plain("need_drive_folder_gone"),
        Need::DriveWentBack { count } => {
            let (go_on, keep) = messages::answers_to_going_back();
            SyncedNeed {
                problem: messages::problem(
                    "need_drive_went_back",
                    &[named, ("count", messages::items(*count).as_str())],
                ),
                question: Some(SyncedQuestion { go_on, keep: Some(keep) }),
            }
        }
        Need::ManyDeletionsThere { count } => deletions("need_many_deletions_there", *count, true),
        Need::ManyDeletionsHere { count } => deletions("need_many_deletions_here", *count, false),
        Need::HeldElsewhere { holder } => SyncedNeed {
            problem: messages::problem("need_held_elsewhere", &[named, ("holder", holder.as_str())]),
            question: None,
        },
        Need::FolderUnreadable => plain("need_folder_unreadable"),
        _ => plain("need_other"),
    }
}

/// Why a file of a synced folder is not the same on both sides.
pub(crate) fn of_difference(why: &Why) -> String {
    let code = match why {
        Why::Settling => "settling",
        Why::TooLarge => "too_large",
        Why::NameNotAllowed => "name_not_allowed",
        Why::Clash { with } => return messages::difference("clash", with),
        Why::SymbolicLink => "symbolic_link",
        Why::NotAFile => "not_a_file",
        Why::Unreadable => "unreadable",
        Why::Link => "link",
        Why::ContentMissing => "content_missing",
        Why::OnlyInDrive => "only_in_drive",
        Why::OnlyHere => "only_here",
        Why::NewerInDrive => "newer_in_drive",
        Why::LeftOut => "left_out",
        Why::TrashHere => "trash_here",
        Why::MovedInDrive => "moved_in_drive",
        Why::NameTaken => "name_taken",
        Why::FolderMissing => "folder_missing",
        Why::Unresolved => "unresolved",
        Why::Failed { cause } => return super::of_failure(&cause.clone().into(), "This file").detail,
        _ => "unknown",
    };
    messages::difference(code, "")
}
