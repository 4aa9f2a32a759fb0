//! What is worth an entry in the audit log, and by whom.
//!
//! Deletions, changes of roles, keys made and revoked, refused keys, quotas: one entry each, in the transaction of what it tells.
//! Keys that are refused are counted by address and written together, at most once a minute, so that a stranger can fill neither
//! the log nor the disk. Always true: no key, secret or signed URL is in an entry. Not here: reading it over HTTP; the operator
//! reads it with `easel-studio audit`.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::FromRequestParts;
use easel_wire::Timestamp;
use http::Uri;
use http::request::Parts;
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use tokio::sync::Notify;

use crate::auth::Caller;
use crate::data_folder::DataFolder;
use crate::db::audit::{self as rows, AuditRow};
use crate::error::Error;
use crate::studio::{App, Studio};
use crate::wire::OrganizationId;

/// The least time between two writes of refused keys.
const BETWEEN_WRITES: Duration = Duration::from_secs(60);
/// Addresses that are told apart between two writes; further ones are counted together.
const ADDRESSES_APART: usize = 64;
/// How many days entries are kept.
const KEPT_DAYS: u32 = 400;
/// The entry of a refused key.
const KEY_REFUSED: &str = "key_refused";
/// So many of those are kept at most: strangers cause them, from as many addresses as they have.
const KEPT_REFUSALS: u32 = 100_000;
/// What the operator is called.
const OPERATOR: &str = "operator";

/// Where a request came from; behind a trusted proxy, its client. An extension of every request to the API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin(pub Option<IpAddr>);

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(Ok(()), |address| address.to_canonical().fmt(f))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Origin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// Writes what a caller did. In the transaction that does it.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note(
    conn: &mut SqliteConnection,
    caller: &Caller,
    origin: Origin,
    (action, subject, details): (&str, String, Value),
    now: Timestamp,
) -> Result<(), Error> {
    let row = AuditRow {
        at: now,
        actor: caller.names.email.clone(),
        api_key_id: Some(caller.api_key_id),
        organization_id: Some(caller.organization_id),
        address: origin.to_string(),
        action: action.to_owned(),
        subject,
        details,
    };
    rows::insert(conn, &row).await
}

/// Writes what the operator did at the command line. In the transaction that does it.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note_operator(
    conn: &mut SqliteConnection,
    organization_id: Option<OrganizationId>,
    (action, subject, details): (&str, String, Value),
    now: Timestamp,
) -> Result<(), Error> {
    #[cfg(unix)]
    let address = format!("command line, user {}", rustix::process::getuid().as_raw());
    #[cfg(not(unix))]
    let address = "command line".to_owned();
    let row = AuditRow {
        at: now,
        actor: OPERATOR.to_owned(),
        api_key_id: None,
        organization_id,
        address,
        action: action.to_owned(),
        subject,
        details,
    };
    rows::insert(conn, &row).await
}

/// The newest `limit` entries since a moment, of one action or all, the oldest first.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn read(
    data: &Path,
    since: Option<Timestamp>,
    action: Option<&str>,
    limit: u32,
) -> Result<Vec<AuditRow>, Error> {
    let folder = DataFolder::open(data).await?;
    let mut conn = folder.db.read().acquire().await?;
    let entries = rows::list(&mut conn, since, action, limit).await?;
    drop(conn);
    folder.db.close().await;
    Ok(entries)
}

/// Removes entries past their time and refused keys beyond their number, and says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget_old(studio: &Studio) -> Result<u64, Error> {
    let mut tx = studio.db.begin().await?;
    let gone = rows::forget(&mut tx, studio.clock.now(), KEPT_DAYS, (KEY_REFUSED, KEPT_REFUSALS)).await?;
    tx.commit().await?;
    Ok(gone)
}

/// So much of a request's path as is written down: it is a stranger's text, and may be as long as a head.
#[must_use]
pub fn strangers_path(target: &Uri) -> String {
    const PATH_CHARS: usize = 100;
    target.path().chars().filter(|letter| !letter.is_control()).take(PATH_CHARS).collect()
}

/// Keys that were refused and are not written yet.
#[derive(Debug, Default)]
pub struct Refusals {
    noted: Mutex<BTreeMap<String, Refused>>,
    any: Notify,
}

#[derive(Debug, Clone)]
struct Refused {
    last: Timestamp,
    count: u64,
    path: String,
}

impl Refusals {
    /// Notes that a key was refused.
    pub fn note(&self, origin: Origin, path: String, now: Timestamp) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let address = origin.to_string();
        let address =
            if noted.contains_key(&address) || noted.len() < ADDRESSES_APART { address } else { "others".to_owned() };
        let refused = noted.entry(address).or_insert(Refused { last: now, count: 0, path: String::new() });
        *refused = Refused { last: now, count: refused.count + 1, path };
        drop(noted);
        self.any.notify_one();
    }

    fn take(&self) -> BTreeMap<String, Refused> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes refused keys, the first at once and those that follow at most once a minute, until the studio stops.
pub async fn keep_refusals(app: App) {
    loop {
        tokio::select! {
            () = app.refusals.any.notified() => {}
            () = app.live.stopping.cancelled() => return,
        }
        if let Err(error) = write_refusals(&app).await {
            tracing::error!(%error, "refused keys cannot be written to the audit log");
        }
        tokio::select! {
            () = tokio::time::sleep(BETWEEN_WRITES) => {}
            () = app.live.stopping.cancelled() => return,
        }
    }
}

/// Writes what is noted, one entry an address.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`]; then they are forgotten: the log of the service has them too.
pub async fn write_refusals(studio: &Studio) -> Result<(), Error> {
    let noted = studio.refusals.take();
    if noted.is_empty() {
        return Ok(());
    }
    let mut tx = studio.db.begin().await?;
    for (address, refused) in noted {
        let row = AuditRow {
            at: refused.last,
            actor: String::new(),
            api_key_id: None,
            organization_id: None,
            address,
            action: KEY_REFUSED.to_owned(),
            subject: refused.path,
            details: json!({ "times": refused.count }),
        };
        rows::insert(&mut tx, &row).await?;
    }
    Ok(tx.commit().await?)
}
