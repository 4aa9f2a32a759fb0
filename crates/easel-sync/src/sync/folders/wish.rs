//! What a person wants of a watched folder, on its way to the folder's control task.

use std::path::PathBuf;

use tokio::sync::oneshot;

use super::folder::Choices;
use crate::shared::error::Error;

/// What a person wants of a folder.
#[derive(Debug)]
pub(super) enum Wish {
    Pause,
    Resume,
    LookAgain,
    Consent,
    Decline,
    Change(Choices),
    SendAgain(String),
    TryRefused(String),
    /// It is at another place now.
    Relocate(PathBuf),
    Remove,
    /// There is another client to go on with.
    ClientChanged,
}

/// A wish, and where the answer goes.
pub(super) struct Command {
    pub wish: Wish,
    pub reply: oneshot::Sender<Result<(), Error>>,
}
