//! The running studio: what every handler and every background task may use, put together once at the start
//! ([`Studio`]).
//!
//! One file for each thing that is kept in memory while the process lives. Always true: nothing here knows a handler or
//! a background task; they know the studio. Not here: rows and bytes.

pub mod active_tasks;
pub mod answers;
pub mod callers;
pub mod commits;
pub mod config;
pub mod documents;
pub mod exports;
pub mod keeping;
pub mod last_uses;
pub mod leases;
pub mod metrics;
pub mod puts;
pub mod rates;
pub mod readiness;
pub mod redemptions;
pub mod refusals;
mod running;
pub mod unused;

pub use running::{SharedStudio, Studio};
