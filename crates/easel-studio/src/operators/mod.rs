//! What an operator does to a data folder at the command line, also beside a running studio.
//!
//! Always true: what is changed is in the audit log, in the transaction that changes it. Not here: how a command is
//! written ([`crate::cli`]).

pub mod audit;
pub mod backup;
pub mod contents;
pub mod invitations;
pub mod keys;
pub mod limits;
pub mod quotas;
pub mod restore;
pub mod users;
pub mod verify;
