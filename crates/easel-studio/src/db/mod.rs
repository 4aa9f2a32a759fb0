//! The database: the only place with SQL, one file a noun.
//!
//! SQLite with a write-ahead log and `synchronous=FULL`: a committed write survives a power cut. Writes go through one
//! connection and begin with `BEGIN IMMEDIATE`, so that a transaction never fails half-way for want of the lock; reads
//! have connections of their own and never wait for a write. Other processes (`easel-studio keys …`) may hold the same
//! file open. SQL is portable: `$1` placeholders, no dialect where there is a choice.

pub mod accounts;
pub mod audit;
pub mod brand_kits;
pub mod canvases;
pub mod changes;
mod columns;
pub mod copies;
mod database;
pub mod drive;
pub mod exports;
pub mod idempotency;
pub mod leases;
pub mod limits;
pub mod members;
mod migrations;
mod options;
pub mod quotas;
pub mod readers;
pub mod remembered;
pub mod served_days;
pub mod tasks;
pub mod uploads;
mod viewer;
pub mod webhooks;

pub use database::{Db, Tx};
pub use viewer::Viewer;
