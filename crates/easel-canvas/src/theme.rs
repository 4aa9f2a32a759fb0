//! What a design looks like, apart from what it says: colours by role, fonts, corners, rhythm.
//!
//! A page names one of four grounds, and every colour on it a role; so another theme, or the dark side of the same one,
//! changes every page at once and keeps it readable: contrast is made when a palette is made, never checked away later.

mod catalogue;
mod palette;

use serde::{Deserialize, Serialize};

pub use catalogue::{FontPairing, Recipe, find_pairing, find_recipe, pairings, recipes};
pub use palette::{Palette, derive_palette};

use crate::color::Rgb;
use crate::fonts::{self, Han};

/// Contrast that every text keeps against what is below it (WCAG 2, level AA).
pub const TEXT_CONTRAST: f32 = 4.5;

/// One of the four grounds that a page can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    /// The theme's paper.
    Base,
    /// The paper, a shade nearer to the accent.
    Tint,
    /// The accent colour itself.
    Accent,
    /// The opposite of the paper: dark where it is light.
    Inverse,
}

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The page itself. One version of Easel wrote it as `background`.
    #[serde(alias = "background")]
    Ground,
    /// A card on the page.
    Surface,
    /// Headings and reading text.
    Ink,
    /// What is read second.
    Muted,
    /// Shapes that draw the eye.
    Accent,
    /// Words in the accent's hue, readable on ground and surface.
    AccentText,
    /// Words on a shape of the accent.
    OnAccent,
    /// A second colour for shapes.
    Second,
    /// Words on a shape of the second colour.
    OnSecond,
    /// Hairlines.
    Line,
    /// A quiet shape behind things, hardly apart from the ground; reading text is readable on it.
    Wash,
    /// The first to sixth series of a chart.
    Series(u8),
}

/// A colour: by its role, or fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paint {
    /// Whatever the theme has for this role on the page's ground.
    Role(Role),
    /// This very colour, whatever the theme.
    Fixed(Rgb),
}

impl From<Role> for Paint {
    fn from(role: Role) -> Self {
        Self::Role(role)
    }
}

/// A family and the weight that it is set in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FontChoice {
    /// One of the shipped families.
    pub family: String,
    /// 100 to 900.
    pub weight: u16,
}

/// The fonts of a theme by what they are for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fonts {
    /// Titles and large numbers.
    pub heading: FontChoice,
    /// Reading text.
    pub body: FontChoice,
    /// Kickers, page numbers, labels of charts.
    pub label: FontChoice,
    /// Whether labels are set in capitals.
    pub label_capitals: bool,
    /// Space between the letters of a heading, in em.
    pub heading_tracking: f32,
    /// For which language letters that several share are drawn.
    #[serde(default)]
    pub han: Han,
}

impl Fonts {
    /// Sets them for a language: scripts whose letters hang together or have no capitals are neither spread nor drawn together.
    pub fn speak(&mut self, language: &str) {
        self.han = Han::of_language(language);
        if matches!(language, "ja" | "zh" | "ko" | "th" | "hi" | "ar" | "he") {
            self.heading_tracking = 0.0;
            self.label_capitals = false;
            // Digits and names of the Latin face stand among those letters: one with manners of its own would stand out.
            if !fonts::is_even(&self.heading.family) {
                let family = if fonts::is_serif(&self.heading.family) { "Literata" } else { "Manrope" };
                self.heading = FontChoice { family: family.to_owned(), weight: 700 };
            }
        }
    }
}

/// Everything that a design looks like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Theme {
    /// The recipe that it was made from.
    pub name: String,
    /// The four palettes.
    pub base: Palette,
    /// See [`Background::Tint`].
    pub tint: Palette,
    /// See [`Background::Accent`].
    pub accent: Palette,
    /// See [`Background::Inverse`].
    pub inverse: Palette,
    /// The fonts.
    pub fonts: Fonts,
    /// Radius of a card's corners, of the page's unit (a hundredth of its shorter side).
    pub radius: f32,
    /// How the theme decorates.
    pub motif: Motif,
}

/// How a theme decorates: shapes of one kind, used sparingly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motif {
    /// Circles and arcs.
    Circles,
    /// Upright and level bars.
    Bars,
    /// Fine lines.
    Rules,
    /// Soft large shapes.
    Blobs,
    /// A grid of dots.
    Dots,
    /// Squares and quarter circles.
    Tiles,
}

impl Theme {
    /// The palette of a ground.
    pub fn palette(&self, ground: Background) -> &Palette {
        match ground {
            Background::Base => &self.base,
            Background::Tint => &self.tint,
            Background::Accent => &self.accent,
            Background::Inverse => &self.inverse,
        }
    }

    /// Puts pages that would stand on the paper's opposite on a shade of the paper, and so those on an accent that is light where
    /// the paper is dark, or dark where it is light.
    pub fn keep_tone(&mut self) {
        self.inverse = self.tint.clone();
        if self.accent.ground.is_light() != self.base.ground.is_light() {
            self.accent = self.tint.clone();
        }
    }

    /// The colour that a paint stands for on a ground.
    pub fn color(&self, ground: Background, paint: Paint) -> Rgb {
        match paint {
            Paint::Role(role) => self.palette(ground).color(role),
            Paint::Fixed(color) => color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_design_says_of_its_colours_is_read() {
        let stored = r##"["ground","surface","ink","muted","accent","accent_text","on_accent","second","on_second","line","wash",{"series":3}]"##;
        let roles: Vec<Role> = serde_json::from_str(stored).unwrap();
        assert_eq!((roles.len(), roles[0]), (12, Role::Ground));
        assert_eq!(serde_json::to_string(&roles).unwrap(), stored);
        assert_eq!(serde_json::from_str::<Role>(r#""background""#).unwrap(), Role::Ground);
        let grounds = r#"["base","tint","accent","inverse"]"#;
        let read: Vec<Background> = serde_json::from_str(grounds).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), grounds);
    }
}
