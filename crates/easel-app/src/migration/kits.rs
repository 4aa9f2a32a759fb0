//! The brand kits of a studio, made at the other connection.
//!
//! Always true: a kit that is there by its name stays as it is, but that it gets the pictures of the studio's where it has
//! none; the pictures of a kit are the copies of its files, so they are added once those are there; what a service does not
//! take is named. Not here: the files themselves.

use std::collections::HashMap;

use easel_client::{Client, Error as ClientError};
use easel_wire::brand_kits::{AddBrandImage, BrandImage, BrandImageRole, BrandKit, WriteBrandKit};
use easel_wire::{BrandKitId, FileId};

use super::survey::list_kits;

/// Is told the name of each kit and picture that was not taken.
pub(super) type Leave = Box<dyn Fn(String) + Send + Sync>;

/// See the module.
pub(super) struct Kits {
    client: Client,
    leave: Leave,
    /// Kits that are there and have no pictures yet, each with the studio's.
    bare: Vec<(BrandKitId, BrandKit)>,
}

impl Kits {
    pub(super) fn new(client: Client, leave: Leave) -> Self {
        Self { client, leave, bare: Vec::new() }
    }

    /// Makes the kits that are not there yet, without pictures.
    pub(super) async fn make(&mut self, kits: &[BrandKit]) -> Result<(), ClientError> {
        if kits.is_empty() {
            return Ok(());
        }
        let there = match list_kits(&self.client).await {
            Err(ClientError::RouteMissing) => Vec::new(),
            there => there?,
        };
        for kit in kits {
            if let Some(other) = there.iter().find(|other| other.title == kit.title) {
                if other.logos.iter().all(|group| group.images.is_empty()) {
                    self.bare.push((other.id, kit.clone()));
                }
                continue;
            }
            match self.client.create_brand_kit(&written(kit)).await {
                Ok(made) => self.bare.push((made.id, kit.clone())),
                Err(error) if error.is_offline() => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "a brand kit was not taken");
                    (self.leave)(kit.title.clone());
                }
            }
        }
        Ok(())
    }

    /// Adds the pictures of the studio's kits. `copies` has by the studio's file the one that has its content there.
    pub(super) async fn add_pictures(self, copies: &HashMap<FileId, FileId>) -> Result<(), ClientError> {
        for (id, kit) in &self.bare {
            for group in &kit.logos {
                for image in &group.images {
                    let copy = image.file_id.and_then(|file| copies.get(&file).copied());
                    if !self.add_picture(*id, &group.group_name, image, copy).await? {
                        (self.leave)(name_of(kit, image));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a picture was taken; none is without the file.
    async fn add_picture(
        &self,
        kit: BrandKitId,
        group: &str,
        image: &BrandImage,
        copy: Option<FileId>,
    ) -> Result<bool, ClientError> {
        let Some(file_id) = copy else { return Ok(false) };
        let role = match BrandImageRole::from(group) {
            BrandImageRole::Other(_) => BrandImageRole::Asset,
            role => role,
        };
        let added = AddBrandImage { file_id, role, label: image.name.clone() };
        match self.client.add_brand_kit_image(kit, &added).await {
            Ok(_) => Ok(true),
            Err(error) if error.is_offline() => Err(error),
            Err(error) => {
                tracing::warn!(%error, "a picture of a brand kit was not taken");
                Ok(false)
            }
        }
    }
}

/// How a picture of a kit is named to a person.
fn name_of(kit: &BrandKit, image: &BrandImage) -> String {
    image.name.as_ref().map_or_else(|| kit.title.clone(), |name| format!("{}: {name}", kit.title))
}

/// A kit as another service takes it.
fn written(kit: &BrandKit) -> WriteBrandKit {
    WriteBrandKit {
        title: Some(kit.title.clone()),
        company_name: kit.company_name.clone(),
        company_url: kit.company_url.clone(),
        tagline: kit.tagline.clone(),
        colors: Some(kit.colors.clone()),
        fonts: Some(kit.fonts.clone()),
        ..WriteBrandKit::default()
    }
}
