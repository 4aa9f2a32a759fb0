//! Brand kits: colours, fonts and logos that designs keep to (specification, "Other records"; contract, "Brand kits").
//!
//! Not here: which kit a task follows.

use serde::{Deserialize, Serialize};

use crate::open_enum::open_enum;
use crate::{BrandKitId, FileId, TeamId, Timestamp};

/// A brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct BrandKit {
    /// Its id.
    pub id: BrandKitId,
    /// Its team; in `2026-04-12` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_id: Option<TeamId>,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// Whether a task that names no kit follows this one.
    #[serde(default)]
    pub is_default: bool,
    /// The company's name.
    #[serde(default)]
    pub company_name: Option<String>,
    /// The company's site.
    #[serde(default)]
    pub company_url: Option<String>,
    /// The company's line.
    #[serde(default)]
    pub tagline: Option<String>,
    /// Its colours, the most important first.
    #[serde(default)]
    pub colors: Vec<BrandColor>,
    /// Its fonts, the most important first.
    #[serde(default)]
    pub fonts: Vec<BrandFont>,
    /// Its images, in groups.
    #[serde(default)]
    pub logos: Vec<BrandImageGroup>,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
}

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandColor {
    /// `#rrggbb`.
    pub color: String,
    /// What it is for, such as `primary`.
    #[serde(default)]
    pub label: Option<String>,
}

/// A font of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandFont {
    /// The family, such as `Inter`.
    pub family: String,
    /// What it is for, such as `heading`.
    #[serde(default)]
    pub label: Option<String>,
    /// 1 to 1000, as in CSS.
    #[serde(default)]
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
    #[serde(default)]
    pub name: Option<String>,
    /// Its content, for key holders; of no meaning in a request.
    #[serde(default)]
    pub url: Option<String>,
    /// The file.
    pub file_id: FileId,
}

open_enum! {
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteBrandKit {
    /// What it is called; needed for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Makes it the team's default in place of the one that was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_default: Option<bool>,
    /// The company's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company_name: Option<String>,
    /// The company's site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company_url: Option<String>,
    /// The company's line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tagline: Option<String>,
    /// Its colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colors: Option<Vec<BrandColor>>,
    /// Its fonts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fonts: Option<Vec<BrandFont>>,
    /// Its images, in groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logos: Option<Vec<BrandImageGroup>>,
}

/// `POST /v1/brand-kits/{id}/images`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddBrandImage {
    /// A picture of the drive.
    pub file_id: FileId,
    /// What it is for.
    pub role: BrandImageRole,
    /// What it is called; the file's name where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_kit_with_little_in_it_is_understood() {
        let kit: BrandKit = serde_json::from_value(json!({
            "id": "bk_00000000000000000000000000", "title": "T", "tagline": null, "mood": "calm"
        }))
        .unwrap();
        assert!(kit.colors.is_empty() && !kit.is_default && kit.team_id.is_none());
        assert!(serde_json::to_value(&kit).unwrap().get("team_id").is_none());
    }

    #[test]
    fn a_request_refuses_what_it_does_not_know() {
        for wrong in [json!({"name": "x"}), json!({"colors": [{"hex": "#fff"}]}), json!({"fonts": [{}]})] {
            assert!(serde_json::from_value::<WriteBrandKit>(wrong.clone()).is_err(), "{wrong}");
        }
        let none: WriteBrandKit = serde_json::from_value(json!({"title": null, "colors": null})).unwrap();
        assert_eq!(none, WriteBrandKit::default());
    }
}
