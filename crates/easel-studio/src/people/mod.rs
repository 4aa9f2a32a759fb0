//! Who there is and what they may, as an operator at the command line and a team's admins over HTTP change it alike.
//!
//! Always true: an organization keeps an owner; only an owner makes, changes or removes one; nobody at a window changes what
//! they are themselves; what is changed is in the audit log, in the transaction that changes it. Not here: how a command is
//! written ([`crate::operators`]) and how a request is answered ([`crate::team`]).

mod actor;
pub mod invitations;
pub mod keys;
pub mod members;

pub use actor::Actor;
