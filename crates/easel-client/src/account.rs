//! Who the key belongs to (contract, "Requests and responses": whoami).

use easel_wire::account::{Entitlements, Whoami};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;

impl Client {
    /// Who the key belongs to and what it may do. Sets the size of the request budget to what the service grants.
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

    /// Finds out whether there is a service of this kind that takes the key, and who the key belongs to where it says so:
    /// where it has no `whoami`, the drive's list, which the specification names, answers in its place.
    ///
    /// # Errors
    /// [`Error::is_key_refused`] for a wrong or deleted key; [`Error::NotTheService`] where what answers is none; else
    /// what the service answers, or why it did not.
    pub async fn identify(&self) -> Result<Whoami, Error> {
        let error = match self.whoami().await {
            Ok(whoami) => return Ok(whoami),
            Err(error) => error,
        };
        let says_nothing = match &error {
            Error::RouteMissing => true,
            // A key may be without the right to ask, and is still a key.
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
            // It is the service, and the key is good: what it may not do is said where it is needed.
            Err(Error::Api { status: 403, .. }) if self.shared.key.is_service_seen() => Ok(Whoami::default()),
            Err(Error::RouteMissing) => Err(error.or_not_the_service()),
            Err(other) => Err(other),
        }
    }

    /// The caps in force for the key, as [`Client::whoami`] heard them last; nothing is asked here.
    #[must_use]
    pub fn entitlements(&self) -> Entitlements {
        self.shared.key.entitlements()
    }
}
