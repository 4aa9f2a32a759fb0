//! The team as the page shows it.
//!
//! Always true: what the person in front of it may not do is said here, so that the page offers no button for it; no key
//! goes to the page. Not here: whether a change is made, which the studio decides.

use easel_wire::account::{Entitlements, Role};
use easel_wire::team::{AuditEntry, MadeInvitation, Team, TeamInvitation, TeamStorage};
use easel_wire::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;

/// The operator's name in the answers of a studio.
const OPERATOR: &str = "operator";

/// What a person is in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TeamRole {
    /// May everything, owners included.
    Owner,
    /// Manages people, but no owner.
    Admin,
    /// Everyone else.
    Member,
}

impl TeamRole {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    /// A role that this Easel does not know may no more than a member.
    fn of(role: Option<&Role>) -> Self {
        match role {
            Some(Role::Owner) => Self::Owner,
            Some(Role::Admin) => Self::Admin,
            _ => Self::Member,
        }
    }
}

impl From<TeamRole> for Role {
    fn from(role: TeamRole) -> Self {
        match role {
            TeamRole::Owner => Self::Owner,
            TeamRole::Admin => Self::Admin,
            TeamRole::Member => Self::Member,
        }
    }
}

/// A person of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PersonView {
    /// What the commands call them.
    pub id: String,
    /// Their address.
    pub email: String,
    /// What they are called; `null` where that is only a part of the address.
    pub name: Option<String>,
    /// What they are in the team.
    pub role: TeamRole,
    /// It is the person in front of the window.
    pub is_you: bool,
    /// Whether the person in front of the window may change or remove them.
    pub may_be_changed: bool,
    /// When they came, RFC 3339.
    pub created_at: Option<String>,
}

/// An invitation that nobody redeemed or took back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct InvitationView {
    /// The invitation's id.
    pub id: String,
    /// Whom it is for.
    pub email: String,
    /// What the person will be in the team.
    pub role: TeamRole,
    /// The address of who invited them; `null` for the operator.
    pub invited_by: Option<String>,
    /// From when on it is refused, RFC 3339.
    pub expires_at: Option<String>,
    /// That moment is over.
    pub is_over: bool,
}

/// A key of someone in the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TeamKeyView {
    /// The key's id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The address of its user.
    pub user_email: String,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When a request last came with it, RFC 3339, up to a minute late; `null` where none has.
    pub last_used_at: Option<String>,
    /// From when on it is refused, RFC 3339; `null` for never.
    pub expires_at: Option<String>,
    /// It may manage the team.
    pub is_admin: bool,
    /// Easel uses it here.
    pub used_by_easel: bool,
    /// Whether the person in front of the window may delete it.
    pub may_be_deleted: bool,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AuditEntryView {
    /// When, RFC 3339.
    pub at: Option<String>,
    /// The address of a user; `null` for the operator, empty where nobody knows.
    pub actor: Option<String>,
    /// Where the request came from.
    pub address: String,
    /// The action, by name.
    pub action: String,
    /// What it was done to: a name or an address, where the entry has one, else an id.
    pub subject: String,
}

/// What a team may at the same time. `null` where there is no limit, or the service does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TeamLimitsView {
    /// Requests a minute with one key.
    pub requests_per_minute: Option<u32>,
    /// Exports a minute.
    pub exports_per_minute: Option<u32>,
    /// Designs that are made at once.
    pub designs_at_once: Option<u32>,
}

/// What a team's files come to, and how much they may. `null` where there is no quota.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TeamStorageView {
    /// Bytes of files.
    pub used_bytes: WholeNumber,
    /// The most bytes.
    pub max_bytes: Option<WholeNumber>,
    /// Files.
    pub used_files: WholeNumber,
    /// The most files.
    pub max_files: Option<WholeNumber>,
}

/// The team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TeamView {
    /// It is the studio of this computer, which nobody reaches from elsewhere.
    pub is_local: bool,
    /// Whether the person in front of the window may make owners.
    pub may_make_owners: bool,
    /// The people, in the order in which they came.
    pub people: Vec<PersonView>,
    /// The open invitations, the newest first.
    pub invitations: Vec<InvitationView>,
    /// The keys, the newest first.
    pub keys: Vec<TeamKeyView>,
    /// What all of them may at the same time.
    pub limits: TeamLimitsView,
    /// What their files come to; `null` where the service does not say.
    pub storage: Option<TeamStorageView>,
}

/// An invitation that was just made. The page shows its code once and forgets it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MadeInvitationView {
    /// The invitation.
    pub invitation: InvitationView,
    /// What the invited person pastes; not retrievable later.
    pub code: String,
}

impl std::fmt::Debug for MadeInvitationView {
    /// Leaves the code out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeInvitationView").field("invitation", &self.invitation).finish_non_exhaustive()
    }
}

fn moment(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.to_string())
}

/// Who looks at a team.
#[derive(Debug, Clone, Default)]
pub(super) struct Viewer {
    /// It is the studio of this computer, whose commands call a person by the address.
    pub(super) is_local: bool,
    /// The address of the person in front of the window.
    pub(super) email: String,
    /// What they are in the team.
    pub(super) role: Option<Role>,
    /// The key that Easel uses here.
    pub(super) key_id: Option<String>,
}

