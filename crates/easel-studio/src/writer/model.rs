//! A language model as a writer: a few tries within one time limit, each answer checked.
//!
//! Always true: at most [`MAX_TRIES`] requests a task, all within the limit; if an answer has facts of its own, it is
//! asked for once more, and the better one is used with those facts named; of a service's own messages only the status
//! is passed on. Not here: the protocols of services.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use easel_canvas::outline::{self, Known, NotAnOutline};
use futures_util::future::BoxFuture;
use http::StatusCode;

use super::services::{Failed, Question, Service};
use super::wording::{self, Remark};
use super::{Assignment, Settings, Writer, WriterError, Written};
use crate::core::error::Error;
use crate::outbound::Script;

/// The most requests for one task.
const MAX_TRIES: u32 = 3;

/// The pause before a service that was busy or failed is asked again.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest that a service may ask to be waited for.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// A language model that writes.
#[derive(Debug)]
pub struct Model {
    service: Service,
    name: String,
    limit: Duration,
}

impl Model {
    /// The model that the settings name; no request is made yet. `scripts` are names that resolve as a test says.
    ///
    /// # Errors
    /// [`Error::Usage`] for an address that is not allowed, or without a model.
    pub fn new(settings: &Settings, scripts: Vec<Script>) -> Result<Self, Error> {
        let name = settings.model.trim();
        let is_plain = !name.is_empty() && name.len() <= 200 && !name.chars().any(char::is_control);
        if !is_plain {
            return Err(Error::Usage("a writer needs the name of its model".to_owned()));
        }
        Ok(Self { service: Service::new(settings, scripts)?, name: name.to_owned(), limit: settings.limit() })
    }

    /// Asks until an answer is without fault or there are no more tries. The best so far lies in `best`.
    async fn try_to_write(&self, assignment: &Assignment, best: &Mutex<Option<Written>>) -> WriterError {
        let words = assignment.all_words();
        let known = Known { pictures: &assignment.pictures, words: &words, language: &assignment.draft.language };
        let (mut remark, mut with_schema, mut last) = (None, true, WriterError::Broken);
        for _ in 0..MAX_TRIES {
            let question = Question {
                orders: wording::orders(assignment, !with_schema || !self.service.shows_schema()),
                material: wording::material(assignment, remark.as_ref()),
                schema: with_schema.then(outline::schema),
            };
            match self.service.ask(&question).await {
                Ok(answer) => match check(&answer, known) {
                    Ok(written) => {
                        let added = written.added.clone();
                        let is_second = keep_better(best, written);
                        if added.is_empty() || is_second {
                            break;
                        }
                        remark = Some(Remark::Added(added));
                    }
                    Err(unlike) => {
                        remark = Some(Remark::Unlike(unlike.to_string()));
                        last = WriterError::UnexpectedBody(unlike.to_string());
                    }
                },
                Err(Failed { why, retry_after_seconds }) => {
                    // Not every service knows what a schema is.
                    let is_unknown = matches!(&why, WriterError::Refused(status) if is_a_wrong_request(*status));
                    let passes = match &why {
                        WriterError::Refused(status) => is_busy(*status),
                        WriterError::Broken | WriterError::UnexpectedBody(_) => true,
                        WriterError::Away(_) | WriterError::Slow(_) | WriterError::TooLong => false,
                    };
                    last = why;
                    if is_unknown && with_schema {
                        with_schema = false;
                    } else if passes {
                        let pause = retry_after_seconds.map_or(PAUSE, Duration::from_secs);
                        tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
                    } else {
                        break;
                    }
                }
            }
        }
        last
    }
}

fn is_a_wrong_request(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)
}

fn is_busy(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

fn check(answer: &str, known: Known<'_>) -> Result<Written, NotAnOutline> {
    let outline = outline::read(answer, known)?;
    let added = outline::added_facts(&outline, known.words);
    Ok(Written { outline, added })
}

/// Keeps the outline that adds fewer facts; returns whether there was one before.
fn keep_better(best: &Mutex<Option<Written>>, written: Written) -> bool {
    let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
    let is_second = best.is_some();
    if best.as_ref().is_none_or(|before| written.added.len() < before.added.len()) {
        *best = Some(written);
    }
    is_second
}

impl Writer for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn write<'a>(&'a self, assignment: &'a Assignment) -> BoxFuture<'a, Result<Written, WriterError>> {
        Box::pin(async move {
            let best = Mutex::new(None);
            let ended = tokio::time::timeout(self.limit, self.try_to_write(assignment, &best)).await;
            let why = ended.unwrap_or(WriterError::Slow(self.limit));
            best.into_inner().unwrap_or_else(PoisonError::into_inner).ok_or(why)
        })
    }
}
