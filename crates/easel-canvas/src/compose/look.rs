//! How a design looks: the theme that its tone asks for, its colours and fonts, a brand's before all others.

use super::intent::Intent;
use crate::brand::Brand;
use crate::color::{Oklch, Rgb};
use crate::dice::Dice;
use crate::fonts;
use crate::origin::Look;
use crate::render::Warning;
use crate::theme::{FontChoice, Fonts, Recipe, Theme, find_pairing, find_recipe, pairings, recipes};

/// Chooses a look for an intent.
pub fn choose(intent: &Intent, seed: u64, size: (u32, u32), brand: Option<Brand>, borrowed: &[Rgb]) -> Look {
    let mut dice = Dice::new(seed, "look");
    let recipe = intent.recipe.and_then(find_recipe).unwrap_or_else(|| &recipes()[dice.below(recipes().len())]);
    let pairing = recipe.pairings[dice.below(recipe.pairings.len()).min(dice.below(recipe.pairings.len()))];
    let is_dark = recipe.paper.l < 0.5;
    let colors = if intent.colors.is_empty() { borrowed.to_vec() } else { intent.colors.clone() };
    Look {
        seed,
        recipe: recipe.name.to_owned(),
        pairing: pairing.to_owned(),
        inverted: intent.dark.is_some_and(|dark| dark != is_dark),
        colors,
        brand,
        width: size.0,
        height: size.1,
    }
}

/// The theme of a look, for words like these.
pub fn build_theme(look: &Look, sample: &str, warnings: &mut Vec<Warning>) -> Theme {
    let recipe = find_recipe(&look.recipe).unwrap_or(&recipes()[0]);
    let pairing = find_pairing(&look.pairing).unwrap_or(&pairings()[0]);
    let mut fonts = pairing.fonts_for(sample);
    if let Some(brand) = &look.brand {
        use_brand_fonts(&mut fonts, brand, sample, warnings);
    }
    let colors = colors_of(look, recipe);
    recipe.build_with(colors.paper, colors.accent, colors.second, colors.inverse, fonts)
}

struct Colors {
    paper: Rgb,
    accent: Rgb,
    second: Rgb,
    inverse: Rgb,
}

fn colors_of(look: &Look, recipe: &Recipe) -> Colors {
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
    if let Some(first) = look.colors.first() {
        let hue = first.oklch();
        colors.accent = *first;
        colors.second = look.colors.get(1).copied().unwrap_or_else(|| {
            Oklch::new(if hue.l > 0.6 { 0.45 } else { 0.74 }, (hue.c * 0.8).max(0.05), hue.h + 40.0).rgb()
        });
        tint_papers(&mut colors, hue, paper.l);
    }
    if let Some(brand) = &look.brand {
        use_brand_colors(&mut colors, brand, look.inverted);
    }
    colors
}

/// Papers of a neutral shade that goes with a colour.
fn tint_papers(colors: &mut Colors, hue: Oklch, paper_l: f32) {
    let light = Oklch::new(0.972, hue.c.min(0.012), hue.h).rgb();
    let dark = Oklch::new(0.225, hue.c.min(0.04), hue.h).rgb();
    (colors.paper, colors.inverse) = if paper_l > 0.5 { (light, dark) } else { (dark, light) };
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
    tint_papers(colors, hue, if dark { 0.2 } else { 0.97 });
    if let Some(background) = background {
        if (background.luminance() > 0.18) == (colors.paper.luminance() > 0.18) {
            colors.paper = background;
        } else {
            colors.inverse = background;
        }
    }
    if let Some(text) = named(&["text", "ink"]).filter(|text| text.contrast(colors.paper) > 7.0) {
        colors.inverse = text;
    }
}

fn use_brand_fonts(fonts: &mut Fonts, brand: &Brand, sample: &str, warnings: &mut Vec<Warning>) {
    let mut take = |wanted: &Option<String>, weight: u16, choice: &mut FontChoice| {
        let Some(wanted) = wanted.as_deref().map(str::trim).filter(|wanted| !wanted.is_empty()) else { return };
        match fonts::canonical_family(wanted) {
            Some(family) if fonts::family_covers(family, sample) => {
                *choice = FontChoice { family: family.to_owned(), weight };
            }
            Some(_) => {}
            None => {
                let stand_in = like(wanted);
                if fonts::family_covers(stand_in, sample) {
                    *choice = FontChoice { family: stand_in.to_owned(), weight };
                }
                warnings.push(Warning {
                    code: "brand_font_missing",
                    message: format!("The font “{wanted}” is not here: “{}” stands in for it.", choice.family),
                });
            }
        }
    };
    take(&brand.heading_font, 700, &mut fonts.heading);
    take(&brand.body_font, 400, &mut fonts.body);
    if brand.body_font.is_some() {
        fonts.label = FontChoice { family: fonts.body.family.clone(), weight: 700 };
    }
    if brand.heading_font.is_some() {
        fonts.heading_tracking = -0.012;
    }
}

/// The shipped family that is most like one that is not here.
fn like(family: &str) -> &'static str {
    let lower = family.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(&["mono", "code", "courier"]) {
        "JetBrains Mono"
    } else if has(&["didot", "bodoni", "playfair", "display serif"]) {
        "Playfair Display"
    } else if has(&["serif", "garamond", "times", "georgia", "caslon", "baskerville", "merriweather", "lora"])
        && !has(&["sans"])
    {
        "Literata"
    } else if has(&["condensed", "oswald", "bebas", "league", "impact"]) {
        "Oswald"
    } else if has(&["helvetica", "arial", "roboto", "archivo", "franklin"]) {
        "Archivo"
    } else {
        "Manrope"
    }
}
