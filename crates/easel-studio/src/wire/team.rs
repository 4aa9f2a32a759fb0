//! The team as its admins see and change it, and the redeeming of an invitation: additions to the specification's routes,
//! outside `/v1`.
//!
//! Not here: the code of an invitation, which both sides read ([`easel_wire::invitation`]).

use easel_wire::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::account::{Organization, Role, User};
use crate::wire::{ApiKeyId, InvitationId, UserId};

/// The most entries of the audit log in one answer.
pub const MAX_ENTRIES: u32 = 1_000;
/// So many where nobody says.
pub const DEFAULT_ENTRIES: u32 = 100;

/// A person of the team.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TeamPerson {
    /// The user's id.
    pub id: UserId,
    /// The user's address.
    pub email: String,
    /// What the user is called.
    pub name: String,
    /// What the user is in the team.
    pub role: Role,
    /// When the user was added.
    pub created_at: Timestamp,
}

/// A key of someone in the team; never the key itself.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TeamKey {
    /// The key's id.
    pub id: ApiKeyId,
    /// What the key is called.
    pub name: String,
    /// The address of its user.
    pub user_email: String,
    /// The key's scopes.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a request last came with it, up to a minute late; `None` where none has.
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused; `None` for never.
    pub expires_at: Option<Timestamp>,
}

/// An invitation that nobody redeemed or took back; its end may have come.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TeamInvitation {
    /// The invitation's id.
    pub id: InvitationId,
    /// Whom it is for.
    pub email: String,
    /// What the person will be in the team.
    pub role: Role,
    /// The address of who invited them, or `operator`.
    pub invited_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// An invitation with its code, which cannot be had again.
#[derive(Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct MadeInvitation {
    /// The invitation.
    #[serde(flatten)]
    pub invitation: TeamInvitation,
    /// What the person pastes into Easel, or redeems: it names this service, and is for one use.
    pub code: String,
}

/// What the files of an organization come to, and how much they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TeamStorage {
    /// Bytes of files, and of uploads that wait to be registered.
    pub used_bytes: u64,
    /// The most bytes; `None` for no quota.
    pub max_bytes: Option<u64>,
    /// Files, and uploads that wait to be registered.
    pub used_files: u64,
    /// The most files; `None` for no quota.
    pub max_files: Option<u64>,
}

/// The answer of `GET /team`.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TeamMembers {
    /// The people, in the order in which they came.
    pub people: Vec<TeamPerson>,
    /// The open invitations, the newest first.
    pub invitations: Vec<TeamInvitation>,
    /// The keys that are not deleted, the newest first.
    pub keys: Vec<TeamKey>,
    /// What the organization's files come to.
    pub storage: TeamStorage,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// The address of a user, or `operator`.
    pub actor: String,
    /// The key that the request came with.
    pub api_key_id: Option<ApiKeyId>,
    /// The network address that the request came from.
    pub address: String,
    /// The action, by name.
    pub action: String,
    /// What it was done to: an id, or the address of a user.
    pub subject: String,
    /// An object that depends on the action.
    pub details: Value,
}

/// The answer of `GET /team/audit`.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct AuditLog {
    /// The entries, the newest first.
    pub entries: Vec<AuditEntry>,
}

/// `POST /team/invitations`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Invite {
    /// Whom to invite; an earlier invitation that is still open is taken back.
    pub email: String,
    /// What the person will be in the team. Only an owner invites an owner.
    pub role: Role,
}

/// `PATCH /team/people/{user_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePerson {
    /// What the person is from now on.
    pub role: Role,
}

/// The answer of `PATCH /team/people/{user_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct PersonChanged {
    /// The user's id.
    pub id: UserId,
    /// What the person is now.
    pub role: Role,
}

/// `POST /invitations/redeem`.
#[derive(Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Redeem {
    /// The code.
    pub code: String,
    /// What the key that is made is called; `Easel` where absent.
    pub key_name: Option<String>,
}

/// The answer of `POST /invitations/redeem`: the person's own key, which cannot be had again.
#[derive(Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Redeemed {
    /// `svc_live_` and 40 hex digits: every scope but `admin`, without an end.
    pub key: String,
    /// What signs the webhooks of its tasks.
    pub signing_secret: String,
    /// The key's id.
    pub api_key_id: ApiKeyId,
    /// The name of the version header of this service.
    pub version_header: String,
    /// Who the person is here.
    pub user: User,
    /// Where they belong.
    pub organization: Organization,
}

/// The answer to a deletion in the team.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TeamRemoved {
    /// The id of what is gone.
    pub id: String,
    /// `true`.
    pub removed: bool,
}
