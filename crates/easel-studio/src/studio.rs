//! The running studio: what every handler may use, put together once at the start.

use std::sync::Arc;
use std::time::Duration;

use easel_wire::Version;
use http::HeaderName;

use crate::audit::Refusals;
use crate::auth::Callers;
use crate::blobs::Blobs;
use crate::clock::{Clock, IdSource};
use crate::db::Db;
use crate::db::limits::Overrides;
use crate::drawers::Drawers;
use crate::drive::Pages;
use crate::exports::Exports;
use crate::last_use::LastUses;
use crate::leases::Leases;
use crate::list::Cursors;
use crate::metrics::Metrics;
use crate::openapi::Documents;
use crate::outbound::Outbound;
use crate::rate::RequestRate;
use crate::readiness::Readiness;
use crate::room::Room;
use crate::secrets::MasterKey;
use crate::signed_urls::SignedUrls;
use crate::storage::Puts;
use crate::tasks::{Live, TasksAskedFor};
use crate::turns::Turns;
use crate::uploads::Commits;
use crate::wire::account::Plan;
use crate::wire::id::Kind;
use crate::wire::uploads::STORAGE_CEILING_BYTES;
use crate::wire::{Id, TeamId};
use crate::writer::Desk;

/// The state of every handler.
pub type App = Arc<Studio>;

/// What was settled when the studio started.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the API is reached from outside; no slash at the end.
    pub base_url: String,
    /// Where storage is reached from outside; no slash at the end.
    pub upload_url: String,
    /// The name of the version header (contract, introduction).
    pub version_header: HeaderName,
    /// The oldest version that is not retired: the default (specification, "Versioning", rule 3, and "Change policy", rule 4).
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

    /// The limits of an organization: its own overrides, else what was settled at the start, else its plan's (specification,
    /// "Limits"; contract, "Tasks and remix").
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

/// The limits that hold for an organization; zero for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests a minute and key.
    pub requests_per_minute: u32,
    /// Exports a minute.
    pub exports_per_minute: u32,
    /// Tasks queued or running at once.
    pub concurrent_tasks: u32,
}

/// The running studio.
pub struct Studio {
    /// What was settled at the start.
    pub config: Config,
    /// Rows.
    pub db: Db,
    /// Who holds which key.
    pub callers: Callers,
    /// Pages of the drive as they went out.
    pub pages: Pages,
    /// Tasks that were asked for by their ids.
    pub tasks_asked_for: TasksAskedFor,
    /// Bytes.
    pub blobs: Blobs,
    /// Room for deletions on a full disk.
    pub room: Room,
    /// PUTs to storage that are under way.
    pub puts: Arc<Puts>,
    /// Uploads that wait for their rows.
    pub commits: Commits,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn IdSource>,
    /// Requests a minute and key.
    pub rate: RequestRate,
    /// Uses of keys that are not written yet.
    pub last_uses: LastUses,
    /// Keys that were refused and are not written yet.
    pub refusals: Refusals,
    /// Whether it can do its work, as of some seconds ago.
    pub readiness: Readiness,
    /// What is counted.
    pub metrics: Metrics,
    /// What it says of itself to who asks.
    pub documents: Documents,
    /// Signs and checks URLs of storage.
    pub signed_urls: SignedUrls,
    /// Signs and checks cursors.
    pub cursors: Cursors,
    /// Tasks that run now, and who waits for them.
    pub live: Live,
    /// What this process has claimed.
    pub leases: Arc<Leases>,
    /// Processes that draw.
    pub drawers: Drawers,
    /// Exports a minute and organization, and who renders now.
    pub exports: Exports,
    /// Whose turn it is to read or change the texts of a design: teams in turns.
    pub text_turns: Arc<Turns<TeamId>>,
    /// Who writes what designs say.
    pub desk: Arc<Desk>,
    /// Opens signing secrets.
    pub master_key: MasterKey,
    /// The one way out.
    pub outbound: Outbound,
}

impl Studio {
    /// A new id, sorted after every one before it.
    #[must_use]
    pub fn new_id<K: Kind>(&self) -> Id<K> {
        Id::from_uuid(self.ids.next())
    }
}
