//! API keys of the built-in studio: made, listed and deleted here, because the application is where keys are made
//! (specification, "Authentication", rules 3 to 6).
//!
//! Always true: a key's text and its signing secret pass through once, at creation, and are kept nowhere. A service's
//! own keys are not here: they are made in that service.

use serde::{Deserialize, Serialize};

use crate::causes;
use crate::connections::Connections;
use crate::connections::record::Record;
use crate::connections::views::ConnectionKind;
use crate::core::Core;
use crate::messages;
use crate::ports::LocalServiceError;
use crate::problem::Problem;

/// A key of the built-in studio, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ApiKeyView {
    /// Its id.
    pub id: String,
    /// What the person called it.
    pub name: String,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When it was last used, RFC 3339; `null` where never or not known.
    pub last_used_at: Option<String>,
    /// Easel itself uses it: where it is deleted, Easel makes itself a new one.
    pub used_by_easel: bool,
}

/// A key that was just made. The page shows it once and forgets it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct NewApiKey {
    /// Its id.
    pub id: String,
    /// What the person called it.
    pub name: String,
    /// The key's text; not retrievable later.
    pub key: String,
    /// Its webhook signing secret; not retrievable later.
    pub signing_secret: String,
}

impl std::fmt::Debug for NewApiKey {
    /// Leaves the key and the secret out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewApiKey").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

/// The API keys of the built-in studio.
#[derive(Clone)]
pub struct Keys {
    core: Core,
    connections: Connections,
}

impl Keys {
    pub(crate) const fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections }
    }
}

impl Keys {
    fn local_record(&self) -> Result<Record, Problem> {
        let records = self.connections.file().list();
        let local = records.into_iter().find(|record| record.kind == ConnectionKind::Local);
        local.ok_or_else(|| messages::problem("local_studio_missing", &[]))
    }

    /// The keys of the built-in studio.
    ///
    /// # Errors
    /// `local_studio_missing`, or what is the matter with the studio's data.
    pub async fn list_api_keys(&self) -> Result<Vec<ApiKeyView>, Problem> {
        let own = self.local_record()?.local_key_id;
        let _in_place = self.connections.hold_studio_in_place().await;
        let keys = self.core.ports().studio.list_keys().await.map_err(|error| causes::of_local(&error))?;
        let view = |key: crate::ports::ListedKey| ApiKeyView {
            used_by_easel: own.as_deref() == Some(&key.id),
            id: key.id,
            name: key.name,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
        };
        Ok(keys.into_iter().map(view).collect())
    }

    /// Makes a key of the built-in studio.
    ///
    /// # Errors
    /// `key_name_not_usable`, `local_studio_missing`, or what is the matter with the studio's data.
    pub async fn create_api_key(&self, name: String) -> Result<NewApiKey, Problem> {
        use secrecy::ExposeSecret;
        self.local_record()?;
        let name = name.trim().to_owned();
        if !(1..=255).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            return Err(causes::of_local(&LocalServiceError::InvalidName));
        }
        let _in_place = self.connections.hold_studio_in_place().await;
        let made = self.core.ports().studio.create_key(&name).await.map_err(|error| causes::of_local(&error))?;
        Ok(NewApiKey {
            id: made.id,
            name,
            key: made.key.expose_secret().to_owned(),
            signing_secret: made.signing_secret.expose_secret().to_owned(),
        })
    }

    /// Deletes a key of the built-in studio, with effect at once. Where it was Easel's own, Easel makes itself another.
    ///
    /// # Errors
    /// `api_key_not_found`, `local_studio_missing`, or what is the matter with the studio's data.
    pub async fn delete_api_key(&self, key_id: String) -> Result<(), Problem> {
        let record = self.local_record()?;
        {
            let _in_place = self.connections.hold_studio_in_place().await;
            self.core.ports().studio.delete_key(&key_id).await.map_err(|error| causes::of_local(&error))?;
        }
        if record.local_key_id.as_deref() == Some(&key_id) {
            self.connections.retry_connection(record.id).await?;
        }
        Ok(())
    }
}
