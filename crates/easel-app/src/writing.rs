//! The writer of designs' words in the built-in studio: its own reading, a model on this computer, or a service.
//!
//! Always true: the built-in reading is the default, and sends nothing from this computer; the key of a service is in
//! the keychain, or in memory until Easel closes, and goes to the studio and nowhere else; the page never gets a key. A
//! change holds at once, without the studio starting again. Not here: how a model is asked (easel-studio).

use std::sync::{Arc, Mutex, PoisonError};

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::causes;
use crate::connections::Connections;
use crate::core::Core;
use crate::data_dir::{DataDir, read_json, write_json};
use crate::messages;
use crate::ports::{LocalWriter, WriterProtocol};
use crate::problem::Problem;

/// The entry of the service's key in the keychain.
const KEY_ENTRY: &str = "writing-service";

/// Where Ollama listens unless somebody has it listen elsewhere.
const OLLAMA_ADDRESS: &str = "http://127.0.0.1:11434";

/// The longest address, name of a model and key, in bytes.
const MAX_BYTES: usize = 4_096;

/// Who writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WriterKind {
    /// The studio's own reading.
    #[default]
    BuiltIn,
    /// A model on this computer, by Ollama.
    OnThisComputer,
    /// A service.
    Service,
}

/// A model at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WriterPlace {
    /// Where it is.
    pub address: String,
    /// What the model is called there; empty where none was chosen.
    pub model: String,
    /// What is spoken there; told by the address where `null`.
    pub protocol: Option<WriterProtocol>,
}

/// Who writes, for the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WritingView {
    /// Who writes.
    pub kind: WriterKind,
    /// The model on this computer that was chosen last.
    pub on_this_computer: WriterPlace,
    /// The service that was chosen last.
    pub service: WriterPlace,
    /// Whether a key for the service is kept.
    pub has_key: bool,
    /// Why the chosen one does not write at the moment.
    pub problem: Option<Problem>,
}

/// Who shall write.
#[derive(Clone, Deserialize, specta::Type)]
pub struct WritingChoice {
    /// Who.
    pub kind: WriterKind,
    /// Where; nothing is looked at where the built-in reading writes.
    pub place: WriterPlace,
    /// The key of a service; the one that is kept stays where absent.
    pub key: Option<String>,
    /// Keep the key until Easel closes instead of in the keychain.
    pub keep_for_session: bool,
}

impl std::fmt::Debug for WritingChoice {
    /// Leaves the key out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WritingChoice").field("kind", &self.kind).field("place", &self.place).finish_non_exhaustive()
    }
}

/// What the file has.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
struct StoredSettings {
    kind: WriterKind,
    on_this_computer: WriterPlace,
    service: WriterPlace,
    has_key: bool,
}

impl Default for StoredSettings {
    fn default() -> Self {
        let on_this_computer = WriterPlace {
            address: OLLAMA_ADDRESS.to_owned(),
            model: String::new(),
            protocol: Some(WriterProtocol::Ollama),
        };
        Self { kind: WriterKind::BuiltIn, on_this_computer, service: WriterPlace::default(), has_key: false }
    }
}

impl StoredSettings {
    fn place(&self) -> Option<&WriterPlace> {
        match self.kind {
            WriterKind::BuiltIn => None,
            WriterKind::OnThisComputer => Some(&self.on_this_computer),
            WriterKind::Service => Some(&self.service),
        }
    }
}

/// Who writes for the built-in studio. Clones are the same writing.
#[derive(Clone)]
pub struct Writing {
    core: Core,
    connections: Connections,
    inner: Arc<Inner>,
}

/// The writer's settings, and their file.
#[derive(Debug, Default)]
struct Inner {
    kept: Mutex<StoredSettings>,
    problem: Mutex<Option<Problem>>,
    /// Held while a choice is made: two at once would mix.
    choosing: tokio::sync::Mutex<()>,
}

impl Writing {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, inner: Arc::default() }
    }
}

