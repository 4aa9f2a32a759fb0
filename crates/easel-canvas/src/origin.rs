//! What a document was made from: its content, the choices of its look, and the prompts that led to it.
//!
//! With it a remix lays the same content out anew, and the same origin always gives the same document.

use serde::{Deserialize, Serialize};

use crate::brand::Brand;
use crate::color::Rgb;
use crate::content::Outline;

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// What was asked, from the first to the last time.
    pub prompts: Vec<String>,
    /// What it says.
    pub outline: Outline,
    /// How it looks.
    pub look: Look,
}

/// The choices that make a look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Everything left to chance hangs on this.
    pub seed: u64,
    /// The theme's name.
    pub recipe: String,
    /// The pairing's name.
    pub pairing: String,
    /// Whether the theme's dark side is its paper.
    pub inverted: bool,
    /// Colours that the prompt named, or a reference lent: the first draws the eye.
    pub colors: Vec<Rgb>,
    /// The one of these colours that the prompt wants the pages themselves to have.
    #[serde(default)]
    pub ground: Option<Rgb>,
    /// Whether a prompt asked for the dark or the light side, so that no page stands on the opposite of the paper.
    #[serde(default)]
    pub keeps_tone: bool,
    /// A brand's colours, fonts and logo.
    pub brand: Option<Brand>,
    /// Colours that a person chose in place of all of these.
    #[serde(default, skip_serializing_if = "ChosenColors::is_empty")]
    pub chosen: ChosenColors,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How the pages are arranged.
    #[serde(default)]
    pub arrangement: Arrangement,
}

/// The colours of a design that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorRole {
    /// What pages stand on.
    Ground,
    /// Shapes that draw the eye.
    Accent,
    /// A second colour for shapes.
    Second,
}

impl ColorRole {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Ground, Self::Accent, Self::Second];
}

/// Colours that a person chose in place of a look's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChosenColors {
    /// See [`ColorRole::Ground`].
    #[serde(default)]
    pub ground: Option<Rgb>,
    /// See [`ColorRole::Accent`].
    #[serde(default)]
    pub accent: Option<Rgb>,
    /// See [`ColorRole::Second`].
    #[serde(default)]
    pub second: Option<Rgb>,
}

impl ChosenColors {
    /// What was chosen for a role.
    #[must_use]
    pub const fn of(&self, role: ColorRole) -> Option<Rgb> {
        match role {
            ColorRole::Ground => self.ground,
            ColorRole::Accent => self.accent,
            ColorRole::Second => self.second,
        }
    }

    /// Whether nothing was chosen.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ground.is_none() && self.accent.is_none() && self.second.is_none()
    }

    /// Chooses a colour, or takes the choice back.
    pub const fn set(&mut self, role: ColorRole, color: Option<Rgb>) {
        match role {
            ColorRole::Ground => self.ground = color,
            ColorRole::Accent => self.accent = color,
            ColorRole::Second => self.second = color,
        }
    }
}

/// How the pages of a design are arranged, apart from what stands on them and from its colours. A variation has another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Arrangement {
    /// By how many places the choice among fitting layouts has gone on; 0 for the first design of a brief.
    pub step: u32,
    /// Where the title of an inner page stands.
    pub head: HeadPlace,
    /// Whether pages of two sides have them exchanged.
    pub is_mirrored: bool,
    /// Whether titles are set larger than usual.
    pub is_large: bool,
    /// What is different from other variations, in words that its name ends with; empty for the first design.
    pub called: String,
}

/// Where the title of an inner page stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum HeadPlace {
    /// Above the rest.
    #[default]
    Top,
    /// At the side where reading begins; above the rest on pages that are not broad.
    Side,
    /// At the other side; below the rest on pages that are not broad.
    FarSide,
    /// Below the rest.
    Foot,
}
