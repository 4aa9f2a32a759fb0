//! The database: the only place with SQL, one file a noun.
//!
//! In SQLite, with a write-ahead log and `synchronous=FULL`, or in PostgreSQL ([`engine`]): a committed write survives a
//! power cut. A write transaction begins with its lock, so that it never fails half-way for want of one; reads have
//! connections of their own and never wait for a write. Other processes (`easel-studio keys …`) may write beside it.
//! SQL is written once for both engines: `$1` placeholders, and no dialect where there is a choice.

pub mod accounts;
pub mod audit;
pub mod brand_kits;
pub mod canvases;
pub mod changes;
mod columns;
pub mod copies;
mod database;
pub mod drive;
pub mod engine;
pub mod exports;
pub mod filling;
#[cfg(test)]
pub mod for_tests;
pub mod idempotency;
pub mod invitations;
pub mod leases;
pub mod limits;
mod lists;
pub mod members;
mod migrations;
mod options;
pub mod place;
pub mod presence;
pub mod quotas;
pub mod rates;
pub mod readers;
pub mod remembered;
pub mod removals;
mod selected;
pub mod served_days;
pub mod server_snapshot;
pub mod shared_settings;
mod tables;
pub mod tasks;
pub mod transfer;
mod turns;
pub mod uploads;
mod viewer;
pub mod webhooks;

pub use database::{Db, Tx};
pub use engine::{DbConnection, DbRow, Engine};
pub use viewer::Viewer;