impl Inner {
    /// Reads the file; where that fails, the built-in reading writes.
    fn read_from_disk(&self, data_dir: &DataDir) {
        match read_json::<StoredSettings>(&data_dir.writing()) {
            Ok(Some(kept)) => *self.lock() = kept,
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "who writes cannot be read"),
        }
    }

    fn get(&self) -> StoredSettings {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, StoredSettings> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, problem: Option<Problem>) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }
}

impl Writing {
    /// Who writes what designs say. Where a key could not be had before, it is asked for again.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn get_writing(&self) -> Result<WritingView, Problem> {
        let is_failing = self.inner.problem.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_failing {
            let _alone = self.inner.choosing.lock().await;
            self.seat_writer().await;
        }
        Ok(self.view_writing())
    }

    /// Has somebody else write, from now on.
    ///
    /// # Errors
    /// `writer_address_not_usable`, `writer_model_missing`, `writer_key_not_usable`; `key_store_*` where the key cannot be put
    /// away; `data_unwritable`.
    pub async fn set_writing(&self, choice: WritingChoice) -> Result<WritingView, Problem> {
        let _alone = self.inner.choosing.lock().await;
        let mut kept = self.inner.get();
        kept.kind = choice.kind;
        match choice.kind {
            WriterKind::BuiltIn => {}
            WriterKind::OnThisComputer => kept.on_this_computer = check_place(&choice.place)?,
            WriterKind::Service => {
                let place = check_place(&choice.place)?;
                let moved = origin_of(&place.address) != origin_of(&kept.service.address);
                if let Some(key) = choice.key.filter(|key| !key.trim().is_empty()) {
                    self.keep_writer_key(check_key(&key)?, choice.keep_for_session).await?;
                    kept.has_key = true;
                } else if moved && kept.has_key {
                    // A key is for the service that it was entered for.
                    self.forget_writer_key().await?;
                    kept.has_key = false;
                }
                kept.service = place;
            }
        }
        write_json(&self.core.data_dir().writing(), &kept).map_err(|error| self.core.unwritable(&error))?;
        *self.inner.lock() = kept;
        self.seat_writer().await;
        Ok(self.view_writing())
    }

    /// The models that are at an address. `key` is for a service; the one that is kept is used where absent, at its own service only.
    ///
    /// # Errors
    /// `writer_address_not_usable`, `writer_key_not_usable`, `writer_not_reached`.
    pub async fn list_writing_models(&self, place: WriterPlace, key: Option<String>) -> Result<Vec<String>, Problem> {
        let kept = self.inner.get();
        let place = WriterPlace { address: check_address(&place.address)?, ..place };
        let key = match key.filter(|key| !key.trim().is_empty()) {
            Some(key) => Some(check_key(&key)?),
            None if kept.has_key && origin_of(&place.address) == origin_of(&kept.service.address) => {
                self.connections.keychain().get(KEY_ENTRY).await.ok().flatten()
            }
            None => None,
        };
        let WriterPlace { address, model, protocol } = place;
        let writer = LocalWriter { address, model, protocol, key };
        self.core.ports().studio.list_models(&writer).await.map_err(|error| causes::of_local(&error))
    }

    /// Tells the studio who writes, as it was left.
    pub(crate) fn begin_writing(&self) {
        self.inner.read_from_disk(self.core.data_dir());
        if self.inner.get().kind == WriterKind::BuiltIn {
            return;
        }
        let writing = self.clone();
        self.core.supervisor().spawn(async move {
            let _alone = writing.inner.choosing.lock().await;
            writing.seat_writer().await;
        });
    }

    /// Gives the studio the chosen writer, with its key; none where the key cannot be had.
    async fn seat_writer(&self) {
        let kept = self.inner.get();
        let mut problem = None;
        let writer = match kept.place().cloned() {
            None => None,
            Some(WriterPlace { address, model, protocol }) => {
                let is_with_key = kept.kind == WriterKind::Service && kept.has_key;
                let key = if is_with_key { self.connections.keychain().get(KEY_ENTRY).await } else { Ok(None) };
                match key {
                    Ok(None) if is_with_key => {
                        problem = Some(messages::problem("writer_key_missing", &[]));
                        None
                    }
                    Ok(key) => Some(LocalWriter { address, model, protocol, key }),
                    Err(error) => {
                        tracing::warn!(%error, "the key of the service that writes cannot be had");
                        problem = Some(messages::problem("writer_key_out_of_reach", &[]));
                        None
                    }
                }
            }
        };
        self.inner.note(problem);
        self.core.ports().studio.set_writer(writer);
    }

    async fn keep_writer_key(&self, key: SecretString, for_session: bool) -> Result<(), Problem> {
        let keychain = self.connections.keychain();
        if for_session {
            keychain.keep_for_session(KEY_ENTRY, key);
            return Ok(());
        }
        keychain.keep(KEY_ENTRY, key).await.map_err(|error| causes::of_key_not_kept(&error))
    }

    async fn forget_writer_key(&self) -> Result<(), Problem> {
        let forgotten = self.connections.keychain().forget(KEY_ENTRY).await;
        forgotten.map_err(|error| causes::of_key_not_kept(&error))
    }

    fn view_writing(&self) -> WritingView {
        let StoredSettings { kind, on_this_computer, service, has_key } = self.inner.get();
        let problem = self.inner.problem.lock().unwrap_or_else(PoisonError::into_inner).clone();
        WritingView { kind, on_this_computer, service, has_key, problem }
    }
}

