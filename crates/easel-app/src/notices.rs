//! What may be said outside the window, so that a person hears of it who looks elsewhere.
//!
//! Always true: a notice is of one kind, which the settings can silence, and of one connection. Not here: whether it is
//! said ([`crate::core`]), and how ([`crate::ports::Notifier`]).

use serde::{Deserialize, Serialize};

/// What a message outside the window is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A synced folder cannot go on without the person.
    FolderNeedsYou,
    /// Everything that was to be sent is in the drive.
    TransfersFinished,
    /// Something could not be sent.
    TransfersFailed,
    /// A design that was asked for is there, or is not.
    TaskEnded,
    /// The window closed, and Easel goes on.
    GoesOn,
}

/// A message outside the window. One of a kind takes the place of the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// What happened.
    pub title: String,
    /// A sentence more.
    pub body: String,
    /// The connection that it is about.
    pub connection_id: String,
}
