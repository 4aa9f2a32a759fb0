//! The fonts shipped with the crate, what they cover, and how wide a piece of text is in them.
//!
//! Every picture is set in these fonts, so that it is the same on every machine. Characters that none of them covers
//! (Chinese, Japanese, Korean and rarer scripts) are looked for in the fonts of the system (`system`), and a document that needed
//! them says so; where nobody has them, `scripts` says which package does. Deliberately not here: lines and boxes (`text`), and which fonts go together (`theme`).

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use rustybuzz::ttf_parser;

mod scripts;
mod system;

pub use scripts::{Lack, find_lack};
pub use system::{Han, Typeface, Wanted, borrow_from, find_typeface, look_again};

/// One face of a family, as it is known to everything that draws.
pub struct Face {
    /// The family's name, as fonts carry it.
    pub family: String,
    /// The name under which programs list it that know four styles a family: “Archivo Black” beside “Archivo”.
    pub listed_family: String,
    /// 100 to 900.
    pub weight: u16,
    /// Whether it is the slanted one.
    pub italic: bool,
    /// Whether it belongs to the system and not to this crate.
    pub of_system: bool,
    /// The file.
    pub bytes: &'static [u8],
    /// Which font in a collection file.
    index: u32,
    shaper: rustybuzz::Face<'static>,
    /// Of one em, upwards from the baseline.
    pub ascent: f32,
    /// Of one em, downwards from the baseline.
    pub descent: f32,
    /// Height of a capital, of one em.
    pub cap_height: f32,
}

/// Stands for a face; cheap to copy, the same within one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceId(usize);

macro_rules! shipped {
    ($($family:literal $weight:literal $italic:literal $path:literal),* $(,)?) => {
        &[$(($family, $weight, $italic, include_bytes!(concat!("../fonts/", $path)).as_slice())),*]
    };
}

/// Family, weight, slanted, file.
const SHIPPED: &[(&str, u16, bool, &[u8])] = shipped![
    "Archivo" 400 false "archivo/400Regular.ttf",
    "Archivo" 700 false "archivo/700Bold.ttf",
    "Archivo" 900 false "archivo/900Black.ttf",
    "Bricolage Grotesque" 400 false "bricolage-grotesque/400Regular.ttf",
    "Bricolage Grotesque" 800 false "bricolage-grotesque/800ExtraBold.ttf",
    "Cairo" 400 false "cairo/400Regular.ttf",
    "Cairo" 700 false "cairo/700Bold.ttf",
    "Commissioner" 400 false "commissioner/400Regular.ttf",
    "Commissioner" 700 false "commissioner/700Bold.ttf",
    "DM Serif Display" 400 false "dm-serif-display/400Regular.ttf",
    "Frank Ruhl Libre" 400 false "frank-ruhl-libre/400Regular.ttf",
    "Frank Ruhl Libre" 700 false "frank-ruhl-libre/700Bold.ttf",
    "Fraunces" 400 false "fraunces/400Regular.ttf",
    "Fraunces" 400 true "fraunces/400Regular_Italic.ttf",
    "Fraunces" 600 false "fraunces/600SemiBold.ttf",
    "Inter" 400 false "inter/400Regular.ttf",
    "Inter" 600 false "inter/600SemiBold.ttf",
    "JetBrains Mono" 400 false "jetbrains-mono/400Regular.ttf",
    "JetBrains Mono" 700 false "jetbrains-mono/700Bold.ttf",
    "Literata" 400 false "literata/400Regular.ttf",
    "Literata" 400 true "literata/400Regular_Italic.ttf",
    "Literata" 700 false "literata/700Bold.ttf",
    "Manrope" 400 false "manrope/400Regular.ttf",
    "Manrope" 600 false "manrope/600SemiBold.ttf",
    "Manrope" 800 false "manrope/800ExtraBold.ttf",
    "Noto Emoji" 400 false "noto-emoji/400Regular.ttf",
    "Noto Sans Devanagari" 400 false "noto-sans-devanagari/400Regular.ttf",
    "Noto Sans Devanagari" 700 false "noto-sans-devanagari/700Bold.ttf",
    "Noto Sans Thai" 400 false "noto-sans-thai/400Regular.ttf",
    "Noto Sans Thai" 700 false "noto-sans-thai/700Bold.ttf",
    "Oswald" 400 false "oswald/400Regular.ttf",
    "Oswald" 600 false "oswald/600SemiBold.ttf",
    "Playfair Display" 400 false "playfair-display/400Regular.ttf",
    "Playfair Display" 400 true "playfair-display/400Regular_Italic.ttf",
    "Playfair Display" 700 false "playfair-display/700Bold.ttf",
    "Rubik" 400 false "rubik/400Regular.ttf",
    "Rubik" 700 false "rubik/700Bold.ttf",
    "Space Grotesk" 400 false "space-grotesk/400Regular.ttf",
    "Space Grotesk" 700 false "space-grotesk/700Bold.ttf",
    "Syne" 400 false "syne/400Regular.ttf",
    "Syne" 800 false "syne/800ExtraBold.ttf",
];

