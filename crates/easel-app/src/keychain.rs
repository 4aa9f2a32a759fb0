//! Keys, kept in the system's keychain or in memory until Easel closes.
//!
//! Always true: a key is in the keychain or in memory and nowhere else; a keychain that blocks (a prompt that nobody
//! answers) holds up only the caller, and for at most [`KEYCHAIN_LIMIT`]. Not here: which keychain there is (the
//! [`KeyStore`] of the shell).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::oneshot;

use crate::ports::{KeyStore, KeyStoreError};

/// How long a keychain may take, a prompt included, before it counts as locked.
pub const KEYCHAIN_LIMIT: Duration = Duration::from_secs(10);

/// Under which name the keychain keeps the signing secret of Easel's own key.
pub(crate) fn signing_entry(connection_id: &str) -> String {
    format!("{connection_id} signing")
}

/// The keychain, and the keys that are kept for this session only.
pub(crate) struct Keychain {
    store: Arc<dyn KeyStore>,
    session: Mutex<HashMap<String, SecretString>>,
}

impl Keychain {
    pub(crate) fn new(store: Arc<dyn KeyStore>) -> Self {
        Self { store, session: Mutex::default() }
    }

    /// The key of a connection: this session's, else the keychain's.
    pub(crate) async fn get(&self, connection_id: &str) -> Result<Option<SecretString>, KeyStoreError> {
        if let Some(key) = self.session().get(connection_id).cloned() {
            return Ok(Some(key));
        }
        let id = connection_id.to_owned();
        self.ask(move |store| store.get_key(&id)).await
    }

    /// Whether the keychain gives the key of a connection by now, without a question to the person.
    pub(crate) async fn is_open(&self, connection_id: &str) -> bool {
        let id = connection_id.to_owned();
        self.ask(move |store| Ok(store.is_open(&id))).await.unwrap_or(false)
    }

    /// Whether the key is kept for this session only.
    pub(crate) fn is_for_session(&self, connection_id: &str) -> bool {
        self.session().contains_key(connection_id)
    }

    /// Puts a key into the keychain.
    pub(crate) async fn keep(&self, connection_id: &str, key: SecretString) -> Result<(), KeyStoreError> {
        let id = connection_id.to_owned();
        self.ask(move |store| store.set_key(&id, &key)).await?;
        self.session().remove(connection_id);
        Ok(())
    }

    /// Keeps a key until Easel closes.
    pub(crate) fn keep_for_session(&self, connection_id: &str, key: SecretString) {
        self.session().insert(connection_id.to_owned(), key);
    }

    /// Forgets a key, wherever it is.
    pub(crate) async fn forget(&self, connection_id: &str) -> Result<(), KeyStoreError> {
        self.session().remove(connection_id);
        let id = connection_id.to_owned();
        self.ask(move |store| store.delete_key(&id)).await
    }

    fn session(&self) -> std::sync::MutexGuard<'_, HashMap<String, SecretString>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the keychain on a thread of its own. It is not one of the runtime's, which would have to wait for it when
    /// the program ends.
    async fn ask<T, F>(&self, question: F) -> Result<T, KeyStoreError>
    where
        T: Send + 'static,
        F: FnOnce(&dyn KeyStore) -> Result<T, KeyStoreError> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        let (answer, answered) = oneshot::channel();
        std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                // If nobody waits any more, the answer is dropped.
                let _ = answer.send(question(store.as_ref()));
            })
            .map_err(|error| KeyStoreError::Refused { reason: error.to_string() })?;
        match tokio::time::timeout(KEYCHAIN_LIMIT, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(KeyStoreError::Refused { reason: "it gave no answer".to_owned() }),
            Err(_) => Err(KeyStoreError::Locked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;
    use std::sync::mpsc;

    /// A keychain whose prompt nobody answers.
    struct Prompting {
        never: Mutex<mpsc::Receiver<()>>,
    }

    impl KeyStore for Prompting {
        fn get_key(&self, _: &str) -> Result<Option<SecretString>, KeyStoreError> {
            let _ = self.never.lock().unwrap().recv();
            Ok(None)
        }
        fn set_key(&self, _: &str, _: &SecretString) -> Result<(), KeyStoreError> {
            let _ = self.never.lock().unwrap().recv();
            Ok(())
        }
        fn delete_key(&self, _: &str) -> Result<(), KeyStoreError> {
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_prompt_that_nobody_answers_counts_as_locked() {
        let (hold, never) = mpsc::channel();
        let keychain = Keychain::new(Arc::new(Prompting { never: Mutex::new(never) }));
        let begun = tokio::time::Instant::now();
        let asked = keychain.get("a").await;
        assert_eq!(asked.unwrap_err(), KeyStoreError::Locked);
        assert_eq!(begun.elapsed(), KEYCHAIN_LIMIT);

        keychain.keep_for_session("a", SecretString::from("svc_live_1"));
        let key = keychain.get("a").await.unwrap().unwrap();
        assert_eq!(key.expose_secret(), "svc_live_1", "a key of this session needs no keychain");
        assert!(keychain.is_for_session("a"));
        drop(hold);
    }
}
