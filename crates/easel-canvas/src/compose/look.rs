//! How a design looks: the theme that its tone asks for, its colours and fonts, a brand's before all others.

mod colors;

use crate::brand::Brand;
use crate::brief::contains_word;
use crate::color::Rgb;
use crate::content::Outline;
use crate::dice::Dice;
use crate::fonts;
use crate::origin::{Arrangement, ChosenColors, Look};
use crate::read::Reading;
use crate::read::kinds::Kind;
use crate::render::Warning;
use crate::theme::{FontChoice, Fonts, Recipe, Theme, find_pairing, find_recipe, pairings, recipes};
use colors::colors_of;

/// Themes that suit an occasion or a kind of thing where no word asks for one; of several any may be taken.
const OCCASIONS: &[(&[&str], &[&str])] = &[
    (
        &[
            "wedding",
            "hochzeit",
            "mariage",
            "boda",
            "matrimonio",
            "nozze",
            "engagement",
            "verlobung",
            "anniversary",
            "jubiläum",
            "свадьба",
            "свадьбу",
        ],
        &["Paper", "Sorbet", "Hearth"],
    ),
    (
        &["funeral", "memorial", "trauerfeier", "trauer", "beerdigung", "obituary", "gedenkfeier", "condolence"],
        &["Slate", "Paper"],
    ),
    (&["christening", "baptism", "taufe", "baby", "birth", "geburt"], &["Sorbet", "Meadow"]),
    (
        &[
            "birthday",
            "geburtstag",
            "kids",
            "children",
            "kinder",
            "anniversaire",
            "cumpleaños",
            "compleanno",
            "school",
            "schule",
            "kita",
            "kindergarten",
        ],
        &["Citrus", "Sorbet", "Orchid"],
    ),
    (
        &["gala", "awards", "black tie", "cocktail", "wine", "wein", "weinkarte", "jazz", "opera", "oper"],
        &["Noir", "Paper"],
    ),
    (
        &[
            "café",
            "cafe",
            "coffee",
            "kaffee",
            "bistro",
            "restaurant",
            "menu",
            "speisekarte",
            "bakery",
            "bäckerei",
            "brunch",
            "trattoria",
            "osteria",
            "kitchen",
            "küche",
            "menü",
            "carta",
        ],
        &["Hearth", "Paper", "Sorbet"],
    ),
    (
        &["concert", "konzert", "festival", "party", "dj", "club", "gig", "band", "rave", "open air"],
        &["Signal", "Orchid", "Citrus", "Midnight"],
    ),
    (
        &[
            "garden", "garten", "plants", "pflanzen", "farm", "market", "markt", "climate", "klima", "nature", "natur",
            "forest", "wald", "energy", "energie", "hiking", "wandern",
        ],
        &["Meadow", "Hearth"],
    ),
    (
        &[
            "yoga",
            "spa",
            "massage",
            "meditation",
            "therapy",
            "therapie",
            "clinic",
            "praxis",
            "health",
            "gesundheit",
            "doctor",
            "arzt",
        ],
        &["Lagoon", "Sorbet", "Meadow"],
    ),
    (
        &[
            "certificate",
            "urkunde",
            "zertifikat",
            "diploma",
            "diplom",
            "certificat",
            "certificado",
            "attestato",
            "thank you",
            "invitation",
            "einladung",
        ],
        &["Paper", "Harbor", "Lagoon"],
    ),
    (
        &["pitch deck", "investor deck", "startup", "software", "saas", "app", "platform", "product"],
        &["Slate", "Harbor", "Midnight", "Lagoon"],
    ),
    (
        &[
            "review",
            "report",
            "board",
            "quarter",
            "quarterly",
            "bericht",
            "quartal",
            "proposal",
            "angebot",
            "revenue",
            "umsatz",
            "budget",
            "onboarding",
            "process",
            "prozess",
            "diagram",
            "diagramm",
            "policy",
        ],
        &["Harbor", "Slate", "Lagoon", "Paper"],
    ),
    (
        &[
            "exhibition",
            "ausstellung",
            "museum",
            "gallery",
            "galerie",
            "theatre",
            "theater",
            "reading",
            "lesung",
            "book",
            "buch",
            "library",
        ],
        &["Paper", "Signal", "Lagoon"],
    ),
    (
        &["sale", "discount", "rabatt", "sale!", "offer", "black friday", "hiring", "job"],
        &["Signal", "Citrus", "Slate"],
    ),
];

