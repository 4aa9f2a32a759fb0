//! The settings that a person can change, and their file.
//!
//! Always true: settings from the file are within their bounds; a setting that an older Easel did not have gets its
//! default; a change holds at once, for work under way too. Not here: settings of one connection or one folder.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::data_dir::{DataDir, read_json, write_json};
use crate::messages;
pub use crate::messages::Language;
use crate::number::WholeNumber;
use crate::stored::or_default;

/// Bounds of [`Settings::text_scale_percent`].
pub const TEXT_SCALE_PERCENT: std::ops::RangeInclusive<u16> = 80..=200;
/// Bounds of [`TransferSettings::at_once`].
pub const AT_ONCE: std::ops::RangeInclusive<u16> = 1..=8;
/// The lowest limit that a person can set, in bytes a second: below it, the signed address of a large file expires
/// before the file is sent.
pub const LEAST_BYTES_PER_SECOND: u64 = 16_000;

/// Light, dark, or as the system has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// How files are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransferSettings {
    /// No more bytes a second than this go up, all connections together; `null` for as many as possible.
    pub bytes_per_second: Option<WholeNumber>,
    /// How many files are on their way at once, a connection: 1 to 8.
    pub at_once: u16,
    /// Nothing is sent or fetched for watched folders while the system says that the network is metered.
    pub pause_on_metered: bool,
}

impl Default for TransferSettings {
    fn default() -> Self {
        Self { bytes_per_second: None, at_once: 3, pause_on_metered: true }
    }
}

/// What is said outside the window, while it is not in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct NotificationSettings {
    /// A watched folder cannot go on without the person.
    pub folder_needs_you: bool,
    /// Everything that was to be sent is in the drive.
    pub finished: bool,
    /// Something could not be sent.
    pub failed: bool,
}

impl Default for NotificationSettings {
    fn default() -> Self {
        Self { folder_needs_you: true, finished: true, failed: true }
    }
}

/// What a person can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// The language of all words.
    pub language: Language,
    /// How large text is, in percent of the usual size: 80 to 200.
    pub text_scale_percent: u16,
    /// Closing the window keeps transfers and folders going, where a tray shows that they do.
    pub keeps_running: bool,
    /// The person has been told so once.
    pub told_keeps_running: bool,
    /// Easel starts without a window when the person signs in.
    pub starts_at_login: bool,
    /// The rail leads to webhooks and to the receiver on this computer.
    pub shows_developer: bool,
    /// How files are moved.
    pub transfers: TransferSettings,
    /// What is said outside the window.
    pub notifications: NotificationSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            text_scale_percent: 100,
            keeps_running: true,
            told_keeps_running: false,
            starts_at_login: false,
            shows_developer: false,
            transfers: TransferSettings::default(),
            notifications: NotificationSettings::default(),
        }
    }
}

impl Settings {
    fn within_bounds(mut self) -> Self {
        self.text_scale_percent = self.text_scale_percent.clamp(*TEXT_SCALE_PERCENT.start(), *TEXT_SCALE_PERCENT.end());
        self.transfers.at_once = self.transfers.at_once.clamp(*AT_ONCE.start(), *AT_ONCE.end());
        let limit = self.transfers.bytes_per_second;
        self.transfers.bytes_per_second = limit.map(|bytes| bytes.get().max(LEAST_BYTES_PER_SECOND).into());
        self
    }
}

