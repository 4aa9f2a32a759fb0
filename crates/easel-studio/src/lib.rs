//! The service: a design-generation REST API with a drive, as a library and as the binary `easel-studio`.
//!
//! [`cli::run`] is the whole command line; the application uses [`keys`] beside a running service, and [`writer`] for
//! its settings of language models. `routes` is the table of contents. Always true: a write is acknowledged when it
//! would survive a power cut; every response of the API has the version header and `X-Request-ID`; no input makes the
//! service panic; no key, signing secret or signed URL reaches a log. Deliberately not here: a client of any kind.

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
pub mod file_reader;
pub mod typefaces;
pub mod writer;

mod people;

mod studio;

mod drawn;

mod accounts;
mod drive;
mod service;
mod team;
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
