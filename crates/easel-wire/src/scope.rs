//! What a key may do (specification, "Scopes"; contract, "Keys").

use crate::open_enum::open_enum;

open_enum! {
    /// A scope of an API key.
    Scope {
        /// Canvas reads and all drive reads except file bytes.
        CanvasesRead = "canvases:read",
        /// Drive and canvas changes.
        CanvasesWrite = "canvases:write",
        /// Canvas content and pages.
        DesignsRead = "designs:read",
        /// Exports.
        DesignsExport = "designs:export",
        /// Drive file bytes.
        FilesRead = "files:read",
        /// Reading tasks.
        TasksRead = "tasks:read",
        /// Starting tasks and remixes.
        TasksWrite = "tasks:write",
        /// Cancelling tasks.
        TasksCancel = "tasks:cancel",
        /// Reading brand kits.
        BrandKitsRead = "brand_kits:read",
        /// Changing brand kits.
        BrandKitsWrite = "brand_kits:write",
        /// Uploads and their limits.
        UploadsWrite = "uploads:write",
        /// Listing organizations.
        OrganizationsRead = "organizations:read",
        /// Reading the webhook delivery log.
        WebhooksRead = "webhooks:read",
        /// Replaying webhook deliveries.
        WebhooksWrite = "webhooks:write",
        /// Not granted to keys created in Settings.
        Admin = "admin",
    }
}

impl Scope {
    /// The scopes of a key created in Settings: every one but `admin` (specification, Authentication, rule 4).
    pub fn of_new_key() -> impl Iterator<Item = Self> {
        Self::KNOWN.iter().filter(|scope| **scope != Self::Admin).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_holds_every_scope_but_admin() {
        let scopes: Vec<_> = Scope::of_new_key().collect();
        assert_eq!(scopes.len(), 14);
        assert!(!scopes.contains(&Scope::Admin));
    }

    #[test]
    fn an_unknown_scope_is_kept_as_it_came() {
        let scope: Scope = serde_json::from_str("\"moon:walk\"").unwrap();
        assert_eq!(scope, Scope::Other("moon:walk".into()));
        assert_eq!(serde_json::to_string(&scope).unwrap(), "\"moon:walk\"");
    }
}
