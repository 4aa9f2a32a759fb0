//! A palette: the colours of one ground by role, made so that everything written in them can be read.

use serde::{Deserialize, Serialize};

use super::{Role, TEXT_CONTRAST};
use crate::color::{Oklch, Rgb};

/// What the search for a colour aims at: a little over the least, so that rounding never falls below it.
const AIM: f32 = TEXT_CONTRAST + 0.15;

/// The colours of one ground by role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Palette {
    /// See [`Role::Ground`].
    pub ground: Rgb,
    /// See [`Role::Surface`].
    pub surface: Rgb,
    /// See [`Role::Wash`].
    pub wash: Rgb,
    /// See [`Role::Ink`].
    pub ink: Rgb,
    /// See [`Role::Muted`].
    pub muted: Rgb,
    /// See [`Role::Accent`].
    pub accent: Rgb,
    /// See [`Role::AccentText`].
    pub accent_text: Rgb,
    /// See [`Role::OnAccent`].
    pub on_accent: Rgb,
    /// See [`Role::Second`].
    pub second: Rgb,
    /// See [`Role::OnSecond`].
    pub on_second: Rgb,
    /// See [`Role::Line`].
    pub line: Rgb,
    /// See [`Role::Series`].
    pub series: [Rgb; 6],
}

impl Palette {
    /// The colour of a role.
    pub fn color(&self, role: Role) -> Rgb {
        match role {
            Role::Ground => self.ground,
            Role::Surface => self.surface,
            Role::Wash => self.wash,
            Role::Ink => self.ink,
            Role::Muted => self.muted,
            Role::Accent => self.accent,
            Role::AccentText => self.accent_text,
            Role::OnAccent => self.on_accent,
            Role::Second => self.second,
            Role::OnSecond => self.on_second,
            Role::Line => self.line,
            Role::Series(at) => self.series[usize::from(at) % self.series.len()],
        }
    }
}

/// Makes the palette of a ground from the two colours that shapes shall have on it.
///
/// Words are readable on ground, surface and wash alike; the accents stand out from the ground by at least 1.6:1 and keep
/// their hue. Nothing here fails: a colour that cannot be had gives way to the nearest that can.
pub fn derive_palette(ground: Rgb, accent: Rgb, second: Rgb) -> Palette {
    let paper = ground.oklch();
    let is_light = ground.is_light();
    let chroma = paper.c;
    let surface_l = if is_light {
        if paper.l > 0.955 { paper.l - 0.028 } else { (paper.l + 0.038).min(1.0) }
    } else {
        paper.l + 0.055
    };
    let surface = Oklch::new(surface_l, chroma * 0.9, paper.h).rgb();
    let wash_hue = accent.oklch().h;
    let wash_chroma = if accent.oklch().c > 0.03 { chroma.max(0.028) } else { chroma };
    let wash = Oklch::new(if is_light { paper.l - 0.05 } else { paper.l + 0.075 }, wash_chroma, wash_hue).rgb();
    // Grounds of middling lightness leave no room for words on three shades of them at once: then they are one.
    let reach = |words: Rgb| [ground, surface, wash].iter().all(|shade| words.contrast(*shade) >= AIM);
    let (surface, wash) = if reach(Rgb::BLACK) || reach(Rgb::WHITE) { (surface, wash) } else { (ground, ground) };
    let grounds = [ground, surface, wash];

    let ink_start = if is_light { 0.24 } else { 0.97 };
    let ink = Oklch::new(ink_start, (chroma * 0.8).min(0.03), paper.h).readable_on(&grounds, AIM);
    let muted_start = if is_light { 0.47 } else { 0.78 };
    let muted = Oklch::new(muted_start, (chroma * 0.8 + 0.008).min(0.045), paper.h).readable_on(&grounds, AIM);

    let accent = accent.oklch().readable_on(&[ground], 1.6);
    let second = second.oklch().readable_on(&[ground], 1.6);
    let accent_text = accent.oklch().readable_on(&grounds, AIM);
    let line = ground.under(ink, if is_light { 0.16 } else { 0.22 });
    Palette {
        ground,
        surface,
        wash,
        ink,
        muted,
        accent,
        accent_text,
        on_accent: words_on(accent),
        second,
        on_second: words_on(second),
        line,
        series: derive_series(ground, accent, second),
    }
}

