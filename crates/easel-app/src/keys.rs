//! API keys of the built-in studio.

use serde::{Deserialize, Serialize};

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
    /// Easel itself uses it: deleting it cuts the window off until Easel makes a new one.
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
