//! Who the key belongs to (contract, "Requests and responses": whoami).

use easel_wire::account::{Entitlements, Whoami};
use http::Method;

use crate::client::Client;
use crate::error::Error;

impl Client {
    /// Who the key belongs to and what it may do. Sets the size of the request budget to what the service grants.
    ///
    /// # Errors
    /// What the service answers, or why it did not; [`Error::is_key_refused`] for a wrong or deleted key.
    pub async fn whoami(&self) -> Result<Whoami, Error> {
        let whoami: Whoami = self.get_json(&self.call(Method::GET, &["whoami"])).await?;
        self.shared.key.budget.resize(whoami.entitlements.requests_per_minute);
        self.shared.key.note_entitlements(whoami.entitlements);
        Ok(whoami)
    }

    /// The caps in force for the key, as [`Client::whoami`] heard them last; nothing is asked here.
    #[must_use]
    pub fn entitlements(&self) -> Entitlements {
        self.shared.key.entitlements()
    }
}
