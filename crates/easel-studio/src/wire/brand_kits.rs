//! Brand kits: colours, fonts and logos that designs keep to (specification, "Other records"; contract, "Brand kits").
//!
//! Not here: which kit a task follows.

use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};

use super::closed_enum::closed_enum;
use crate::wire::{BrandKitId, FileId, TeamId};

/// The longest short text of a kit, in characters.
pub const MAX_TEXT_CHARS: usize = 255;
/// The longest tagline, in characters.
pub const MAX_TAGLINE_CHARS: usize = 1_000;
/// The longest address of a company, in characters.
pub const MAX_URL_CHARS: usize = 2_048;
/// Colours of a kit.
pub const MAX_COLORS: usize = 50;
/// Fonts of a kit.
pub const MAX_FONTS: usize = 20;
/// Images of a kit, over all groups.
pub const MAX_IMAGES: usize = 100;

/// A brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct BrandKit {
    /// Its id.
    pub id: BrandKitId,
    /// Its team; in `2026-04-12` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_id: Option<TeamId>,
    /// What it is called.
    pub title: String,
    /// Whether a task that names no kit follows this one.
    pub is_default: bool,
    /// The company's name.
    pub company_name: Option<String>,
    /// The company's site.
    pub company_url: Option<String>,
    /// The company's line.
    pub tagline: Option<String>,
    /// Its colours, the most important first.
    pub colors: Vec<BrandColor>,
    /// Its fonts, the most important first.
    pub fonts: Vec<BrandFont>,
    /// Its images, in groups.
    pub logos: Vec<BrandImageGroup>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
}

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandColor {
    /// `#rrggbb`.
    pub color: String,
    /// What it is for, such as `primary`.
    pub label: Option<String>,
}

/// A font of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandFont {
    /// The family, such as `Inter`.
    pub family: String,
    /// What it is for, such as `heading`.
    pub label: Option<String>,
    /// 1 to 1000, as in CSS.
    pub weight: Option<u32>,
}

/// Images that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandImageGroup {
    /// What they are; the role for those added one by one.
    pub group_name: String,
    /// The images, in order.
    pub images: Vec<BrandImage>,
}

/// An image of a brand: a file of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandImage {
    /// What it is called; the file's name where nothing else was said.
    pub name: Option<String>,
    /// Its content, for key holders; of no meaning in a request.
    pub url: Option<String>,
    /// The file.
    pub file_id: FileId,
}

closed_enum! {
    /// What an image is for.
    BrandImageRole {
        /// The logo.
        Logo = "logo",
        /// Its look is followed.
        Reference = "reference",
        /// It is used as it is.
        Asset = "asset",
    }
}

/// `POST /v1/brand-kits`, and `PATCH /v1/brand-kits/{id}` where every field may be left out. What is absent stays as it is,
/// an array replaces the whole of the old one, an empty text clears.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteBrandKit {
    /// What it is called; needed for a new one.
    pub title: Option<String>,
    /// Makes it the team's default in place of the one that was.
    pub is_default: Option<bool>,
    /// The company's name.
    pub company_name: Option<String>,
    /// The company's site.
    pub company_url: Option<String>,
    /// The company's line.
    pub tagline: Option<String>,
    /// Its colours.
    pub colors: Option<Vec<BrandColor>>,
    /// Its fonts.
    pub fonts: Option<Vec<BrandFont>>,
    /// Its images, in groups.
    pub logos: Option<Vec<BrandImageGroup>>,
}

/// `POST /v1/brand-kits/{id}/images`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddBrandImage {
    /// A picture of the drive.
    pub file_id: FileId,
    /// What it is for.
    pub role: BrandImageRole,
    /// What it is called; the file's name where absent.
    pub label: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_refuses_what_it_does_not_know() {
        for wrong in [json!({"name": "x"}), json!({"colors": [{"hex": "#fff"}]}), json!({"fonts": [{}]})] {
            assert!(serde_json::from_value::<WriteBrandKit>(wrong.clone()).is_err(), "{wrong}");
        }
        let none: WriteBrandKit = serde_json::from_value(json!({"title": null, "colors": null})).unwrap();
        assert_eq!(none, WriteBrandKit::default());
    }
}
