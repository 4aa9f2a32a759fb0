//! A design service of other hands, for the tests: written from the specification, with only paths, methods and request
//! names from the contract.
//!
//! Everything that the specification calls "not shown" is decided here as services of this kind do, and every decision
//! that could fall otherwise is a [`Switch`]. Always true here: nothing is shared with Easel's own service, client or
//! types; everything is in memory, and no request waits. Deliberately not here: sending webhooks, drawing designs.

mod account;
mod call;
mod canvases;
mod clock;
mod config;
mod deliveries;
mod exports;
mod faults;
mod fields;
mod files;
mod folders;
mod gate;
mod ids;
mod items;
mod kits;
mod lists;
mod log;
mod mangle;
mod records;
mod remix;
mod reply;
mod route;
mod samples;
mod server;
mod service;
mod shape;
mod state;
mod storage;
mod stranger;
mod switch;
mod switches;
mod tasks;
mod tour;
mod uploads;

pub use account::LATER_SCOPES;
pub use clock::{Clock, Hand};
pub use config::{ACCEPTED_MEDIA_TYPES, Config, UNANNOUNCED_BYTES};
pub use faults::{Contradiction, Fault};
pub use fields::{Field, Holds};
pub use items::REFUSED_LETTERS;
pub use log::{Carried, CarriedFile, Entry};
pub use mangle::{How, Mangle};
pub use records::{Delivered, Ending};
pub use route::Route;
pub use stranger::{Backup, Drive, DriveFile, Stranger};
pub use switch::Switch;
pub use switches::Switches;
pub use tour::every_field;
