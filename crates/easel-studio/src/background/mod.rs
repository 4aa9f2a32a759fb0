//! Background work while the studio serves: leases, contents and entries are looked after until it stops.
//!
//! Not here: the work that requests ask for, which is with its noun ([`crate::worker`], [`crate::exports`],
//! [`crate::webhooks`]).

pub mod audit_log;
pub mod certificates;
pub mod keeper;
pub mod last_uses;
pub mod reaper;
pub mod rounds;
pub mod upkeep;
