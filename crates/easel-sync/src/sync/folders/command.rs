//! A person's command about a watched folder, on its way to the folder's control task.

use std::path::PathBuf;

use tokio::sync::oneshot;

use super::folder::Choices;
use crate::shared::error::Error;

/// A person's command about a folder.
#[derive(Debug)]
pub(super) enum FolderCommand {
    Pause,
    Resume,
    LookAgain,
    Consent,
    Decline,
    Change(Choices),
    SendAgain(String),
    TryRefused(String),
    /// The folder is at another path now.
    Relocate(PathBuf),
    Remove,
    /// The client was replaced.
    ClientChanged,
}

/// A command, and the sender for its answer.
pub(super) struct Command {
    pub command: FolderCommand,
    pub reply: oneshot::Sender<Result<(), Error>>,
}
