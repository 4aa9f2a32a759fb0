//! What Easel's tests share: the real service as a process, a plain HTTP client, a proxy that breaks.
//!
//! The tests themselves are in `conformance/` (every rule of the specification, over HTTP), `faults/` (what breaks
//! between a client and a service), `journeys/` and `desktop/`. Not here: doubles. Whatever can run, runs.

pub mod http;
pub mod proxy;
pub mod studio;
