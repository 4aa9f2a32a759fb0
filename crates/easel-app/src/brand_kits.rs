//! Brand kits for the page: listing, making, changing and deleting them.
//!
//! Always true: a picture for a kit goes through the queue like every other file before it is added to the kit. Not
//! here: which kit a design follows (the person chooses it with the design).

mod found;
pub mod views;

use easel_client::{Feature, PageRequest};
use easel_wire::BrandKitId;
use easel_wire::brand_kits::{AddBrandImage, BrandColor, BrandFont, BrandImageRole, BrandKit, WriteBrandKit};
use serde::{Deserialize, Serialize};

use self::found::FoundLogos;
pub use self::views::{BrandColorView, BrandFontView, FoundBrandView, FoundLogoView};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::designs::attachments::Attachments;
use crate::drive::reading::read_file;
use crate::media::addresses;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// Pages of 100 that are read at most.
const MOST_PAGES: usize = 5;
/// What a service has that lets kits be made, changed and deleted.
const CHANGES: Option<Feature> = Some(Feature::BrandKitChanges);

/// A brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandKitView {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Whether a design for which no kit is chosen follows this one.
    pub is_default: bool,
    /// The company's name.
    pub company_name: Option<String>,
    /// The company's site.
    pub company_url: Option<String>,
    /// The company's line.
    pub tagline: Option<String>,
    /// Its colours, the most important first.
    pub colors: Vec<BrandColorView>,
    /// Its fonts, the most important first.
    pub fonts: Vec<BrandFontView>,
    /// Its pictures, logos and others.
    pub logos: Vec<BrandImageView>,
}

/// A picture of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandImageView {
    /// The file in the drive; `null` where the service does not say which.
    pub file_id: Option<String>,
    /// The group that it stands in, such as `logo`.
    pub group: String,
    /// What it is called.
    pub name: Option<String>,
    /// Its address for the page.
    pub thumbnail: Option<String>,
}

/// What a person fills in for a brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandKitDraft {
    /// What it is called.
    pub title: String,
    /// Makes it the team's default.
    #[serde(default)]
    pub is_default: bool,
    /// The company's name.
    pub company_name: Option<String>,
    /// The company's line.
    pub tagline: Option<String>,
    /// Its colours.
    pub colors: Vec<BrandColorView>,
    /// Its fonts.
    pub fonts: Vec<BrandFontView>,
}

/// What a picture of a brand is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum BrandImagePurpose {
    /// The logo.
    Logo,
    /// Its look is followed.
    Reference,
    /// It is used as it is.
    Asset,
}

impl From<BrandImagePurpose> for BrandImageRole {
    fn from(purpose: BrandImagePurpose) -> Self {
        match purpose {
            BrandImagePurpose::Logo => Self::Logo,
            BrandImagePurpose::Reference => Self::Reference,
            BrandImagePurpose::Asset => Self::Asset,
        }
    }
}

impl BrandKitView {
    fn of(connection: &ActiveConnection, kit: BrandKit) -> Self {
        let images = kit.logos.into_iter().flat_map(|group| {
            let name = group.group_name;
            group.images.into_iter().map(move |image| (name.clone(), image))
        });
        Self {
            id: kit.id.to_string(),
            title: messages::named(&kit.title, Nameless::BrandKit),
            is_default: kit.is_default,
            company_name: kit.company_name,
            company_url: kit.company_url,
            tagline: kit.tagline,
            colors: kit.colors.into_iter().map(|BrandColor { color, label }| BrandColorView { color, label }).collect(),
            fonts: kit
                .fonts
                .into_iter()
                .map(|BrandFont { family, label, weight }| BrandFontView { family, label, weight })
                .collect(),
            logos: images
                .map(|(group, image)| BrandImageView {
                    thumbnail: image.file_id.map(|file| addresses::of_file(&connection.id, file, None)),
                    file_id: image.file_id.map(|file| file.to_string()),
                    group,
                    name: image.name,
                })
                .collect(),
        }
    }
}

impl BrandKitDraft {
    /// The request for this draft: a text that is left empty clears the one of before.
    fn into_request(self) -> WriteBrandKit {
        let colors = self.colors.into_iter().map(|BrandColorView { color, label }| BrandColor { color, label });
        let fonts =
            self.fonts.into_iter().map(|BrandFontView { family, label, weight }| BrandFont { family, label, weight });
        WriteBrandKit {
            title: Some(self.title.trim().to_owned()),
            is_default: self.is_default.then_some(true),
            company_name: Some(self.company_name.unwrap_or_default()),
            company_url: None,
            tagline: Some(self.tagline.unwrap_or_default()),
            colors: Some(colors.collect()),
            fonts: Some(fonts.collect()),
            logos: None,
        }
    }
}

