//! The colours of a look: which of those that were named is the paper, which draws the eye and which stands beside it.
//!
//! What holds: whatever colours come in, the palettes that are made of them keep words readable (`theme::palette`).
//! Deliberately not here: which colours a text names (`read::colors`) and which theme is taken (`look`).

use crate::brand::Brand;
use crate::color::{Oklch, Rgb};
use crate::origin::{ChosenColors, Look};
use crate::theme::Recipe;

/// The four colours of which the palettes of a theme are made.
pub struct Colors {
    /// Of the page.
    pub paper: Rgb,
    /// Draws the eye.
    pub accent: Rgb,
    /// Stands beside it.
    pub second: Rgb,
    /// The paper's opposite.
    pub inverse: Rgb,
}

/// From this chroma on a colour has a hue that people would name.
const HUED: f32 = 0.045;

/// Whether named colours are those of a dark page: black with no light one beside it.
pub fn are_of_night(named: &[Rgb]) -> bool {
    named.iter().any(|color| is_black(*color)) && !named.iter().any(|color| is_pale(*color))
}

fn is_hued(color: Rgb) -> bool {
    color.oklch().c >= HUED
}

/// White, cream, beige.
fn is_pale(color: Rgb) -> bool {
    !is_hued(color) && color.oklch().l > 0.86
}

/// Black and what is nearly so.
fn is_black(color: Rgb) -> bool {
    !is_hued(color) && color.oklch().l < 0.36
}

/// The colours of a look: those of its theme, of the words of a prompt, of a brand, of a person's choice; each before the one before it.
pub fn colors_of(look: &Look, recipe: &Recipe) -> Colors {
    let (paper, inverse) = if look.inverted { (recipe.inverse, recipe.paper) } else { (recipe.paper, recipe.inverse) };
    let mut colors =
        Colors { paper: paper.rgb(), accent: recipe.accent.rgb(), second: recipe.second.rgb(), inverse: inverse.rgb() };
    if look.inverted {
        let lift = |color: Oklch| {
            if paper.l < 0.5 {
                Oklch::new(color.l.max(0.62), color.c, color.h)
            } else {
                Oklch::new(color.l.min(0.58), color.c, color.h)
            }
        };
        colors.accent = lift(recipe.accent).rgb();
        colors.second = lift(recipe.second).rgb();
    }
    if !look.colors.is_empty() {
        use_named(&mut colors, look, paper.l < 0.5);
    }
    if let Some(brand) = &look.brand {
        use_brand_colors(&mut colors, brand, look.inverted);
    }
    use_chosen(&mut colors, &look.chosen);
    colors
}

/// What a person chose goes before everything else.
fn use_chosen(colors: &mut Colors, chosen: &ChosenColors) {
    if let Some(ground) = chosen.ground {
        // Pages that stand on the paper's opposite still do.
        if ground.is_light() == colors.inverse.is_light() {
            colors.inverse = colors.paper;
        }
        colors.paper = ground;
    }
    colors.accent = chosen.accent.unwrap_or(colors.accent);
    colors.second = chosen.second.unwrap_or(colors.second);
}

