//! API keys, made beside a running service and with effect at once: it asks the database on every request
//! (specification, "Authentication"; contract, "Keys").
//!
//! Not here: how a key is made and what stays of it ([`crate::people::keys`]).

use std::path::Path;
use std::time::Duration;

use easel_wire::{Scope, Timestamp};
use serde_json::{Value, json};

use crate::audit;
use crate::core::error::Error;
use crate::core::room::Room;
use crate::core::secrets::MasterKey;
use crate::data_folder::{DataFolder, KEY_FILE};
use crate::db::place::{self, DatabaseAt};
use crate::db::{Db, Tx, accounts, shared_settings};
pub use crate::people::keys::CreatedKey;
use crate::people::keys::{KeyMaker, MAX_NAME_CHARS, after, read_name};
use crate::people::members::normalize_email;
use crate::wire::ApiKeyId;

/// How long a key is good beside its successor.
const BOTH_GOOD: Duration = Duration::from_secs(24 * 60 * 60);

/// A key as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// The key's id.
    pub id: ApiKeyId,
    /// The name given at creation.
    pub name: String,
    /// The address of the key's user.
    pub user_email: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a request last came with it, up to a minute late; `None` where none has.
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused; `None` for never.
    pub expires_at: Option<Timestamp>,
    /// The key's scopes.
    pub scopes: Vec<Scope>,
}

/// A new key, as it is asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The key's name: 1 to 255 characters.
    pub name: String,
    /// The address of the key's user; the owner's where absent.
    pub user_email: Option<String>,
    /// The key's scopes; everything but `admin` where absent (contract, "Keys").
    pub scopes: Option<Vec<Scope>>,
    /// How long it is good for; without an end where absent.
    pub good_for: Option<Duration>,
}

/// Makes a key named `name`, for the user with the address `user_email` or else for the owner, with every scope but
/// `admin` and without an end.
///
/// # Errors
/// [`Error::Usage`] for a name that is empty or longer than 255 characters, or an unknown user; [`Error::Io`],
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn create(data_dir: &Path, name: &str, user_email: Option<&str>) -> Result<CreatedKey, Error> {
    let wanted =
        Wanted { name: name.to_owned(), user_email: user_email.map(str::to_owned), scopes: None, good_for: None };
    create_as_wanted(data_dir, &wanted).await
}

/// Makes a key.
///
/// # Errors
/// As [`create`]; also [`Error::Usage`] for a scope that there is not.
pub async fn create_as_wanted(data_dir: &Path, wanted: &Wanted) -> Result<CreatedKey, Error> {
    let name = read_name(&wanted.name).ok_or_else(|| {
        Error::Usage(format!("a key's name has 1 to {MAX_NAME_CHARS} characters, none of them control"))
    })?;
    let scopes: Vec<Scope> = wanted.scopes.clone().unwrap_or_else(|| Scope::of_new_key().collect());
    if let Some(unknown) = scopes.iter().find(|scope| !Scope::KNOWN.contains(scope)) {
        return Err(Error::Usage(format!("there is no scope {unknown}")));
    }
    let folder = DataFolder::open(data_dir).await?;
    let email = wanted.user_email.as_deref().map(normalize_email);
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let user = accounts::find_user(&mut tx, email.as_deref())
        .await?
        .ok_or_else(|| Error::Usage(format!("there is no user {}", email.as_deref().unwrap_or("who is an owner"))))?;
    let expires_at = wanted.good_for.map(|good_for| after(now, good_for));
    let made = maker_of(&folder).make(&mut tx, (user.id, name), &scopes, (now, expires_at)).await?;
    let details = json!({ "name": name, "user": user.email, "scopes": scopes, "expires_at": expires_at });
    note(&mut tx, ("key_created", made.id, details), now).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok(made)
}

