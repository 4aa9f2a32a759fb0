//! `easel-studio users` and `organizations`: who there is, beside a running service and with effect at once.
//!
//! Always true: an organization keeps an owner; who is removed has no key from then on, and what they made stays and
//! says so. A removed user who is added again is the same one, without keys. Not here: keys
//! ([`crate::operators::keys`]).

use std::path::Path;

use easel_wire::error::code;
use serde_json::json;

use super::find_team;
use crate::audit;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::core::room::Room;
use crate::data_folder::DataFolder;
use crate::db::accounts::{self, UserRow};
use crate::db::members::{self, ListedOrganization, ListedUser};
use crate::people::members::normalize_email;
use crate::people::{self, Actor};
use crate::wire::account::{Plan, Role};
use crate::wire::{OrganizationId, TeamId, UserId};

/// Adds a user to the team of an organization, the first one's where none is named.
///
/// # Errors
/// [`Error::Usage`] where the address is none or is taken, or there is no such organization; [`Error::Io`],
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn add(
    data_dir: &Path,
    email: &str,
    role: Role,
    organization: Option<OrganizationId>,
) -> Result<UserId, Error> {
    let (email, name) = read_email(email)?;
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let (organization, team) = find_team(&mut tx, organization).await?;
    let user = UserRow { id: UserId::from_uuid(folder.ids.next()), name, email: email.clone(), role };
    let id = match members::bring_back(&mut tx, team, &email, role).await? {
        Some(id) => Some(id),
        None => accounts::insert_user(&mut tx, team, &user, now).await?.then_some(user.id),
    };
    let id = id.ok_or_else(|| Error::Usage(format!("there is a user {email} already")))?;
    audit::note_operator(&mut tx, Some(organization), ("user_added", email, json!({ "role": role })), now).await?;
    tx.commit().await?;
    folder.db.close().await;
    tracing::info!(user = %id, role = role.as_str(), "user added");
    Ok(id)
}

/// The users, of one organization or all, in the order in which they came.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list(data_dir: &Path, organization: Option<OrganizationId>) -> Result<Vec<ListedUser>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let users = members::list_users(&folder.db, organization).await?;
    folder.db.close().await;
    Ok(users)
}

/// Changes what a user is in the team.
///
/// # Errors
/// [`Error::Usage`] for an unknown user, and for the only owner; [`Error::Io`], [`Error::Database`],
/// [`Error::StorageFull`].
pub async fn set_role(data_dir: &Path, email: &str, role: Role) -> Result<Role, Error> {
    change(data_dir, email, Some(role)).await
}

/// Removes a user and deletes their keys; what they made stays.
///
/// # Errors
/// As [`set_role`].
pub async fn remove(data_dir: &Path, email: &str) -> Result<Role, Error> {
    change(data_dir, email, None).await
}

/// Gives a user another role, or removes them; says what they were.
async fn change(data_dir: &Path, email: &str, role: Option<Role>) -> Result<Role, Error> {
    Room::of(data_dir).lend(|| change_once(data_dir, email, role)).await
}

async fn change_once(data_dir: &Path, email: &str, role: Option<Role>) -> Result<Role, Error> {
    let email = normalize_email(email);
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let user = accounts::find_user(&mut tx, Some(&email))
        .await?
        .ok_or_else(|| Error::Usage(format!("there is no user {email}")))?;
    people::members::change(&mut tx, Actor::Operator, &user, role, now).await.map_err(|error| match error {
        Error::Conflict { code: code::ONLY_OWNER, .. } => {
            Error::Usage(format!("{email} is the only owner; make another user an owner first"))
        }
        error => error,
    })?;
    tx.commit().await?;
    people::members::log_change(&user, role);
    folder.db.close().await;
    Ok(user.role)
}

