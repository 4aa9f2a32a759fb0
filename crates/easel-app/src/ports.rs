//! The ports of the program to the desktop around it, as traits that the shell implements.
//!
//! Always true: this crate uses a keychain, a dialog, a clipboard or a child process only through these. A method that
//! returns a [`Later`] may take its time; the others return at once, except [`KeyStore`], which may block (a keychain's
//! prompt) and is therefore only ever called on a thread of its own, with a time limit.

use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::events::Event;
pub use crate::notices::{Notice, NoticeKind};

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where events go; the shell passes them to the page.
pub trait EventSink: Send + Sync + 'static {
    /// Passes an event on. Must not block; a page that is gone is no error.
    fn emit(&self, event: Event);
}

/// The ports that the shell provides.
#[derive(Clone)]
pub struct Ports {
    /// Where events go.
    pub events: Arc<dyn EventSink>,
    /// Where keys are kept.
    pub keys: Arc<dyn KeyStore>,
    /// The built-in studio.
    pub studio: Arc<dyn LocalService>,
    /// Reads strangers' files.
    pub reader: Arc<dyn FileReader>,
    /// Dialogs, clipboard, opening and showing files.
    pub desktop: Arc<dyn Desktop>,
    /// Messages outside the window.
    pub notifier: Arc<dyn Notifier>,
}

/// Why the keychain did not do what was asked. Three causes, three messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyStoreError {
    /// No keychain runs on this computer.
    #[error("no keychain is running")]
    Absent,
    /// It is locked, and nobody unlocked it in time.
    #[error("the keychain is locked")]
    Locked,
    /// It answered with a refusal.
    #[error("the keychain refused: {reason}")]
    Refused {
        /// What it said; never holds a key.
        reason: String,
    },
}

/// The system's keychain. One entry a connection, by the connection's id.
pub trait KeyStore: Send + Sync + 'static {
    /// The key of a connection; `None` where there is none.
    ///
    /// # Errors
    /// [`KeyStoreError`], by cause.
    fn get_key(&self, connection_id: &str) -> Result<Option<SecretString>, KeyStoreError>;

    /// Keeps the key of a connection, in place of an earlier one.
    ///
    /// # Errors
    /// [`KeyStoreError`], by cause.
    fn set_key(&self, connection_id: &str, key: &SecretString) -> Result<(), KeyStoreError>;

    /// Forgets the key of a connection; one that is not there is no error.
    ///
    /// # Errors
    /// [`KeyStoreError`], by cause.
    fn delete_key(&self, connection_id: &str) -> Result<(), KeyStoreError>;

    /// Whether the keychain would give the key of a connection without asking the person anything. Finding out must not
    /// ask them either; where that is not possible, the answer is no.
    fn is_open(&self, _connection_id: &str) -> bool {
        false
    }
}

/// How the built-in studio is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalState {
    /// Not asked for.
    Stopped,
    /// On its way.
    Starting,
    /// It answers at this address, which changes when it is started again.
    Running {
        /// Its base address, on loopback.
        base_url: String,
    },
    /// It stopped by itself or does not start; it is tried again, each time a little later.
    Failing(StudioFault),
}

/// Why the built-in studio does not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StudioFault {
    /// It was not ready in time.
    #[error("it was not ready in time")]
    TooSlow,
    /// Another process serves its data.
    #[error("another process serves its data")]
    InUse,
    /// It ended, or a command of it did, and said nothing: the system or another program may have ended it.
    #[error("it ended without a word")]
    Ended,
    /// The system does not start it.
    #[error("the system does not start it: {said}")]
    System {
        /// What the system said.
        said: String,
    },
    /// It gave up, or a command of it did.
    #[error("it gave up: {words}")]
    GaveUp {
        /// What it said, in English.
        words: String,
    },
}

/// A key of the built-in studio, as it was made.
#[derive(Debug)]
pub struct LocalKey {
    /// `ak_…`
    pub id: String,
    /// The key's text.
    pub key: SecretString,
    /// Its webhook signing secret.
    pub signing_secret: SecretString,
}

/// A key of the built-in studio, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// `ak_…`
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When it was last used, RFC 3339.
    pub last_used_at: Option<String>,
}