/// Light words on a dark colour, dark ones on a light colour, with a trace of its hue.
fn words_on(ground: Rgb) -> Rgb {
    let hue = ground.oklch().h;
    let light = Oklch::new(0.985, 0.008, hue).rgb();
    let dark = Oklch::new(0.2, 0.03, hue).rgb();
    if light.contrast(ground) >= AIM {
        light
    } else if dark.contrast(ground) >= AIM {
        dark
    } else if Rgb::WHITE.contrast(ground) > Rgb::BLACK.contrast(ground) {
        Rgb::WHITE
    } else {
        Rgb::BLACK
    }
}

/// Six colours that are told apart: the two accents, then their hues lighter and darker, all standing out by 1.6:1.
fn derive_series(ground: Rgb, accent: Rgb, second: Rgb) -> [Rgb; 6] {
    let (one, two) = (accent.oklch(), second.oklch());
    let is_light = ground.is_light();
    let step = if is_light { -0.17 } else { 0.15 };
    let other = |from: Oklch, l: f32, turn: f32, chroma: f32| {
        Oklch::new((from.l + l).clamp(0.3, 0.9), from.c * chroma, from.h + turn).readable_on(&[ground], 1.6)
    };
    let wanted = [
        accent,
        second,
        other(one, step, 0.0, 0.8),
        other(two, -step * 0.7, 25.0, 0.8),
        other(one, -step * 0.8, -35.0, 0.6),
        Oklch::new(if is_light { 0.62 } else { 0.66 }, 0.02, one.h).readable_on(&[ground], 1.6),
    ];
    let mut series = wanted;
    for at in 1..series.len() {
        series[at] = tell_apart(wanted[at], &series[..at], ground);
    }
    series
}

/// How far two colours of a chart lie apart at least, in OKLab.
const APART: f32 = 0.1;

/// The colour, or the nearest shade of it that is not taken for one of the others; itself where there is none.
fn tell_apart(color: Rgb, others: &[Rgb], ground: Rgb) -> Rgb {
    let from = color.oklch();
    let steps = (0..=12).flat_map(|step| [1.0, -1.0].map(|way| way * step as f32 * 0.05));
    let turned = [0.0, 40.0, -40.0].into_iter().flat_map(|turn| steps.clone().map(move |step| (turn, step)));
    let shades =
        turned.map(|(turn, step)| Oklch::new((from.l + step).clamp(0.16, 0.97), from.c.max(0.03), from.h + turn).rgb());
    let is_apart = |shade: &Rgb| {
        others.iter().all(|other| {
            let far: f32 = shade.oklab().iter().zip(other.oklab()).map(|(one, two)| (one - two).powi(2)).sum();
            far.sqrt() >= APART
        })
    };
    let mut fitting = std::iter::once(color).chain(shades).filter(|shade| shade.contrast(ground) >= 1.6);
    fitting.find(is_apart).unwrap_or(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_series_of_every_theme_apart() {
        for recipe in super::super::recipes() {
            let theme = recipe.build(super::super::pairings()[0].fonts_for("a"));
            for palette in [&theme.base, &theme.tint, &theme.inverse] {
                for (at, one) in palette.series.iter().enumerate() {
                    for two in &palette.series[..at] {
                        let far: f32 = one.oklab().iter().zip(two.oklab()).map(|(one, two)| (one - two).powi(2)).sum();
                        assert!(far.sqrt() >= APART, "{}: {one:?} and {two:?}", recipe.name);
                    }
                }
            }
        }
    }

    #[test]
    fn keeps_words_readable_for_any_three_colours() {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb::new((state >> 8) as u8, (state >> 16) as u8, (state >> 24) as u8)
        };
        for _ in 0..3000 {
            let palette = derive_palette(next(), next(), next());
            for ground in [palette.ground, palette.surface, palette.wash] {
                for words in [palette.ink, palette.muted, palette.accent_text] {
                    assert!(words.contrast(ground) >= TEXT_CONTRAST, "{palette:?}");
                }
            }
            assert!(palette.on_accent.contrast(palette.accent) >= TEXT_CONTRAST, "{palette:?}");
            assert!(palette.on_second.contrast(palette.second) >= TEXT_CONTRAST, "{palette:?}");
        }
    }
}
