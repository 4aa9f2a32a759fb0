//! Who is asking: the API key of a request, and what it may do (specification, "Authentication" and "Scopes").
//!
//! On every request it is made sure that the database is as it was when the key was last looked for, so that a key deleted
//! by another process is refused at once. Keys are known by their SHA-256 only. Not here: which scope an endpoint needs; that stands in [`crate::router`].

use std::sync::Arc;

use axum::extract::FromRequestParts;
use easel_wire::{Scope, Timestamp};
use http::request::Parts;
use http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::db::accounts::Names;
use crate::db::changes::Seen;
use crate::db::limits::Overrides;
use crate::db::remembered::Remembered;
use crate::db::{Db, accounts};
use crate::error::Error;
use crate::wire::account::{Plan, Role};
use crate::wire::{ApiKeyId, OrganizationId, TeamId, UserId};

/// The key's owner and what the key may do. As an extractor: the caller whom the router has let in.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose key it is.
    pub user_id: UserId,
    /// The team that the key works in.
    pub team_id: TeamId,
    /// The organization of that team.
    pub organization_id: OrganizationId,
    /// The user's role in the team.
    pub role: Role,
    /// The key.
    pub api_key_id: ApiKeyId,
    /// What it may do.
    pub scopes: Arc<[Scope]>,
    /// From when on the key is refused.
    pub expires_at: Option<Timestamp>,
    /// The organization's plan.
    pub plan: Plan,
    /// What holds for the organization in place of the usual limits.
    pub overrides: Overrides,
    /// What the user, the team and the organization are called.
    pub names: Arc<Names>,
}

impl Caller {
    /// Whether the user is an admin or an owner, and so may find and bring back what others have hidden.
    #[must_use]
    pub fn oversees(&self) -> bool {
        matches!(self.role, Role::Admin | Role::Owner)
    }

    /// Passes where the key holds `scope`.
    ///
    /// # Errors
    /// [`Error::MissingScope`].
    pub fn need(&self, scope: Scope) -> Result<(), Error> {
        if self.scopes.contains(&scope) { Ok(()) } else { Err(Error::MissingScope(scope)) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        parts.extensions.get::<Self>().cloned().ok_or(Error::Unauthenticated)
    }
}

/// The database as it was when the caller was looked up: what a request reads that is kept as of then needs no look of its own.
/// Not for what waits in between.
#[derive(Debug, Clone)]
pub struct AsOf(pub Option<Seen>);

impl AsOf {
    /// As it is from here on.
    #[must_use]
    pub fn now(db: &Db) -> Self {
        Self(db.look())
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

/// Who holds which key.
#[derive(Debug)]
pub struct Callers {
    db: Db,
    /// By the SHA-256 of the key. Keys that nobody has are not remembered, so a stranger cannot fill this.
    remembered: Remembered<[u8; 32], Caller>,
}

impl Callers {
    /// Those of this database.
    #[must_use]
    pub fn of(db: &Db) -> Self {
        Self { db: db.clone(), remembered: Remembered::at_most(MOST_CALLERS) }
    }

    /// The caller that the Authorization header names, in the database as it is `as_of` a look.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] where there is no header, it is no bearer key, or the key is unknown, deleted or past its end.
    pub async fn authenticate(&self, headers: &HeaderMap, as_of: &AsOf, now: Timestamp) -> Result<Caller, Error> {
        let key = bearer(headers).ok_or(Error::Unauthenticated)?;
        let hash = hash_key(key);
        let ask = async || {
            let (caller, stored) = accounts::find_caller(&self.db, &hash).await?.ok_or(Error::Unauthenticated)?;
            // The index compared hashes, not keys; this comparison says so again without leaking where they differ.
            if bool::from(stored.as_slice().ct_eq(&hash)) { Ok(caller) } else { Err(Error::Unauthenticated) }
        };
        let caller = self.remembered.get(as_of.0.as_ref(), hash, ask).await?;
        // A key ends by the clock and not by a change of the database.
        if caller.expires_at.is_some_and(|end| now >= end) { Err(Error::Unauthenticated) } else { Ok(caller) }
    }
}

/// What is stored of a key.
#[must_use]
pub fn hash_key(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
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
    use crate::limits::{Change, Changes};
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
        assert_eq!(ask("svc_live_stranger").await.status, 401);
        for round in 0..20 {
            // A data folder that is opened by itself, as every command does beside a running studio.
            let key = crate::keys::create(folder.path(), "short-lived", None).await.unwrap();
            for _ in 0..3 {
                assert_eq!(ask(&key.key).await.status, 200, "round {round}");
            }
            let changes = Changes { requests_per_minute: Some(Change::To(round + 1)), ..Changes::default() };
            crate::limits::set(folder.path(), None, changes).await.unwrap();
            assert_eq!(ask(&key.key).await.json()["entitlements"]["requests_per_minute"], round + 1);
            let unlimited = Changes { requests_per_minute: Some(Change::To(0)), ..Changes::default() };
            crate::limits::set(folder.path(), None, unlimited).await.unwrap();
            crate::keys::delete(folder.path(), key.id).await.unwrap();
            assert_eq!(ask(&key.key).await.status, 401, "round {round}");
        }
    }
}
