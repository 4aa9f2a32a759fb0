//! The log of webhook deliveries for developers, and replaying some of them.
//!
//! Always true: a filter that the service does not have (the text of a body) is applied here, page by page, to a bound;
//! as long as deliveries on the screen may still change, one list is read for all of them and the page is told of
//! changes. Not here: receiving webhooks.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, DeliveryFilter as Asked, Error as ClientError, Feature, Lane, PageRequest};
use easel_wire::webhooks::{Delivery, DeliveryStatus, EventType};
use easel_wire::{DeliveryId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::continuation::Continuation;
use crate::core::Core;
use crate::events::{DeliveriesChanged, Event};
use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::request_coalescer::RequestCoalescer;

/// The most deliveries of one command.
const MOST: u32 = 200;
/// Pages that a search for text goes through in one command.
const MOST_PAGES: usize = 10;
/// How often deliveries under way are looked at: a retry comes after one second, then after five.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
/// The most looks, which last as long as three tries of 30 seconds with their pauses.
const MOST_LOOKS: u32 = 60;

/// How a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is or will be tried.
    Pending,
    /// The receiver took it.
    Succeeded,
    /// Every attempt failed.
    Failed,
    /// What this Easel does not know.
    Unknown,
}

impl DeliveryState {
    const fn of(status: &DeliveryStatus) -> Self {
        match status {
            DeliveryStatus::Pending => Self::Pending,
            DeliveryStatus::Succeeded => Self::Succeeded,
            DeliveryStatus::Failed => Self::Failed,
            _ => Self::Unknown,
        }
    }

    const fn as_filter(self) -> Option<DeliveryStatus> {
        match self {
            Self::Pending => Some(DeliveryStatus::Pending),
            Self::Succeeded => Some(DeliveryStatus::Succeeded),
            Self::Failed => Some(DeliveryStatus::Failed),
            Self::Unknown => None,
        }
    }
}

/// Which deliveries to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveryFilter {
    /// Only those in this state.
    pub state: Option<DeliveryState>,
    /// Only those of this event, such as `task.failed`.
    pub event_type: Option<String>,
    /// Only those made at this moment or later, RFC 3339.
    pub from: Option<String>,
    /// Only those made before this moment, RFC 3339.
    pub to: Option<String>,
    /// Only those with this text in the body, the target or an id; empty for all.
    pub text: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveryView {
    /// Its id.
    pub id: String,
    /// The event that it carries; the same over retries and replays.
    pub event_id: Option<String>,
    /// What the event tells, such as `task.succeeded`.
    pub event_type: String,
    /// Where it goes.
    pub target: String,
    /// How it is.
    pub state: DeliveryState,
    /// The same in the service's word, where this Easel does not know it.
    pub said: Option<String>,
    /// Attempts so far.
    pub attempts: u32,
    /// The status of the last answer.
    pub response_status: Option<u16>,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When the last attempt began, RFC 3339.
    pub last_attempted_at: Option<String>,
    /// The task that ended.
    pub task_id: Option<String>,
    /// The delivery that this one repeats.
    pub replayed_from_id: Option<String>,
}

/// A part of the log, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveryList {
    /// The connection that was asked.
    pub connection_id: String,
    /// The deliveries.
    pub deliveries: Vec<DeliveryView>,
    /// Asks for the part after this one; `null` on the last.
    pub next: Option<String>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveryAttempt {
    /// 1 for the first.
    pub number: u32,
    /// When it began, RFC 3339.
    pub started_at: Option<String>,
    /// How long it took; `null` while it is under way.
    pub duration_ms: Option<WholeNumber>,
    /// The status of the answer, where one came.
    pub response_status: Option<u16>,
    /// Why no answer came, as the service says it.
    pub error: Option<String>,
}

