//! The twelve themes and the type pairings, as a designer chose them.
//!
//! A recipe holds few colours; the palettes are derived from them. Deliberately not here: brand kits (`brand`), which put
//! their own colours and fonts into a recipe.

use super::{FontChoice, Fonts, Motif, Theme, derive_palette};
use crate::color::{Oklch, Rgb};
use crate::fonts;

/// A theme before its palettes are made.
#[derive(Debug, Clone, Copy)]
pub struct Recipe {
    /// Its name, as the document keeps it.
    pub name: &'static str,
    /// Words of a prompt that ask for it.
    pub tones: &'static [&'static str],
    /// The paper.
    pub paper: Oklch,
    /// The colour that draws the eye.
    pub accent: Oklch,
    /// The colour beside it.
    pub second: Oklch,
    /// The paper's opposite.
    pub inverse: Oklch,
    /// The pairing that suits it best, then others that suit it too.
    pub pairings: &'static [&'static str],
    /// See [`Theme::radius`].
    pub radius: f32,
    /// See [`Motif`].
    pub motif: Motif,
}

/// Fonts that go together.
#[derive(Debug, Clone, Copy)]
pub struct FontPairing {
    /// Its name.
    pub name: &'static str,
    /// Family and weight of headings.
    pub heading: (&'static str, u16),
    /// Family and weight of reading text.
    pub body: (&'static str, u16),
    /// Family and weight of labels.
    pub label: (&'static str, u16),
    /// Whether labels are set in capitals.
    pub label_capitals: bool,
    /// Space between the letters of a heading, in em.
    pub heading_tracking: f32,
}

const fn lch(l: f32, c: f32, h: f32) -> Oklch {
    Oklch::new(l, c, h)
}

const RECIPES: &[Recipe] = &[
    Recipe {
        name: "Paper",
        #[rustfmt::skip]
        tones: &[
            "editorial", "calm", "elegant", "literary", "classic", "magazine", "timeless", "élégant", "élégante", "raffiné", "raffinée", "classique",
            "littéraire", "sobre", "klassisch", "klassische", "elegante", "eleganter", "elegantes", "zeitlos", "feierlich", "clásico", "clásica",
            "literario", "sobrio", "classico", "classica", "raffinato", "sobria",
            "落ち着",
        ],
        paper: lch(0.972, 0.010, 85.0),
        accent: lch(0.53, 0.135, 35.0),
        second: lch(0.36, 0.045, 250.0),
        inverse: lch(0.235, 0.018, 70.0),
        pairings: &["Chapter", "Salon", "Gallery"],
        radius: 0.0,
        motif: Motif::Rules,
    },
    Recipe {
        name: "Hearth",
        #[rustfmt::skip]
        tones: &[
            "warm", "cosy", "cozy", "homely", "handmade", "rustic", "friendly", "natural", "autumn", "bakery", "bäckerei", "boulangerie",
            "panadería", "harvest", "chaleureux", "chaleureuse", "chaleureuses", "rustique", "artisanal", "authentique", "convivial", "rustikal",
            "rustikale", "warme", "warmen", "warmer", "gemütlich", "gemütliche", "handgemacht", "freundlich", "freundliche", "herbstlich", "cálido",
            "cálida", "rústico", "rústica", "acogedor", "caldo", "calda", "rustico", "rustica", "accogliente", "artigianale",
            "温か", "暖か", "あたたか",
        ],
        paper: lch(0.958, 0.024, 76.0),
        accent: lch(0.555, 0.145, 43.0),
        second: lch(0.47, 0.075, 125.0),
        inverse: lch(0.29, 0.045, 42.0),
        pairings: &["Kitchen", "Chapter", "Workshop"],
        radius: 2.2,
        motif: Motif::Circles,
    },
    Recipe {
        name: "Meadow",
        #[rustfmt::skip]
        tones: &[
            "fresh", "green", "organic", "sustainable", "spring", "eco", "healthy", "garden", "climate", "renewable", "energien", "erneuerbare",
            "umwelt", "garten", "jardin", "jardín", "frais", "fraîche", "naturel", "naturelle", "écologique", "printanier", "végétal", "frisch",
            "frische", "grün", "nachhaltig", "ökologisch", "frühlingshaft", "natürlich", "fresco", "fresca", "ecológico", "primaveral", "ecologico",
            "primaverile", "verde",
            "爽やか", "さわやか",
        ],
        paper: lch(0.965, 0.018, 130.0),
        accent: lch(0.49, 0.115, 150.0),
        second: lch(0.80, 0.150, 85.0),
        inverse: lch(0.275, 0.050, 158.0),
        pairings: &["Workshop", "Kitchen", "Plain"],
        radius: 2.6,
        motif: Motif::Blobs,
    },
    Recipe {
        name: "Harbor",
        #[rustfmt::skip]
        tones: &[
            "corporate", "professional", "trust", "serious", "business", "formal", "solid", "sérieux", "sérieuse", "professionnel",
            "professionnelle", "institutionnel", "seriös", "seriöse", "sachlich", "sachliche", "professionell", "professionelle", "serio", "seria",
            "profesional", "professionale", "istituzionale",
        ],
        paper: lch(0.982, 0.006, 240.0),
        accent: lch(0.44, 0.135, 258.0),
        second: lch(0.70, 0.165, 38.0),
        inverse: lch(0.265, 0.070, 262.0),
        pairings: &["Plain", "Office", "Report"],
        radius: 1.0,
        motif: Motif::Bars,
    },
    Recipe {
        name: "Midnight",
        #[rustfmt::skip]
        tones: &[
            "dark", "tech", "futuristic", "night", "cyber", "startup", "ai", "launch", "space", "sombre", "nocturne", "futuriste", "dunkel",
            "dunkle", "dunkles", "futuristisch", "oscuro", "oscura", "nocturno", "futurista", "scuro", "scura", "notturno",
            "ダーク",
        ],
        paper: lch(0.205, 0.038, 275.0),
        accent: lch(0.83, 0.155, 175.0),
        second: lch(0.68, 0.190, 300.0),
        inverse: lch(0.965, 0.012, 270.0),
        pairings: &["Orbit", "Plain", "Office"],
        radius: 1.6,
        motif: Motif::Dots,
    },
    Recipe {
        name: "Signal",
        #[rustfmt::skip]
        tones: &[
            "bold", "swiss", "strong", "loud", "graphic", "modernist", "confident", "audacieux", "audacieuse", "percutant", "plakativ", "plakative",
            "auffällig", "kräftig", "kräftige", "atrevido", "atrevida", "llamativo", "llamativa", "audace",
        ],
        paper: lch(0.985, 0.003, 95.0),
        accent: lch(0.575, 0.228, 28.0),
        second: lch(0.22, 0.004, 95.0),
        inverse: lch(0.20, 0.004, 95.0),
        pairings: &["Poster", "Condensed", "Stage"],
        radius: 0.0,
        motif: Motif::Tiles,
    },
    Recipe {
        name: "Orchid",
        #[rustfmt::skip]
        tones: &[
            "playful", "creative", "dreamy", "beauty", "fashion", "romantic", "pink", "purple", "ludique", "romantique", "créatif", "créative",
            "verspielt", "verspielte", "romantisch", "kreativ", "romántico", "romántica", "creativo", "creativa", "romantico", "romantica",
            "giocoso", "giocosa",
        ],
        paper: lch(0.962, 0.020, 315.0),
        accent: lch(0.53, 0.225, 300.0),
        second: lch(0.74, 0.155, 355.0),
        inverse: lch(0.265, 0.095, 300.0),
        pairings: &["Workshop", "Salon", "Stage"],
        radius: 3.2,
        motif: Motif::Blobs,
    },
    Recipe {
        name: "Citrus",
        #[rustfmt::skip]
        tones: &[
            "cheerful", "sunny", "summer", "bright", "fun", "energetic", "kids", "happy", "joyeux", "joyeuse", "festif", "festive", "gai",
            "ensoleillé", "estival", "coloré", "colorée", "fröhlich", "fröhliche", "lustig", "bunt", "bunte", "buntes", "sommerlich", "sommerliche",
            "colourful", "colorful", "alegre", "alegres", "divertido", "divertida", "festivo", "veraniego", "colorido", "allegro", "allegra",
            "solare", "estivo", "colorato",
            "明る", "楽し", "にぎやか", "元気",
        ],
        paper: lch(0.900, 0.155, 96.0),
        accent: lch(0.30, 0.055, 285.0),
        second: lch(0.66, 0.205, 38.0),
        inverse: lch(0.255, 0.050, 285.0),
        pairings: &["Workshop", "Stage", "Poster"],
        radius: 2.8,
        motif: Motif::Circles,
    },
    Recipe {
        name: "Slate",
        #[rustfmt::skip]
        tones: &[
            "minimal", "clean", "simple", "modern", "neutral", "quiet", "product", "software", "épuré", "épurée", "minimaliste", "moderne",
            "minimalistisch", "schlicht", "schlichte", "reduziert", "moderna", "moderno", "minimalista", "sencillo", "limpio", "semplice", "pulito",
            "essenziale", "minimale",
            "シンプル",
        ],
        paper: lch(0.955, 0.006, 255.0),
        accent: lch(0.55, 0.210, 262.0),
        second: lch(0.72, 0.115, 205.0),
        inverse: lch(0.245, 0.022, 260.0),
        pairings: &["Office", "Plain", "Orbit"],
        radius: 1.4,
        motif: Motif::Rules,
    },
    Recipe {
        name: "Noir",
        #[rustfmt::skip]
        tones: &[
            "luxury", "luxurious", "premium", "exclusive", "gold", "gala", "wedding", "jewellery", "black", "luxe", "luxueux", "luxueuse", "doré",
            "dorée", "edel", "edle", "luxuriös", "lujo", "lujoso", "lujosa", "lusso", "lussuoso",
            "高級",
        ],
        paper: lch(0.190, 0.010, 60.0),
        accent: lch(0.79, 0.105, 84.0),
        second: lch(0.56, 0.075, 40.0),
        inverse: lch(0.955, 0.016, 85.0),
        pairings: &["Salon", "Gallery", "Chapter"],
        radius: 0.0,
        motif: Motif::Rules,
    },
    Recipe {
        name: "Sorbet",
        #[rustfmt::skip]
        tones: &[
            "sweet", "soft", "pastel", "gentle", "community", "family", "care", "peach", "doux", "douce", "douces", "tendre", "délicat", "délicate",
            "pastels", "zart", "zarte", "sanft", "sanfte", "pastell", "suave", "suaves", "dulce", "delicado", "delicada", "dolce", "delicato",
            "delicata", "pastello",
            "やさし", "優し", "淡い", "かわい", "可愛",
        ],
        paper: lch(0.948, 0.030, 48.0),
        accent: lch(0.55, 0.150, 8.0),
        second: lch(0.58, 0.095, 200.0),
        inverse: lch(0.280, 0.090, 355.0),
        pairings: &["Kitchen", "Workshop", "Salon"],
        radius: 3.6,
        motif: Motif::Circles,
    },
    Recipe {
        name: "Lagoon",
        #[rustfmt::skip]
        tones: &[
            "sea", "ocean", "travel", "cool", "blue", "teal", "science", "data", "health", "medical", "lake", "музей", "μουσείο", "museum",
            "library", "biblioteca", "maritime", "maritim", "marin", "marino", "bleu", "blau", "azul",
        ],
        paper: lch(0.970, 0.014, 200.0),
        accent: lch(0.48, 0.088, 208.0),
        second: lch(0.77, 0.150, 65.0),
        inverse: lch(0.265, 0.050, 222.0),
        pairings: &["Report", "Office", "Orbit"],
        radius: 1.8,
        motif: Motif::Tiles,
    },
];

const PAIRINGS: &[FontPairing] = &[
    pairing("Chapter", ("Literata", 700), ("Literata", 400), ("Commissioner", 700), false, -0.012),
    pairing("Salon", ("Playfair Display", 400), ("Commissioner", 400), ("Commissioner", 400), true, -0.010),
    pairing("Gallery", ("DM Serif Display", 400), ("Inter", 400), ("Inter", 600), true, -0.008),
    pairing("Kitchen", ("Fraunces", 600), ("Manrope", 400), ("Manrope", 800), false, -0.018),
    pairing("Workshop", ("Bricolage Grotesque", 800), ("Manrope", 400), ("Manrope", 600), false, -0.022),
    pairing("Plain", ("Manrope", 800), ("Manrope", 400), ("Manrope", 600), false, -0.024),
    pairing("Office", ("Inter", 600), ("Inter", 400), ("Inter", 600), false, -0.024),
    pairing("Report", ("Commissioner", 700), ("Commissioner", 400), ("JetBrains Mono", 400), false, -0.014),
    pairing("Orbit", ("Space Grotesk", 700), ("Inter", 400), ("JetBrains Mono", 400), true, -0.028),
    pairing("Stage", ("Syne", 800), ("Manrope", 400), ("Manrope", 800), false, -0.020),
    pairing("Poster", ("Archivo", 900), ("Archivo", 400), ("Archivo", 700), true, -0.022),
    pairing("Condensed", ("Oswald", 600), ("Archivo", 400), ("Archivo", 700), true, 0.0),
];

const fn pairing(
    name: &'static str,
    heading: (&'static str, u16),
    body: (&'static str, u16),
    label: (&'static str, u16),
    label_capitals: bool,
    heading_tracking: f32,
) -> FontPairing {
    FontPairing { name, heading, body, label, label_capitals, heading_tracking }
}

/// All themes.
pub fn recipes() -> &'static [Recipe] {
    RECIPES
}

/// The theme of this name.
pub fn find_recipe(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.name.eq_ignore_ascii_case(name))
}

/// All pairings.
pub fn pairings() -> &'static [FontPairing] {
    PAIRINGS
}

/// The pairing of this name.
pub fn find_pairing(name: &str) -> Option<&'static FontPairing> {
    PAIRINGS.iter().find(|pairing| pairing.name.eq_ignore_ascii_case(name))
}

impl FontPairing {
    /// The fonts of the pairing for a text: a family that lacks the text's letters gives way to one that has them.
    pub fn fonts_for(&self, sample: &str) -> Fonts {
        let heading = suit(self.heading, sample, true);
        let tracking = if heading.family == self.heading.0 { self.heading_tracking } else { 0.0 };
        Fonts {
            body: suit(self.body, sample, false),
            label: suit(self.label, sample, false),
            label_capitals: self.label_capitals && !sample.chars().any(is_without_capitals),
            heading_tracking: if sample.chars().any(is_without_capitals) { tracking.max(0.0) } else { tracking },
            heading,
            han: fonts::Han::default(),
        }
    }
}

/// Letters of scripts that have no capitals, or whose capitals drop their accents.
fn is_without_capitals(character: char) -> bool {
    matches!(character, '\u{370}'..='\u{3ff}' | '\u{590}'..='\u{8ff}' | '\u{1f00}'..='\u{1fff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

fn suit((family, weight): (&str, u16), sample: &str, is_heading: bool) -> FontChoice {
    let choice = |family: &str, weight: u16| FontChoice { family: family.to_owned(), weight };
    if fonts::family_covers(family, sample) {
        return choice(family, weight);
    }
    let bold = if is_heading { 700 } else { weight };
    let serif = fonts::is_serif(family);
    let others: &[&str] = if serif {
        &["Literata", "Frank Ruhl Libre", "Commissioner", "Cairo"]
    } else {
        &["Manrope", "Commissioner", "Rubik", "Cairo"]
    };
    others.iter().find(|name| fonts::family_covers(name, sample)).map_or_else(
        // Several scripts at once, or letters of the system's fonts only: piece by piece, later.
        || choice(family, weight),
        |name| choice(name, bold),
    )
}

impl Recipe {
    /// The theme with its palettes made, in the fonts of a pairing.
    pub fn build(&self, fonts: Fonts) -> Theme {
        self.build_with(self.paper.rgb(), self.accent.rgb(), self.second.rgb(), self.inverse.rgb(), fonts)
    }

    /// The theme in other colours than its own.
    pub fn build_with(&self, paper: Rgb, accent: Rgb, second: Rgb, inverse: Rgb, fonts: Fonts) -> Theme {
        let paper_lch = paper.oklch();
        let accent_lch = accent.oklch();
        let is_light = paper.is_light();
        let tint_l = if is_light { paper_lch.l - 0.035 } else { paper_lch.l + 0.05 };
        let tint_c = (accent_lch.c * 0.22).clamp(0.0, 0.05).max(paper_lch.c);
        let tint = Oklch::new(tint_l, tint_c, accent_lch.h).rgb();
        // On the accent itself, paper is what stands out, and the second colour if it can.
        let second_on_accent =
            if second.contrast(accent) >= 2.2 { second } else { accent_lch.readable_on(&[accent], 2.2) };
        let inverse_accent = if accent.contrast(inverse) >= 2.6 {
            accent
        } else {
            Oklch::new(if inverse.is_light() { 0.52 } else { 0.74 }, accent_lch.c, accent_lch.h).rgb()
        };
        let paper_on_accent = if paper.contrast(accent) >= 2.2 { paper } else { inverse };
        Theme {
            name: self.name.to_owned(),
            base: derive_palette(paper, accent, second),
            tint: derive_palette(tint, accent, second),
            accent: derive_palette(accent, paper_on_accent, second_on_accent),
            inverse: derive_palette(inverse, inverse_accent, second),
            fonts,
            radius: self.radius,
            motif: self.motif,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_only_what_exists() {
        for recipe in RECIPES {
            for name in recipe.pairings {
                assert!(find_pairing(name).is_some(), "{} names {name}", recipe.name);
            }
        }
        for pairing in PAIRINGS {
            for (family, _) in [pairing.heading, pairing.body, pairing.label] {
                assert!(fonts::ships_family(family), "{family}");
            }
        }
        assert!(RECIPES.len() >= 12);
    }

    #[test]
    fn gives_each_script_a_family_that_has_it() {
        for sample in ["Vår gård", "Ελληνικά", "Українська", "עברית", "العربية"] {
            for pairing in PAIRINGS {
                let fonts = pairing.fonts_for(sample);
                assert!(fonts::family_covers(&fonts.heading.family, sample), "{sample} {fonts:?}");
                assert!(fonts::family_covers(&fonts.body.family, sample), "{sample} {fonts:?}");
            }
        }
    }
}
