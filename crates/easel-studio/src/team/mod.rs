//! The team over HTTP, for its admins and owners, and the way into it: `/team` and `/invitations/redeem`. Additions to the
//! specification's routes, outside `/v1`.
//!
//! Always true: a request for the team comes with a key of the scope `admin`, which the operator alone makes, and from an
//! admin or an owner; it reaches its own organization and no other. Redeeming needs no key. Not here: the rules of what may be
//! changed ([`crate::people`]).

mod changes;
mod lists;
mod redeeming;
#[cfg(test)]
mod tests;

pub use changes::{change_person, delete_key, invite, remove_person, revoke_invitation};
pub use lists::{get_team, list_audit_log};
pub use redeeming::redeem_invitation;
