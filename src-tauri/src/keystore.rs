//! The system's keychain: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows.
//!
//! Always true: every request opens the keychain anew, so that one that was started or unlocked meanwhile is found, and
//! a prompt that nobody answers holds up no later request; absent, locked and refusing are told apart. No reason that
//! leaves this file has a key. Not here: time limits and threads (easel-app asks on a thread of its own).

use easel_app::ports::{KeyStore, KeyStoreError};
use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// The service name of the entries.
const SERVICE: &str = "dev.easel.desktop";

/// The keychain of this system.
pub(crate) struct SystemKeyStore;

impl KeyStore for SystemKeyStore {
    fn get_key(&self, connection_id: &str) -> Result<Option<SecretString>, KeyStoreError> {
        match open_entry(connection_id)?.get_password() {
            Ok(key) => Ok(Some(SecretString::from(key))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(cause(&error)),
        }
    }

    fn set_key(&self, connection_id: &str, key: &SecretString) -> Result<(), KeyStoreError> {
        open_entry(connection_id)?.set_password(key.expose_secret()).map_err(|error| cause(&error))
    }

    fn delete_key(&self, connection_id: &str) -> Result<(), KeyStoreError> {
        match open_entry(connection_id)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(cause(&error)),
        }
    }

    #[cfg(target_os = "linux")]
    fn is_open(&self, connection_id: &str) -> bool {
        use secret_service::{EncryptionType, blocking::SecretService};
        // Searching for an item unlocks nothing; the service tells for each item whether it is unlocked.
        let attributes = [("service", SERVICE), ("username", connection_id)].into();
        SecretService::connect(EncryptionType::Plain)
            .and_then(|service| Ok(!service.search_items(attributes)?.unlocked.is_empty()))
            .unwrap_or(false)
    }
}

/// The entry of a connection. `Entry::new` would ask for the Secret Service once in the life of the program and keep
/// that answer, so the entry is made on a store of its own.
#[cfg(target_os = "linux")]
fn open_entry(connection_id: &str) -> Result<Entry, KeyStoreError> {
    use keyring_core::api::CredentialStoreApi as _;
    let store = zbus_secret_service_keyring_store::Store::new().map_err(|error| {
        // There is no session bus, or no secret service on it; any other failure here means the same to a person.
        tracing::info!(%error, "no keychain");
        KeyStoreError::Absent
    })?;
    let inner = store.build(SERVICE, connection_id, None).map_err(|error| cause(&error))?;
    Ok(Entry { inner })
}

/// The entry of a connection. These keychains are part of the system, and always there.
#[cfg(not(target_os = "linux"))]
fn open_entry(connection_id: &str) -> Result<Entry, KeyStoreError> {
    Entry::new(SERVICE, connection_id).map_err(|error| cause(&error))
}

/// Whether the keychain is absent, locked or refusing.
fn cause(error: &Error) -> KeyStoreError {
    match error {
        Error::NoStorageAccess(inner) => service_cause(inner.as_ref()).unwrap_or(KeyStoreError::Locked),
        Error::PlatformFailure(inner) => {
            let refused = || KeyStoreError::Refused { reason: inner.to_string() };
            service_cause(inner.as_ref()).unwrap_or_else(refused)
        }
        Error::NoDefaultStore => KeyStoreError::Absent,
        // The text of these errors could have the data that was read.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            KeyStoreError::Refused { reason: "the entry is damaged".to_owned() }
        }
        Error::Ambiguous(_) => KeyStoreError::Refused { reason: "there is more than one entry".to_owned() },
        other => KeyStoreError::Refused { reason: other.to_string() },
    }
}

/// The cause of an error of the Secret Service, if it comes from there.
#[cfg(target_os = "linux")]
fn service_cause(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<KeyStoreError> {
    use secret_service::Error as ServiceError;
    match error.downcast_ref::<ServiceError>()? {
        ServiceError::Locked => Some(KeyStoreError::Locked),
        ServiceError::Prompt => {
            Some(KeyStoreError::Refused { reason: "the question for its password was turned down".to_owned() })
        }
        ServiceError::NoResult => Some(KeyStoreError::Refused { reason: "it has no place for keys yet".to_owned() }),
        ServiceError::Unavailable | ServiceError::PromptDisconnected => Some(KeyStoreError::Absent),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn service_cause(_: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<KeyStoreError> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_entry_does_not_show_what_it_holds() {
        let error = Error::BadEncoding(b"svc_live_feedbeef".to_vec());
        assert!(!format!("{:?} {}", cause(&error), cause(&error)).contains("feedbeef"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn absent_locked_and_refusing_are_told_apart() {
        use secret_service::Error as ServiceError;
        let check = |error: ServiceError, expected: fn(&KeyStoreError) -> bool| {
            let told = cause(&Error::NoStorageAccess(Box::new(error)));
            assert!(expected(&told), "{told:?}");
        };
        check(ServiceError::Locked, |told| *told == KeyStoreError::Locked);
        check(ServiceError::Prompt, |told| matches!(told, KeyStoreError::Refused { .. }));
        check(ServiceError::NoResult, |told| matches!(told, KeyStoreError::Refused { .. }));
        check(ServiceError::Unavailable, |told| *told == KeyStoreError::Absent);
    }
}
