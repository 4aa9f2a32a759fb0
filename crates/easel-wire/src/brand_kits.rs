//! Brand kits: colours, fonts and logos that designs keep to (specification, "Other records"; contract, "Brand kits").
//!
//! Not here: which kit a task follows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lenient::{self, Lenient};
use crate::open_enum::open_enum;
use crate::{BrandKitId, FileId, TeamId, Timestamp};

/// A brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BrandKit {
    /// Its id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: BrandKitId,
    /// Its team; in `2026-04-12` only.
    #[serde(default, deserialize_with = "lenient::read")]
    pub team_id: Option<TeamId>,
    /// What it is called; empty where the service does not say.
    #[serde(default, deserialize_with = "lenient::read", alias = "name")]
    pub title: String,
    /// Whether a task that names no kit follows this one.
    #[serde(default, deserialize_with = "lenient::read")]
    pub is_default: bool,
    /// The company's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub company_name: Option<String>,
    /// The company's site.
    #[serde(default, deserialize_with = "lenient::read")]
    pub company_url: Option<String>,
    /// The company's line.
    #[serde(default, deserialize_with = "lenient::read")]
    pub tagline: Option<String>,
    /// Its colours, the most important first.
    #[serde(default, deserialize_with = "lenient::read")]
    pub colors: Vec<BrandColor>,
    /// Its fonts, the most important first.
    #[serde(default, deserialize_with = "lenient::read")]
    pub fonts: Vec<BrandFont>,
    /// Its images, in groups.
    #[serde(default, deserialize_with = "lenient::read")]
    pub logos: Vec<BrandImageGroup>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub updated_at: Option<Timestamp>,
}

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrandColor {
    /// `#rrggbb`, or what else the service says.
    pub color: String,
    /// What it is for, such as `primary`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Lenient for BrandColor {
    /// An object, or only the colour as text.
    fn read(value: Value) -> Option<Self> {
        let Value::Object(mut fields) = value else { return Some(Self { color: String::read(value)?, label: None }) };
        let mut text = |names: &[&str]| names.iter().find_map(|name| String::read(fields.remove(*name)?));
        Some(Self { color: text(&["color", "hex", "value"])?, label: text(&["label", "name"]) })
    }
}

/// A font of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrandFont {
    /// The family, such as `Inter`.
    pub family: String,
    /// What it is for, such as `heading`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// 1 to 1000, as in CSS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

impl Lenient for BrandFont {
    /// An object, or only the family as text.
    fn read(value: Value) -> Option<Self> {
        let Value::Object(mut fields) = value else {
            return Some(Self { family: String::read(value)?, label: None, weight: None });
        };
        let weight = fields.remove("weight").and_then(u32::read);
        let mut text = |names: &[&str]| names.iter().find_map(|name| String::read(fields.remove(*name)?));
        Some(Self { family: text(&["family", "name"])?, label: text(&["label", "role"]), weight })
    }
}

/// Images that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandImageGroup {
    /// What they are; the role for those added one by one.
    #[serde(default, deserialize_with = "lenient::read")]
    pub group_name: String,
    /// The images, in order.
    #[serde(default, deserialize_with = "lenient::read")]
    pub images: Vec<BrandImage>,
}

/// An image of a brand: a file of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandImage {
    /// What it is called; the file's name where nothing else was said.
    #[serde(default, deserialize_with = "lenient::read")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its content, for key holders; of no meaning in a request.
    #[serde(default, deserialize_with = "lenient::read")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The file; `None` where the service does not say which.
    #[serde(default, deserialize_with = "lenient::read")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_id: Option<FileId>,
}

lenient::records!(BrandImageGroup, BrandImage);

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

/// `POST /v1/brand-kits`, and `PATCH /v1/brand-kits/{id}` where every field may be left out. What is absent stays as it
/// is, an array replaces the whole of the old one, an empty text clears.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WriteBrandKit {
    /// What it is called; needed for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Makes it the team's default in place of the one that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_default: Option<bool>,
    /// The company's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_name: Option<String>,
    /// The company's site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_url: Option<String>,
    /// The company's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tagline: Option<String>,
    /// Its colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<Vec<BrandColor>>,
    /// Its fonts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fonts: Option<Vec<BrandFont>>,
    /// Its images, in groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logos: Option<Vec<BrandImageGroup>>,
}

/// `POST /v1/brand-kits/{id}/images`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AddBrandImage {
    /// A picture of the drive.
    pub file_id: FileId,
    /// What it is for.
    pub role: BrandImageRole,
    /// What it is called; the file's name where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_kit_of_another_service_is_understood() {
        let kit: BrandKit = serde_json::from_value(json!({
            "id": "bk_7", "name": "T", "tagline": null, "mood": "calm", "colors": ["#ff0000", {"hex": "#00ff00"}, 7, null],
            "fonts": ["Inter", {}], "logos": [{"images": [{"url": "https://a.example"}]}, "x"], "is_default": "true",
        }))
        .unwrap();
        assert_eq!((kit.title.as_str(), kit.is_default), ("T", true));
        let colors: Vec<_> = kit.colors.iter().map(|color| color.color.as_str()).collect();
        assert_eq!(colors, ["#ff0000", "#00ff00", "7"]);
        assert_eq!(kit.fonts.len(), 1);
        assert_eq!(kit.logos[0].images[0].file_id, None);
        let bare: BrandKit = serde_json::from_value(json!({"id": "bk_7"})).unwrap();
        assert!(bare.title.is_empty() && bare.colors.is_empty() && !bare.is_default);
    }

    #[test]
    fn a_change_holds_only_what_is_to_change() {
        let change = WriteBrandKit { title: Some("T".to_owned()), ..WriteBrandKit::default() };
        assert_eq!(serde_json::to_value(change).unwrap(), json!({"title": "T"}));
    }
}
