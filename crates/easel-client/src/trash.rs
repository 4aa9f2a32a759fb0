//! The trash of the drive: deleted items that can come back (contract, "Drive": an addition, which few services have).
//!
//! Always true: whether a service has a trash is learned from its answers ([`Feature::Trash`]), and if it was seen not
//! to, it is not asked again; if the answer to restoring or removing an item is lost and the item is no longer in the
//! trash, it has happened. Not here: deleting ([`crate::items`]), and earlier versions of a file or canvas
//! ([`crate::versions`]).

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
    /// One page of the trash, the newest first.
    ///
    /// # Errors
    /// [`Error::RouteMissing`] where the service has no trash; else what the service answers, or why it did not.
    pub async fn list_trash(&self, page: &PageRequest) -> Result<Page<TrashedItem>, Error> {
        let call = self.call(Method::GET, &["drive", "trash"]).of(Feature::Trash).needs(Scope::CanvasesRead);
        self.get_page(call, page, "trash").await
    }

    /// Restores an item with its id, to its folder if that is still there, and else to the top of the drive; if its
    /// name is taken by now, it gets a number.
    ///
    /// # Errors
    /// `*_not_found` where it is not in the trash; [`Error::RouteMissing`] where the service has no trash;
    /// [`Error::AnswerLost`] where the result could not be found out; else what the service answers.
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

    /// Removes all items of the trash for good that the key may remove, and returns how many.
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
