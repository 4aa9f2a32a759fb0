//! The routes: the table of every endpoint, the rules for every request, the OpenAPI document, and the storage endpoint
//! on its own listener.

mod gateway;
mod openapi;
mod route;
mod router;
mod storage;

pub use gateway::Hosts;
pub use router::{describe, operator_router, router};
pub use storage::router as storage_router;
