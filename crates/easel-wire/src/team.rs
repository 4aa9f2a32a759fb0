//! The team of a studio as its admins see and change it, and the redeeming of an invitation: `/team` and
//! `/invitations/redeem`, additions outside `/v1` that few services have.
//!
//! Not here: the code of an invitation ([`crate::invitation`]).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account::{Organization, Role, User};
use crate::lenient;
use crate::{ApiKeyId, InvitationId, Scope, Timestamp, UserId};

/// A person of the team.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TeamPerson {
    /// The user's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: UserId,
    /// The user's address.
    #[serde(deserialize_with = "lenient::needed")]
    pub email: String,
    /// What the user is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// What the user is in the team.
    #[serde(default, deserialize_with = "lenient::read")]
    pub role: Option<Role>,
    /// When the user was added.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
}

/// A key of someone in the team; never the key itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TeamKey {
    /// The key's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: ApiKeyId,
    /// What the key is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// The address of its user, which the studio's command line calls `user`.
    #[serde(default, alias = "user", deserialize_with = "lenient::read")]
    pub user_email: String,
    /// The key's scopes.
    #[serde(default, deserialize_with = "lenient::read")]
    pub scopes: Vec<Scope>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When a request last came with it, up to a minute late.
    #[serde(default, deserialize_with = "lenient::read")]
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused.
    #[serde(default, deserialize_with = "lenient::read")]
    pub expires_at: Option<Timestamp>,
}

/// An invitation that nobody redeemed or took back.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TeamInvitation {
    /// The invitation's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: InvitationId,
    /// Whom it is for.
    #[serde(deserialize_with = "lenient::needed")]
    pub email: String,
    /// What the person will be in the team.
    #[serde(default, deserialize_with = "lenient::read")]
    pub role: Option<Role>,
    /// The address of who invited them, or `operator`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub invited_by: String,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// From when on it is refused.
    #[serde(default, deserialize_with = "lenient::read")]
    pub expires_at: Option<Timestamp>,
}

/// An invitation that was just made, with its code, which cannot be had again.
#[derive(Clone, PartialEq, Deserialize)]
pub struct MadeInvitation {
    /// The invitation.
    #[serde(flatten)]
    pub invitation: TeamInvitation,
    /// What the person pastes.
    #[serde(deserialize_with = "lenient::needed")]
    pub code: String,
}

impl std::fmt::Debug for MadeInvitation {
    /// Leaves the code out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeInvitation").field("invitation", &self.invitation).finish_non_exhaustive()
    }
}

/// What the files of an organization come to, and how much they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct TeamStorage {
    /// Bytes of files, and of uploads that wait to be registered.
    #[serde(deserialize_with = "lenient::needed")]
    pub used_bytes: u64,
    /// The most bytes; absent for no quota.
    #[serde(default, deserialize_with = "lenient::read")]
    pub max_bytes: Option<u64>,
    /// Files, and uploads that wait to be registered.
    #[serde(deserialize_with = "lenient::needed")]
    pub used_files: u64,
    /// The most files; absent for no quota.
    #[serde(default, deserialize_with = "lenient::read")]
    pub max_files: Option<u64>,
}

/// The team: the answer of `GET /team`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Team {
    /// The people, in the order in which they came.
    #[serde(deserialize_with = "lenient::needed")]
    pub people: Vec<TeamPerson>,
    /// The open invitations, the newest first.
    #[serde(default, deserialize_with = "lenient::read")]
    pub invitations: Vec<TeamInvitation>,
    /// The keys, the newest first.
    #[serde(default, deserialize_with = "lenient::read")]
    pub keys: Vec<TeamKey>,
    /// What the organization's files come to; absent at services that do not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub storage: Option<TeamStorage>,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AuditEntry {
    /// When.
    #[serde(default, deserialize_with = "lenient::read")]
    pub at: Option<Timestamp>,
    /// The address of a user, `operator`, or nothing where nobody knows.
    #[serde(default, deserialize_with = "lenient::read")]
    pub actor: String,
    /// The network address that the request came from.
    #[serde(default, deserialize_with = "lenient::read")]
    pub address: String,
    /// The action, by name.
    #[serde(deserialize_with = "lenient::needed")]
    pub action: String,
    /// What it was done to: an id, or the address of a user.
    #[serde(default, deserialize_with = "lenient::read")]
    pub subject: String,
    /// Depends on the action.
    #[serde(default)]
    pub details: Value,
}

/// The answer of `GET /team/audit`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AuditLog {
    /// The entries, the newest first.
    #[serde(deserialize_with = "lenient::needed")]
    pub entries: Vec<AuditEntry>,
}

/// `POST /team/invitations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invite {
    /// Whom to invite.
    pub email: String,
    /// What the person will be in the team.
    pub role: Role,
}

/// `PATCH /team/people/{user_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangePerson {
    /// What the person is from now on.
    pub role: Role,
}

/// `POST /invitations/redeem`.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Redeem {
    /// The code.
    pub code: String,
    /// What the key that is made is called.
    pub key_name: String,
}

/// The answer to [`Redeem`]: the person's own key, which cannot be had again.
#[derive(Clone, PartialEq, Deserialize)]
pub struct Redeemed {
    /// The key's text.
    #[serde(deserialize_with = "lenient::needed")]
    pub key: String,
    /// The name of the version header there.
    #[serde(default, deserialize_with = "lenient::read")]
    pub version_header: Option<String>,
    /// Who the person is there.
    #[serde(default, deserialize_with = "lenient::read")]
    pub user: Option<User>,
    /// Where they belong.
    #[serde(default, deserialize_with = "lenient::read")]
    pub organization: Option<Organization>,
}

impl std::fmt::Debug for Redeemed {
    /// Leaves the key out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redeemed").field("user", &self.user).finish_non_exhaustive()
    }
}

lenient::records!(TeamPerson, TeamKey, TeamInvitation, AuditEntry, TeamStorage);
