//! How the refusals of the keychain are worded.
//!
//! Not here: the words themselves ([`crate::messages`]), and keys that a service refuses.

use crate::messages;
use crate::ports::KeyStoreError;
use crate::problem::Problem;

/// The keychain did not take a key that a person just gave.
pub(crate) fn of_key_not_kept(error: &KeyStoreError) -> Problem {
    match error {
        KeyStoreError::Absent => messages::problem("key_store_absent", &[]),
        KeyStoreError::Locked => messages::problem("key_store_locked", &[]),
        KeyStoreError::Refused { reason } => messages::problem("key_store_refused", &[("reason", reason.as_str())]),
    }
}

/// The keychain does not give the key of a connection.
pub(crate) fn of_key_not_given(error: &KeyStoreError) -> Problem {
    match error {
        KeyStoreError::Absent => messages::problem("key_out_of_reach", &[]),
        KeyStoreError::Locked => messages::problem("key_locked_away", &[]),
        KeyStoreError::Refused { reason } => messages::problem("key_withheld", &[("reason", reason.as_str())]),
    }
}
