//! The state of a key, once for the whole program: its budget, its upload limits, the service's clock.
//!
//! Always true: two clients of the same service and key share one state (architecture: one request budget a key), for
//! as long as the program runs. The key itself is not kept here, only its digest.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use easel_wire::account::Entitlements;
use easel_wire::uploads::{DIRECT_CEILING_BYTES, STORAGE_CEILING_BYTES, UploadLimits};
use easel_wire::{Scope, Version};
use http::Method;
use http::header::{self, HeaderMap};
use jiff::{SignedDuration, Timestamp};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};

use crate::budget::Budget;
use crate::capabilities::{Feature, Learned};
use crate::client::Client;
use crate::connection::Connection;
use crate::error::Error;

/// The index in [`Version::ALL`] of the newest version that this build knows.
const NEWEST: usize = Version::ALL.len() - 1;
/// No answer had a `Date` so far.
const UNHEARD: i64 = i64::MIN;

static KEYS: LazyLock<Mutex<HashMap<[u8; 32], Arc<KeyState>>>> = LazyLock::new(Mutex::default);

/// The state of one key at one service.
#[derive(Debug)]
pub(crate) struct KeyState {
    pub(crate) budget: Arc<Budget>,
    pub(crate) learned: Learned,
    /// The pinned version, as its index in [`Version::ALL`].
    version: AtomicUsize,
    /// Whether the service has answered in that version.
    is_version_served: AtomicBool,
    is_service_seen: AtomicBool,
    limits: Mutex<Option<UploadLimits>>,
    entitlements: Mutex<Entitlements>,
    /// In bytes. Lower than the service tells where a gateway on the way refused a smaller body.
    direct_ceiling: AtomicU64,
    /// How many milliseconds the service's clock is ahead of ours, by its `Date`; exact to a second. [`UNHEARD`]
    /// before.
    clock_ahead_ms: AtomicI64,
}

impl KeyState {
    /// The state of the connection's key.
    pub(crate) fn of(connection: &Connection) -> Arc<Self> {
        let mut digest = Sha256::new();
        digest.update(connection.base_url().as_str());
        digest.update([0]);
        digest.update(connection.key().expose_secret());
        let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
        let state = keys.entry(digest.finalize().into()).or_insert_with(|| {
            Arc::new(Self {
                budget: Budget::new(),
                learned: Learned::new(),
                version: AtomicUsize::new(NEWEST),
                is_version_served: AtomicBool::new(false),
                is_service_seen: AtomicBool::new(false),
                limits: Mutex::new(None),
                entitlements: Mutex::default(),
                direct_ceiling: AtomicU64::new(u64::MAX),
                clock_ahead_ms: AtomicI64::new(UNHEARD),
            })
        });
        Arc::clone(state)
    }

    /// Notes that an answer had the version header: it came from a design-generation service, whatever else it says
    /// (specification, Versioning, rule 5).
    pub(crate) fn note_service_seen(&self) {
        self.is_service_seen.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_service_seen(&self) -> bool {
        self.is_service_seen.load(Ordering::Relaxed)
    }

    /// Takes the service's clock from an answer's `Date`.
    pub(crate) fn note_date(&self, headers: &HeaderMap, now: Timestamp) {
        let Some(date) = headers.get(header::DATE).and_then(|value| value.to_str().ok()) else { return };
        if let Ok(theirs) = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date) {
            let ahead = i64::try_from(theirs.duration_since(now).as_millis()).unwrap_or_default();
            self.clock_ahead_ms.store(ahead, Ordering::Relaxed);
        }
    }

    /// The time `ours` of this computer's clock, on the service's clock.
    pub(crate) fn on_their_clock(&self, ours: Timestamp) -> Timestamp {
        let ahead = match self.clock_ahead_ms.load(Ordering::Relaxed) {
            UNHEARD => 0,
            heard => heard,
        };
        ours.checked_add(SignedDuration::from_millis(ahead)).unwrap_or(ours)
    }

    fn is_clock_heard(&self) -> bool {
        self.clock_ahead_ms.load(Ordering::Relaxed) != UNHEARD
    }

