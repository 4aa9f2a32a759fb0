//! What was deleted and can come back (contract, "Drive": an addition, which few services have).
//!
//! Always true: whether a service has a trash is learned from its answers ([`Feature::Trash`]), and where it was seen not to, it is not
//! asked again; an item whose way out of the trash had no answer, and that is not in there any more, has gone that way. Not here:
//! deleting ([`crate::items`]), and what a file or canvas was before ([`crate::versions`]).

use easel_wire::drive::{ChangedItem, TrashEmptied, TrashedItem};
use easel_wire::list::Page;
use easel_wire::{ItemRef, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::retry::Repeat;

impl Client {
    /// One page of what was deleted, the newest first.
    ///
    /// # Errors
    /// [`Error::RouteMissing`] where the service has no trash; else what the service answers, or why it did not.
    pub async fn list_trash(&self, page: &PageRequest) -> Result<Page<TrashedItem>, Error> {
        let call = self.call(Method::GET, &["drive", "trash"]).of(Feature::Trash).needs(Scope::CanvasesRead);
        self.get_page(call, page, "trash").await
    }

    /// Brings an item back with its id, to where it lay as long as that is there, and else to the top of the drive; a name that is
    /// taken by now gets a number.
    ///
    /// # Errors
    /// `*_not_found` where it is not in the trash; [`Error::RouteMissing`] where the service has no trash; [`Error::AnswerLost`]
    /// where what happened could not be found out; else what the service answers.
    pub async fn restore_item(&self, item: ItemRef) -> Result<ChangedItem, Error> {
        let call = self
            .call(Method::POST, &["drive", "trash", &item.prefixed()?, "restore"])
            .of(Feature::Trash)
            .needs(Scope::CanvasesWrite);
        self.take_away(item, call).await
    }

    /// Removes an item of the trash for good.
    ///
    /// # Errors
    /// As [`Client::restore_item`], and `permission_denied` where only others may.
    pub async fn remove_for_good(&self, item: ItemRef) -> Result<(), Error> {
        let call = self
            .call(Method::DELETE, &["drive", "trash", &item.prefixed()?])
            .of(Feature::Trash)
            .needs(Scope::CanvasesWrite);
        self.take_away(item, call).await.map(drop)
    }

    /// Removes for good all of the trash that the key may remove, and says how many items that were.
    ///
    /// # Errors
    /// [`Error::RouteMissing`] where the service has no trash; else what the service answers, or why it did not.
    pub async fn empty_trash(&self) -> Result<u64, Error> {
        let call = self
            .call(Method::DELETE, &["drive", "trash"])
            .of(Feature::Trash)
            .needs(Scope::CanvasesWrite)
            .repeat(Repeat::Harmless);
        Ok(self.get_json::<TrashEmptied>(&call).await?.removed)
    }
}
