//! For tests: a studio on a data folder of its own, with a clock that moves only when told to, asked without a socket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use easel_wire::{Scope, Timestamp, Version};
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use crate::background::keeper::Keeper;
use crate::background::reaper;
use crate::blobs::Blobs;
use crate::core::clock::Clock;
use crate::core::secrets::hash_key;
use crate::data_folder::DataFolder;
use crate::db::accounts::{self, NewKey, UserRow};
use crate::db::leases::Lease;
use crate::db::{Tx, for_tests};
use crate::drawers::{Drawers, Start};
use crate::outbound::Outbound;
use crate::routes::{self, Hosts};
use crate::studio::active_tasks::ActiveTasks;
use crate::studio::callers::Callers;
use crate::studio::commits::Commits;
use crate::studio::config::Config;
use crate::studio::exports::Exports;
use crate::studio::last_uses::LastUses;
use crate::studio::leases::{LEASE, Leases};
use crate::studio::metrics::Metrics;
use crate::studio::{SharedStudio, Studio};
use crate::web::list::Cursors;
use crate::web::signed_urls::SignedUrls;
use crate::wire::account::{Plan, Role};
use crate::wire::{ApiKeyId, UserId};

/// The name of the version header in tests.
pub const VERSION_HEADER: &str = "acme-version";

/// A clock that moves only when the test says so.
pub struct SetClock {
    micros: AtomicI64,
    /// By how much the calendar is ahead of what has passed.
    ahead: AtomicI64,
}

impl SetClock {
    /// Moves on.
    pub fn advance(&self, by: Duration) {
        self.micros.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the calendar, by so many microseconds; no time passes.
    pub fn jump(&self, micros: i64) {
        self.ahead.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.micros.load(Ordering::SeqCst) + self.ahead.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.micros.load(Ordering::SeqCst)).unwrap())
    }
}

/// A studio with its clock.
pub struct Fixture {
    /// The studio.
    pub studio: SharedStudio,
    /// Its clock.
    pub clock: Arc<SetClock>,
    path: PathBuf,
}

/// What was answered.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: bytes::Bytes,
}

impl Answer {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Fixture {
    /// A studio on `path`; zero requests a minute for no limit.
    pub async fn start(path: &Path, requests_per_minute: u32) -> Self {
        let clock = SetClock { micros: AtomicI64::new(1_800_000_000_000_000), ahead: AtomicI64::new(0) };
        let blobs = Blobs::open(&path.join("blobs")).unwrap();
        Self::on(path, requests_per_minute, Arc::new(clock), blobs).await
    }

    /// Another studio on the same data folder and by the same clock, as a process of its own would be.
    pub async fn beside(&self) -> Self {
        let blobs = Blobs::beside(&self.path.join("blobs")).unwrap();
        Self::on(&self.path, 0, Arc::clone(&self.clock), blobs).await
    }

    async fn on(path: &Path, requests_per_minute: u32, clock: Arc<SetClock>, blobs: Blobs) -> Self {
        for_tests::settle(path).await;
        let folder = DataFolder::open(path).await.unwrap();
        let studio = Arc::new(Studio {
            config: Config {
                base_url: "http://127.0.0.1:1".to_owned(),
                upload_url: "http://127.0.0.1:2".to_owned(),
                version_header: VERSION_HEADER.parse().unwrap(),
                oldest_version: Version::Legacy,
                max_file_bytes: None,
                requests_per_minute,
                exports_per_minute: 3,
                concurrent_tasks: None,
                expire_tasks_after: Duration::from_secs(3_600),
            },
            drawers: Drawers::new(Start::OnThread, blobs.clone()),
            blobs,
            room: crate::core::room::Room::of(path),
            rate: crate::studio::rates::SharedRate::new("request", None),
            last_uses: LastUses::default(),
            refusals: crate::studio::refusals::Refusals::default(),
            redemptions: crate::studio::redemptions::Redemptions::new(None),
            readiness: crate::studio::readiness::Readiness::default(),
            metrics: Metrics::new(),
            documents: crate::studio::documents::Documents::made_by(routes::describe),
            signed_urls: SignedUrls::new([1; 32], "http://127.0.0.1:2"),
            is_shared: false,
            presence: crate::db::presence::Presence::of_one(),
            puts: crate::studio::puts::Puts::new(crate::db::presence::Presence::of_one()),
            commits: Commits::default(),
            cursors: Cursors::new([2; 32]),
            callers: Callers::of(&folder.db),
            pages: crate::studio::answers::new_pages(),
            counted_pages: crate::studio::answers::CountedPages::default(),
            tasks_asked_for: crate::studio::answers::new_tasks_asked_for(),
            db: folder.db,
            clock: clock.clone(),
            ids: folder.ids,
            active_tasks: ActiveTasks::new(),
            leases: Leases::new(uuid::Uuid::now_v7(), LEASE),
            exports: Exports::new(1, None),
            in_place_turns: crate::core::turns::Turns::new(1, 1),
            master_key: folder.master_key,
            writer_slot: Arc::default(),
            outbound: Outbound::new(true, crate::outbound::Names::of_the_system()),
        });
        Self { studio, clock, path: path.to_owned() }
    }