/// Where a character is looked for when its own family lacks it: Latin, Greek and Cyrillic, Hebrew, Arabic, Devanagari, Thai,
/// and what is written with a picture.
const FALLBACK_SANS: &[&str] =
    &["Commissioner", "Inter", "Rubik", "Cairo", "Noto Sans Devanagari", "Noto Sans Thai", EMOJI];
const FALLBACK_SERIF: &[&str] = &[
    "Literata",
    "Frank Ruhl Libre",
    "Commissioner",
    "Inter",
    "Rubik",
    "Cairo",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    EMOJI,
];
/// The family of pictures that are written like letters; in one colour, so that they are set in the ink of their text.
const EMOJI: &str = "Noto Emoji";
const SERIFS: &[&str] = &["DM Serif Display", "Frank Ruhl Libre", "Fraunces", "Literata", "Playfair Display"];

static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
    SHIPPED
        .iter()
        .filter_map(|(family, weight, italic, bytes)| {
            open_face((*family).to_owned(), *weight, *italic, bytes, 0, false)
        })
        .collect()
});

fn open_face(
    family: String,
    weight: u16,
    italic: bool,
    bytes: &'static [u8],
    index: u32,
    of_system: bool,
) -> Option<Face> {
    let shaper = rustybuzz::Face::from_slice(bytes, index)?;
    let em = shaper.units_per_em() as f32;
    let (ascent, descent) = (f32::from(shaper.ascender()) / em, f32::from(-shaper.descender()) / em);
    let cap_height = f32::from(shaper.capital_height().filter(|height| *height > 0).unwrap_or(700)) / em;
    let names = shaper.names();
    let listed = names.into_iter().filter(|name| name.name_id == ttf_parser::name_id::FAMILY);
    let listed_family = listed.filter_map(|name| name.to_string()).next().unwrap_or_else(|| family.clone());
    Some(Face { family, listed_family, weight, italic, of_system, bytes, index, shaper, ascent, descent, cap_height })
}

/// Everything there is to know of a face.
pub fn face(id: FaceId) -> &'static Face {
    let shipped = FACES.len();
    if id.0 < shipped {
        return &FACES[id.0];
    }
    system::face(id.0 - shipped).unwrap_or(&FACES[0])
}

/// Whether the crate ships this family; names are compared without regard to case.
pub fn ships_family(family: &str) -> bool {
    canonical_family(family).is_some()
}

/// The family's name as its fonts carry it.
pub fn canonical_family(family: &str) -> Option<&'static str> {
    SHIPPED.iter().map(|(name, ..)| *name).find(|name| name.eq_ignore_ascii_case(family.trim()))
}

/// The shipped families that words of the Latin script are set in, each once. Those that are shipped for another script
/// have its letters too, and are left out.
pub fn latin_families() -> Vec<&'static str> {
    let is_for_latin = |family: &&str| family_covers(family, "Aa") && !family.starts_with("Noto ");
    let mut families: Vec<&'static str> = SHIPPED.iter().map(|(family, ..)| *family).filter(is_for_latin).collect();
    families.dedup();
    families
}

/// The file of a shipped family's upright face that is nearest to a weight (100 to 900); `None` for other families.
pub fn shipped_file(family: &str, weight: u16) -> Option<&'static [u8]> {
    canonical_family(family).map(|family| face(find_face(family, weight, false)).bytes)
}

/// Whether the family is one with serifs.
pub fn is_serif(family: &str) -> bool {
    SERIFS.contains(&family)
}

/// Whether the family's letters go with those of any other script: neither very broad nor very narrow, and not for titles only.
pub fn is_even(family: &str) -> bool {
    ["Cairo", "Commissioner", "Frank Ruhl Libre", "Inter", "Literata", "Manrope", "Rubik"].contains(&family)
}