/// A header as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct HeaderView {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A delivery with everything about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveryDetails {
    /// The delivery.
    pub delivery: DeliveryView,
    /// The headers of the last attempt.
    pub request_headers: Vec<HeaderView>,
    /// The body, as it is signed.
    pub request_body: String,
    /// The beginning of the last answer.
    pub response_body: Option<String>,
    /// Every attempt.
    pub attempts: Vec<DeliveryAttempt>,
    /// The deliveries that repeat this one, as far as the newest of the log tell.
    pub replays: Vec<String>,
}

impl DeliveryView {
    fn of(delivery: &Delivery) -> Self {
        let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
        Self {
            id: delivery.id.to_string(),
            event_id: delivery.event_id.map(|id| id.to_string()),
            event_type: delivery.event_type.as_ref().map(ToString::to_string).unwrap_or_default(),
            target: delivery.target_url.clone().unwrap_or_default(),
            state: DeliveryState::of(&delivery.outcome()),
            said: match delivery.outcome() {
                DeliveryStatus::Other(said) => Some(said),
                _ => None,
            },
            attempts: delivery.attempts,
            response_status: delivery.response_status_code,
            created_at: moment(delivery.created_at),
            last_attempted_at: moment(delivery.last_attempted_at),
            task_id: delivery.task_id.map(|id| id.to_string()),
            replayed_from_id: delivery.replayed_from_id.map(|id| id.to_string()),
        }
    }
}

impl DeliveryFilter {
    fn into_query(self) -> Result<(Asked, String), Problem> {
        let moment = |text: Option<String>| {
            let read = text.filter(|text| !text.is_empty()).map(|text| text.parse::<Timestamp>());
            read.transpose().map_err(|_| messages::problem("validation_failed", &[("fields", " (time)")]))
        };
        let asked = Asked {
            api_key: None,
            event_type: self.event_type.filter(|text| !text.is_empty()).map(|text| EventType::from(text.as_str())),
            status: self.state.and_then(DeliveryState::as_filter),
            from: moment(self.from)?,
            to: moment(self.to)?,
        };
        Ok((asked, self.text.trim().to_lowercase()))
    }
}

/// Whether `text` (lower case) stands in what a developer would look for.
fn holds(delivery: &Delivery, text: &str) -> bool {
    let ids = [
        Some(delivery.id.to_string()),
        delivery.event_id.map(|id| id.to_string()),
        delivery.task_id.map(|id| id.to_string()),
        delivery.target_url.clone(),
        delivery.request_body.clone(),
        delivery.response_body_excerpt.clone(),
    ];
    text.is_empty() || ids.into_iter().flatten().any(|held| held.to_lowercase().contains(text))
}

/// Whether a delivery is one of those that were asked for, as far as it says.
fn is_as_asked(delivery: &Delivery, asked: &Asked) -> bool {
    let is_of_type = match (&asked.event_type, &delivery.event_type) {
        (Some(wanted), Some(found)) => wanted == found,
        _ => true,
    };
    let is_in_time = delivery
        .created_at
        .is_none_or(|at| asked.from.is_none_or(|from| at >= from) && asked.to.is_none_or(|to| at < to));
    is_of_type && is_in_time && asked.status.as_ref().is_none_or(|status| delivery.outcome() == *status)
}

fn read_delivery(id: &str) -> Result<DeliveryId, Problem> {
    DeliveryId::new(id).map_err(|_| messages::problem("delivery_not_found", &[]))
}

/// Deliveries of webhooks. Clones are the same deliveries.
#[derive(Clone)]
pub struct Deliveries {
    core: Core,
    connections: Connections,
    inner: Arc<Inner>,
}

/// Deliveries that may still change.
#[derive(Debug, Default)]
struct Inner {
    /// Connections whose deliveries are being looked at.
    watched: Mutex<HashSet<String>>,
    replays: RequestCoalescer<DeliveryView>,
}

impl Deliveries {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, inner: Arc::default() }
    }
}

