//! What a person can set, and where it is kept.
//!
//! Always true: what is read back lies within its bounds. Not here: anything that belongs to one connection.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::causes;
use crate::data_dir::{DataDir, read_json, write_json};
use crate::problem::Problem;

/// Bounds of [`Settings::text_scale_percent`].
pub const TEXT_SCALE_PERCENT: std::ops::RangeInclusive<u16> = 80..=200;

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

/// What a person can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// How large text is, in percent of the usual size: 80 to 200.
    pub text_scale_percent: u16,
}

impl Default for Settings {
    fn default() -> Self {
        Self { theme: Theme::System, text_scale_percent: 100 }
    }
}

impl Settings {
    fn within_bounds(mut self) -> Self {
        self.text_scale_percent = self.text_scale_percent.clamp(*TEXT_SCALE_PERCENT.start(), *TEXT_SCALE_PERCENT.end());
        self
    }
}

/// The settings in force, and their file.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    current: Mutex<Settings>,
}

impl SettingsFile {
    /// Reads the settings; where that fails, the usual ones are in force.
    pub(crate) fn open(data_dir: &DataDir) -> Self {
        let read = read_json::<Settings>(&data_dir.settings()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the settings cannot be read");
            None
        });
        Self { current: Mutex::new(read.unwrap_or_default().within_bounds()) }
    }

    pub(crate) fn get(&self) -> Settings {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, data_dir: &DataDir, settings: Settings) -> std::io::Result<Settings> {
        let settings = settings.within_bounds();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        write_json(&data_dir.settings(), &settings)?;
        *current = settings;
        Ok(settings)
    }
}

impl App {
    /// What the person has set.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn get_settings(&self) -> Result<Settings, Problem> {
        Ok(self.settings().get())
    }

    /// Keeps what the person has set; what lies out of bounds is brought to the nearest bound.
    ///
    /// # Errors
    /// `data_unwritable` where it cannot be kept.
    pub async fn set_settings(&self, settings: Settings) -> Result<Settings, Problem> {
        self.settings().set(self.data_dir(), settings).map_err(|error| causes::of_data(&error, self.data_dir().root()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_bounds_come_back_within_them() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        std::fs::write(dir.settings(), r#"{"theme":"dark","text_scale_percent":9000}"#).unwrap();
        let file = SettingsFile::open(&dir);
        assert_eq!(file.get(), Settings { theme: Theme::Dark, text_scale_percent: 200 });
        file.set(&dir, Settings { theme: Theme::Light, text_scale_percent: 1 }).unwrap();
        assert_eq!(SettingsFile::open(&dir).get(), Settings { theme: Theme::Light, text_scale_percent: 80 });
    }
}