/// Words that ask for quiet: no theme that shouts goes with them.
#[rustfmt::skip]
const QUIET: &[&str] = &[
    "quiet", "calm", "ruhig", "leise", "gentle", "soft", "zart", "still", "warm", "understated", "dezent", "zurückhaltend", "white space", "weißraum",
    "elegant", "schlicht", "solemn", "dignified", "doux", "douce", "calme", "sobre", "épuré", "épurée", "délicat", "délicate", "élégant", "élégante", "suave",
    "tranquilo", "delicado", "elegante", "sereno", "delicato", "tranquillo", "ruhige", "ruhiges", "zarte", "sanft", "warme",
];

/// Themes that are cheerful on their light paper alone.
const CHEERFUL: &[&str] = &["Citrus", "Sorbet"];

const LOUD: &[&str] = &["Signal", "Citrus", "Orchid", "Midnight"];

/// The theme that a brief asks for, by its tone, else by its occasion, else by chance; what asks for quiet is never loud.
fn recipe_for(reading: &Reading, is_read: bool, dice: &mut Dice) -> &'static Recipe {
    let mood = reading.mood.to_lowercase();
    let names = by_occasion(&mood);
    // An occasion whose themes are all quiet stays so, whatever a word such as "romantic" makes of it.
    let stays_quiet = is_quiet(&mood) || is_all_quiet(&names);
    let fits = |name: &str| !stays_quiet || !LOUD.contains(&name);
    // What is read from paper is not set on a glaring or a dark one that nobody asked for.
    let suits_kind = |name: &str| !is_read || !LOUD.contains(&name) && name != "Noir";
    if let Some(asked) = reading.wishes.recipe.filter(|name| fits(name)).and_then(find_recipe) {
        return asked;
    }
    let suiting: Vec<&Recipe> = if names.is_empty() {
        recipes().iter().filter(|recipe| fits(recipe.name) && suits_kind(recipe.name)).collect()
    } else {
        names.into_iter().filter_map(find_recipe).collect()
    };
    dice.pick(&suiting).copied().unwrap_or(&recipes()[0])
}

/// Whether there are such themes, and none of them is loud.
fn is_all_quiet(names: &[&str]) -> bool {
    !names.is_empty() && names.iter().all(|name| !LOUD.contains(name))
}

/// Whether words ask for quiet.
fn is_quiet(mood: &str) -> bool {
    QUIET.iter().any(|word| contains_word(mood, word))
}

/// Themes that suit an occasion that words name, as quiet as they ask; none where they name no occasion.
fn by_occasion(mood: &str) -> Vec<&'static str> {
    let named = OCCASIONS.iter().find(|(words, _)| words.iter().any(|word| contains_word(mood, word)));
    let names = named.map_or(&[][..], |(_, names)| names);
    names.iter().copied().filter(|name| !is_quiet(mood) || !LOUD.contains(name)).collect()
}

/// The themes among which the variations of a design go on: those of its occasion first, then others of its tone. Never empty, and
/// never a loud one where the words or the occasion want quiet.
pub fn suiting(words: &str) -> Vec<&'static str> {
    let mood = words.to_lowercase();
    let mut names = by_occasion(&mood);
    let stays_quiet = is_quiet(&mood) || is_all_quiet(&names);
    for recipe in recipes() {
        let fits = !(stays_quiet && LOUD.contains(&recipe.name));
        if fits && !names.contains(&recipe.name) {
            names.push(recipe.name);
        }
    }
    names
}

