//! Who is asking: the API key of a request, and what it may do (specification, "Authentication" and "Scopes").
//!
//! The database is asked on every request, so that a key deleted by another process is refused at once. Keys are known
//! by their SHA-256 only. Not here: which scope an endpoint needs; that stands in [`crate::router`].

use axum::extract::FromRequestParts;
use easel_wire::account::Role;
use easel_wire::{ApiKeyId, OrganizationId, Scope, TeamId, UserId};
use http::request::Parts;
use http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::db::limits::Overrides;
use crate::db::{Db, accounts};
use crate::error::Error;

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
    pub scopes: Vec<Scope>,
    /// What holds for the organization in place of the usual limits.
    pub overrides: Overrides,
}

impl Caller {
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

/// The caller that the Authorization header names.
///
/// # Errors
/// [`Error::Unauthenticated`] where there is no header, it is no bearer key, or the key is unknown or deleted.
pub async fn authenticate(db: &Db, headers: &HeaderMap) -> Result<Caller, Error> {
    let key = bearer(headers).ok_or(Error::Unauthenticated)?;
    let hash = hash_key(key);
    let (caller, stored) = accounts::find_caller(db, &hash).await?.ok_or(Error::Unauthenticated)?;
    // The index compared hashes, not keys; this comparison says so again without leaking where they differ.
    if bool::from(stored.as_slice().ct_eq(&hash)) { Ok(caller) } else { Err(Error::Unauthenticated) }
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
}
