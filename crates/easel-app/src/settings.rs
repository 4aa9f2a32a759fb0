//! What a person can set.

use serde::{Deserialize, Serialize};

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
