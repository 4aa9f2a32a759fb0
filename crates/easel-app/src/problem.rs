//! What went wrong, as a person reads it: a title, a sentence, and the one button that helps.
//!
//! Always true: the page shows these words and does what `action` says; it never matches on text, and on `code` only
//! to tell places apart. No status code stands alone, no key or signed URL ever gets in here. The words themselves are
//! in [`crate::messages`].

use serde::{Deserialize, Serialize};

/// An error that reaches a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type, thiserror::Error)]
#[error("{code}: {title}")]
pub struct Problem {
    /// Names the cause for programs: a code of the service, or one of the app's own (see [`crate::messages`]).
    pub code: String,
    /// What happened, in a few words.
    pub title: String,
    /// What it means and what to do, in a sentence or two; names the file where there is one.
    pub detail: String,
    /// The one button that helps.
    // Boxed, because every command's answer has room for a problem.
    pub action: Box<Action>,
    /// The service's own number for the request, where it gave one; for the person who runs the service.
    pub request_id: Option<String>,
}

/// The one button of a [`Problem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Action {
    /// What the button does.
    pub kind: ActionKind,
    /// What stands on it.
    pub label: String,
    /// What it does it to, where the kind needs to know: an item's id or a connection's.
    pub target: Option<String>,
}

/// What the button of a [`Problem`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Does again what failed: the same command, or `retry_transfer` for a transfer.
    TryAgain,
    /// Looks again: `retry_connection`, or a fresh list where the view is out of date.
    Refresh,
    /// Takes the person to the address field of the connection.
    EditAddress,
    /// Asks for the key of the connection and gives it to `replace_key`.
    EnterKey,
    /// Takes the person to the version header field, under Advanced.
    EditVersionHeader,
    /// Does the same again with `confirm_plain_http`, for this host.
    ConfirmPlainHttp,
    /// Does the same again with `keep_for_session`: the key is kept until Easel closes.
    KeepForSession,
    /// Starts the built-in studio again: `start_local_studio`.
    StartLocalStudio,
    /// Takes the person to Settings, Connections.
    OpenConnections,
    /// Takes the person back to the name that they typed.
    EditName,
    /// Lets the person choose other files, or another place.
    ChooseAgain,
    /// Shows the item in `target`.
    ShowItem,
    /// Takes the failed transfers off the list: `cancel_transfer`.
    Remove,
    /// Asks where a synced folder is now: `relocate_synced_folder`.
    FindFolder,
    /// Nothing can be done here; the message goes away.
    Dismiss,
}