/// Makes a key in the place of another, with its name, user and scopes. The other one is good for a day more, or until
/// its own end where that comes before. One with an end gets a successor that is good for as long as it was.
///
/// # Errors
/// [`Error::Usage`] where there is no such key or its end has come; [`Error::Io`], [`Error::Database`],
/// [`Error::StorageFull`].
pub async fn rotate(data_dir: &Path, id: ApiKeyId) -> Result<(CreatedKey, Timestamp), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let old = accounts::find_key(&mut tx, id)
        .await?
        .filter(|key| key.expires_at.is_none_or(|end| end > now))
        .ok_or_else(|| Error::Usage(format!("there is no key {id}")))?;
    let user = accounts::find_user(&mut tx, Some(&old.user_email)).await?;
    let user = user.ok_or_else(|| Error::Usage(format!("there is no user {}", old.user_email)))?;
    let lived = old.expires_at.map(|end| end.as_micros().saturating_sub(old.created_at.as_micros()));
    let expires_at = lived.map(|lived| Timestamp::from_micros(now.as_micros().saturating_add(lived)));
    let made = maker_of(&folder).make(&mut tx, (user.id, &old.name), &old.scopes, (now, expires_at)).await?;
    let end = old.expires_at.map_or(after(now, BOTH_GOOD), |end| end.min(after(now, BOTH_GOOD)));
    accounts::set_key_end(&mut tx, id, end).await?;
    note(&mut tx, ("key_rotated", id, json!({ "successor": made.id, "expires_at": end })), now).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok((made, end))
}

/// What makes keys of a data folder.
pub(super) fn maker_of(folder: &DataFolder) -> KeyMaker<'_> {
    KeyMaker { ids: &*folder.ids, master_key: &folder.master_key }
}

async fn note(tx: &mut Tx, (action, id, details): (&str, ApiKeyId, Value), now: Timestamp) -> Result<(), Error> {
    let organization = accounts::find_key(tx, id).await?.map(|key| key.organization_id);
    audit::note_operator(tx, organization, (action, id.to_string(), details), now).await
}

/// The keys that are not deleted, newest first.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list(data_dir: &Path) -> Result<Vec<ListedKey>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let rows = accounts::list_keys(&folder.db, None).await?;
    folder.db.close().await;
    Ok(rows
        .into_iter()
        .map(|row| ListedKey {
            id: row.id,
            name: row.name,
            user_email: row.user_email,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            scopes: row.scopes,
        })
        .collect())
}

/// Deletes a key: the next request with it is refused.
///
/// # Errors
/// [`Error::Usage`] where there is no such key; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn delete(data_dir: &Path, id: ApiKeyId) -> Result<(), Error> {
    // On a full disk too: a key that got about has to be refused.
    Room::of(data_dir).lend(|| delete_once(data_dir, id)).await
}

async fn delete_once(data_dir: &Path, id: ApiKeyId) -> Result<(), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let mut tx = folder.db.begin().await?;
    let key = accounts::find_key(&mut tx, id).await?;
    if let Some(key) = &key {
        note(&mut tx, ("key_deleted", id, json!({ "name": key.name, "user": key.user_email })), folder.clock.now())
            .await?;
    }
    let deleted = accounts::delete_key(&mut tx, id, folder.clock.now()).await?;
    tx.commit().await?;
    folder.db.close().await;
    if deleted {
        tracing::info!(key = %id, "key deleted");
    }
    if deleted { Ok(()) } else { Err(Error::Usage(format!("there is no key {id}"))) }
}

