//! With whose eyes the database is read, and which of the team's items those see.
//!
//! Who sees an item is a column of its row, `private_to`: empty for the whole team, else the id of the one user who does.

use crate::core::caller::Caller;
use crate::wire::drive::Visibility;
use crate::wire::{TeamId, UserId};

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Viewer {
    /// The team whose drive it is.
    pub team: TeamId,
    /// The member who looks.
    pub user: UserId,
    /// Whether that is an admin or an owner: they may list what others have hidden, and bring it back.
    pub oversees: bool,
}

impl From<&Caller> for Viewer {
    fn from(caller: &Caller) -> Self {
        Self { team: caller.team_id, user: caller.user_id, oversees: caller.oversees() }
    }
}

/// Who sees an item besides the whole team: nobody else, or one user alone. Written as a blob, empty for the team.
pub(in crate::db) fn sees(private_to: &[u8], viewer: Viewer) -> bool {
    private_to.is_empty() || private_to == viewer.user.uuid().as_bytes()
}

/// What an item's own visibility and its folder's `private_to` come to.
pub(in crate::db) fn private_to(own: Visibility, maker: UserId, above: &[u8]) -> Vec<u8> {
    if own == Visibility::Private { maker.uuid().as_bytes().to_vec() } else { above.to_vec() }
}