impl TeamView {
    pub(super) fn of(team: &Team, entitlements: &Entitlements, viewer: &Viewer, now: Timestamp) -> Self {
        let is_owner = viewer.is_local || viewer.role == Some(Role::Owner);
        let role_of = |email: &str| {
            let found = team.people.iter().find(|person| person.email == email);
            TeamRole::of(found.and_then(|person| person.role.as_ref()))
        };
        let may_change = |role: TeamRole| is_owner || role != TeamRole::Owner;
        let keys = team.keys.iter().map(|key| {
            let id = key.id.to_string();
            let used_by_easel = viewer.key_id.as_deref() == Some(&id);
            TeamKeyView {
                name: key.name.clone(),
                may_be_deleted: !used_by_easel && may_change(role_of(&key.user_email)),
                user_email: key.user_email.clone(),
                created_at: moment(key.created_at),
                last_used_at: moment(key.last_used_at),
                expires_at: moment(key.expires_at),
                is_admin: key.scopes.contains(&Scope::Admin),
                used_by_easel,
                id,
            }
        });
        let people = team.people.iter().map(|person| {
            let role = TeamRole::of(person.role.as_ref());
            let is_you = person.email == viewer.email;
            let local = person.email.split('@').next();
            PersonView {
                id: if viewer.is_local { person.email.clone() } else { person.id.to_string() },
                email: person.email.clone(),
                name: person.name.clone().filter(|name| !name.is_empty() && Some(name.as_str()) != local),
                role,
                is_you,
                may_be_changed: !is_you && may_change(role),
                created_at: moment(person.created_at),
            }
        });
        Self {
            is_local: viewer.is_local,
            may_make_owners: is_owner,
            people: people.collect(),
            keys: keys.collect(),
            limits: entitlements.into(),
            storage: team.storage.map(Into::into),
            invitations: team.invitations.iter().map(|invitation| InvitationView::of(invitation, now)).collect(),
        }
    }
}

impl From<&Entitlements> for TeamLimitsView {
    fn from(entitlements: &Entitlements) -> Self {
        // Nought is no limit (specification, "Limits").
        let limited = |limit: Option<u32>| limit.filter(|limit| *limit > 0);
        Self {
            requests_per_minute: limited(entitlements.requests_per_minute),
            exports_per_minute: limited(entitlements.exports_per_minute),
            designs_at_once: limited(entitlements.concurrency_cap),
        }
    }
}

impl From<TeamStorage> for TeamStorageView {
    fn from(storage: TeamStorage) -> Self {
        let TeamStorage { used_bytes, max_bytes, used_files, max_files } = storage;
        Self {
            used_bytes: used_bytes.into(),
            max_bytes: max_bytes.map(Into::into),
            used_files: used_files.into(),
            max_files: max_files.map(Into::into),
        }
    }
}

impl InvitationView {
    fn of(invitation: &TeamInvitation, now: Timestamp) -> Self {
        Self {
            id: invitation.id.to_string(),
            email: invitation.email.clone(),
            role: TeamRole::of(invitation.role.as_ref()),
            invited_by: Some(invitation.invited_by.clone()).filter(|by| by != OPERATOR && !by.is_empty()),
            expires_at: moment(invitation.expires_at),
            is_over: invitation.expires_at.is_some_and(|end| end <= now),
        }
    }
}

impl MadeInvitationView {
    pub(super) fn of(made: &MadeInvitation, now: Timestamp) -> Self {
        Self { invitation: InvitationView::of(&made.invitation, now), code: made.code.clone() }
    }
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        // What a person recognizes: the name of the item or key, or the address of the person.
        let named = entry.details.get("name").and_then(serde_json::Value::as_str).filter(|name| !name.is_empty());
        Self {
            at: moment(entry.at),
            actor: Some(entry.actor).filter(|actor| actor != OPERATOR),
            address: entry.address,
            action: entry.action,
            subject: named.map_or(entry.subject, str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn team() -> Team {
        let person = |name: &str, role: &str| json!({"id": format!("user_{name}"), "email": format!("{name}@x.org"), "name": name, "role": role});
        let key =
            |id: &str, user: &str| json!({"id": id, "name": id, "user": format!("{user}@x.org"), "scopes": ["admin"]});
        let invitation = json!({
            "id": "inv_1", "email": "new@x.org", "role": "king", "invited_by": "operator", "expires_at": "2026-01-01T00:00:00Z",
        });
        serde_json::from_value(json!({
            "people": [person("olga", "owner"), person("ada", "admin"), person("mia", "member")],
            "keys": [key("ak_1", "olga"), key("ak_2", "ada"), key("ak_3", "mia")], "invitations": [invitation],
        }))
        .unwrap()
    }

    #[test]
    fn what_a_person_may_not_do_is_not_offered() {
        let check = |role: Role, email: &str, people: [bool; 3], keys: [bool; 3]| {
            let viewer = Viewer {
                email: format!("{email}@x.org"),
                role: Some(role),
                key_id: Some("ak_2".to_owned()),
                is_local: false,
            };
            let view = TeamView::of(&team(), &Entitlements::default(), &viewer, Timestamp::from_micros(0));
            assert_eq!(view.people.iter().map(|person| person.may_be_changed).collect::<Vec<_>>(), people, "{email}");
            assert_eq!(view.keys.iter().map(|key| key.may_be_deleted).collect::<Vec<_>>(), keys, "{email}");
            assert_eq!(view.people[0].id, "user_olga");
        };
        check(Role::Admin, "ada", [false, false, true], [false, false, true]);
        check(Role::Owner, "olga", [false, true, true], [true, false, true]);
        let here = Viewer { is_local: true, email: "olga@x.org".to_owned(), ..Viewer::default() };
        let view = TeamView::of(&team(), &Entitlements::default(), &here, Timestamp::from_micros(i64::MAX));
        assert!(view.may_make_owners && view.people[0].is_you && view.people[1].may_be_changed);
        assert_eq!((view.people[1].id.as_str(), view.people[1].name.as_deref()), ("ada@x.org", None));
        let invited = &view.invitations[0];
        assert!(invited.is_over && invited.invited_by.is_none() && invited.role == TeamRole::Member);
    }
}