/// Reads a kit's id from the page.
pub(crate) fn read_kit(id: &str) -> Result<BrandKitId, Problem> {
    BrandKitId::new(id).map_err(|_| messages::problem("brand_kit_not_found", &[]))
}

/// The brand kits of the connection in view.
#[derive(Clone)]
pub struct BrandKits {
    core: Core,
    connections: Connections,
    attachments: Attachments,
    found: FoundLogos,
}

impl BrandKits {
    pub(crate) fn new(core: Core, connections: Connections, attachments: Attachments) -> Self {
        Self { core, connections, attachments, found: FoundLogos::default() }
    }

    /// The brand kits of the team, the default first.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_brand_kits(&self) -> Result<Vec<BrandKitView>, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut request = Some(PageRequest { limit: Some(100), ..PageRequest::default() });
        let mut kits = Vec::new();
        for _ in 0..MOST_PAGES {
            let Some(asked) = request else { break };
            let page = match client.list_brand_kits(&asked).await {
                Err(error) if asked.is_past_the_end(&error) => break,
                page => {
                    page.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::BrandKits)))?
                }
            };
            request = asked.after(&page);
            kits.extend(page.items.into_iter().map(|kit| BrandKitView::of(&connection, kit)));
        }
        kits.sort_by_key(|kit| !kit.is_default);
        Ok(kits)
    }

    /// One brand kit.
    ///
    /// # Errors
    /// `brand_kit_not_found`, what the connection's state says, or what the service answers.
    pub async fn get_brand_kit(&self, kit_id: String) -> Result<BrandKitView, Problem> {
        let id = read_kit(&kit_id)?;
        let connection = self.connections.selected()?;
        let kit = connection.ready().await?.client.get_brand_kit(id).await;
        kit.map(|kit| BrandKitView::of(&connection, kit))
            .map_err(|error| self.connections.note_error(&connection, &error, ""))
    }

    /// Makes a brand kit.
    ///
    /// # Errors
    /// `validation_failed`, what the connection's state says, or what the service answers.
    pub async fn create_brand_kit(&self, draft: BrandKitDraft) -> Result<BrandKitView, Problem> {
        let connection = self.connections.selected()?;
        let made = connection.ready().await?.client.create_brand_kit(&draft.into_request()).await;
        made.map(|kit| BrandKitView::of(&connection, kit))
            .map_err(|error| self.connections.note_error_of(&connection, &error, CHANGES))
    }

    /// Changes a brand kit to what the draft says; its pictures stay.
    ///
    /// # Errors
    /// `brand_kit_not_found`, `validation_failed`, what the connection's state says, or what the service answers.
    pub async fn change_brand_kit(&self, kit_id: String, draft: BrandKitDraft) -> Result<BrandKitView, Problem> {
        let id = read_kit(&kit_id)?;
        let connection = self.connections.selected()?;
        let changed = connection.ready().await?.client.update_brand_kit(id, &draft.into_request()).await;
        changed
            .map(|kit| BrandKitView::of(&connection, kit))
            .map_err(|error| self.connections.note_error_of(&connection, &error, CHANGES))
    }

    /// Deletes a brand kit. Designs that followed it stay as they are.
    ///
    /// # Errors
    /// `brand_kit_not_found`, what the connection's state says, or what the service answers.
    pub async fn delete_brand_kit(&self, kit_id: String) -> Result<(), Problem> {
        let id = read_kit(&kit_id)?;
        let connection = self.connections.selected()?;
        let deleted = connection.ready().await?.client.delete_brand_kit(id).await;
        deleted.map_err(|error| self.connections.note_error_of(&connection, &error, CHANGES))
    }

    /// Adds a picture of the drive to a kit.
    ///
    /// # Errors
    /// `brand_kit_not_found`, `file_not_found`, what the connection's state says, or what the service answers.
    pub async fn add_brand_kit_image(
        &self,
        kit_id: String,
        file_id: String,
        purpose: BrandImagePurpose,
        label: Option<String>,
    ) -> Result<BrandKitView, Problem> {
        let id = read_kit(&kit_id)?;
        let file_id = read_file(&file_id)?;
        let connection = self.connections.selected()?;
        let image = AddBrandImage { file_id, role: purpose.into(), label };
        let added = connection.ready().await?.client.add_brand_kit_image(id, &image).await;
        added
            .map(|kit| BrandKitView::of(&connection, kit))
            .map_err(|error| self.connections.note_error_of(&connection, &error, CHANGES))
    }
}