/// The face of a family that is nearest to a weight; the first family of all where this one is not shipped.
pub fn find_face(family: &str, weight: u16, italic: bool) -> FaceId {
    let nearest = FACES
        .iter()
        .enumerate()
        .filter(|(_, face)| face.family == family)
        .min_by_key(|(_, face)| (face.italic != italic, face.weight.abs_diff(weight)));
    FaceId(nearest.map_or(0, |(at, _)| at))
}

/// Whether a face has a shape for a character.
pub fn covers(id: FaceId, character: char) -> bool {
    face(id).shaper.glyph_index(character).is_some()
}

/// Whether every letter of a text is in the family.
pub fn family_covers(family: &str, text: &str) -> bool {
    let id = find_face(family, 400, false);
    text.chars().filter(|character| character.is_alphanumeric()).all(|character| covers(id, character))
}

/// Divides a text into pieces that one face covers each. Letters that several languages share are drawn as `han` says. A
/// character that no font has is left out: nothing is ever drawn as an empty box.
pub fn split_by_face(text: &str, family: &str, weight: u16, italic: bool, han: Han) -> Vec<(FaceId, String)> {
    let (first, emoji) = (find_face(family, weight, italic), find_face(EMOJI, 400, false));
    let mut pieces: Vec<(FaceId, String)> = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(character) = letters.next() {
        let last = pieces.last().map(|(id, _)| *id);
        // A selector behind it asks for the picture.
        let is_picture = matches!(letters.peek(), Some('\u{fe0f}' | '\u{20e3}'));
        let id = if character.is_whitespace() && last == Some(emoji) {
            // The emoji's own blank is as wide as a picture.
            first
        } else if is_neutral(character) {
            last.unwrap_or(first)
        } else if is_picture && covers(emoji, character) {
            emoji
        } else if covers(first, character) && !(character == '\u{20e3}' && last == Some(emoji)) {
            first
        } else if let Some(last) = last.filter(|last| covers(*last, character)) {
            last
        } else if let Some(found) = find_fallback(character, family, weight, han) {
            found
        } else {
            continue;
        };
        match pieces.last_mut() {
            Some((last, piece)) if *last == id => piece.push(character),
            _ => pieces.push((id, character.to_string())),
        }
    }
    pieces
}

/// Of the letters of a text that no shipped font has: the families of the system that do, and those that nothing has.
pub fn beyond_shipped(text: &str, han: Han) -> (Vec<String>, Vec<char>) {
    let mut families: Vec<String> = Vec::new();
    let mut missing = Vec::new();
    let letters: BTreeSet<char> = text.chars().filter(|letter| !is_neutral(*letter) && !letter.is_control()).collect();
    for letter in letters {
        if is_shipped(letter) {
            continue;
        }
        match find_in_system(Wanted { letter, is_bold: false, is_serif: false, han }).map(face) {
            Some(face) if !families.contains(&face.family) => families.push(face.family.clone()),
            Some(_) => {}
            None => missing.push(letter),
        }
    }
    (families, missing)
}

/// Whether a shipped font has a letter.
fn is_shipped(letter: char) -> bool {
    FACES.iter().any(|face| face.shaper.glyph_index(letter).is_some())
}

/// Spaces, joiners and variation selectors: they go with what stands before them.
fn is_neutral(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}')
}

/// The face that has a character which the text's own has not. A text is measured again for every size that is tried, so what was
/// found is remembered: letters that no face has would else be looked for in all of them each time.
fn find_fallback(character: char, family: &str, weight: u16, han: Han) -> Option<FaceId> {
    let wanted = Wanted { letter: character, is_bold: weight >= 600, is_serif: is_serif(family), han };
    let key = (wanted, weight);
    if let Some(known) = FALLBACKS.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let chain = if is_serif(family) { FALLBACK_SERIF } else { FALLBACK_SANS };
    let shipped = chain.iter().map(|name| find_face(name, weight, false)).find(|id| covers(*id, character));
    let found = shipped.or_else(|| find_in_system(wanted));
    FALLBACKS.with_borrow_mut(|known| {
        if known.len() >= REMEMBERED_FALLBACKS {
            known.clear();
        }
        known.insert(key, found);
    });
    found
}

