//! The font that words are set in: what the theme has for their role, or what the box says.

use crate::document::{FontRole, TextBox};
use crate::theme::{FontChoice, Theme};

/// The theme's font for a role.
pub fn font_choice(theme: &Theme, role: FontRole) -> &FontChoice {
    match role {
        FontRole::Heading => &theme.fonts.heading,
        FontRole::Body => &theme.fonts.body,
        FontRole::Label => &theme.fonts.label,
    }
}

/// The family, weight and slant that a box is set in.
pub fn base_font<'a>(text: &TextBox, theme: &'a Theme) -> (&'a str, u16, bool) {
    let choice = font_choice(theme, text.style.font);
    (choice.family.as_str(), text.style.weight.unwrap_or(choice.weight), text.style.italic)
}

/// The weight that words stand out with from words of `weight`.
pub fn bolder(weight: u16) -> u16 {
    if weight >= 600 { 900 } else { 700 }
}
