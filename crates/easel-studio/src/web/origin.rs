//! Where a request came from.
//!
//! Always true: the word of a proxy counts only where the operator trusts it ([`super::door`]).

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::core::error::Error;

/// The address that a request came from; behind a trusted proxy, its client. An extension of every request to the API.
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
