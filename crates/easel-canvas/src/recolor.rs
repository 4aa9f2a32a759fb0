//! The colours of a design and changing them in place: its paper, the colour that draws the eye, and the one beside it.
//!
//! Always true: nothing but the palettes changes, and words stay readable, because every palette is made of these three colours
//! (`theme::derive_palette`): one that cannot be had on its paper gives way to the nearest that can, which is what
//! [`Document::colors`] tells then. What was chosen stays chosen when the design is laid out anew, until a prompt or a brand asks
//! for another look. Deliberately not here: the colour of a single shape (nodes name colours by role), and pictures.

use serde::{Deserialize, Serialize};

use crate::color::Rgb;
use crate::compose::build_palettes;
use crate::document::Document;
use crate::origin::ColorRole;

/// A colour of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesignColor {
    /// What it is for.
    pub role: ColorRole,
    /// As it is drawn.
    pub color: Rgb,
    /// What a person chose for it; `None` while it is the look's own.
    pub chosen: Option<Rgb>,
}

impl Document {
    /// The colours that can be chosen, each once.
    #[must_use]
    pub fn colors(&self) -> Vec<DesignColor> {
        let (base, chosen) = (&self.theme.base, self.origin.look.chosen);
        let drawn = |role| match role {
            ColorRole::Ground => base.ground,
            ColorRole::Accent => base.accent,
            ColorRole::Second => base.second,
        };
        ColorRole::ALL.map(|role| DesignColor { role, color: drawn(role), chosen: chosen.of(role) }).to_vec()
    }

    /// Chooses colours; `None` takes a choice back, so that the look's own colour returns.
    pub fn choose_colors(&mut self, changes: &[(ColorRole, Option<Rgb>)]) {
        let before = self.origin.look.chosen;
        for (role, color) in changes {
            self.origin.look.chosen.set(*role, *color);
        }
        if self.origin.look.chosen != before {
            build_palettes(&self.origin.look, &mut self.theme);
        }
    }
}

#[cfg(test)]
mod tests;