/// Makes an organization with its team and its owner.
///
/// # Errors
/// [`Error::Usage`] for a name or an address that is none, or an address that is taken; [`Error::Io`],
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn create_organization(
    data_dir: &Path,
    name: &str,
    owner: &str,
    plan: Plan,
) -> Result<(OrganizationId, TeamId, UserId), Error> {
    let name =
        Name::parse(name.trim()).map_err(|error| Error::Usage(format!("the name of an organization: {error}")))?;
    let (email, called) = read_email(owner)?;
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let organization = OrganizationId::from_uuid(folder.ids.next());
    let team = TeamId::from_uuid(folder.ids.next());
    let user =
        UserRow { id: UserId::from_uuid(folder.ids.next()), name: called, email: email.clone(), role: Role::Owner };
    let mut tx = folder.db.begin().await?;
    accounts::insert_team(&mut tx, (organization, name.as_str(), plan), (team, name.as_str()), now).await?;
    if !accounts::insert_user(&mut tx, team, &user, now).await? {
        return Err(Error::Usage(format!("there is a user {email} already")));
    }
    let details = json!({ "name": name.as_str(), "owner": email, "plan": plan });
    let what = ("organization_created", organization.to_string(), details);
    audit::note_operator(&mut tx, Some(organization), what, now).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok((organization, team, user.id))
}

/// The organizations, in the order in which they came, with what their files come to.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list_organizations(data_dir: &Path) -> Result<Vec<ListedOrganization>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let listed = members::list_organizations(&folder.db).await?;
    folder.db.close().await;
    Ok(listed)
}

/// An address as it is stored, and the part before its @.
pub(super) fn read_email(email: &str) -> Result<(String, String), Error> {
    people::members::read_email(email)
        .ok_or_else(|| Error::Usage(format!("{} is not an e-mail address", normalize_email(email))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::keys;

    #[tokio::test]
    async fn the_only_owner_stays_one_and_who_comes_back_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        let owner = crate::data_folder::OWNER_EMAIL;
        assert!(matches!(remove(data, owner).await, Err(Error::Usage(_))));
        assert!(matches!(set_role(data, owner, Role::Admin).await, Err(Error::Usage(_))));
        let ann = add(data, "Ann@Example.com", Role::Member, None).await.unwrap();
        assert_eq!(set_role(data, "ann@example.com", Role::Owner).await.unwrap(), Role::Member);
        assert_eq!(set_role(data, owner, Role::Admin).await.unwrap(), Role::Owner);
        keys::create(data, "Ann's", Some("ann@example.com")).await.unwrap();
        assert!(matches!(remove(data, "ann@example.com").await, Err(Error::Usage(_))), "now she is");
        set_role(data, owner, Role::Owner).await.unwrap();
        remove(data, "ann@example.com").await.unwrap();
        assert_eq!((list(data, None).await.unwrap().len(), keys::list(data).await.unwrap().len()), (1, 0));
        assert!(matches!(keys::create(data, "x", Some("ann@example.com")).await, Err(Error::Usage(_))));
        assert_eq!(add(data, "ann@example.com", Role::Member, None).await.unwrap(), ann);
        assert!(matches!(add(data, "ann@example.com", Role::Member, None).await, Err(Error::Usage(_))));
    }

    #[tokio::test]
    async fn an_organization_has_its_own_users() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        let (one, _, _) = create_organization(data, "One", "a@one.example", Plan::Free).await.unwrap();
        assert!(matches!(create_organization(data, "Two", "A@one.example", Plan::Free).await, Err(Error::Usage(_))));
        add(data, "b@one.example", Role::Member, Some(one)).await.unwrap();
        let emails: Vec<String> = list(data, Some(one)).await.unwrap().into_iter().map(|user| user.email).collect();
        assert_eq!(emails, ["a@one.example", "b@one.example"]);
        let all = list_organizations(data).await.unwrap();
        assert_eq!(
            all.iter().map(|one| (one.name.as_str(), one.users)).collect::<Vec<_>>(),
            [("My organization", 1), ("One", 2)]
        );
        assert!(
            matches!(set_role(data, "a@one.example", Role::Member).await, Err(Error::Usage(_))),
            "the owner of that one"
        );
    }
}
