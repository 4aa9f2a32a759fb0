//! Colour as people see it: OKLCH for choosing, sRGB for drawing, and the contrast of WCAG 2 for reading.
//!
//! Deliberately not here: which colour has which role (`theme`).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An opaque colour in sRGB. On the wire `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb {
    /// Red, 0 to 255.
    pub r: u8,
    /// Green, 0 to 255.
    pub g: u8,
    /// Blue, 0 to 255.
    pub b: u8,
}

/// A colour by lightness (0 to 1), chroma (0 to about 0.37) and hue (degrees), as OKLCH has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oklch {
    /// Lightness, 0 to 1.
    pub l: f32,
    /// Chroma, from 0.
    pub c: f32,
    /// Hue, in degrees.
    pub h: f32,
}

impl Rgb {
    /// White paper.
    pub const WHITE: Self = Self::new(255, 255, 255);
    /// Black ink.
    pub const BLACK: Self = Self::new(0, 0, 0);

    /// A colour from its three parts.
    pub const fn new(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    /// Reads `#rgb` and `#rrggbb`, with or without the `#`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().trim_start_matches('#');
        if !digits.is_ascii() {
            return None;
        }
        let part = |at: usize, len: usize| u8::from_str_radix(digits.get(at..at + len)?, 16).ok();
        match digits.len() {
            3 => Some(Self::new(part(0, 1)? * 17, part(1, 1)? * 17, part(2, 1)? * 17)),
            6 | 8 => Some(Self::new(part(0, 2)?, part(2, 2)?, part(4, 2)?)),
            _ => None,
        }
    }

    /// `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }

    /// The relative luminance of WCAG 2, 0 to 1.
    pub fn luminance(self) -> f32 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Whether dark words are read better on it than light ones.
    pub fn is_light(self) -> bool {
        self.luminance() > 0.18
    }

    /// The contrast of WCAG 2 between two colours, 1 to 21.
    pub fn contrast(self, other: Self) -> f32 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// This colour with `other` laid over it, `alpha` (0 to 1) opaque.
    pub fn under(self, other: Self, alpha: f32) -> Self {
        let mix = |below: u8, above: u8| {
            (f32::from(below) + (f32::from(above) - f32::from(below)) * alpha).round().clamp(0.0, 255.0) as u8
        };
        Self::new(mix(self.r, other.r), mix(self.g, other.g), mix(self.b, other.b))
    }

    /// The colour as OKLCH.
    pub fn oklch(self) -> Oklch {
        let [l, a, b] = self.oklab();
        Oklch { l, c: a.hypot(b), h: b.atan2(a).to_degrees().rem_euclid(360.0) }
    }

    /// The colour as OKLab, in which distances are as far as they look.
    pub fn oklab(self) -> [f32; 3] {
        let [r, g, b] = self.linear();
        let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
        let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
        let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
        [
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        ]
    }

    fn linear(self) -> [f32; 3] {
        [self.r, self.g, self.b].map(|part| {
            let part = f32::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }
}

impl Oklch {
    /// A colour from its three parts.
    pub const fn new(l: f32, c: f32, h: f32) -> Self {
        Self { l, c, h }
    }

    /// The nearest colour of the same lightness and hue that sRGB can show: the chroma gives way.
    pub fn rgb(self) -> Rgb {
        let lightness = self.l.clamp(0.0, 1.0);
        let mut chroma = self.c.max(0.0);
        for _ in 0..24 {
            if let Some(color) = in_gamut(lightness, chroma, self.h) {
                return color;
            }
            chroma *= 0.92;
        }
        in_gamut(lightness, 0.0, 0.0).unwrap_or(if lightness > 0.5 { Rgb::WHITE } else { Rgb::BLACK })
    }

    /// The same hue and chroma, as light or dark as it takes to reach `ratio` against every one of `grounds`; the way that
    /// needs the smaller step wins. Black or white where no lightness of the hue is enough.
    pub fn readable_on(self, grounds: &[Rgb], ratio: f32) -> Rgb {
        let reaches = |color: Rgb| grounds.iter().all(|ground| color.contrast(*ground) >= ratio);
        if reaches(self.rgb()) {
            return self.rgb();
        }
        for step in 1..=100 {
            let by = step as f32 * 0.01;
            for lightness in [self.l - by, self.l + by] {
                if (0.0..=1.0).contains(&lightness) {
                    let color = Self { l: lightness, ..self }.rgb();
                    if reaches(color) {
                        return color;
                    }
                }
            }
        }
        let worst = |color: Rgb| grounds.iter().map(|ground| color.contrast(*ground)).fold(f32::MAX, f32::min);
        if worst(Rgb::BLACK) >= worst(Rgb::WHITE) { Rgb::BLACK } else { Rgb::WHITE }
    }
}

fn in_gamut(lightness: f32, chroma: f32, hue: f32) -> Option<Rgb> {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    if linear.iter().any(|part| *part < -0.002 || *part > 1.002) {
        return None;
    }
    let [r, g, b] = linear.map(|part| {
        let part = part.clamp(0.0, 1.0);
        let part = if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
        (part * 255.0).round() as u8
    });
    Some(Rgb::new(r, g, b))
}

impl Serialize for Rgb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

impl<'de> Deserialize<'de> for Rgb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a colour has the form #rrggbb"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_to_oklch_and_back() {
        for color in [Rgb::new(255, 0, 0), Rgb::new(12, 200, 90), Rgb::new(40, 40, 200), Rgb::WHITE, Rgb::BLACK] {
            let back = color.oklch().rgb();
            let far = |one: u8, two: u8| one.abs_diff(two) > 2;
            assert!(!far(color.r, back.r) && !far(color.g, back.g) && !far(color.b, back.b), "{color:?} {back:?}");
        }
    }

    #[test]
    fn measures_contrast_as_the_guideline_does() {
        assert!((Rgb::BLACK.contrast(Rgb::WHITE) - 21.0).abs() < 0.01);
        assert!((Rgb::new(0x76, 0x76, 0x76).contrast(Rgb::WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn finds_a_readable_shade_on_any_ground() {
        for l in 0..=20 {
            let ground = Oklch::new(l as f32 / 20.0, 0.1, 250.0).rgb();
            let ink = Oklch::new(0.6, 0.18, 30.0).readable_on(&[ground], 4.5);
            assert!(ink.contrast(ground) >= 4.5, "{ground:?} {ink:?}");
        }
    }
}