/// The settings in the file. An older Easel did not write all of them, and a newer one may write some in another way.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    #[serde(deserialize_with = "or_default")]
    theme: Option<Theme>,
    #[serde(deserialize_with = "or_default")]
    language: Option<Language>,
    #[serde(deserialize_with = "or_default")]
    text_scale_percent: Option<u16>,
    #[serde(deserialize_with = "or_default")]
    keeps_running: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    told_keeps_running: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    starts_at_login: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    shows_developer: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    transfers: StoredTransfers,
    #[serde(deserialize_with = "or_default")]
    notifications: StoredNotifications,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredTransfers {
    #[serde(deserialize_with = "or_default")]
    bytes_per_second: Option<WholeNumber>,
    #[serde(deserialize_with = "or_default")]
    at_once: Option<u16>,
    #[serde(deserialize_with = "or_default")]
    pause_on_metered: Option<bool>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredNotifications {
    #[serde(deserialize_with = "or_default")]
    folder_needs_you: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    finished: Option<bool>,
    #[serde(deserialize_with = "or_default")]
    failed: Option<bool>,
}

impl From<Stored> for Settings {
    fn from(stored: Stored) -> Self {
        let usual = Self::default();
        let (transfers, notifications) = (stored.transfers, stored.notifications);
        Self {
            theme: stored.theme.unwrap_or(usual.theme),
            language: stored.language.unwrap_or(usual.language),
            text_scale_percent: stored.text_scale_percent.unwrap_or(usual.text_scale_percent),
            keeps_running: stored.keeps_running.unwrap_or(usual.keeps_running),
            told_keeps_running: stored.told_keeps_running.unwrap_or(usual.told_keeps_running),
            starts_at_login: stored.starts_at_login.unwrap_or(usual.starts_at_login),
            shows_developer: stored.shows_developer.unwrap_or(usual.shows_developer),
            transfers: TransferSettings {
                bytes_per_second: transfers.bytes_per_second,
                at_once: transfers.at_once.unwrap_or(usual.transfers.at_once),
                pause_on_metered: transfers.pause_on_metered.unwrap_or(usual.transfers.pause_on_metered),
            },
            notifications: NotificationSettings {
                folder_needs_you: notifications.folder_needs_you.unwrap_or(usual.notifications.folder_needs_you),
                finished: notifications.finished.unwrap_or(usual.notifications.finished),
                failed: notifications.failed.unwrap_or(usual.notifications.failed),
            },
        }
    }
}

impl From<Settings> for Stored {
    fn from(settings: Settings) -> Self {
        let (transfers, notifications) = (settings.transfers, settings.notifications);
        Self {
            theme: Some(settings.theme),
            language: Some(settings.language),
            text_scale_percent: Some(settings.text_scale_percent),
            keeps_running: Some(settings.keeps_running),
            told_keeps_running: Some(settings.told_keeps_running),
            starts_at_login: Some(settings.starts_at_login),
            shows_developer: Some(settings.shows_developer),
            transfers: StoredTransfers {
                bytes_per_second: transfers.bytes_per_second,
                at_once: Some(transfers.at_once),
                pause_on_metered: Some(transfers.pause_on_metered),
            },
            notifications: StoredNotifications {
                folder_needs_you: Some(notifications.folder_needs_you),
                finished: Some(notifications.finished),
                failed: Some(notifications.failed),
            },
        }
    }
}

/// The settings in force, and their file.
#[derive(Debug, Default)]
pub(crate) struct SettingsFile {
    current: Mutex<Settings>,
}

impl SettingsFile {
    /// Reads the settings; where that fails, those in force stay.
    pub(crate) fn read_from_disk(&self, data_dir: &DataDir) {
        match read_json::<Stored>(&data_dir.settings()) {
            Ok(Some(stored)) => {
                let settings = Settings::from(stored).within_bounds();
                messages::speak(settings.language);
                *self.lock() = settings;
            }
            Ok(None) => messages::speak(Language::System),
            Err(error) => tracing::warn!(%error, "the settings cannot be read"),
        }
    }

    pub(crate) fn get(&self) -> Settings {
        *self.lock()
    }

    pub(crate) fn set(&self, data_dir: &DataDir, settings: Settings) -> std::io::Result<Settings> {
        let settings = settings.within_bounds();
        let mut current = self.lock();
        write_json(&data_dir.settings(), &Stored::from(settings))?;
        messages::speak(settings.language);
        *current = settings;
        Ok(settings)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Settings> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dir: &DataDir) -> Settings {
        let file = SettingsFile::default();
        file.read_from_disk(dir);
        file.get()
    }

    #[test]
    fn settings_out_of_bounds_come_back_within_them() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let slow = TransferSettings { bytes_per_second: Some(1_u64.into()), at_once: 0, pause_on_metered: false };
        let wild = Settings { text_scale_percent: 1, transfers: slow, ..Settings::default() };
        SettingsFile::default().set(&dir, wild).unwrap();
        let kept = read(&dir);
        assert_eq!((kept.text_scale_percent, kept.transfers.at_once), (80, 1));
        assert_eq!(kept.transfers.bytes_per_second, Some(LEAST_BYTES_PER_SECOND.into()));
        assert!(!kept.transfers.pause_on_metered);
    }

    #[test]
    fn what_an_older_easel_kept_is_read_and_the_rest_is_as_usual() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        std::fs::write(dir.settings(), r#"{"theme":"dark","text_scale_percent":9000}"#).unwrap();
        let expected = Settings { theme: Theme::Dark, text_scale_percent: 200, ..Settings::default() };
        assert_eq!(read(&dir), expected);
    }

    #[test]
    fn what_cannot_be_read_of_the_settings_has_its_usual_value_and_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let check = |stored: &str, expected: Settings| {
            std::fs::write(dir.settings(), stored).unwrap();
            assert_eq!(read(&dir), expected, "{stored}");
            assert!(!dir.settings().with_extension("damaged.json").exists(), "{stored}");
        };
        let usual = Settings::default();
        let five = TransferSettings { at_once: 5, ..usual.transfers };
        // Before there were bounds for bytes, or a pause; before there was anything to say of a folder.
        check(r#"{"transfers": {"at_once": 5}}"#, Settings { transfers: five, ..usual });
        let quiet = NotificationSettings { finished: false, ..usual.notifications };
        check(r#"{"notifications": {"finished": false}}"#, Settings { notifications: quiet, ..usual });
        // Of a newer Easel.
        let newer = r#"{"theme": "sepia", "keeps_running": false, "transfers": {"at_once": 5, "bytes_per_second": {"up": 9}},
            "notifications": "all", "moon": 1}"#;
        check(newer, Settings { keeps_running: false, transfers: five, ..usual });
        for settings in [usual, Settings { theme: Theme::Dark, transfers: five, notifications: quiet, ..usual }] {
            SettingsFile::default().set(&dir, settings).unwrap();
            assert_eq!(read(&dir), settings);
        }
    }
}
