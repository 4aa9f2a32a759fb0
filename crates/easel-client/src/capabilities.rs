//! The capabilities of a service, as its answers have shown them (contract, "A service that others wrote").
//!
//! Always true: every finding comes from an answer to a request that was made for its own sake, never from a probe;
//! findings hold for one key at one service, for thirty days at most, and are forgotten together where the service
//! turns out to be another one: with another version or other upload limits. No finding is needed: what is not known is
//! tried. Not here: where findings are kept between two runs (the owner of a connection keeps them), and words for a
//! person.

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::Timestamp;
use easel_wire::uploads::UploadLimits;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// How long a finding is relied on, in microseconds: thirty days.
const BELIEVED_MICROS: i64 = 30 * 24 * 3_600 * 1_000_000;

/// A feature that some services have and others do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// `GET /v1/whoami`.
    Whoami,
    /// `GET /v1/organizations`.
    Organizations,
    /// `GET /v1/uploads/limits`.
    UploadLimits,
    /// `folder_id` in a multipart upload puts the file there.
    FolderInMultipart,
    /// `folder_id` in register puts the file there.
    FolderInRegister,
    /// `GET /v1/drive/files/{file_id}`.
    FileRecord,
    /// `GET /v1/drive/tree`.
    Tree,
    /// The drive lists heed `sort`.
    Sort,
    /// The drive lists heed `updated_since`.
    UpdatedSince,
    /// A folder's `updated_at` changes with its direct children.
    FolderTimes,
    /// Bytes of files come from signed addresses, and not through the service.
    SignedDownloads,
    /// Records of drive files have their SHA-256.
    ContentHash,
    /// A file can get new content under its id, and the old content becomes a version.
    FileVersions,
    /// A canvas that is changed in place keeps its earlier drawing as a version.
    CanvasVersions,
    /// `GET` and `POST /v1/canvases/{canvas_id}/texts`.
    CanvasTexts,
    /// `GET` and `POST /v1/canvases/{canvas_id}/colors`.
    CanvasColors,
    /// Deleted items are kept for a while, and can come back.
    Trash,
    /// Small text files with long names are taken, as the pointers of synced folders are.
    Pointers,
    /// Lists tell how many items there are in all.
    Totals,
    /// `GET /v1/tasks/{task_id}/preview`.
    TaskPreview,
    /// `POST /v1/remix`.
    Remix,
    /// An export can go on after its start was answered.
    BackgroundExport,
    /// `GET /v1/canvases/search`.
    CanvasSearch,
    /// `GET /v1/canvases/{canvas_id}/pages`.
    CanvasPages,
    /// `GET /v1/brand-kits`.
    BrandKits,
    /// Brand kits can be made, changed and deleted.
    BrandKitChanges,
    /// `GET /v1/webhook_deliveries`.
    DeliveryLog,
    /// `POST /v1/webhook_deliveries/{delivery_id}/redeliver`.
    Redeliver,
    /// `/team` and `/invitations/redeem`.
    Team,
}

impl Feature {
    /// Every feature, in the order in which a person is shown them.
    pub const ALL: [Self; 29] = [
        Self::Whoami,
        Self::Organizations,
        Self::UploadLimits,
        Self::FolderInMultipart,
        Self::FolderInRegister,
        Self::FileRecord,
        Self::Tree,
        Self::Sort,
        Self::UpdatedSince,
        Self::FolderTimes,
        Self::SignedDownloads,
        Self::ContentHash,
        Self::FileVersions,
        Self::CanvasVersions,
        Self::CanvasTexts,
        Self::CanvasColors,
        Self::Trash,
        Self::Pointers,
        Self::Totals,
        Self::TaskPreview,
        Self::Remix,
        Self::BackgroundExport,
        Self::CanvasSearch,
        Self::CanvasPages,
        Self::BrandKits,
        Self::BrandKitChanges,
        Self::DeliveryLog,
        Self::Redeliver,
        Self::Team,
    ];
}

/// The finding about a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Whether the service has it.
    pub is_offered: bool,
    /// When an answer showed it, on this computer's clock.
    pub found_at: Timestamp,
}

/// The findings about one service with one key. The default is a service of which nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    /// The findings, by feature.
    pub features: BTreeMap<Feature, Finding>,
    /// The version that the service's answers last named (specification, Versioning, rule 5).
    pub resolved_version: Option<String>,
    /// The longest page of a list that the service takes, where it refused a longer one.
    pub page_limit: Option<u16>,
    /// Fields of register that the service refuses.
    pub refused_register_fields: BTreeSet<String>,
    /// Media types that the service refuses, each with its message.
    pub refused_media_types: BTreeMap<String, String>,
    /// The smallest file that the service refused for its size without naming a limit, in bytes.
    pub refused_size_bytes: Option<u64>,
    /// The upload limits under which all this was learned.
    pub max_file_bytes: Option<u64>,
    /// When the first finding was made, on this computer's clock.
    pub learned_since: Option<Timestamp>,
}

impl Capabilities {
    /// Whether the service has `feature`; `None` where that is not known.
    #[must_use]
    pub fn offers(&self, feature: Feature) -> Option<bool> {
        self.features.get(&feature).map(|finding| finding.is_offered)
    }

