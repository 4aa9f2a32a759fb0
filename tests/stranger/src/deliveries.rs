//! The log of webhook deliveries, and replays.
//!
//! Deliberately not here: sending. What stands in the log is what this service would have sent, because nobody in these
//! tests receives from it.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::Call;
use crate::lists::Listing;
use crate::records::{Delivered, Delivery, Row};
use crate::reply::{Outcome, Refusal, Reply};
use crate::state::{State, time};
use crate::switch::Switch;

impl State {
    /// Writes down the delivery that the end of a task brings.
    pub(crate) fn deliver(&mut self, task: &str, now: Timestamp) {
        let Some(of_task) = self.tasks.of_id.get(task) else { return };
        let word = of_task.status.word();
        let target_url = of_task.callback_url.clone().unwrap_or_default();
        let key_id = self.account.key(&of_task.key).map(|key| key.id.clone()).unwrap_or_default();
        self.add_delivery(task, word, &target_url, &key_id, Delivered::Yes, now);
    }

    /// Writes down a delivery; its id.
    pub(crate) fn add_delivery(
        &mut self,
        task: &str,
        word: &str,
        target_url: &str,
        key_id: &str,
        outcome: Delivered,
        now: Timestamp,
    ) -> String {
        let event_type = match word {
            _ if self.has(Switch::EventTypesUnknown) => "export.page_rendered".to_owned(),
            "succeeded" if self.has(Switch::EventSpellingsRetired) => "job.completed".to_owned(),
            "canceled" if self.has(Switch::EventSpellingsRetired) => "task.cancelled".to_owned(),
            word if self.has(Switch::EventSpellingsRetired) => format!("job.{word}"),
            word => format!("task.{word}"),
        };
        let event_id = self.make_id("evt", now);
        let data = match self.tasks.of_id.get(task) {
            Some(_) => self.task_record(task, false),
            None => json!({"id": task, "status": word}),
        };
        let request_body = if self.has(Switch::EventEnvelopeOther) {
            json!({"event": event_type, "livemode": true, "data": data})
        } else {
            json!({"id": event_id, "type": event_type, "created": time(now), "api_version": "2026-05-01", "data": data})
        };
        let request_body = request_body.to_string();
        let attempts = if outcome == Delivered::Never { 3 } else { 1 };
        let delivery = Delivery {
            event_id,
            event_type,
            target_url: target_url.to_owned(),
            outcome,
            attempts,
            task: task.to_owned(),
            key_id: key_id.to_owned(),
            request_body,
            replayed_from: None,
            created_at: now,
        };
        let id = self.make_id("whd", now);
        self.deliveries.insert(id.clone(), delivery);
        id
    }

    fn delivery_record(&self, id: &str) -> Value {
        let Some(delivery) = self.deliveries.get(id) else { return Value::Null };
        let (status, code) = match delivery.outcome {
            Delivered::Yes => ("succeeded", json!(200)),
            Delivered::NotYet if delivery.attempts == 0 => ("pending", Value::Null),
            Delivered::NotYet => ("pending", json!(500)),
            Delivered::Never => ("failed", json!(500)),
        };
        let at = time(delivery.created_at);
        let attempts = (1..=delivery.attempts)
            .map(|number| {
                json!({
                    "number": number, "started_at": at, "duration_ms": 120, "response_status_code": code,
                    "error": null,
                })
            })
            .collect::<Vec<_>>();
        let seconds = delivery.created_at.as_second().to_string();
        let headers = if self.has(Switch::DeliveriesSignedOtherwise) {
            json!({"X-Webhook-Timestamp": seconds, "X-Signature": "v1=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="})
        } else {
            let digest = Self::signature(&delivery.request_body);
            json!({"X-Webhook-Timestamp": seconds, "X-Webhook-Signature": format!("v1={digest}{digest}")})
        };
        let mut record = json!({
            "id": id,
            "event_id": delivery.event_id,
            "event_type": delivery.event_type,
            "target_url": delivery.target_url,
            "status": status,
            "attempts": delivery.attempts,
            "response_status_code": code,
            "response_body_excerpt": "ok",
            "request_headers": headers,
            "request_body": delivery.request_body,
            "created_at": at,
            "last_attempted_at": (delivery.attempts > 0).then_some(&at),
            "task_id": delivery.task,
            "api_key_id": delivery.key_id,
            "replayed_from_id": delivery.replayed_from,
            "attempt_log": attempts,
        });
        if let Some(fields) = record.as_object_mut() {
            if self.has(Switch::DeliveriesWithoutStatus) {
                fields.remove("status");
            }
            if self.has(Switch::DeliveriesOfAgentJobs)
                && let Some(task) = fields.remove("task_id")
            {
                fields.insert("agent_job_id".to_owned(), task);
            }
        }
        record
    }

    pub(crate) fn list_deliveries(&mut self, call: &Call<'_>) -> Outcome {
        let is_wanted = |wanted: Option<&str>, held: &str| wanted.is_none_or(|wanted| wanted == held);
        let rows = self
            .deliveries
            .iter()
            .filter(|(_, delivery)| is_wanted(call.query("event_type"), &delivery.event_type))
            .filter(|(_, delivery)| is_wanted(call.query("api_key_id"), &delivery.key_id))
            .filter(|(_, delivery)| is_wanted(call.query("status"), delivery.outcome.word()))
            .map(|(id, delivery)| Row {
                id: id.clone(),
                name: delivery.event_type.clone(),
                created_at: delivery.created_at,
                updated_at: delivery.created_at,
                size: 0,
                json: self.delivery_record(id),
            })
            .collect();
        let answer = self.page(call, Listing::new("deliveries", rows).limited(50, 200));
        self.settle_replays();
        answer
    }

    pub(crate) fn read_delivery(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.ids.read(&call.place);
        if !self.deliveries.contains_key(&id) {
            return Err(Refusal::missing("delivery"));
        }
        let record = self.delivery_record(&id);
        self.settle_replays();
        Ok(Reply::ok(record))
    }

    /// A replay has arrived when it is looked at the next time.
    fn settle_replays(&mut self) {
        for delivery in self.deliveries.values_mut().filter(|delivery| delivery.attempts == 0) {
            delivery.attempts = 1;
            delivery.outcome = Delivered::Yes;
        }
    }

    pub(crate) fn redeliver(&mut self, call: &Call<'_>) -> Outcome {
        if self.has(Switch::UpdateRequired) {
            return Err(Refusal::new(426, "cli_update_required", "Update your client to replay deliveries"));
        }
        // Anything but the prefixed id is 404, a UUID included (specification, Identifiers 4).
        let id = if call.place.starts_with("whd_") { self.ids.read(&call.place) } else { String::new() };
        let Some(original) = self.deliveries.get(&id).cloned() else { return Err(Refusal::missing("delivery")) };
        let replay = Delivery {
            outcome: Delivered::NotYet,
            attempts: 0,
            replayed_from: Some(id),
            created_at: call.now,
            ..original
        };
        let id = self.make_id("whd", call.now);
        self.deliveries.insert(id.clone(), replay);
        let mut record = self.delivery_record(&id);
        if let (true, Some(fields)) = (self.has(Switch::RedeliverOfThreeFields), record.as_object_mut()) {
            fields.retain(|name, _| ["id", "replayed_from_id"].contains(&name.as_str()));
            fields.insert("status".to_owned(), json!("pending"));
        }
        Ok(self.started(record))
    }
}
