//! The received requests that are kept.
//!
//! Always true: at most [`MOST_KEPT`] requests of at most [`MOST_BODY_BYTES`] each are in memory, the newest; whether a
//! request is verified is decided for the moment at which it came, so that a secret that is given later judges it in
//! the same way. Not here: how requests arrive.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use easel_wire::webhooks::{Event, read_event};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Notify;

use super::{ReceivedDetails, ReceivedState, ReceivedView};
use crate::deliveries::HeaderView;
use crate::doctor::{PastedWebhook, SignatureDiagnosis, SignatureVerdict, examine};

/// The most requests that are kept.
pub(super) const MOST_KEPT: usize = 100;
/// The longest body that is taken, in bytes; an event has some kilobytes.
pub(super) const MOST_BODY_BYTES: usize = 256 * 1024;
/// Ids of events by which a repeat is known.
const MOST_SEEN: usize = 10_000;

/// A request that came.
pub(super) struct Incoming {
    pub(super) headers: Vec<HeaderView>,
    pub(super) body: Bytes,
    pub(super) at: jiff::Timestamp,
    /// The same moment in Unix seconds.
    pub(super) now: i64,
}

struct StoredRequest {
    view: ReceivedView,
    incoming: Incoming,
}

#[derive(Default)]
struct Content {
    kept: VecDeque<StoredRequest>,
    seen: HashSet<String>,
    last_number: u32,
    dropped: u32,
    secret: Option<SecretString>,
}

/// The requests that came.
pub(super) struct Inbox {
    content: Mutex<Content>,
    /// The secret of Easel's own key.
    own_secret: Option<SecretString>,
    news: Notify,
}

impl Inbox {
    pub(super) fn new(own_secret: Option<SecretString>) -> Self {
        Self { content: Mutex::default(), own_secret, news: Notify::new() }
    }

    /// Keeps a request, in place of the oldest where there are too many.
    pub(super) fn take(&self, incoming: Incoming) {
        let mut content = self.content();
        let event = read(&incoming.body);
        let event_id = event.as_ref().and_then(|event| event.id).map(|id| id.to_string());
        content.last_number += 1;
        if content.seen.len() >= MOST_SEEN {
            content.seen.clear();
        }
        let is_repeat = event_id.clone().is_some_and(|id| !content.seen.insert(id));
        let view = ReceivedView {
            number: content.last_number,
            received_at: incoming.at.to_string(),
            state: self.judge(&content, &incoming),
            event_type: event.map(|event| event.event_type.to_string()).unwrap_or_default(),
            event_id,
            is_repeat,
        };
        content.kept.push_front(StoredRequest { view, incoming });
        if content.kept.len() > MOST_KEPT {
            content.kept.truncate(MOST_KEPT);
            content.dropped += 1;
        }
        drop(content);
        self.news.notify_one();
    }

    /// The kept requests, newest first, and how many more came.
    pub(super) fn list(&self) -> (Vec<ReceivedView>, u32) {
        let content = self.content();
        (content.kept.iter().map(|kept| kept.view.clone()).collect(), content.dropped)
    }

    pub(super) fn get(&self, number: u32) -> Option<ReceivedDetails> {
        let content = self.content();
        let kept = content.kept.iter().find(|kept| kept.view.number == number)?;
        let diagnoses = self.secrets(&content).map(|secret| diagnose(&kept.incoming, secret));
        Some(ReceivedDetails {
            received: kept.view.clone(),
            headers: kept.incoming.headers.clone(),
            body: String::from_utf8_lossy(&kept.incoming.body).into_owned(),
            diagnosis: diagnoses.min_by_key(|diagnosis| distance(diagnosis.verdict)),
        })
    }

    pub(super) fn clear(&self) {
        let mut content = self.content();
        content.kept.clear();
        content.dropped = 0;
    }

    pub(super) fn has_secret(&self) -> bool {
        self.content().secret.is_some()
    }

    /// Takes another secret, and judges what is kept anew.
    pub(super) fn set_secret(&self, secret: Option<SecretString>) {
        let mut content = self.content();
        content.secret = secret;
        let states: Vec<ReceivedState> = content.kept.iter().map(|kept| self.judge(&content, &kept.incoming)).collect();
        for (kept, state) in content.kept.iter_mut().zip(states) {
            kept.view.state = state;
        }
    }

    /// Comes back when something came since the last time.
    pub(super) async fn wait_for_news(&self) {
        self.news.notified().await;
    }

    fn secrets<'a>(&'a self, content: &'a Content) -> impl Iterator<Item = &'a SecretString> {
        content.secret.iter().chain(&self.own_secret)
    }

    fn judge(&self, content: &Content, incoming: &Incoming) -> ReceivedState {
        let mut verdicts = self.secrets(content).map(|secret| diagnose(incoming, secret).verdict).peekable();
        if verdicts.peek().is_none() {
            ReceivedState::NotChecked
        } else if verdicts.any(|verdict| verdict == SignatureVerdict::Good) {
            ReceivedState::Verified
        } else {
            ReceivedState::NotVerified
        }
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the doctor says of a request at the moment at which it came.
fn diagnose(incoming: &Incoming, secret: &SecretString) -> SignatureDiagnosis {
    let headers = incoming.headers.iter().map(|header| format!("{}: {}\n", header.name, header.value)).collect();
    let pasted = PastedWebhook {
        headers,
        body: String::from_utf8_lossy(&incoming.body).into_owned(),
        secret: secret.expose_secret().to_owned(),
        is_from_log: true,
    };
    examine(&pasted, incoming.now)
}

/// How far a verdict is from a good one.
const fn distance(verdict: SignatureVerdict) -> u8 {
    match verdict {
        SignatureVerdict::Good => 0,
        SignatureVerdict::OutOfTime => 1,
        SignatureVerdict::Mendable => 2,
        SignatureVerdict::NoMatch => 3,
        SignatureVerdict::Incomplete => 4,
    }
}

fn read(body: &[u8]) -> Option<Event> {
    serde_json::from_slice(body).ok().and_then(|value| read_event(value).ok())
}
