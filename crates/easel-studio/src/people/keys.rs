//! Making an API key: the text that its user gets once, and what stays of it.
//!
//! Always true: a key and its signing secret leave [`KeyMaker::make`] once. What stays is the key's SHA-256 and the sealed
//! secret.

use std::fmt;
use std::time::Duration;

use data_encoding::HEXLOWER;
use easel_wire::{Scope, Timestamp};

use crate::core::clock::IdSource;
use crate::core::error::Error;
use crate::core::secrets::{MasterKey, hash_key, random};
use crate::db::Tx;
use crate::db::accounts::{self, NewKey};
use crate::wire::{ApiKeyId, UserId};

/// The longest name of a key, in characters.
pub const MAX_NAME_CHARS: usize = 255;

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

/// A key's name without blanks around it; `None` where it has none, more than [`MAX_NAME_CHARS`] characters or a control
/// character.
#[must_use]
pub fn read_name(name: &str) -> Option<&str> {
    let name = name.trim();
    let is_one = (1..=MAX_NAME_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    is_one.then_some(name)
}

/// `moment`, so much later.
#[must_use]
pub fn after(moment: Timestamp, by: Duration) -> Timestamp {
    Timestamp::from_micros(moment.as_micros().saturating_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX)))
}

/// What new keys are made with.
#[derive(Clone, Copy)]
pub struct KeyMaker<'a> {
    /// New ids.
    pub ids: &'a dyn IdSource,
    /// Seals signing secrets.
    pub master_key: &'a MasterKey,
}

impl KeyMaker<'_> {
    /// Makes a key of a user, good from `created_at` until `expires_at` or without an end. In a write transaction.
    ///
    /// # Errors
    /// [`Error::Io`] where the system has no randomness; [`Error::Database`], [`Error::StorageFull`].
    pub async fn make(
        &self,
        tx: &mut Tx,
        (user_id, name): (UserId, &str),
        scopes: &[Scope],
        (created_at, expires_at): (Timestamp, Option<Timestamp>),
    ) -> Result<CreatedKey, Error> {
        let id = ApiKeyId::from_uuid(self.ids.next());
        let key = format!("svc_live_{}", HEXLOWER.encode(&random::<20>()?));
        let signing_secret = format!("whsec_{}", HEXLOWER.encode(&random::<32>()?));
        let sealed_secret = self.master_key.seal(id.uuid().as_bytes(), signing_secret.as_bytes())?;
        let row = NewKey {
            id,
            user_id,
            name,
            key_hash: hash_key(&key),
            sealed_secret: &sealed_secret,
            scopes,
            created_at,
            expires_at,
        };
        accounts::insert_key(tx, &row).await?;
        Ok(CreatedKey { id, key, signing_secret })
    }
}
