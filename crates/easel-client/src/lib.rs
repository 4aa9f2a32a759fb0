//! Speaks to a design-generation service: one connection, one request budget a key, typed answers and typed errors.
//!
//! Always true here: every request has the key and the pinned version and goes to the service's own origin; no error,
//! no `Debug` and no log has the key or a signed URL; redirects are never followed; a request leaves only when the
//! budget has a permit for it; a request whose repeat could do harm is never simply repeated: after a lost answer the
//! service is asked what happened. Dropping a future cancels its work. Deliberately not here: a queue, a journal, and
//! any decision about what a person should see.

mod account;
mod bandwidth;
mod brand_kits;
mod budget;
mod canvases;
mod capabilities;
mod client;
mod colors;
mod connection;
mod download;
mod drive;
mod error;
mod exports;
mod fetch;
mod findings;
mod items;
mod limits;
mod media;
mod multipart;
mod organizations;
mod paging;
mod patience;
mod reach;
mod register;
mod retry;
mod settle;
mod source;
mod storage;
mod tasks;
mod team;
mod texts;
mod trash;
mod uploads;
mod versions;
mod webhooks;

pub use bandwidth::limit_bandwidth;
pub use budget::Lane;
pub use capabilities::{Capabilities, Feature, Finding};
pub use client::Client;
pub use connection::Connection;
pub use download::Downloaded;
pub use drive::Place;
pub use error::{AddressProblem, Error, UnexpectedBody};
pub use exports::ExportRequest;
pub use fetch::Described;
pub use media::Picture;
pub use multipart::direct_body_bytes;
pub use paging::{PageRequest, Sort, SortKey, Walk, read_whole};
pub use patience::Patience;
pub use settle::Fingerprint;
pub use source::{Identity, Progress, Source};
pub use storage::Put;
pub use tasks::{RemixClick, Remixed, TaskFilter};
pub use uploads::{Route, Sent, Target};
pub use webhooks::DeliveryFilter;
