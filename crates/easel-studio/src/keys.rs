//! API keys and users, made beside a running service and with effect at once: it asks the database on every request
//! (specification, "Authentication"; contract, "Keys").
//!
//! A key and its signing secret leave [`create`] once. What stays is the key's SHA-256 and the sealed secret.

use std::fmt;
use std::path::Path;

use data_encoding::HEXLOWER;
use easel_wire::{Scope, Timestamp};

use crate::auth::hash_key;
use crate::data_folder::{DataFolder, KEY_FILE};
use crate::db::accounts::{self, NewKey, UserRow};
use crate::error::Error;
use crate::secrets::{MasterKey, random};
use crate::wire::account::Role;
use crate::wire::{ApiKeyId, UserId};

/// The longest name of a key, in characters.
const MAX_NAME_CHARS: usize = 255;

/// A new key. The key and the secret cannot be had again.
#[derive(Clone)]
pub struct CreatedKey {
    /// The key's id.
    pub id: ApiKeyId,
    /// `svc_live_` and 40 hex digits.
    pub key: String,
    /// `whsec_` and 64 hex digits.
    pub signing_secret: String,
}

impl fmt::Debug for CreatedKey {
    /// Leaves the key and the secret out: they must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreatedKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A key as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// The key's id.
    pub id: ApiKeyId,
    /// The name given at creation.
    pub name: String,
    /// Whose key it is.
    pub user_email: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a request last came with it, up to a minute late; `None` where none has.
    pub last_used_at: Option<Timestamp>,
}

/// Makes a key named `name`, for the user with the address `user_email` or else for the owner, with every scope but
/// `admin`.
///
/// # Errors
/// [`Error::Usage`] for a name that is empty or longer than 255 characters, or an unknown user; [`Error::Io`],
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn create(data_dir: &Path, name: &str, user_email: Option<&str>) -> Result<CreatedKey, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::Usage(format!("a key's name has 1 to {MAX_NAME_CHARS} characters, none of them control")));
    }
    let folder = DataFolder::open(data_dir).await?;
    let id = ApiKeyId::from_uuid(folder.ids.next());
    let key = format!("svc_live_{}", HEXLOWER.encode(&random::<20>()?));
    let signing_secret = format!("whsec_{}", HEXLOWER.encode(&random::<32>()?));
    let sealed_secret = folder.master_key.seal(id.uuid().as_bytes(), signing_secret.as_bytes())?;
    let email = user_email.map(normalize_email);
    let scopes: Vec<Scope> = Scope::of_new_key().collect();
    let mut tx = folder.db.begin().await?;
    let user = accounts::find_user(&mut tx, email.as_deref())
        .await?
        .ok_or_else(|| Error::Usage(format!("there is no user {}", email.as_deref().unwrap_or("who is an owner"))))?;
    let row = NewKey {
        id,
        user_id: user.id,
        name,
        key_hash: hash_key(&key),
        sealed_secret: &sealed_secret,
        scopes: &scopes,
        created_at: folder.clock.now(),
    };
    accounts::insert_key(&mut tx, &row).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok(CreatedKey { id, key, signing_secret })
}

/// The keys that are not deleted, newest first.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list(data_dir: &Path) -> Result<Vec<ListedKey>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let rows = accounts::list_keys(&folder.db).await?;
    folder.db.close().await;
    Ok(rows
        .into_iter()
        .map(|row| ListedKey {
            id: row.id,
            name: row.name,
            user_email: row.user_email,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        })
        .collect())
}

/// Deletes a key: the next request with it is refused.
///
/// # Errors
/// [`Error::Usage`] where there is no such key; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn delete(data_dir: &Path, id: ApiKeyId) -> Result<(), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let mut tx = folder.db.begin().await?;
    let deleted = accounts::delete_key(&mut tx, id, folder.clock.now()).await?;
    tx.commit().await?;
    folder.db.close().await;
    if deleted {
        tracing::info!(key = %id, "key deleted");
    }
    if deleted { Ok(()) } else { Err(Error::Usage(format!("there is no key {id}"))) }
}