impl Deliveries {
    /// A part of the log of deliveries, newest first.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_deliveries(
        &self,
        filter: DeliveryFilter,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<DeliveryList, Problem> {
        let (asked, text) = filter.into_query()?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let limit = limit.clamp(1, MOST);
        let mut here = Continuation::read(cursor.as_deref());
        let mut found: Vec<Delivery> = Vec::new();
        let mut next = None;
        for _ in 0..MOST_PAGES {
            let request = here.request(limit as usize);
            let page = client.list_deliveries(&asked, &request).await;
            let mut page =
                page.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::DeliveryLog)))?;
            let first = page.items.first().map(|delivery| delivery.id.text());
            next = here.after(&request, &mut page, first.as_deref());
            // A service may not keep to the filter that it was given.
            let is_wanted = |delivery: &Delivery| is_as_asked(delivery, &asked) && holds(delivery, &text);
            found.extend(page.items.into_iter().filter(is_wanted));
            match &next {
                // A page that was filtered may hold fewer than were asked for; never more, so that none is skipped.
                Some(next) if found.is_empty() => here = next.clone(),
                _ => break,
            }
        }
        if found.iter().any(|delivery| delivery.outcome() == DeliveryStatus::Pending) {
            self.watch_deliveries(&connection);
        }
        let deliveries = found.iter().map(DeliveryView::of).collect();
        let next = next.map(|next| next.text());
        Ok(DeliveryList { connection_id: connection.id.clone(), deliveries, next })
    }

    /// A delivery with its request, its response and every attempt.
    ///
    /// # Errors
    /// `delivery_not_found`, what the connection's state says, or what the service answers.
    pub async fn get_delivery(&self, delivery_id: String) -> Result<DeliveryDetails, Problem> {
        let id = read_delivery(&delivery_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let newest = PageRequest { limit: Some(200), ..PageRequest::default() };
        let all = Asked::default();
        let (delivery, log) = tokio::join!(client.get_delivery(id), client.list_deliveries(&all, &newest));
        let log = log.map(|page| page.items).unwrap_or_default();
        let delivery = match delivery {
            // A service may have the list alone.
            Err(ClientError::RouteMissing) => log.iter().find(|other| other.id == id).cloned(),
            delivery => Some(
                delivery
                    .map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::DeliveryLog)))?,
            ),
        };
        let delivery = delivery.ok_or_else(|| messages::problem("delivery_not_found", &[]))?;
        if delivery.outcome() == DeliveryStatus::Pending {
            self.watch_deliveries(&connection);
        }
        let replays = log.iter().filter(|other| other.replayed_from_id == Some(id)).map(|other| other.id.to_string());
        Ok(DeliveryDetails {
            replays: replays.collect(),
            request_headers: delivery
                .request_headers
                .iter()
                .flatten()
                .map(|(name, value)| HeaderView { name: name.clone(), value: value.clone() })
                .collect(),
            request_body: delivery.request_body.clone().unwrap_or_default(),
            response_body: delivery.response_body_excerpt.clone(),
            attempts: delivery
                .attempt_log
                .iter()
                .zip(1..)
                .map(|(attempt, place)| DeliveryAttempt {
                    number: if attempt.number == 0 { place } else { attempt.number },
                    started_at: attempt.started_at.map(|moment| moment.to_string()),
                    duration_ms: attempt.duration_ms.map(Into::into),
                    response_status: attempt.response_status_code,
                    error: attempt.error.clone(),
                })
                .collect(),
            delivery: DeliveryView::of(&delivery),
        })
    }

    /// Sends deliveries again, each once, one after the other.
    ///
    /// # Errors
    /// `replay_not_permitted`, `delivery_not_found`, what the connection's state says, or what the service answers; where
    /// some were sent before that, the answer is those.
    pub async fn redeliver(&self, delivery_ids: Vec<String>) -> Result<Vec<DeliveryView>, Problem> {
        let ids = delivery_ids.iter().map(|id| read_delivery(id)).collect::<Result<Vec<_>, _>>()?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut replays = Vec::new();
        for id in ids {
            let key = format!("{} {id}", connection.id);
            let replayed = self.inner.replays.once(key, async {
                let replayed = client.redeliver(id).await;
                // A service may answer with an id and a state alone.
                let replayed = replayed.map(|it| Delivery { replayed_from_id: it.replayed_from_id.or(Some(id)), ..it });
                let view = replayed.map(|delivery| DeliveryView::of(&delivery));
                view.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::Redeliver)))
            });
            match replayed.await {
                Ok(view) => replays.push(view),
                Err(problem) if replays.is_empty() => return Err(problem),
                Err(problem) => {
                    tracing::info!(code = problem.code, "not every delivery was sent again");
                    break;
                }
            }
        }
        self.tell_deliveries(&connection);
        self.watch_deliveries(&connection);
        Ok(replays)
    }

    fn tell_deliveries(&self, connection: &ActiveConnection) {
        self.core.emit(Event::DeliveriesChanged(DeliveriesChanged { connection_id: connection.id.clone() }));
    }

    /// Looks at the deliveries of a connection until none of them is under way, and tells the page when one has moved.
    pub(crate) fn watch_deliveries(&self, connection: &Arc<ActiveConnection>) {
        let mut watched = self.inner.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if !watched.insert(connection.id.clone()) {
            return;
        }
        drop(watched);
        let (deliveries, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            deliveries.watch_until_settled(&connection).await;
            deliveries.inner.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(&connection.id);
        });
    }

    async fn watch_until_settled(&self, connection: &ActiveConnection) {
        let mut seen: Option<Vec<(DeliveryId, DeliveryState, u32)>> = None;
        for _ in 0..MOST_LOOKS {
            tokio::select! {
                () = connection.cancel.cancelled() => return,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {}
            }
            let Some(session) = connection.session() else { return };
            let Some(now) = look(&session.client.in_lane(Lane::Poll)).await else { return };
            let is_settled = now.iter().all(|(_, state, _)| *state != DeliveryState::Pending);
            if seen.replace(now.clone()) != Some(now) {
                self.tell_deliveries(connection);
            }
            if is_settled {
                return;
            }
        }
    }
}