/// Chooses a look for a brief.
pub fn choose(reading: &Reading, seed: u64, size: (u32, u32), brand: Option<Brand>, borrowed: &[Rgb]) -> Look {
    let mut dice = Dice::new(seed, "look");
    let is_read =
        matches!(reading.named_kind, Some(Kind::Document | Kind::OnePager)) || size == Kind::Document.making().size;
    let recipe = recipe_for(reading, is_read, &mut dice);
    // The broadest letters are for a few words alone.
    let is_brief = reading.parts.is_empty() && reading.title.chars().count() <= 16;
    let suiting: Vec<&str> = recipe.pairings.iter().copied().filter(|name| is_brief || *name != "Stage").collect();
    let pairing = suiting[dice.below(suiting.len()).min(dice.below(suiting.len()))];
    let is_dark = recipe.paper.l < 0.5;
    let wishes = &reading.wishes;
    // Colours that were named say whether the paper is dark where no word does.
    let dark = wishes.dark.or_else(|| (!wishes.colors.is_empty()).then(|| colors::are_of_night(&wishes.colors)));
    let colors = if wishes.colors.is_empty() { borrowed.to_vec() } else { wishes.colors.clone() };
    Look {
        seed,
        recipe: recipe.name.to_owned(),
        pairing: pairing.to_owned(),
        inverted: dark.is_some_and(|dark| dark != is_dark),
        colors,
        ground: wishes.ground,
        keeps_tone: dark.is_some() || wishes.recipe.is_some_and(|name| name == recipe.name && CHEERFUL.contains(&name)),
        brand,
        chosen: ChosenColors::default(),
        width: size.0,
        height: size.1,
        arrangement: Arrangement::default(),
    }
}

/// The theme of a look, for words like these.
pub fn build_theme(look: &Look, sample: &str, language: &str, warnings: &mut Vec<Warning>) -> Theme {
    let recipe = find_recipe(&look.recipe).unwrap_or(&recipes()[0]);
    let pairing = find_pairing(&look.pairing).unwrap_or(&pairings()[0]);
    let mut fonts = pairing.fonts_for(sample);
    fonts.speak(language);
    if let Some(brand) = &look.brand {
        use_brand_fonts(&mut fonts, brand, sample, warnings);
    }
    build_with_colors(look, recipe, fonts)
}

/// Gives a theme the palettes of a look, and leaves the rest of it.
pub fn build_palettes(look: &Look, theme: &mut Theme) {
    let recipe = find_recipe(&look.recipe).unwrap_or(&recipes()[0]);
    let Theme { base, tint, accent, inverse, .. } = build_with_colors(look, recipe, theme.fonts.clone());
    (theme.base, theme.tint, theme.accent, theme.inverse) = (base, tint, accent, inverse);
}

fn build_with_colors(look: &Look, recipe: &Recipe, fonts: Fonts) -> Theme {
    let colors = colors_of(look, recipe);
    let mut theme = recipe.build_with(colors.paper, colors.accent, colors.second, colors.inverse, fonts);
    if look.keeps_tone {
        theme.keep_tone();
    }
    theme
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

/// Letters of every kind that the outline uses, so that fonts are chosen that have them.
pub fn sample_of(outline: &Outline) -> String {
    let words = outline.passages.iter().map(crate::layout::words_of).collect::<String>();
    let mut letters: Vec<char> = words.chars().filter(|letter| letter.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters.dedup();
    // Letters that no shipped font has say nothing about which one to choose.
    letters.retain(|letter| {
        (*letter as u32) < 0x2000 && !matches!(*letter, '\u{900}'..='\u{1eff}' if (*letter as u32) < 0x1e00)
    });
    letters.into_iter().collect()
}
