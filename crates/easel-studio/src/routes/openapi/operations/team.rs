//! The operations outside `/v1`: the team, and the way into it.

use super::{Operation, Row, number, operation, reference};
use crate::wire::team::{DEFAULT_ENTRIES, MAX_ENTRIES};

/// What a row of the second table does.
#[rustfmt::skip]
pub(super) fn of_team(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/team") => operation("Team", "get_team", "People, open invitations and keys")
            .answer(200, "All of the organization.", reference("TeamMembers")),
        ("GET", "/team/audit") => operation("Team", "list_audit_log", "Who did what in the organization")
            .query(vec![number("limit", "How many entries.", Some(1), Some(u64::from(MAX_ENTRIES)), Some(u64::from(DEFAULT_ENTRIES)))])
            .answer(200, "The newest entries, the newest first.", reference("AuditLog")),
        ("PATCH", "/team/people/{user_id}") => operation("Team", "change_person", "Give a person another role")
            .json("ChangePerson")
            .answer(200, "What the person is now.", reference("PersonChanged")),
        ("DELETE", "/team/people/{user_id}") => operation("Team", "remove_person", "Remove a person: their keys and what they invited end, what they made stays")
            .answer(200, "The person is gone.", reference("TeamRemoved")),
        ("DELETE", "/team/keys/{api_key_id}") => operation("Team", "delete_key", "Delete a key of someone in the team")
            .answer(200, "It is refused from now on.", reference("TeamRemoved")),
        ("POST", "/team/invitations") => operation("Team", "invite", "Invite a person for 72 hours, in place of an earlier invitation that is open")
            .json("Invite")
            .links(&[("revoke_invitation", &[("invitation_id", "/id")])])
            .answer(201, "The invitation, with its code, which cannot be had again.", reference("MadeInvitation")),
        ("DELETE", "/team/invitations/{invitation_id}") => operation("Team", "revoke_invitation", "Revoke an open invitation")
            .answer(200, "Its code is refused from now on.", reference("TeamRemoved")),
        ("POST", "/invitations/redeem") => operation("Team", "redeem_invitation", "Become a person of the team, with a key of one's own")
            .json("Redeem")
            .answer(201, "The key, which cannot be had again. A code that is not good is 403 `invitation_refused`, whatever is the matter with it.", reference("Redeemed")),
        _ => return None,
    })
}