    /// Notes that a gateway refused a body of so many bytes, so that none of that size is sent directly any more.
    pub(crate) fn note_refused_body(&self, body_bytes: u64) {
        self.direct_ceiling.fetch_min(body_bytes.saturating_sub(1), Ordering::Relaxed);
    }

    /// The version that requests are pinned to.
    pub(crate) fn version(&self) -> Version {
        Version::ALL.get(self.version.load(Ordering::Relaxed)).copied().unwrap_or(Version::Canonical)
    }

    /// Notes that the service answered a request that was pinned to `asked`.
    pub(crate) fn note_version_served(&self, asked: Version) {
        if self.version() == asked {
            self.is_version_served.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that the service refused the version that a request was pinned to. Returns whether there is another to go
    /// on with: the newest older one that both know, by the versions that the refusal names, else the next older one.
    /// If there is no older one and the refused version was served before, it was retired, and a newer one is taken.
    pub(crate) fn note_version_refused(&self, refused: Version, named: &[Version]) -> bool {
        // Another request may have switched the version meanwhile.
        if self.version() != refused {
            return true;
        }
        let older = |versions: &[Version]| versions.iter().copied().filter(|version| *version < refused).max();
        let newer = |versions: &[Version]| versions.iter().copied().filter(|version| *version > refused).max();
        let next = match older(named).or_else(|| older(&Version::ALL)) {
            None if self.is_version_served.load(Ordering::Relaxed) => newer(named).or_else(|| newer(&Version::ALL)),
            next => next,
        };
        let Some(place) = next.and_then(|next| Version::ALL.iter().position(|version| *version == next)) else {
            return false;
        };
        self.version.store(place, Ordering::Relaxed);
        self.is_version_served.store(false, Ordering::Relaxed);
        true
    }

    /// Notes the file ceiling that the service named in a refusal.
    pub(crate) fn note_file_ceiling(&self, max_file_bytes: u64, is_plan_limit: bool) {
        let mut limits = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(limits) = limits.as_mut() {
            limits.max_file_bytes = max_file_bytes;
            limits.max_file_bytes_is_plan_limit = is_plan_limit;
        }
    }

    /// Notes the caps of the key.
    pub(crate) fn note_entitlements(&self, entitlements: Entitlements) {
        *self.entitlements.lock().unwrap_or_else(PoisonError::into_inner) = entitlements;
    }

    pub(crate) fn entitlements(&self) -> Entitlements {
        *self.entitlements.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_limits(&self) -> Option<UploadLimits> {
        let mut limits = (*self.limits.lock().unwrap_or_else(PoisonError::into_inner))?;
        limits.max_direct_upload_bytes =
            limits.max_direct_upload_bytes.min(self.direct_ceiling.load(Ordering::Relaxed));
        Some(limits)
    }
}

impl Client {
    /// The present time of the service's clock, by the `Date` of its answers: up to two seconds behind, never ahead.
    /// `None` until an answer had one.
    #[must_use]
    pub fn service_time(&self) -> Option<easel_wire::Timestamp> {
        let key = &self.shared.key;
        key.is_clock_heard().then(|| key.on_their_clock(Timestamp::now()).into())
    }

    /// The upload limits of this key (specification, "Upload limits record"), asked for once and kept.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn upload_limits(&self) -> Result<UploadLimits, Error> {
        match self.shared.key.known_limits() {
            Some(limits) => Ok(limits),
            None => self.refresh_upload_limits().await,
        }
    }

    /// Asks for the upload limits again, for example after the plan changed.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn refresh_upload_limits(&self) -> Result<UploadLimits, Error> {
        let call = self.call(Method::GET, &["uploads", "limits"]).of(Feature::UploadLimits).needs(Scope::UploadsWrite);
        let answer = match self.get_json::<UploadLimits>(&call).await {
            Ok(limits) => {
                self.shared.key.learned.note_limits(&limits);
                limits
            }
            // A service without this route keeps to the specification's ceilings.
            Err(Error::RouteMissing) => UploadLimits {
                max_direct_upload_bytes: DIRECT_CEILING_BYTES,
                max_file_bytes: STORAGE_CEILING_BYTES,
                max_file_bytes_is_plan_limit: false,
            },
            Err(error) => return Err(error),
        };
        *self.shared.key.limits.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        Ok(self.shared.key.known_limits().unwrap_or(answer))
    }
}
