//! The studio's settings, as they were at its start.
//!
//! Always true: they do not change while the process lives. Not here: an organization's own limits
//! ([`crate::core::limits::Overrides`]).

use std::time::Duration;

use easel_wire::Version;
use http::HeaderName;

use crate::core::limits::{Limits, Overrides};
use crate::wire::account::Plan;
use crate::wire::uploads::STORAGE_CEILING_BYTES;

/// Addresses, limits and the version that holds where a request names none.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the API is reached from outside; no slash at the end.
    pub base_url: String,
    /// Where storage is reached from outside; no slash at the end.
    pub upload_url: String,
    /// The name of the version header (contract, introduction).
    pub version_header: HeaderName,
    /// The oldest version that is not retired: the default (specification, "Versioning", rule 3, and "Change policy",
    /// rule 4).
    pub oldest_version: Version,
    /// Replaces the plan's ceiling for a file, in bytes.
    pub max_file_bytes: Option<u64>,
    /// Requests a minute and key; zero for no limit.
    pub requests_per_minute: u32,
    /// Exports a minute; zero for no limit.
    pub exports_per_minute: u32,
    /// Replaces the plan's cap on tasks queued or running; zero for no limit.
    pub concurrent_tasks: Option<u32>,
    /// How long a task may be queued before it expires.
    pub expire_tasks_after: Duration,
}

impl Config {
    /// The ceiling for a file in bytes under a plan, and whether a larger plan raises it (contract, "Uploads").
    #[must_use]
    pub fn max_file_bytes(&self, plan: Plan) -> (u64, bool) {
        match (self.max_file_bytes, plan) {
            (Some(ceiling), _) => (ceiling.min(STORAGE_CEILING_BYTES), true),
            (None, Plan::Free) => (50_000_000, true),
            (None, Plan::Paid | Plan::Ultra) => (STORAGE_CEILING_BYTES, false),
        }
    }

    /// The limits of an organization: its own overrides, else what was settled at the start, else its plan's
    /// (specification, "Limits"; contract, "Tasks and remix").
    #[must_use]
    pub fn limits(&self, plan: Plan, overrides: &Overrides) -> Limits {
        let of_the_plan = match plan {
            Plan::Free => 3,
            Plan::Paid => 10,
            Plan::Ultra => 15,
        };
        Limits {
            requests_per_minute: overrides.requests_per_minute.unwrap_or(self.requests_per_minute),
            exports_per_minute: overrides.exports_per_minute.unwrap_or(self.exports_per_minute),
            concurrent_tasks: overrides.concurrent_tasks.or(self.concurrent_tasks).unwrap_or(of_the_plan),
        }
    }
}
