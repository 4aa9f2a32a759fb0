//! With whose eyes the database is read, and which of the team's items those see.
//!
//! Who sees an item is a column of its row, `private_to`: empty for the whole team, else the id of the one user who
//! does.

use crate::core::caller::Caller;
use crate::wire::drive::Visibility;
use crate::wire::{TeamId, UserId};

/// The user for whom rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Viewer {
    /// The team whose drive it is.
    pub team: TeamId,
    /// The member who looks.
    pub user: UserId,
    /// Whether the user is an admin or an owner, who may list what others have hidden, and bring it back.
    pub oversees: bool,
}

impl From<&Caller> for Viewer {
    fn from(caller: &Caller) -> Self {
        Self { team: caller.team_id, user: caller.user_id, oversees: caller.oversees() }
    }
}

/// Whether the viewer sees an item by its `private_to`: the blob of the one user who does, or empty for the team.
pub(in crate::db) fn sees(private_to: &[u8], viewer: Viewer) -> bool {
    private_to.is_empty() || private_to == viewer.user.uuid().as_bytes()
}

/// What an item's own visibility and its folder's `private_to` come to.
pub(in crate::db) fn private_to(own: Visibility, maker: UserId, above: &[u8]) -> Vec<u8> {
    if own == Visibility::Private { maker.uuid().as_bytes().to_vec() } else { above.to_vec() }
}
