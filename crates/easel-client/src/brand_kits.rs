//! Brand kits: reading, making, changing and deleting them (contract, "Brand kits").
//!
//! Always true: if the answer to making a kit is lost, the kit is looked for before it is made again; a change replaces
//! the fields that it names and may therefore be repeated; a delete whose repeat finds nothing has happened. Not here:
//! which kit a task follows.

use easel_wire::brand_kits::{AddBrandImage, BrandKit, WriteBrandKit};
use easel_wire::list::Page;
use easel_wire::{BrandKitId, ErrorType, Scope, Timestamp};
use http::Method;
use jiff::SignedDuration;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::retry::{Repeat, Tries};

const RESOURCE: &str = "brand_kits";
const PATH: &str = "brand-kits";
/// How much earlier than its request a new kit may be dated: the service's clock is known to a second.
const SLACK: SignedDuration = SignedDuration::from_secs(2);

impl Client {
    /// One page of brand kits, 1 to 100 of them, newest first.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_brand_kits(&self, page: &PageRequest) -> Result<Page<BrandKit>, Error> {
        self.get_page(
            self.call(Method::GET, &[PATH]).of(Feature::BrandKits).needs(Scope::BrandKitsRead),
            page,
            RESOURCE,
        )
        .await
    }

    /// One brand kit.
    ///
    /// # Errors
    /// `brand_kit_not_found`; else what the service answers, or why it did not.
    pub async fn get_brand_kit(&self, kit: BrandKitId) -> Result<BrandKit, Error> {
        let call = self.call(Method::GET, &[PATH, &kit.text()]).needs(Scope::BrandKitsRead);
        self.get_record(&call, &kit.text(), "brand_kit", &["title", "name", "colors"]).await
    }

    /// Makes a brand kit; it needs a title.
    ///
    /// # Errors
    /// [`Error::AnswerLost`] where it could not be found out whether the kit was made; else what the service answers.
    pub async fn create_brand_kit(&self, kit: &WriteBrandKit) -> Result<BrandKit, Error> {
        let asked_at = jiff::Timestamp::now();
        let call =
            self.call(Method::POST, &[PATH]).of(Feature::BrandKitChanges).needs(Scope::BrandKitsWrite).json(kit)?;
        let look = || async move {
            let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
            let page = self.list_brand_kits(&newest).await?;
            let since = self.shared.key.on_their_clock(asked_at);
            let since = Timestamp::from(since.checked_sub(SLACK).unwrap_or(since));
            let is_it = |found: &BrandKit| {
                found.created_at.is_some_and(|at| at >= since) && Some(&found.title) == kit.title.as_ref()
            };
            Ok(page.items.into_iter().find(is_it))
        };
        self.send_settled(&call, |answer| answer.json(), look).await
    }

    /// Changes the fields that `change` names; an array replaces the whole of the old one.
    ///
    /// # Errors
    /// `brand_kit_not_found`; else what the service answers, or why it did not.
    pub async fn update_brand_kit(&self, kit: BrandKitId, change: &WriteBrandKit) -> Result<BrandKit, Error> {
        let call = self
            .call(Method::PATCH, &[PATH, &kit.text()])
            .of(Feature::BrandKitChanges)
            .needs(Scope::BrandKitsWrite)
            .json(change)?
            .repeat(Repeat::Harmless);
        self.get_json(&call).await
    }

    /// Deletes a brand kit.
    ///
    /// # Errors
    /// `brand_kit_not_found`; else what the service answers, or why it did not.
    pub async fn delete_brand_kit(&self, kit: BrandKitId) -> Result<(), Error> {
        let call =
            self.call(Method::DELETE, &[PATH, &kit.text()]).of(Feature::BrandKitChanges).needs(Scope::BrandKitsWrite);
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut was_lost = false;
        loop {
            let error = match self.send(&call).await {
                Ok(_) => return Ok(()),
                Err(error) => error,
            };
            if was_lost && error.error_type() == Some(&ErrorType::NotFound) {
                return Ok(());
            }
            if !error.is_answer_lost() {
                return Err(error);
            }
            was_lost = true;
            self.pause(tries.back_off(), Error::lost(error)).await?;
        }
    }

    /// Adds a picture of the drive to a kit, in the group of its role.
    ///
    /// # Errors
    /// `brand_kit_not_found`, `file_not_found`; [`Error::AnswerLost`] where it could not be found out whether it was
    /// added; else what the service answers.
    pub async fn add_brand_kit_image(&self, kit: BrandKitId, image: &AddBrandImage) -> Result<BrandKit, Error> {
        let call = self
            .call(Method::POST, &[PATH, &kit.text(), "images"])
            .of(Feature::BrandKitChanges)
            .needs(Scope::BrandKitsWrite)
            .json(image)?;
        let look = || async move {
            let kit = self.get_brand_kit(kit).await?;
            let groups = kit.logos.iter().filter(|group| group.group_name == image.role.as_str());
            let is_there = groups.flat_map(|group| &group.images).any(|held| held.file_id == Some(image.file_id));
            Ok(is_there.then_some(kit))
        };
        self.send_settled(&call, |answer| answer.json(), look).await
    }
}
