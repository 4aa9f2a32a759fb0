//! The commands about who there is and what they may: keys, users, organizations, limits and quotas, staged uploads.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use easel_wire::Scope;
use serde_json::{Value, json};

use super::arguments::{BlobsPlace, Data, PlanName};
use super::output::print;
use crate::core::error::Error;
use crate::db::invitations::InvitationRow;
use crate::operators::limits::{self, Change};
use crate::operators::quotas::{self, Which};
use crate::operators::{invitations, keys, users};
use crate::people::members::normalize_email;
use crate::wire::account::Role;
use crate::wire::{ApiKeyId, InvitationId, OrganizationId};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum RoleName {
    Owner,
    Admin,
    Member,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Owner => Self::Owner,
            RoleName::Admin => Self::Admin,
            RoleName::Member => Self::Member,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Create a key; it is printed once
    Create {
        /// What the key is called
        name: String,
        /// Whose key it is [default: the owner's]
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        /// What it may do, separated by commas [default: everything but admin]
        #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
        scopes: Option<Vec<String>>,
        /// Everything, admin included: what manages the team in Easel
        #[arg(long, conflicts_with = "scopes")]
        admin: bool,
        /// How many days it is good for [default: without an end]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
        expires_in_days: Option<u32>,
        #[command(flatten)]
        data: Data,
    },
    /// List the keys that are not deleted, newest first
    List {
        #[command(flatten)]
        data: Data,
    },
    /// Make a key in the place of another; both are good for a day
    Rotate {
        /// The key's id, ak_…
        id: ApiKeyId,
        #[command(flatten)]
        data: Data,
    },
    /// Make a new key file where it is lost; webhooks of keys made before are signed no more
    ReplaceFile {
        #[command(flatten)]
        data: Data,
    },
    /// Delete a key; the next request with it is refused
    Delete {
        /// The key's id, ak_…
        id: ApiKeyId,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Users {
    /// Add a user to the team
    Add {
        /// The user's address
        email: String,
        /// What the user is in the team
        #[arg(long, value_enum)]
        role: RoleName,
        /// The organization's id, org_… [default: the first]
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        #[command(flatten)]
        data: Data,
    },
    /// List the users, in the order in which they came
    List {
        /// The organization's id, org_… [default: all]
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        #[command(flatten)]
        data: Data,
    },
    /// Change what a user is in the team
    Role {
        /// The user's address
        email: String,
        /// What the user is from now on
        #[arg(value_enum)]
        role: RoleName,
        #[command(flatten)]
        data: Data,
    },
    /// Remove a user and delete their keys; what they made stays
    Remove {
        /// The user's address
        email: String,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Args)]
pub(super) struct Invite {
    /// The address of the person
    email: String,
    /// What the person will be in the team
    #[arg(long, value_enum, default_value_t = RoleName::Member)]
    role: RoleName,
    /// Where Easel reaches this service, as with serve's --public-url; the code carries it
    #[arg(long, value_name = "URL")]
    address: String,
    /// The organization's id, org_… [default: the first]
    #[arg(long, value_name = "ID")]
    organization: Option<OrganizationId>,
    #[command(flatten)]
    data: Data,
}

#[derive(Debug, Subcommand)]
pub(super) enum Invitations {
    /// List the open invitations, newest first, without their codes
    List {
        #[command(flatten)]
        data: Data,
    },
    /// Revoke an open invitation; its code is refused from then on
    #[command(alias = "take-back")]
    Revoke {
        /// The invitation's id, inv_…
        id: InvitationId,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Organizations {
    /// Make an organization with its team and its owner
    Create {
        /// What it is called
        name: String,
        /// The owner's address
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// Its plan
        #[arg(long, value_enum, default_value_t = PlanName::Paid)]
        plan: PlanName,
        #[command(flatten)]
        data: Data,
    },
    /// List the organizations with their limits and what they use, in the order in which they came
    List {
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Limits {
    /// Set limits that hold in place of the plan's and of serve's; what is not named stays, and all are printed
    Set {
        /// The organization's id, org_… [default: the first]
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        /// Requests a minute and key; 0 for no limit, default for serve's
        #[arg(long, value_name = "N")]
        requests_per_minute: Option<Change>,
        /// Exports a minute; 0 for no limit, default for serve's
        #[arg(long, value_name = "N")]
        exports_per_minute: Option<Change>,
        /// Design tasks queued or running at once; 0 for no limit, default for serve's or the plan's
        #[arg(long, value_name = "N")]
        concurrent_tasks: Option<Change>,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Quotas {
    /// Set what an organization may keep; what is not named stays, and all is printed with what is used
    Set {
        /// The organization's id, org_… [default: the first]
        #[arg(long, value_name = "ID")]
        organization: Option<OrganizationId>,
        /// Bytes of files and staged uploads; default for no quota
        #[arg(long, value_name = "N")]
        bytes: Option<Change<u64>>,
        /// Files and staged uploads; default for no quota
        #[arg(long, value_name = "N")]
        files: Option<Change<u64>>,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Uploads {
    /// List what was PUT and waits to be registered, with its age
    List {
        #[command(flatten)]
        data: Data,
    },
    /// Remove what waits to be registered
    Clear {
        #[command(flatten)]
        which: Cleared,
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        blobs: BlobsPlace,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Cleared {
    /// Storage keys, as listed
    #[arg(value_name = "STORAGE_KEY")]
    storage_keys: Vec<String>,
    /// Everything that has waited for so many days
    #[arg(long, value_name = "DAYS")]
    older_than_days: Option<u32>,
}

fn read_scopes(scopes: &[String]) -> Vec<Scope> {
    scopes.iter().map(|scope| Scope::from(scope.trim())).collect()
}

pub(super) async fn keys(command: Keys) -> Result<(), Error> {
    match command {
        Keys::Create { name, user, scopes, admin, expires_in_days, data } => {
            let wanted = keys::Wanted {
                name,
                user_email: user,
                scopes: if admin { Some(Scope::KNOWN.to_vec()) } else { scopes.as_deref().map(read_scopes) },
                good_for: expires_in_days.map(|days| DAY * days),
            };
            let keys::CreatedKey { id, key, signing_secret } = keys::create_as_wanted(&data.settle()?, &wanted).await?;
            print(&json!({ "id": id, "key": key, "signing_secret": signing_secret }))
        }
        Keys::List { data } => keys::list(&data.settle()?).await?.into_iter().try_for_each(|key| {
            let keys::ListedKey { id, name, user_email, created_at, last_used_at, expires_at, scopes } = key;
            print(&json!({
                "id": id, "name": name, "user": user_email, "created_at": created_at, "last_used_at": last_used_at,
                "expires_at": expires_at, "scopes": scopes,
            }))
        }),
        Keys::Rotate { id, data } => {
            let (made, old_ends) = keys::rotate(&data.settle()?, id).await?;
            let keys::CreatedKey { id: new, key, signing_secret } = made;
            print(&json!({
                "id": new, "key": key, "signing_secret": signing_secret, "replaces": id, "replaced_until": old_ends,
            }))
        }
        Keys::Delete { id, data } => {
            keys::delete(&data.settle()?, id).await?;
            print(&json!({ "id": id, "deleted": true }))
        }
        Keys::ReplaceFile { data } => {
            keys::replace_file(&data.settle()?).await?;
            print(&json!({ "replaced": true }))
        }
    }
}

pub(super) async fn users(command: Users) -> Result<(), Error> {
    match command {
        Users::Add { email, role, organization, data } => {
            let role = Role::from(role);
            let id = users::add(&data.settle()?, &email, role, organization).await?;
            print(&json!({ "id": id, "email": normalize_email(&email), "role": role }))
        }
        Users::List { organization, data } => {
            users::list(&data.settle()?, organization).await?.into_iter().try_for_each(|user| {
                print(&json!({
                    "id": user.id, "email": user.email, "name": user.name, "role": user.role, "organization_id": user.organization_id,
                    "created_at": user.created_at, "keys": user.keys,
                }))
            })
        }
        Users::Role { email, role, data } => {
            let role = Role::from(role);
            let before = users::set_role(&data.settle()?, &email, role).await?;
            print(&json!({ "email": normalize_email(&email), "role": role, "before": before }))
        }
        Users::Remove { email, data } => {
            users::remove(&data.settle()?, &email).await?;
            print(&json!({ "email": normalize_email(&email), "removed": true }))
        }
    }
}

pub(super) async fn invite(command: Invite) -> Result<(), Error> {
    let Invite { email, role, address, organization, data } = command;
    let wanted = (email.as_str(), Role::from(role));
    let (invitation, code) = invitations::invite(&data.settle()?, wanted, &address, organization).await?;
    let mut line = write_invitation(&invitation);
    line["code"] = json!(code);
    print(&line)
}

pub(super) async fn invitations(command: Invitations) -> Result<(), Error> {
    match command {
        Invitations::List { data } => {
            let listed = invitations::list(&data.settle()?).await?;
            listed.iter().try_for_each(|invitation| print(&write_invitation(invitation)))
        }
        Invitations::Revoke { id, data } => {
            invitations::revoke(&data.settle()?, id).await?;
            print(&json!({ "id": id, "taken_back": true }))
        }
    }
}

fn write_invitation(invitation: &InvitationRow) -> Value {
    json!({
        "id": invitation.id, "email": invitation.email, "role": invitation.role,
        "invited_by": invitation.invited_by.as_deref().unwrap_or("operator"), "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
    })
}

pub(super) async fn organizations(command: Organizations) -> Result<(), Error> {
    match command {
        Organizations::Create { name, owner, plan, data } => {
            let (id, team, user) = users::create_organization(&data.settle()?, &name, &owner, plan.into()).await?;
            print(&json!({ "id": id, "team_id": team, "owner_id": user }))
        }
        Organizations::List { data } => {
            users::list_organizations(&data.settle()?).await?.into_iter().try_for_each(|one| {
                print(&json!({
                    "id": one.id, "name": one.name, "plan": one.plan, "created_at": one.created_at, "users": one.users,
                    "max_bytes": one.overrides.max_bytes, "max_files": one.overrides.max_files,
                    "used_bytes": one.usage.bytes, "used_files": one.usage.files,
                    "staged_bytes": one.usage.staged_bytes, "staged_files": one.usage.staged_files,
                }))
            })
        }
    }
}

pub(super) async fn limits(command: Limits) -> Result<(), Error> {
    let Limits::Set { organization, requests_per_minute, exports_per_minute, concurrent_tasks, data } = command;
    let changes = limits::Changes { requests_per_minute, exports_per_minute, concurrent_tasks };
    let (organization, now) = limits::set(&data.settle()?, organization, changes).await?;
    print(&json!({
        "organization_id": organization, "requests_per_minute": now.requests_per_minute,
        "exports_per_minute": now.exports_per_minute, "concurrent_tasks": now.concurrent_tasks,
    }))
}

pub(super) async fn quotas(command: Quotas) -> Result<(), Error> {
    let Quotas::Set { organization, bytes, files, data } = command;
    let (organization, now, used) =
        quotas::set(&data.settle()?, organization, quotas::Changes { bytes, files }).await?;
    print(&json!({
        "organization_id": organization, "max_bytes": now.max_bytes, "max_files": now.max_files,
        "used_bytes": used.bytes, "used_files": used.files, "staged_bytes": used.staged_bytes,
        "staged_files": used.staged_files,
    }))
}

pub(super) async fn uploads(command: Uploads) -> Result<(), Error> {
    match command {
        Uploads::List { data } => {
            let (staged, now) = quotas::list_staged(&data.settle()?).await?;
            staged.into_iter().try_for_each(|one| {
                let age = now.as_micros().saturating_sub(one.staged_at.as_micros()) / 1_000_000;
                print(&json!({
                    "storage_key": one.storage_key, "user": one.user_email, "filename": one.filename,
                    "size_bytes": one.size_bytes, "staged_at": one.staged_at, "age_seconds": age,
                }))
            })
        }
        Uploads::Clear { which, data, blobs } => {
            let which = match which.older_than_days {
                Some(days) => Which::WaitedFor(DAY * days),
                None => Which::Named(which.storage_keys),
            };
            quotas::clear_staged(&data.settle()?, &blobs.into(), &which).await?.into_iter().try_for_each(|one| {
                print(&json!({ "storage_key": one.storage_key, "size_bytes": one.size_bytes, "cleared": true }))
            })
        }
    }
}