    /// The findings that are not too old at `now`.
    #[must_use]
    pub fn believed_at(self, now: Timestamp) -> Self {
        let is_old = |since: Timestamp| now.as_micros().saturating_sub(since.as_micros()) > BELIEVED_MICROS;
        if self.learned_since.is_some_and(is_old) {
            return Self { resolved_version: self.resolved_version, ..Self::default() };
        }
        self
    }
}

/// The findings about one key at one service, for all who share it.
#[derive(Debug)]
pub(crate) struct Learned(watch::Sender<Capabilities>);

impl Learned {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(Capabilities::default()))
    }

    pub(crate) fn now(&self) -> Capabilities {
        self.0.borrow().clone()
    }

    /// Subscribes to findings from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Capabilities> {
        self.0.subscribe()
    }

    /// Reads from the findings without a copy of all.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Capabilities) -> T) -> T {
        read(&self.0.borrow())
    }

    /// Changes the findings, and notifies only where they differ afterwards.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Capabilities)) {
        self.0.send_if_modified(|capabilities| {
            let before = capabilities.clone();
            change(capabilities);
            let is_changed = *capabilities != before;
            if is_changed && capabilities.learned_since.is_none() && *capabilities != Capabilities::default() {
                capabilities.learned_since = Some(jiff::Timestamp::now().into());
            }
            is_changed
        });
    }

    pub(crate) fn learn(&self, feature: Feature, is_offered: bool) {
        // The usual case, at every answer: no news.
        if self.read(|known| known.offers(feature)) == Some(is_offered) {
            return;
        }
        let found_at = jiff::Timestamp::now().into();
        self.change(|known| {
            known.features.insert(feature, Finding { is_offered, found_at });
        });
    }

    /// Notes the version of an answer. If it is another one than before, so is the service, as far as anyone knows.
    pub(crate) fn note_version(&self, version: &str) {
        if self.read(|known| known.resolved_version.as_deref() == Some(version)) {
            return;
        }
        self.change(|known| {
            let is_other = known.resolved_version.is_some();
            if is_other {
                *known = Capabilities::default();
            }
            known.resolved_version = Some(version.to_owned());
        });
    }

    /// Notes the upload limits of the service. If they are others than before, so is the plan, or the service.
    pub(crate) fn note_limits(&self, limits: &UploadLimits) {
        self.change(|known| {
            if known.max_file_bytes.is_some_and(|before| before != limits.max_file_bytes) {
                let resolved_version = known.resolved_version.take();
                *known = Capabilities { resolved_version, ..Capabilities::default() };
            }
            known.max_file_bytes = Some(limits.max_file_bytes);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_version_kept_is_read_and_what_it_lacks_is_not_known() {
        let kept = r#"{"features":{"tree":{"is_offered":false,"found_at":"2026-05-01T12:00:00+00:00"}},"moon":1}"#;
        let read: Capabilities = serde_json::from_str(kept).unwrap();
        assert_eq!((read.offers(Feature::Tree), read.offers(Feature::Sort)), (Some(false), None));
        assert_eq!(serde_json::from_str::<Capabilities>("{}").unwrap(), Capabilities::default());
    }

    #[test]
    fn after_thirty_days_nothing_is_believed() {
        let learned = Learned::new();
        learned.learn(Feature::Tree, false);
        let known = learned.now();
        let since = known.learned_since.unwrap();
        let after = |days: i64| Timestamp::from_micros(since.as_micros() + days * 24 * 3_600 * 1_000_000 + 1);
        assert_eq!(known.clone().believed_at(after(29)).offers(Feature::Tree), Some(false));
        assert_eq!(known.believed_at(after(30)).offers(Feature::Tree), None);
    }

    #[test]
    fn after_forgetting_nothing_was_learned_at_any_time() {
        let learned = Learned::new();
        learned.learn(Feature::Tree, false);
        learned.change(|known| *known = Capabilities::default());
        assert_eq!(learned.now(), Capabilities::default());
    }

    #[test]
    fn another_version_or_other_limits_are_another_service() {
        let limits = |max_file_bytes| UploadLimits {
            max_direct_upload_bytes: 1,
            max_file_bytes,
            max_file_bytes_is_plan_limit: false,
        };
        let learned = Learned::new();
        learned.note_version("2026-05-01");
        learned.note_limits(&limits(5));
        learned.learn(Feature::Tree, false);
        learned.note_version("2026-05-01");
        learned.note_limits(&limits(5));
        assert_eq!(learned.now().offers(Feature::Tree), Some(false));
        learned.note_limits(&limits(6));
        assert_eq!(learned.now().offers(Feature::Tree), None);
        learned.learn(Feature::Tree, false);
        learned.note_version("2026-04-12");
        assert_eq!(learned.now().features, BTreeMap::new());
    }

    #[test]
    fn what_is_known_already_is_not_told_again() {
        let learned = Learned::new();
        learned.learn(Feature::Tree, true);
        let mut watching = learned.0.subscribe();
        watching.mark_unchanged();
        learned.learn(Feature::Tree, true);
        assert!(!watching.has_changed().unwrap());
        learned.learn(Feature::Tree, false);
        assert!(watching.has_changed().unwrap());
    }

    #[test]
    fn every_feature_is_shown_once() {
        let all: BTreeSet<Feature> = Feature::ALL.into_iter().collect();
        assert_eq!(all.len(), Feature::ALL.len());
    }
}
