//! The metrics of the service, for its operator.
//!
//! Counters since the start, and how much is queued or under way now, in OpenMetrics text. Always true: a label is a
//! route of the table, a status or a word of this file, never a text from a request, so that nobody can make more
//! labels and no label is secret. Not here: who may read them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::core::error::Error;
use crate::db::leases::Work;
use crate::wire::tasks::TaskStatus;

/// Upper ends of the classes of an answer's time, in seconds.
const SECONDS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0];
/// The route of a request that none was found for.
pub const UNMATCHED: &str = "unmatched";

/// The counters.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    answer_seconds: Histogram,
    storage_requests: Family<StorageLabels, Counter>,
    refusals: Family<RefusalLabels, Counter>,
    tasks_ended: Family<StatusLabels, Counter>,
    webhook_attempts: Family<OutcomeLabels, Counter>,
    leases_lost: Family<WorkLabels, Counter>,
    tasks: Family<StatusLabels, Gauge<u64, AtomicU64>>,
    deliveries_pending: Gauge<u64, AtomicU64>,
    free_bytes: Gauge<u64, AtomicU64>,
    contents_verified: Counter,
    contents_at_fault: Family<FaultLabels, Gauge<u64, AtomicU64>>,
    contents_round_ended: Gauge<u64, AtomicU64>,
    /// Requests to the API and to storage, to see whether anybody asks for anything.
    asked: AtomicU64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FaultLabels {
    fault: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StorageLabels {
    method: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    limit: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabels {
    status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkLabels {
    work: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("easel"),
            requests: Family::default(),
            answer_seconds: Histogram::new(SECONDS),
            storage_requests: Family::default(),
            refusals: Family::default(),
            tasks_ended: Family::default(),
            webhook_attempts: Family::default(),
            leases_lost: Family::default(),
            tasks: Family::default(),
            deliveries_pending: Gauge::default(),
            free_bytes: Gauge::default(),
            contents_verified: Counter::default(),
            contents_at_fault: Family::default(),
            contents_round_ended: Gauge::default(),
            asked: AtomicU64::new(0),
        };
        let registry = &mut metrics.registry;
        registry.register("requests", "Requests to the API", metrics.requests.clone());
        let words = "Time until an answer of the API began";
        registry.register_with_unit("answer", words, Unit::Seconds, metrics.answer_seconds.clone());
        registry.register("storage_requests", "Requests to storage", metrics.storage_requests.clone());
        registry.register("refusals", "Requests that a limit refused", metrics.refusals.clone());
        registry.register("tasks_ended", "Tasks that have ended", metrics.tasks_ended.clone());
        registry.register("webhook_attempts", "Attempts at webhook deliveries", metrics.webhook_attempts.clone());
        let words = "Leases that another process ended, so that what was done under them was thrown away";
        registry.register("leases_lost", words, metrics.leases_lost.clone());
        registry.register("tasks", "Tasks queued or running now", metrics.tasks.clone());
        registry.register("deliveries_pending", "Webhook deliveries to be tried", metrics.deliveries_pending.clone());
        let words = "Room left where contents lie";
        registry.register_with_unit("free", words, Unit::Bytes, metrics.free_bytes.clone());
        let words = "Contents that the weekly round has read";
        registry.register("contents_verified", words, metrics.contents_verified.clone());
        let words = "Contents that rows need and that are damaged or missing, as they were last looked at";
        registry.register("contents_at_fault", words, metrics.contents_at_fault.clone());
        let words = "Unix time at which every content had been looked at; 0 before the first round has ended";
        registry.register("contents_round_ended_timestamp", words, metrics.contents_round_ended.clone());
        metrics
    }

    /// Counts an answer of the API that began after `took`; `failure` is what it failed with.
    pub fn count_request(
        &self,
        method: &Method,
        route: &'static str,
        status: StatusCode,
        took: Duration,
        failure: Option<&Error>,
    ) {
        // A monitor asks all the time and wants nothing of the contents.
        if !["/healthz", "/readyz", "/metrics"].contains(&route) {
            self.asked.fetch_add(1, Ordering::Relaxed);
        }
        let labels = RequestLabels { method: name_of(method), route, status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.answer_seconds.observe(took.as_secs_f64());
        let limit = match failure {
            Some(Error::RateLimited { .. }) => "request_rate",
            Some(Error::ExportRateLimited { .. }) => "export_rate",
            Some(Error::ConcurrentTaskLimit { .. }) => "concurrent_tasks",
            Some(Error::StorageFull) => "storage",
            Some(Error::QuotaExceeded { .. }) => "quota",
            _ => return,
        };
        self.refusals.get_or_create(&RefusalLabels { limit }).inc();
    }

    /// Counts an answer of storage.
    pub fn count_storage_request(&self, method: &Method, status: StatusCode) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.storage_requests.get_or_create(&StorageLabels { method: name_of(method), status: status.as_u16() }).inc();
    }

    /// How many requests were answered since the start.
    pub fn requests_so_far(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Counts a content that the weekly round has read.
    pub fn count_verified(&self) {
        self.contents_verified.inc();
    }

    /// Sets how many contents have this fault, which is a word of the program.
    pub fn set_at_fault(&self, fault: &'static str, contents: u64) {
        self.contents_at_fault.get_or_create(&FaultLabels { fault }).set(contents);
    }

    /// When the last round ended, in seconds since 1970.
    pub fn set_round_ended(&self, at: u64) {
        self.contents_round_ended.set(at);
    }

    /// Counts a task that has come to this end.
    pub fn count_end(&self, status: TaskStatus) {
        self.tasks_ended.get_or_create(&StatusLabels { status: status.as_str().to_owned() }).inc();
    }

    /// Counts a lease that another process ended while this one was at work.
    pub fn count_lost_lease(&self, work: Work) {
        self.leases_lost.get_or_create(&WorkLabels { work: name_of_work(work) }).inc();
    }

    /// How many leases of this kind were lost.
    #[cfg(test)]
    pub fn lost_leases(&self, work: Work) -> u64 {
        self.leases_lost.get_or_create(&WorkLabels { work: name_of_work(work) }).get()
    }

    /// Sets how many tasks are in this state now.
    pub fn set_tasks(&self, status: TaskStatus, count: u64) {
        self.tasks.get_or_create(&StatusLabels { status: status.as_str().to_owned() }).set(count);
    }

    /// How many deliveries are to be tried now.
    pub fn set_deliveries_pending(&self, count: u64) {
        self.deliveries_pending.set(count);
    }

    /// How much room is left now where contents lie.
    pub fn set_free_bytes(&self, bytes: u64) {
        self.free_bytes.set(bytes);
    }

    /// Everything as OpenMetrics text.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a counter that cannot be written; none is.
    pub fn write(&self) -> Result<String, Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|_| Error::Corrupt("a counter that cannot be written"))?;
        Ok(text)
    }

    /// Counts an attempt at a delivery.
    pub fn count_attempt(&self, succeeded: bool) {
        let outcome = if succeeded { "succeeded" } else { "failed" };
        self.webhook_attempts.get_or_create(&OutcomeLabels { outcome }).inc();
    }
}

/// A known method's name; others are a text from a request.
fn name_of(method: &Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method.as_str())
        .unwrap_or("other")
}

fn name_of_work(work: Work) -> &'static str {
    match work {
        Work::Task => "task",
        Work::Export => "export",
        Work::Delivery => "delivery",
    }
}
