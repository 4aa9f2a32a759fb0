//! The service: a design-generation REST API with a drive, as a library and as the binary `easel-studio`.
//!
//! [`cli::run`] is the whole command line, [`keys`] what the application does with API keys beside a running service, [`writer`]
//! what it has to know of models that write.
//! `router` is the table of contents. Always true: a write is acknowledged when it would survive a power cut; every
//! response of the API bears the version header and `X-Request-ID`; no input answers with a panic; no key, signing secret
//! or signed URL reaches a log. Deliberately not here: a client of any kind.

mod audit;
mod auth;
mod backup;
mod blobs;
mod brand_kits;
mod canvases;
mod certificates;
pub mod cli;
mod clock;
mod content;
mod contents;
mod counts;
mod crowd;
mod data_folder;
mod db;
mod door;
mod drawers;
mod drawing;
mod drawn;
mod drive;
mod error;
mod exports;
mod extract;
#[cfg(test)]
mod fixture;
mod gateway;
pub mod keys;
mod last_use;
mod leases;
mod limits;
mod list;
mod metrics;
mod names;
mod openapi;
mod organizations;
mod outbound;
mod quotas;
mod rate;
mod readiness;
mod restore;
mod room;
mod rounds;
mod router;
mod secrets;
mod serve;
mod signed_urls;
mod spool;
mod storage;
mod studio;
mod tasks;
mod turns;
mod upkeep;
mod uploads;
mod users;
mod verify;
mod webhooks;
mod whoami;
pub mod wire;
mod worker;
pub mod writer;

pub use error::Error;
