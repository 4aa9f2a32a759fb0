//! The owner and the rights of a key (contract, "Requests and responses": whoami).

use easel_wire::account::{Entitlements, Whoami};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;

impl Client {
    /// The key's owner and rights. Sets the size of the request budget to the rate that the service grants.
    ///
    /// # Errors
    /// What the service answers, or why it did not; [`Error::is_key_refused`] for a wrong or deleted key.
    pub async fn whoami(&self) -> Result<Whoami, Error> {
        let answer = self.send(&self.call(Method::GET, &["whoami"]).of(Feature::Whoami)).await?;
        let whoami: Whoami = answer.json()?;
        if !whoami.says_anything() && !self.shared.key.is_service_seen() {
            return Err(answer.other_shape());
        }
        self.shared.key.budget.resize(whoami.entitlements.requests_per_minute);
        self.shared.key.note_entitlements(whoami.entitlements);
        Ok(whoami)
    }

    /// Finds out whether a design-generation service is there and takes the key, and whose key it is, where the service
    /// tells. If the service has no `whoami`, the drive's list, which the specification names, answers in its place.
    ///
    /// # Errors
    /// [`Error::is_key_refused`] for a wrong or deleted key; [`Error::NotTheService`] where another program answers;
    /// else what the service answers, or why it did not.
    pub async fn identify(&self) -> Result<Whoami, Error> {
        let error = match self.whoami().await {
            Ok(whoami) => return Ok(whoami),
            Err(error) => error,
        };
        let says_nothing = match &error {
            Error::RouteMissing => true,
            // A key may lack the scope to list, and is valid all the same.
            Error::Api { status: 403 | 404, .. } => true,
            Error::NotTheService { status, .. } => (200..300).contains(status) && self.shared.key.is_service_seen(),
            _ => false,
        };
        if !says_nothing {
            return Err(error);
        }
        let first = PageRequest { limit: Some(1), ..PageRequest::default() };
        match self.list_files(&Place::Everywhere, &first).await {
            Ok(_) => Ok(Whoami::default()),
            // The service is there, and the key is valid: refusals will tell what it may not do.
            Err(Error::Api { status: 403, .. }) if self.shared.key.is_service_seen() => Ok(Whoami::default()),
            Err(Error::RouteMissing) => Err(error.or_not_the_service()),
            Err(other) => Err(other),
        }
    }

    /// The caps of the key, as [`Client::whoami`] last heard them; makes no request.
    #[must_use]
    pub fn entitlements(&self) -> Entitlements {
        self.shared.key.entitlements()
    }
}