fn find_in_system(wanted: Wanted) -> Option<FaceId> {
    system::find(wanted).map(|at| FaceId(FACES.len() + at))
}

/// Reads the shipped faces now, for whoever wants to wait for that before there is work.
pub fn open_shipped() {
    LazyLock::force(&FACES);
}

/// A database of the faces given, for whatever draws text; it never holds a font that was not asked for.
pub fn database(ids: &[FaceId]) -> Arc<fontdb::Database> {
    let mut database = fontdb::Database::new();
    for id in ids {
        database.load_font_source(fontdb::Source::Binary(Arc::new(face(*id).bytes)));
    }
    Arc::new(database)
}

/// How many different pieces of text a thread remembers the width of.
const REMEMBERED_WIDTHS: usize = 60_000;

/// Of how many characters a thread remembers which face stands in.
const REMEMBERED_FALLBACKS: usize = 20_000;

thread_local! {
    static WIDTHS: RefCell<HashMap<(FaceId, String), f32>> = RefCell::default();
    /// By what is wanted and the weight of the text.
    static FALLBACKS: RefCell<HashMap<(Wanted, u16), Option<FaceId>>> = RefCell::default();
}

/// The width of a piece of text in one face, of one em. Longer by `tracking` em for every character.
pub fn measure(id: FaceId, text: &str, tracking: f32) -> f32 {
    let spacing = if tracking == 0.0 { 0.0 } else { tracking * text.chars().count() as f32 };
    WIDTHS.with_borrow_mut(|widths| {
        let key = (id, text.to_owned());
        if let Some(width) = widths.get(&key) {
            return width + spacing;
        }
        let width = shape(id, text);
        if widths.len() >= REMEMBERED_WIDTHS {
            widths.clear();
        }
        widths.insert(key, width);
        width + spacing
    })
}

fn shape(id: FaceId, text: &str) -> f32 {
    let face = face(id);
    let mut buffer = rustybuzz::UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    let shaped = rustybuzz::shape(&face.shaper, &[], buffer);
    let units: i64 = shaped.glyph_positions().iter().map(|position| i64::from(position.x_advance)).sum();
    units as f32 / face.shaper.units_per_em() as f32
}

impl Face {
    /// Which font of a collection file this is.
    pub fn index(&self) -> u32 {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_every_shipped_font_under_its_own_name() {
        assert_eq!(FACES.len(), SHIPPED.len());
        for (at, (family, weight, italic, bytes)) in SHIPPED.iter().enumerate() {
            let mut database = fontdb::Database::new();
            database.load_font_data(bytes.to_vec());
            let info = database.faces().next().expect("a face");
            assert!(info.families.iter().any(|(name, _)| name == family), "{family} {weight}: {:?}", info.families);
            assert_eq!(info.weight.0, *weight, "{family}");
            assert_eq!(info.style == fontdb::Style::Italic, *italic, "{family}");
            assert_eq!(find_face(family, *weight, *italic), FaceId(at), "{family} {weight}");
        }
    }

    #[test]
    fn a_blank_behind_a_picture_is_the_words_own() {
        let pieces = split_by_face("Tea ⏰ minus", "Space Grotesk", 400, false, Han::default());
        let texts: Vec<&str> = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
        assert_eq!(texts, ["Tea ", "⏰", " minus"]);
        assert_eq!(pieces[0].0, pieces[2].0);
    }

    #[test]
    fn sends_each_letter_to_a_font_that_has_it() {
        for (text, family) in [
            ("Καλημέρα", "Commissioner"),
            ("Привет", "Commissioner"),
            ("שלום", "Rubik"),
            ("مرحبا", "Rubik"),
            ("नमस्ते", "Noto Sans Devanagari"),
            ("สวัสดี", "Noto Sans Thai"),
            ("🎉👩‍🚒", "Noto Emoji"),
            ("1️⃣", "Noto Emoji"),
        ] {
            let pieces = split_by_face(text, "Space Grotesk", 400, false, Han::default());
            assert_eq!(pieces.len(), 1, "{text}");
            assert_eq!(face(pieces[0].0).family, family, "{text}");
        }
    }

    #[test]
    fn measures_more_text_as_wider() {
        let id = find_face("Inter", 400, false);
        assert!(measure(id, "wide word", 0.0) > measure(id, "wide", 0.0));
        assert!(measure(id, "wide", 0.1) > measure(id, "wide", 0.0));
    }
}