/// Makes a new key file where it is lost. Keys stay good; what signs their webhooks, and every signed URL and cursor,
/// is not.
///
/// # Errors
/// [`Error::Usage`] where there is one; [`Error::DataFolderHeld`] beside a running service; [`Error::Io`].
pub async fn replace_file(data_dir: &Path) -> Result<(), Error> {
    let _held = DataFolder::hold_whole(data_dir).await?;
    let file = data_dir.join(KEY_FILE);
    if file.try_exists()? {
        return Err(Error::Usage(format!("{} is there, and is not replaced", file.display())));
    }
    if let DatabaseAt::Server(url) = place::of_folder(data_dir)? {
        let db = Db::connect(&url.options()?).await?;
        let mut tx = db.begin().await?;
        shared_settings::forget_key(&mut tx).await?;
        tx.commit().await?;
        db.close().await;
    }
    MasterKey::load_or_create(&file)?;
    tracing::info!(data = %data_dir.display(), "key file replaced");
    Ok(())
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;
    use crate::core::clock::{Clock, SystemClock};
    use crate::fixture::{Fixture, VERSION_HEADER};
    use crate::operators::users::add as add_user_to;
    use crate::wire::UserId;
    use crate::wire::account::Role;

    async fn add_user(data: &Path, email: &str, role: Role) -> Result<UserId, Error> {
        add_user_to(data, email, role, None).await
    }

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

    /// Headers of a request with a key.
    fn with(key: &str) -> [(&'static str, String); 3] {
        [
            ("authorization", format!("Bearer {key}")),
            (VERSION_HEADER, "2026-05-01".to_owned()),
            ("content-type", "application/json".to_owned()),
        ]
    }

    async fn ask(fixture: &Fixture, key: &str, (method, path): (Method, &str), body: &Value) -> (u16, Value) {
        let headers = with(key);
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = fixture.ask(&method, path, &headers, body).await;
        (answer.status.as_u16(), answer.json())
    }

    /// A studio whose clock says what the command line's does.
    async fn studio(folder: &Path) -> Fixture {
        let fixture = Fixture::start(folder, 0).await;
        let ahead = fixture.studio.clock.now().as_micros() - SystemClock::new().now().as_micros();
        fixture.clock.jump(-ahead);
        fixture
    }

    #[tokio::test]
    async fn a_key_past_its_end_is_refused_and_so_are_addresses_that_it_had_signed() {
        const MINUTE: Duration = Duration::from_secs(60);
        let folder = tempfile::tempdir().unwrap();
        let fixture = studio(folder.path()).await;
        let wanted = Wanted { name: "short".to_owned(), user_email: None, scopes: None, good_for: Some(MINUTE * 10) };
        let key = create_as_wanted(folder.path(), &wanted).await.unwrap().key;
        let body = json!({"filename": "a", "mime_type": "a/b"});
        let sign = async || ask(&fixture, &key, (Method::POST, "/v1/uploads/url"), &body).await;
        let url = |signed: &Value| signed["upload_url"].as_str().unwrap().to_owned();
        let signed = [sign().await.1, sign().await.1];
        let put = async |signed: &Value| {
            fixture.ask_storage(&Method::PUT, &url(signed), &[("content-type", "a/b")], "bytes").await.status.as_u16()
        };
        fixture.clock.advance(MINUTE * 9);
        assert_eq!(ask(&fixture, &key, (Method::GET, "/v1/whoami"), &Value::Null).await.0, 200);
        assert_eq!(put(&signed[0]).await, 200);
        fixture.clock.advance(MINUTE * 2);
        let (status, refused) = ask(&fixture, &key, (Method::GET, "/v1/whoami"), &Value::Null).await;
        assert_eq!((status, &refused["error"]["type"]), (401, &json!("authentication")), "{refused}");
        assert_eq!(sign().await.0, 401);
        assert_eq!(put(&signed[1]).await, 403, "the address was good for an hour, its key is not");
    }

    #[tokio::test]
    async fn a_rotated_key_is_good_for_a_day_and_its_successor_from_then_on() {
        const HOUR: Duration = Duration::from_secs(60 * 60);
        let folder = tempfile::tempdir().unwrap();
        let fixture = studio(folder.path()).await;
        let old = create(folder.path(), "k", None).await.unwrap();
        let (new, _) = rotate(folder.path(), old.id).await.unwrap();
        let both = async || {
            let status = async |key: &str| ask(&fixture, key, (Method::GET, "/v1/whoami"), &Value::Null).await.0;
            (status(&old.key).await, status(&new.key).await)
        };
        assert_eq!(both().await, (200, 200));
        fixture.clock.advance(HOUR * 23);
        assert_eq!(both().await, (200, 200));
        fixture.clock.advance(HOUR * 2);
        assert_eq!(both().await, (401, 200));
    }
}