/// Puts the colours that were named in their places: light and black ones make the papers, the first with a hue draws the
/// eye, the next stands beside it. Where none has a hue, the page is one of black and white or of shades of one colour.
fn use_named(colors: &mut Colors, look: &Look, is_dark: bool) {
    let named = &look.colors;
    let hued: Vec<Rgb> = named.iter().copied().filter(|color| is_hued(*color) && look.ground != Some(*color)).collect();
    let ground = |is_wanted: fn(Rgb) -> bool| look.ground.filter(|ground| is_wanted(*ground));
    let first = |is_wanted: fn(Rgb) -> bool| named.iter().copied().find(|color| is_wanted(*color));
    let hue =
        hued.first().copied().or(look.ground).or(named.first().copied()).map_or(colors.accent.oklch(), Rgb::oklch);
    // “navy and gold”: of two the deep one is the paper of the dark side.
    let (light_paper, dark_paper) = papers_of(hue);
    let deep = hued.iter().copied().find(|color| hued.len() > 1 && color.oklch().l < 0.42);
    let light = ground(Rgb::is_light).or_else(|| first(is_pale)).unwrap_or(light_paper);
    let dark = ground(|color| !color.is_light()).or_else(|| first(is_black)).or(deep).unwrap_or(dark_paper);
    (colors.paper, colors.inverse) = if is_dark { (dark, light) } else { (light, dark) };
    let mut rest = hued.into_iter().filter(|color| *color != colors.paper);
    let grey = first(|color| !is_hued(color) && !is_pale(color) && !is_black(color));
    let Some(accent) = rest.next() else {
        (colors.accent, colors.second) = unhued(colors, grey);
        return;
    };
    colors.accent = accent;
    let own = accent.oklch();
    colors.second = rest.next().or(grey).unwrap_or_else(|| {
        if named.len() > 1 {
            // Beside neutral ones no further hue was asked for.
            return Oklch::new(if own.l > 0.6 { 0.45 } else { 0.74 }, own.c * 0.6, own.h).rgb();
        }
        Oklch::new(if own.l > 0.6 { 0.45 } else { 0.74 }, (own.c * 0.8).max(0.05), own.h + 40.0).rgb()
    });
}

/// What draws the eye on papers where no colour with a hue was named: their opposite, or their own shade made strong.
fn unhued(colors: &Colors, grey: Option<Rgb>) -> (Rgb, Rgb) {
    let paper = colors.paper.oklch();
    if paper.c > 0.008 {
        let strong = if colors.paper.is_light() { 0.46 } else { 0.78 };
        return (
            Oklch::new(strong, paper.c.clamp(0.05, 0.11), paper.h).rgb(),
            grey.unwrap_or_else(|| Oklch::new(0.64, paper.c.clamp(0.03, 0.07), paper.h).rgb()),
        );
    }
    (colors.inverse, grey.unwrap_or_else(|| Oklch::new(0.6, 0.0, 0.0).rgb()))
}

/// A light and a dark paper of a neutral shade that goes with a colour.
fn papers_of(hue: Oklch) -> (Rgb, Rgb) {
    (Oklch::new(0.972, hue.c.min(0.012), hue.h).rgb(), Oklch::new(0.225, hue.c.min(0.04), hue.h).rgb())
}

fn use_brand_colors(colors: &mut Colors, brand: &Brand, dark: bool) {
    let named = |names: &[&str]| {
        brand
            .colors
            .iter()
            .find(|color| names.iter().any(|name| color.role.to_lowercase().contains(name)))
            .map(|color| color.color)
    };
    let background = named(&["background", "paper", "surface"]);
    let free: Vec<Rgb> = brand
        .colors
        .iter()
        .filter(|color| {
            !["background", "paper", "surface", "text", "ink"]
                .iter()
                .any(|name| color.role.to_lowercase().contains(name))
        })
        .map(|color| color.color)
        .collect();
    let strongest = free.iter().copied().max_by(|one, two| one.oklch().c.total_cmp(&two.oklch().c));
    let Some(accent) = named(&["primary", "main"]).or_else(|| free.first().copied()).or(strongest) else { return };
    let hue = accent.oklch();
    colors.accent = accent;
    let second = named(&["secondary", "accent", "highlight"]).filter(|color| *color != accent);
    colors.second = second
        .or_else(|| free.iter().copied().find(|color| *color != accent))
        .unwrap_or_else(|| Oklch::new(if hue.l > 0.6 { 0.42 } else { 0.76 }, (hue.c * 0.7).max(0.03), hue.h).rgb());
    let (light, deep) = papers_of(hue);
    (colors.paper, colors.inverse) = if dark { (deep, light) } else { (light, deep) };
    if let Some(background) = background {
        if background.is_light() == colors.paper.is_light() {
            colors.paper = background;
        } else {
            colors.inverse = background;
        }
    }
    if let Some(text) = named(&["text", "ink"]).filter(|text| text.contrast(colors.paper) > 7.0) {
        colors.inverse = text;
    }
}