/// Why the built-in studio did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocalServiceError {
    /// It does not start.
    #[error("the studio does not start: {0}")]
    NotStarted(StudioFault),
    /// There is no key of this id.
    #[error("there is no such key")]
    UnknownKey,
    /// The name cannot be a key's.
    #[error("this cannot be the name of a key")]
    InvalidName,
    /// Its data cannot be read or written.
    #[error("the studio's data cannot be used: {reason}")]
    Data {
        /// What the system said.
        reason: String,
    },
    /// The model that shall write cannot be asked.
    #[error("the model that writes {reason}")]
    WriterNotReached {
        /// Why not, as a sentence goes on; never holds a key.
        reason: String,
    },
}

/// What is spoken with a model that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum WriterProtocol {
    /// What OpenAI speaks, and many others with it.
    OpenAi,
    /// What Anthropic speaks.
    Anthropic,
    /// What Gemini speaks.
    Gemini,
    /// What Ollama speaks.
    Ollama,
}

/// The model that writes what designs say.
#[derive(Debug, Clone)]
pub struct LocalWriter {
    /// Where it is.
    pub address: String,
    /// What it is called there.
    pub model: String,
    /// What is spoken there; told by the address where absent.
    pub protocol: Option<WriterProtocol>,
    /// What opens it, where it needs that.
    pub key: Option<SecretString>,
}

/// How a command of the studio's command line ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandEnded {
    /// Its exit code; `None` where it was ended from outside.
    pub code: Option<i32>,
    /// What it said last about why it failed; may be empty.
    pub last_words: String,
}

/// The built-in studio: a supervised process of its own.
pub trait LocalService: Send + Sync + 'static {
    /// Starts it unless it runs, and comes back when it answers.
    fn start(&self) -> Later<'_, Result<String, LocalServiceError>>;

    /// How it is, now and from now on.
    fn watch_state(&self) -> watch::Receiver<LocalState>;

    /// Makes a key.
    fn create_key(&self, name: &str) -> Later<'_, Result<LocalKey, LocalServiceError>>;

    /// Lists the keys that are not deleted.
    fn list_keys(&self) -> Later<'_, Result<Vec<ListedKey>, LocalServiceError>>;

    /// Deletes a key, with effect at once.
    fn delete_key(&self, id: &str) -> Later<'_, Result<(), LocalServiceError>>;

    /// Sets the model that writes designs' words, from now on and at every start; `None` for the studio's own reading.
    /// Returns at once.
    fn set_writer(&self, writer: Option<LocalWriter>);

    /// The models at the writer's address, by name; whether it runs does not matter.
    fn list_models(&self, writer: &LocalWriter) -> Later<'_, Result<Vec<String>, LocalServiceError>>;

    /// Runs a command of the studio's command line on the data folder `data`, which need not be its own, and passes each line on that
    /// it prints. Dropping the answer ends the command.
    fn run_command<'a>(
        &'a self,
        data: &'a Path,
        arguments: Vec<OsString>,
        told: &'a mut (dyn FnMut(&str) + Send),
    ) -> Later<'a, Result<CommandEnded, LocalServiceError>>;

    /// Ends it.
    fn stop(&self) -> Later<'_, ()>;
}

/// What a file shows of a brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBrand {
    /// Whose brand it is, as far as the file or its name says.
    pub name: String,
    /// Roles (`primary`, `text` and the like; may be empty) and colours (`#rrggbb`), the most important first.
    pub colors: Vec<(String, String)>,
    /// The family of headings.
    pub heading_font: Option<String>,
    /// The family of reading text.
    pub body_font: Option<String>,
    /// The logo.
    pub logo: Option<FoundLogo>,
}

/// A logo that a file is or has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLogo {
    /// `png`, `jpg` or `svg`.
    pub extension: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// A small picture of it, as PNG.
    pub preview: Vec<u8>,
}

/// Why a stranger's file was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileReaderError {
    /// It is of no kind that is read, or broken, or takes too long.
    #[error("the file is of no kind that is read, or broken")]
    Unreadable,
    /// It has more bytes than are read.
    #[error("the file has more bytes than are read")]
    TooLarge,
    /// The disk does not give it, or the reader does not start.
    #[error("the file was not read: {said}")]
    NotRead {
        /// What the system said.
        said: String,
    },
}