/// The newest deliveries, as far as they can change; `None` where the service does not say.
async fn look(client: &Client) -> Option<Vec<(DeliveryId, DeliveryState, u32)>> {
    let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
    let page = client.list_deliveries(&Asked::default(), &newest).await;
    let page = page.inspect_err(|error| tracing::debug!(%error, "deliveries could not be looked at")).ok()?;
    let state = |delivery: &Delivery| (delivery.id, DeliveryState::of(&delivery.outcome()), delivery.attempts);
    Some(page.items.iter().map(state).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_looks_into_bodies_targets_and_ids() {
        let delivery: Delivery = serde_json::from_value(json!({
            "id": "whd_00000000000000000000000000", "status": "failed", "target_url": "https://hooks.example.com/a",
            "request_body": "{\"prompt\":\"A Lighthouse\"}",
        }))
        .unwrap();
        let check = |text: &str, expected: bool| assert_eq!(holds(&delivery, text), expected, "{text}");
        check("", true);
        check("lighthouse", true);
        check("hooks.example", true);
        check("whd_0000", true);
        check("harbour", false);
    }

    #[test]
    fn a_moment_that_is_none_is_refused_and_an_empty_filter_is_none() {
        let wrong = DeliveryFilter { from: Some("yesterday".to_owned()), ..DeliveryFilter::default() };
        assert_eq!(wrong.into_query().unwrap_err().code, "validation_failed");
        let empty =
            DeliveryFilter { event_type: Some(String::new()), text: "  ".to_owned(), ..DeliveryFilter::default() };
        assert_eq!(empty.into_query().unwrap(), (Asked::default(), String::new()));
    }
}
