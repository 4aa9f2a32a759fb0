//! The library of Easel's tests: the real service as a process, a plain HTTP client, a proxy that breaks, and the real
//! window on a desktop of its own.
//!
//! The tests themselves are in the folders beside it: `conformance/` (every rule of the specification, over HTTP),
//! `faults/` (what breaks between a client and a service), `journeys/`, `desktop/` and others. Not here: doubles.
//! Whatever can run, runs.

pub mod axe;
pub mod bench;
pub mod bombs;
pub mod bucket;
pub mod desktop;
pub mod drive;
pub mod drop_source;
pub mod drop_target;
pub mod figures;
pub mod hand;
pub mod http;
pub mod hurry;
pub mod journey;
pub mod model_server;
pub mod panel;
pub mod patience;
pub mod port;
pub mod postgres;
pub mod process;
pub mod proxy;
pub mod receiver;
pub mod samples;
pub mod several;
pub mod small_disk;
pub mod soak;
pub mod studio;
pub mod synced;
pub mod tools;
pub mod trees;
pub mod window;
