//! The callers behind API keys (specification, "Authentication").
//!
//! Every request checks that the database is as it was when the key was last looked up, so that a key deleted by
//! another process is refused at once. Keys are known by their SHA-256 only. Not here: which scope an endpoint needs;
//! that stands in [`crate::routes::router`].

use axum::extract::FromRequestParts;
use easel_wire::Timestamp;
use http::request::Parts;
use http::{HeaderMap, header};
use subtle::ConstantTimeEq;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::core::secrets::hash_key;
use crate::db::Db;
use crate::db::accounts::{self, FoundCaller};
use crate::db::changes::DatabaseState;
use crate::db::remembered::Remembered;

/// The database as it was when the caller was looked up: what a request reads that is kept as of then needs no look of
/// its own. Not for what waits in between.
#[derive(Debug, Clone)]
pub struct AsOf {
    /// The whole database, where that can be told.
    pub database: Option<DatabaseState>,
    /// The number of the last change of what the lists of the caller's drive show, where that is counted: on a server.
    pub drive_change: Option<i64>,
}

impl AsOf {
    /// The present state of the database.
    #[must_use]
    pub fn now(db: &Db) -> Self {
        Self { database: db.look(), drive_change: None }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AsOf {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        parts.extensions.get::<Self>().cloned().ok_or(Error::Unauthenticated)
    }
}

/// The most callers that are remembered; a studio with more keys in use at once asks the database more often.
const MOST_CALLERS: usize = 1_024;

/// The callers by key.
#[derive(Debug)]
pub struct Callers {
    db: Db,
    /// By the SHA-256 of the key. Keys that nobody has are not remembered, so a stranger cannot fill this.
    remembered: Remembered<[u8; 32], FoundCaller>,
}

impl Callers {
    /// Callers of this database; none looked up yet.
    #[must_use]
    pub fn of(db: &Db) -> Self {
        Self { db: db.clone(), remembered: Remembered::at_most(MOST_CALLERS) }
    }

    /// The caller that the Authorization header names, in the database `as_of` a look, and as of which change of the drive.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] where there is no header, it is no bearer key, or the key is unknown, deleted or past
    /// its end.
    pub async fn authenticate(
        &self,
        headers: &HeaderMap,
        as_of: AsOf,
        now: Timestamp,
    ) -> Result<(Caller, AsOf), Error> {
        let key = bearer(headers).ok_or(Error::Unauthenticated)?;
        let hash = hash_key(key);
        let ask = async || {
            let found = accounts::find_caller(&self.db, &hash).await?.ok_or(Error::Unauthenticated)?;
            // The index compared hashes, not keys; this comparison says so again without leaking where they differ.
            if bool::from(found.key_hash.as_slice().ct_eq(&hash)) { Ok(found) } else { Err(Error::Unauthenticated) }
        };
        let FoundCaller { caller, drive_change, .. } = self.remembered.get(as_of.database.as_ref(), hash, ask).await?;
        // A key ends by the clock and not by a change of the database.
        if caller.expires_at.is_some_and(|end| now >= end) {
            return Err(Error::Unauthenticated);
        }
        Ok((caller, AsOf { drive_change, ..as_of }))
    }

    /// Remembers on, after a commit that changed no caller and was looked at with the write lock in hand before and when
    /// it had ended.
    pub fn hold_over(&self, before: Option<&DatabaseState>, after: Option<&DatabaseState>) {
        if let (Some(before), Some(after)) = (before, after) {
            self.remembered.hold_over(before, after);
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, key) = value.split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::operators::limits::{Change, Changes};
    use axum::body::Body;

    #[test]
    fn only_one_bearer_key_is_read() {
        let check = |values: &[&'static str], expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, http::HeaderValue::from_static(value));
            }
            assert_eq!(bearer(&headers), expected);
        };
        check(&["Bearer abc"], Some("abc"));
        check(&["bearer  abc "], Some("abc"));
        check(&["Basic abc"], None);
        check(&["Bearer"], None);
        check(&["Bearer "], None);
        check(&["Bearer a", "Bearer b"], None);
        check(&[], None);
    }

    #[tokio::test]
    async fn what_another_process_does_to_a_key_holds_for_the_next_request() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let ask = async |key: &str| {
            let bearer = format!("Bearer {key}");
            fixture.ask(&http::Method::GET, "/v1/whoami", &[("authorization", &bearer)], Body::empty()).await
        };
        let upload = async |key: &str, content: u32| {
            let part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
            let (bearer, form) = (format!("Bearer {key}"), "multipart/form-data; boundary=b");
            let headers = [("authorization", bearer.as_str()), ("content-type", form)];
            let body = Body::from(format!("{part}{content}\r\n--b--\r\n"));
            fixture.ask(&http::Method::POST, "/v1/uploads", &headers, body).await.status
        };
        assert_eq!(ask("svc_live_stranger").await.status, 401);
        for round in 0..20 {
            // A data folder that is opened by itself, as every command opens it beside a running studio.
            let key = crate::operators::keys::create(folder.path(), "short-lived", None).await.unwrap();
            for _ in 0..3 {
                assert_eq!(ask(&key.key).await.status, 200, "round {round}");
            }
            assert_eq!(upload(&key.key, round).await, 201);
            let changes = Changes { requests_per_minute: Some(Change::To(round + 1)), ..Changes::default() };
            crate::operators::limits::set(folder.path(), None, changes).await.unwrap();
            assert_eq!(ask(&key.key).await.json()["entitlements"]["requests_per_minute"], round + 1);
            let unlimited = Changes { requests_per_minute: Some(Change::To(0)), ..Changes::default() };
            crate::operators::limits::set(folder.path(), None, unlimited).await.unwrap();
            assert_eq!(upload(&key.key, 100 + round).await, 201);
            crate::operators::keys::delete(folder.path(), key.id).await.unwrap();
            assert_eq!(ask(&key.key).await.status, 401, "round {round}");
        }
    }
}
