//! The port to whoever writes what a design says, beside the workers: brief, files and brand in, an outline out.
//!
//! The built-in reading of `easel-canvas` is no writer: it draws where there is none, and wherever a writer has nothing
//! that can be used. Always true: an outline that comes through here is one ([`easel_canvas::outline`]), and what it
//! adds to the brief is named; a writer never fails a task. Not here: what becomes of the outline (`worker`), and how a
//! model is asked ([`model`]).

mod by_stdin;
mod model;
mod services;
pub mod settings;
mod wording;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use easel_canvas::content::Outline;
use futures_util::future::BoxFuture;
use http::StatusCode;

pub use by_stdin::listen;
pub use model::Model;
pub use services::list_models;
pub use settings::{Protocol, Settings};

/// The assignment for a writer.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The brief, or what shall change.
    pub prompt: String,
    /// The text of the files, or the earlier prompt.
    pub words: String,
    /// The outline of the built-in reading, or the present one of the design.
    pub draft: Outline,
    /// Whether `draft` is the outline of an existing design.
    pub is_change: bool,
    /// The pictures that may be named.
    pub pictures: Vec<String>,
    /// How many pages were asked for.
    pub page_count: Option<u32>,
    /// The name that the design shall have.
    pub name: Option<String>,
    /// The company of the brand kit.
    pub brand: Option<String>,
    /// What kind of thing it is, in a word.
    pub kind: String,
}

impl Assignment {
    /// All texts that a fact may come from.
    #[must_use]
    pub fn all_words(&self) -> String {
        let labels = easel_canvas::label_words(&self.draft.language).join(" ");
        let before = if self.is_change { easel_canvas::outline::to_json(&self.draft) } else { String::new() };
        let more = [self.name.as_deref(), self.brand.as_deref(), Some(&labels), Some(&before)];
        let all = [Some(self.prompt.as_str()), Some(&self.words)].into_iter().chain(more);
        all.flatten().collect::<Vec<_>>().join("\n")
    }
}

/// The result of writing.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The outline.
    pub outline: Outline,
    /// Facts that are not in the brief, as they are written.
    pub added: Vec<String>,
}

/// Why nothing was written. The words go on after “The model that writes”.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriterError {
    /// No connection.
    #[error("could not be reached ({0})")]
    Away(String),
    /// Not within the limit.
    #[error("did not answer within {} s", .0.as_secs())]
    Slow(Duration),
    /// The service answered with a status other than success.
    #[error("{}", refusal(*.0))]
    Refused(StatusCode),
    /// The connection broke.
    #[error("broke off in the middle of its answer")]
    Broken,
    /// More than is read.
    #[error("answered more than can be read")]
    TooLong,
    /// The answer is no outline.
    #[error("answered with something that is no outline")]
    UnexpectedBody(String),
}

fn refusal(status: StatusCode) -> String {
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("refused the key it was given (status {})", status.as_u16())
        }
        StatusCode::NOT_FOUND => "is not known at its address (status 404)".to_owned(),
        StatusCode::TOO_MANY_REQUESTS => "takes no more requests at the moment (status 429)".to_owned(),
        status if status.is_server_error() => format!("had a fault of its own (status {})", status.as_u16()),
        status => format!("refused the request (status {})", status.as_u16()),
    }
}

/// A writer of designs' words.
pub trait Writer: Send + Sync + std::fmt::Debug {
    /// The writer's name, for people.
    fn name(&self) -> &str;

    /// Writes an outline, within a time of its own. Dropped before its end, it stops at once.
    ///
    /// # Errors
    /// [`WriterError`].
    fn write<'a>(&'a self, assignment: &'a Assignment) -> BoxFuture<'a, Result<Written, WriterError>>;
}

/// The place of the writer; nobody is there at first.
#[derive(Debug, Default)]
pub struct WriterSlot(RwLock<Option<Arc<dyn Writer>>>);

impl WriterSlot {
    /// The present writer.
    #[must_use]
    pub fn writer(&self) -> Option<Arc<dyn Writer>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has somebody else write from now on, or nobody.
    pub fn seat(&self, writer: Option<Arc<dyn Writer>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = writer;
    }
}