fn check_place(place: &WriterPlace) -> Result<WriterPlace, Problem> {
    let model = place.model.trim().to_owned();
    if model.is_empty() || model.len() > MAX_BYTES || model.chars().any(char::is_control) {
        return Err(messages::problem("writer_model_missing", &[]));
    }
    Ok(WriterPlace { address: check_address(&place.address)?, model, protocol: place.protocol })
}

/// Checks an address; `https` where it names no scheme and is not of this computer.
fn check_address(text: &str) -> Result<String, Problem> {
    let refuse = || messages::problem("writer_address_not_usable", &[]);
    let text = text.trim();
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = url::Url::parse(&full).map_err(|_| refuse())?;
    let is_plain =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    if text.len() > MAX_BYTES || !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain {
        return Err(refuse());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn check_key(text: &str) -> Result<SecretString, Problem> {
    let key = text.trim();
    if key.len() > MAX_BYTES || !key.bytes().all(|letter| letter.is_ascii_graphic()) {
        return Err(messages::problem("writer_key_not_usable", &[]));
    }
    Ok(SecretString::from(key.to_owned()))
}

/// What a key is for: scheme, host and port.
fn origin_of(address: &str) -> Option<String> {
    url::Url::parse(address).ok().map(|url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_in_one_form_and_without_secrets() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(check_address(text).ok().as_deref(), expected, "{text}");
        };
        check(" https://models.example/v1/ ", Some("https://models.example/v1"));
        check("models.example", Some("https://models.example"));
        check("http://127.0.0.1:11434", Some("http://127.0.0.1:11434"));
        check("", None);
        check("ftp://models.example", None);
        check("https://ada:secret@models.example", None);
        check("https://models.example/?key=secret", None);
        check(&format!("https://models.example/{}", "a".repeat(MAX_BYTES)), None);
    }

    #[test]
    fn a_key_is_of_one_origin() {
        assert_eq!(origin_of("https://a.example/v1"), origin_of("https://a.example/v2"));
        assert_ne!(origin_of("https://a.example"), origin_of("https://b.example"));
        assert_ne!(origin_of("https://a.example"), origin_of("http://a.example"));
    }

    #[test]
    fn what_an_older_easel_kept_is_read() {
        let kept: StoredSettings = serde_json::from_str("{}").unwrap();
        assert_eq!((kept.kind, kept.on_this_computer.address.as_str()), (WriterKind::BuiltIn, OLLAMA_ADDRESS));
    }

    #[test]
    fn a_choice_is_shown_without_its_key() {
        let choice = WritingChoice {
            kind: WriterKind::Service,
            place: WriterPlace::default(),
            key: Some("sk-secret".to_owned()),
            keep_for_session: false,
        };
        assert!(!format!("{choice:?}").contains("sk-secret"));
    }
}