    /// The lease that a process takes now which is not this studio.
    pub fn lease_of_another(&self) -> Lease {
        Leases::new(uuid::Uuid::now_v7(), LEASE).lease_at(self.clock.now())
    }

    /// Has the lock of the data folder, as a process that starts to serve it does, and ends the leases of those before.
    pub async fn end_leases_before(&self) {
        let lock = DataFolder::hold(&self.path).unwrap();
        reaper::end_leases_of_earlier_processes(&self.studio, &lock).await.unwrap();
    }

    /// Makes `key` a key of the owner with exactly these scopes.
    pub async fn add_key(&self, key: &str, scopes: &[Scope]) {
        let mut tx = self.studio.db.begin().await.unwrap();
        let user = accounts::find_user(&mut tx, None).await.unwrap().unwrap();
        self.insert_key(&mut tx, key, user.id, scopes).await;
        tx.commit().await.unwrap();
    }

    /// Makes `key` a key of the owner of a new organization, with exactly these scopes.
    pub async fn add_stranger(&self, key: &str, scopes: &[Scope]) {
        let studio = &self.studio;
        let mut tx = studio.db.begin().await.unwrap();
        let (organization, team) = ((studio.new_id(), key, Plan::Paid), (studio.new_id(), key));
        accounts::insert_team(&mut tx, organization, team, studio.clock.now()).await.unwrap();
        let (email, name) = (format!("{key}@example.test"), key.to_owned());
        let user = UserRow { id: studio.new_id(), email, name, role: Role::Owner };
        assert!(accounts::insert_user(&mut tx, team.0, &user, studio.clock.now()).await.unwrap());
        self.insert_key(&mut tx, key, user.id, scopes).await;
        tx.commit().await.unwrap();
    }

    async fn insert_key(&self, tx: &mut Tx, key: &str, user_id: UserId, scopes: &[Scope]) {
        let row = NewKey {
            id: ApiKeyId::from_uuid(self.studio.ids.next()),
            user_id,
            name: key,
            key_hash: hash_key(key),
            sealed_secret: b"",
            scopes,
            created_at: self.studio.clock.now(),
            expires_at: None,
        };
        accounts::insert_key(tx, &row).await.unwrap();
    }

    /// Asks the API.
    pub async fn ask(&self, method: &Method, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        send(routes::router(&self.studio, loopback()), method, path, headers, body.into()).await
    }

    /// Asks storage at a signed URL.
    pub async fn ask_storage(
        &self,
        method: &Method,
        url: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let path = url.strip_prefix(&self.studio.config.upload_url).unwrap_or(url);
        send(routes::storage_router(&self.studio, loopback()), method, path, headers, body.into()).await
    }
}

/// Lets so much time pass, in steps at which these keepers look at the database, as those of running processes do every
/// second.
pub async fn pass(clock: &SetClock, time: Duration, looking: &mut [&mut Keeper]) {
    let step = LEASE / 6;
    for _ in 0..time.as_micros().div_ceil(step.as_micros()) {
        clock.advance(step);
        for keeper in &mut *looking {
            keeper.look().await;
        }
    }
}

/// How many files lie below `folder`, at any depth; none where it is missing.
pub fn count_files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { count_files(&path) } else { 1 }).sum()
}

/// The hosts of a listener on loopback.
pub fn loopback() -> Hosts {
    Hosts::of_listener([127, 0, 0, 1].into(), "http://127.0.0.1:1")
}

/// Sends one request to `router`; the Host header is this machine's unless given.
pub async fn send(router: Router, method: &Method, path: &str, headers: &[(&str, &str)], body: Body) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "127.0.0.1:1");
    }
    let response = router.oneshot(request.body(body).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    Answer { status: parts.status, headers: parts.headers, bytes: body.collect().await.unwrap().to_bytes() }
}