/// Reads strangers' files in a process of its own, which can take nothing else down.
pub trait FileReader: Send + Sync + 'static {
    /// Finds the brand that a logo, a presentation, a document or a PDF shows. Dropping the answer ends the process.
    fn find_brand<'a>(&'a self, file: &'a Path) -> Later<'a, Result<FoundBrand, FileReaderError>>;

    /// Draws a picture of a file with this content that is none itself: the page `page` of a PDF, from 1, or the picture
    /// that the file carries, which is its page 1. Dropping the answer ends the process.
    fn draw_preview(&self, content: Bytes, page: u32) -> Later<'_, Result<DrawnPreview, FileReaderError>>;
}

/// What a page of a file looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPreview {
    /// The picture, as PNG.
    pub png: Bytes,
    /// How many pages can be looked at.
    pub page_count: u32,
}

/// What a person has in the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pasted {
    /// Files and folders, copied in a file manager.
    Files(Vec<PathBuf>),
    /// A picture, as PNG.
    Picture(Vec<u8>),
    /// Neither.
    Nothing,
}

/// Dialogs, clipboard, and programs that open and show files.
pub trait Desktop: Send + Sync + 'static {
    /// Asks for files; `None` where the person thought better of it.
    fn choose_files(&self) -> Later<'_, Option<Vec<PathBuf>>>;

    /// Asks for one folder to send.
    fn choose_folder(&self) -> Later<'_, Option<PathBuf>>;

    /// Asks for a folder to put a download into.
    fn choose_place(&self) -> Later<'_, Option<PathBuf>>;

    /// Asks where to save one file, and under which name; `suggested` is a name.
    fn choose_file_to_save(&self, suggested: &str) -> Later<'_, Option<PathBuf>>;

    /// The person's Downloads folder.
    fn downloads_dir(&self) -> Option<PathBuf>;

    /// What is in the clipboard.
    ///
    /// # Errors
    /// Where the system does not give it.
    fn paste(&self) -> Later<'_, io::Result<Pasted>>;

    /// Puts a text into the clipboard.
    ///
    /// # Errors
    /// Where the system does not take it.
    fn copy_text(&self, text: String) -> Later<'_, io::Result<()>>;

    /// Removes a text from the clipboard; if the clipboard has another content by now, that stays.
    ///
    /// # Errors
    /// Where the system does not tell the clipboard's content, or does not let it be cleared.
    fn take_back_text(&self, text: SecretString) -> Later<'_, io::Result<()>>;

    /// Opens a file with its program.
    ///
    /// # Errors
    /// Where there is none.
    fn open(&self, path: &Path) -> io::Result<()>;

    /// Shows a file in its folder.
    ///
    /// # Errors
    /// Where the system cannot.
    fn reveal(&self, path: &Path) -> io::Result<()>;

    /// Lets files be dragged out of the window, while the person holds the button down; it comes back when that has begun.
    ///
    /// # Errors
    /// Where this desktop has no way to do it, or nothing is being held.
    fn drag_out(&self, _paths: Vec<PathBuf>) -> Later<'_, io::Result<()>> {
        Box::pin(async { Err(io::Error::from(io::ErrorKind::Unsupported)) })
    }

    /// Whether the window is in front.
    fn is_in_front(&self) -> bool;

    /// Whether a tray really shows that Easel runs.
    fn has_tray(&self) -> bool {
        false
    }

    /// This computer's name, for the names of conflicting files.
    fn computer_name(&self) -> Option<String> {
        None
    }

    /// Starts Easel without a window when the person signs in, or no longer.
    ///
    /// # Errors
    /// Where the system does not take it.
    fn set_starts_at_login(&self, _is_wanted: bool) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    /// Closes the window and ends the program.
    fn close(&self);
}

/// Messages outside the window.
pub trait Notifier: Send + Sync + 'static {
    /// Shows a message; a system without them is no error. Where a click on it can be told, the shell calls
    /// [`crate::App::follow_notice`].
    fn notify(&self, notice: &Notice);
}
