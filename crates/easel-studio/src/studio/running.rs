//! The running studio: what every handler may use, put together once at the start.
//!
//! Not here: the types of its parts, one file each beside this one, and how they are put together ([`crate::serve`]).

use std::sync::Arc;

use super::active_tasks::ActiveTasks;
use super::answers::{CountedPages, Pages, TasksAskedFor};
use super::callers::Callers;
use super::commits::Commits;
use super::config::Config;
use super::documents::Documents;
use super::exports::Exports;
use super::last_uses::LastUses;
use super::leases::Leases;
use super::metrics::Metrics;
use super::puts::Puts;
use super::rates::SharedRate;
use super::readiness::Readiness;
use super::redemptions::Redemptions;
use super::refusals::Refusals;
use crate::blobs::Blobs;
use crate::core::clock::{Clock, IdSource};
use crate::core::room::Room;
use crate::core::secrets::MasterKey;
use crate::core::turns::Turns;
use crate::db::Db;
use crate::db::presence::Presence;
use crate::drawers::Drawers;
use crate::outbound::Outbound;
use crate::web::list::Cursors;
use crate::web::signed_urls::SignedUrls;
use crate::wire::id::Kind;
use crate::wire::{ApiKeyId, Id, TeamId};
use crate::writer::WriterSlot;

/// The state of every handler.
pub type SharedStudio = Arc<Studio>;

/// The running studio.
pub struct Studio {
    /// The settings of the start.
    pub config: Config,
    /// Rows.
    pub db: Db,
    /// The callers behind keys.
    pub callers: Callers,
    /// Pages of the drive as they were sent.
    pub pages: Pages,
    /// Pages of the drive, where changes are counted.
    pub counted_pages: CountedPages,
    /// Tasks that were read by their ids.
    pub tasks_asked_for: TasksAskedFor,
    /// Bytes.
    pub blobs: Blobs,
    /// Room for deletions on a full disk.
    pub room: Room,
    /// Whether other processes may serve the same studio.
    pub is_shared: bool,
    /// This process among others.
    pub presence: Presence,
    /// PUTs to storage that are under way.
    pub puts: Arc<Puts>,
    /// Uploads that wait for their rows.
    pub commits: Commits,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn IdSource>,
    /// Requests a minute and key.
    pub rate: SharedRate<ApiKeyId>,
    /// Uses of keys that are not written yet.
    pub last_uses: LastUses,
    /// Keys that were refused and are not written yet.
    pub refusals: Refusals,
    /// How often codes of invitations are tried.
    pub redemptions: Redemptions,
    /// Whether the studio could do its work some seconds ago.
    pub readiness: Readiness,
    /// The metrics.
    pub metrics: Metrics,
    /// The service's description.
    pub documents: Documents,
    /// Signs and checks URLs of storage.
    pub signed_urls: SignedUrls,
    /// Signs and checks cursors.
    pub cursors: Cursors,
    /// Tasks that run now, and who waits for them.
    pub active_tasks: ActiveTasks,
    /// The claims of this process.
    pub leases: Arc<Leases>,
    /// Processes that draw.
    pub drawers: Drawers,
    /// Exports a minute and organization, and who renders now.
    pub exports: Exports,
    /// Turns to read or change a design in its place: teams in turns.
    pub in_place_turns: Arc<Turns<TeamId>>,
    /// The writer of designs' words, which may be replaced.
    pub writer_slot: Arc<WriterSlot>,
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