/// Makes a new key file where it is lost. Keys stay good; what signs their webhooks, and every signed URL and cursor, is not.
///
/// # Errors
/// [`Error::Usage`] where there is one; [`Error::DataFolderHeld`] beside a running service; [`Error::Io`].
pub fn replace_file(data_dir: &Path) -> Result<(), Error> {
    let _held = DataFolder::hold(data_dir)?;
    let file = data_dir.join(KEY_FILE);
    if file.try_exists()? {
        return Err(Error::Usage(format!("{} is there, and is not replaced", file.display())));
    }
    MasterKey::load_or_create(&file)?;
    tracing::info!(data = %data_dir.display(), "key file replaced");
    Ok(())
}

/// Adds a user to the team.
///
/// # Errors
/// [`Error::Usage`] where the address is none or is taken; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn add_user(data_dir: &Path, email: &str, role: Role) -> Result<UserId, Error> {
    let email = normalize_email(email);
    let (local, domain) = email.split_once('@').unwrap_or_default();
    if local.is_empty()
        || domain.is_empty()
        || email.chars().any(|letter| letter.is_whitespace() || letter.is_control())
    {
        return Err(Error::Usage(format!("{email} is not an e-mail address")));
    }
    let folder = DataFolder::open(data_dir).await?;
    let mut tx = folder.db.begin().await?;
    let team = accounts::find_team(&mut tx).await?.ok_or(Error::Corrupt("no team"))?;
    let id = UserId::from_uuid(folder.ids.next());
    let user = UserRow { id, name: local.to_owned(), email: email.clone(), role };
    let inserted = accounts::insert_user(&mut tx, team, &user, folder.clock.now()).await?;
    tx.commit().await?;
    folder.db.close().await;
    if inserted {
        tracing::info!(user = %id, role = role.as_str(), "user added");
    }
    if inserted { Ok(id) } else { Err(Error::Usage(format!("there is a user {email} already"))) }
}

fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_is_made_listed_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let created = create(folder.path(), "Laptop", None).await.unwrap();
        let digits = created.key.strip_prefix("svc_live_").unwrap();
        assert!(digits.len() == 40 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')));
        let digits = created.signing_secret.strip_prefix("whsec_").unwrap();
        assert!(digits.len() == 64 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')));
        let shown = format!("{created:?}");
        assert!(shown.contains(&created.id.to_string()) && !shown.contains(digits), "{shown}");
        let listed = list(folder.path()).await.unwrap();
        assert_eq!((listed[0].id, listed[0].name.as_str()), (created.id, "Laptop"));
        delete(folder.path(), created.id).await.unwrap();
        assert!(list(folder.path()).await.unwrap().is_empty());
        assert!(matches!(delete(folder.path(), created.id).await, Err(Error::Usage(_))));
    }

    #[tokio::test]
    async fn neither_key_nor_secret_is_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let created = create(folder.path(), "Laptop", None).await.unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            for secret in [&created.key[9..], &created.signing_secret[6..]] {
                assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
            }
        }
    }

    #[tokio::test]
    async fn users_are_added_once_and_own_their_keys() {
        let folder = tempfile::tempdir().unwrap();
        add_user(folder.path(), "Ann@Example.com", Role::Member).await.unwrap();
        create(folder.path(), "Ann's", Some("ann@example.COM")).await.unwrap();
        assert_eq!(list(folder.path()).await.unwrap()[0].user_email, "ann@example.com");
        for email in
            ["ann@example.com", "nobody", "@example.com", "bob@", "@", "bo b@example.com", "bob@exam\u{7}ple.com"]
        {
            assert!(matches!(add_user(folder.path(), email, Role::Admin).await, Err(Error::Usage(_))), "{email:?}");
        }
        assert!(matches!(create(folder.path(), "x", Some("zoe@example.com")).await, Err(Error::Usage(_))));
    }

    #[tokio::test]
    async fn the_name_of_a_key_has_up_to_255_characters_and_no_control_character() {
        let folder = tempfile::tempdir().unwrap();
        let longest = "ä".repeat(255);
        create(folder.path(), &longest, None).await.unwrap();
        assert_eq!(list(folder.path()).await.unwrap()[0].name, longest);
        for name in ["", " ", "a\nb", "ä".repeat(256).as_str()] {
            assert!(matches!(create(folder.path(), name, None).await, Err(Error::Usage(_))), "{name:?}");
        }
    }
}
