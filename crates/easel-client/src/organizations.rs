//! The organizations that the key can reach (contract, "Requests and responses").

use easel_wire::Scope;
use easel_wire::list::Page;
use easel_wire::organizations::OrganizationRecord;
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::paging::PageRequest;

impl Client {
    /// One page of the organizations, 1 to 100 of them.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_organizations(&self, page: &PageRequest) -> Result<Page<OrganizationRecord>, Error> {
        self.get_page(
            self.call(Method::GET, &["organizations"]).of(Feature::Organizations).needs(Scope::OrganizationsRead),
            page,
            "organizations",
        )
        .await
    }
}
