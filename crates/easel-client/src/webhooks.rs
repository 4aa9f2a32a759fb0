//! The log of webhook deliveries, and replaying one (specification, "Delivery log and replay"; contract, "Webhooks").
//!
//! Always true: a replay whose answer was lost is looked for before it is asked for again; an answer of just an id and
//! a state is understood. Not here: receiving webhooks, and who may replay one.

use easel_wire::list::Page;
use easel_wire::webhooks::{Delivery, DeliveryStatus, EventType};
use easel_wire::{ApiKeyId, DeliveryId, Scope, Timestamp};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::paging::PageRequest;

const RESOURCE: &str = "deliveries";
const PATH: &str = "webhook_deliveries";

/// The deliveries of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Only those that this key's tasks led to.
    pub api_key: Option<ApiKeyId>,
    /// Only those of this event.
    pub event_type: Option<EventType>,
    /// Only those in this state.
    pub status: Option<DeliveryStatus>,
    /// Only those made at this moment or later.
    pub from: Option<Timestamp>,
    /// Only those made before this moment.
    pub to: Option<Timestamp>,
}

impl Client {
    /// One page of the log, 1 to 200 deliveries, newest first.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_deliveries(&self, filter: &DeliveryFilter, page: &PageRequest) -> Result<Page<Delivery>, Error> {
        let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
        let call = self
            .call(Method::GET, &[PATH])
            .of(Feature::DeliveryLog)
            .needs(Scope::WebhooksRead)
            .query("api_key_id", filter.api_key.map(|id| id.to_string()).as_deref())
            .query("event_type", filter.event_type.as_ref().map(EventType::as_str))
            .query("status", filter.status.as_ref().map(DeliveryStatus::as_str))
            .query("from", moment(filter.from).as_deref())
            .query("to", moment(filter.to).as_deref());
        self.get_page(call, page, RESOURCE).await
    }

    /// One delivery with every attempt.
    ///
    /// # Errors
    /// `delivery_not_found`; else what the service answers, or why it did not.
    pub async fn get_delivery(&self, delivery: DeliveryId) -> Result<Delivery, Error> {
        let call = self.call(Method::GET, &[PATH, &delivery.text()]).needs(Scope::WebhooksRead);
        let marks = ["event_id", "event_type", "task_id", "agent_job_id", "attempts"];
        self.get_record(&call, &delivery.text(), "delivery", &marks).await
    }

    /// Replays a delivery: a new one carries the same event.
    ///
    /// # Errors
    /// `replay_not_permitted`, `delivery_not_found`; [`Error::AnswerLost`] where it could not be found out whether it
    /// was replayed; else what the service answers.
    pub async fn redeliver(&self, delivery: DeliveryId) -> Result<Delivery, Error> {
        let asked_at = jiff::Timestamp::now();
        let call = self
            .call(Method::POST, &[PATH, &delivery.prefixed()?, "redeliver"])
            .of(Feature::Redeliver)
            .needs(Scope::WebhooksWrite);
        let look = || async move {
            let newest = PageRequest { limit: Some(200), ..PageRequest::default() };
            let page = self.list_deliveries(&DeliveryFilter::default(), &newest).await?;
            // The service's clock is known to a second.
            let since = self.shared.key.on_their_clock(asked_at - jiff::SignedDuration::from_secs(2));
            let is_it = |found: &Delivery| {
                found.replayed_from_id == Some(delivery) && found.created_at.is_some_and(|at| at >= since.into())
            };
            Ok(page.items.into_iter().find(is_it))
        };
        self.send_settled(&call, |answer| answer.json(), look).await
    }
}
