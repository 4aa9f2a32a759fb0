//! The capabilities of a connection's service, in words for a person.
//!
//! Always true: only findings from the service's own answers are told, and no guesses; what a connection lacks is
//! worded once, for the list here and for wherever the lack is met. Not here: how findings are made (easel-client), and
//! where they are kept (`record`).

use easel_client::{Capabilities, Feature};
use easel_wire::Version;
use serde::{Deserialize, Serialize};

use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// Something that one service has and another has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the feature of its name in easel-client, which says what it means")]
pub enum ServiceFeature {
    Whoami,
    Organizations,
    UploadLimits,
    FolderInMultipart,
    FolderInRegister,
    FileRecord,
    Tree,
    Sort,
    UpdatedSince,
    FolderTimes,
    SignedDownloads,
    ContentHash,
    FileVersions,
    CanvasVersions,
    CanvasTexts,
    CanvasColors,
    Trash,
    Pointers,
    Totals,
    TaskPreview,
    Remix,
    BackgroundExport,
    CanvasSearch,
    CanvasPages,
    BrandKits,
    BrandKitChanges,
    DeliveryLog,
    Redeliver,
    Team,
}

impl From<Feature> for ServiceFeature {
    fn from(feature: Feature) -> Self {
        match feature {
            Feature::Whoami => Self::Whoami,
            Feature::Organizations => Self::Organizations,
            Feature::UploadLimits => Self::UploadLimits,
            Feature::FolderInMultipart => Self::FolderInMultipart,
            Feature::FolderInRegister => Self::FolderInRegister,
            Feature::FileRecord => Self::FileRecord,
            Feature::Tree => Self::Tree,
            Feature::Sort => Self::Sort,
            Feature::UpdatedSince => Self::UpdatedSince,
            Feature::FolderTimes => Self::FolderTimes,
            Feature::SignedDownloads => Self::SignedDownloads,
            Feature::ContentHash => Self::ContentHash,
            Feature::FileVersions => Self::FileVersions,
            Feature::CanvasVersions => Self::CanvasVersions,
            Feature::CanvasTexts => Self::CanvasTexts,
            Feature::CanvasColors => Self::CanvasColors,
            Feature::Trash => Self::Trash,
            Feature::Pointers => Self::Pointers,
            Feature::Totals => Self::Totals,
            Feature::TaskPreview => Self::TaskPreview,
            Feature::Remix => Self::Remix,
            Feature::BackgroundExport => Self::BackgroundExport,
            Feature::CanvasSearch => Self::CanvasSearch,
            Feature::CanvasPages => Self::CanvasPages,
            Feature::BrandKits => Self::BrandKits,
            Feature::BrandKitChanges => Self::BrandKitChanges,
            Feature::DeliveryLog => Self::DeliveryLog,
            Feature::Redeliver => Self::Redeliver,
            Feature::Team => Self::Team,
        }
    }
}

/// What the service of a connection can do, as far as its answers have shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ServiceView {
    /// The version that it speaks, such as `2026-05-01`; `null` until it has answered.
    pub version: Option<String>,
    /// That is an older one than Easel asks for.
    pub is_older_version: bool,
    /// What it has, by name.
    pub has: Vec<String>,
    /// What it lacks, and what that means.
    pub lacks: Vec<ServiceLack>,
    /// What has not been tried yet, by name.
    pub untried: Vec<String>,
    /// Types of files that it does not take.
    pub refused_media_types: Vec<RefusedMediaType>,
    /// It takes no files of this size or above, in bytes, as it has refused one without naming a limit.
    pub refused_size_bytes: Option<WholeNumber>,
    /// When the first of it was found out, RFC 3339; `null` while nothing was.
    pub learned_since: Option<String>,
}

/// Something that a service lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ServiceLack {
    /// What it lacks.
    pub feature: ServiceFeature,
    /// The same in a few words.
    pub title: String,
    /// What that means.
    pub detail: String,
}

/// A type of files that a service does not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RefusedMediaType {
    /// Such as `image/tiff`.
    pub mime_type: String,
    /// The service's own words; may be empty.
    pub message: String,
}

impl ServiceView {
    /// The findings in words of the present language.
    pub(crate) fn of(known: &Capabilities) -> Self {
        let named = |is_offered: Option<bool>| {
            let features = Feature::ALL.into_iter().filter(move |feature| known.offers(*feature) == is_offered);
            features.map(|feature| messages::feature(feature).to_owned()).collect()
        };
        let lacks = Feature::ALL.into_iter().filter(|feature| known.offers(*feature) == Some(false)).map(|feature| {
            let Problem { title, detail, .. } = messages::not_offered(Some(feature));
            ServiceLack { feature: feature.into(), title, detail }
        });
        let refused = known.refused_media_types.iter();
        Self {
            version: known.resolved_version.clone(),
            // Versions are dates, so that their order is that of their texts (specification, Versioning, rule 1).
            is_older_version: known.resolved_version.as_deref().is_some_and(|it| it < Version::Canonical.as_str()),
            has: named(Some(true)),
            lacks: lacks.collect(),
            untried: named(None),
            refused_media_types: refused
                .map(|(mime_type, message)| RefusedMediaType { mime_type: mime_type.clone(), message: message.clone() })
                .collect(),
            refused_size_bytes: known.refused_size_bytes.map(Into::into),
            learned_since: known.learned_since.map(|moment| moment.to_string()),
        }
    }
}
