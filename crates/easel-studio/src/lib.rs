//! The service: a design-generation REST API with a drive, as a library and as the binary `easel-studio`.
//!
//! [`cli::run`] is the whole command line, [`keys`] what the application does with API keys beside a running service, [`writer`]
//! what it has to know of models that write.
//! `routes` is the table of contents. Always true: a write is acknowledged when it would survive a power cut; every
//! response of the API bears the version header and `X-Request-ID`; no input answers with a panic; no key, signing secret
//! or signed URL reaches a log. Deliberately not here: a client of any kind.

// From the bottom up: a module uses those above it in this list, and none below.

pub mod wire;

mod core;

mod blobs;
mod outbound;

mod db;

mod data_folder;
mod drawing;
mod web;

mod audit;
mod drawers;
pub mod writer;

mod studio;

mod drawn;

mod accounts;
mod drive;
mod service;
mod webhooks;

mod brand_kits;
mod canvases;
mod uploads;

mod exports;
mod tasks;

mod worker;

mod routes;

mod background;

mod operators;

mod serve;

pub mod cli;

#[cfg(test)]
mod fixture;

pub use core::error::Error;
pub use operators::keys;
