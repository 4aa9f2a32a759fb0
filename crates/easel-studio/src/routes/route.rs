//! A row of the table of routes: its method and path, its access, and its handler.
//!
//! Not here: the rows ([`super::router`]).

use axum::routing::{MethodFilter, MethodRouter};
use easel_wire::Scope;
use http::Method;

use crate::studio::SharedStudio;

/// What a request needs before its handler runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Nothing; it takes nothing from any rate either.
    Open,
    /// Any valid key.
    Key,
    /// A valid key with this scope.
    Scope(Scope),
    /// A valid key with the scope `admin`, of an admin or owner.
    Admin,
    /// The operator: no key at the operator's own listener, elsewhere the key of an admin or owner.
    Operator,
}

/// One row of the table.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, without `/v1`; a row of the specification's table answers there and below `/v1`, an addition outside it
    /// answers there alone.
    pub path: &'static str,
    /// What it needs.
    pub access: Access,
    /// What answers it.
    pub handler: fn(MethodFilter) -> MethodRouter<SharedStudio>,
}
