//! The brand of a PDF: the colours that it draws with, and the typefaces that most of it and the largest of it is set in.
//!
//! Read within the bounds of the reader of its words. Not here: its pictures, because nothing says which one is a logo.

use std::collections::{BTreeMap, HashMap};

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{FoundBrand, family_of, palette};
use crate::color::Rgb;
use crate::compose::source::pdf::{MAX_STREAM_BYTES, with_document};

/// Pages that are looked at.
const MAX_PAGES: usize = 30;

/// What all pages may unpack to together.
const MAX_CONTENT_BYTES: usize = 6_000_000;

/// How often a colour counts on one page.
const MOST_OF_PAGE: f32 = 12.0;

/// A typeface of fewer letters is not what headings are set in.
const FEW_LETTERS: usize = 6;

/// What stands in the name of a typeface beside its family.
const STYLES: [&str; 19] = [
    "regular",
    "bold",
    "italic",
    "oblique",
    "light",
    "medium",
    "semibold",
    "demibold",
    "demi",
    "extrabold",
    "black",
    "heavy",
    "thin",
    "book",
    "extralight",
    "ultralight",
    "condensed",
    "mt",
    "psmt",
];

/// Finds the brand of a PDF.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn find(bytes: &[u8]) -> Result<FoundBrand, &'static str> {
    let look = with_document(bytes, look_at)?;
    let colors = palette::give_roles(palette::group(look.colors));
    let most = look.faces.iter().max_by_key(|(_, face)| face.letters).map(|(name, _)| family_of_face(name));
    let large = look
        .faces
        .iter()
        .filter(|(_, face)| face.letters >= FEW_LETTERS)
        .max_by(|one, two| one.1.size.total_cmp(&two.1.size))
        .map(|(name, _)| family_of_face(name));
    let (body_font, heading_font) = (most.flatten(), large.flatten());
    Ok(FoundBrand { name: String::new(), colors, heading_font, body_font, logo: None })
}

/// How a typeface is used.
#[derive(Default)]
struct Face {
    letters: usize,
    /// The largest size, as the page says it.
    size: f32,
}

/// What a file is drawn with.
#[derive(Default)]
struct Look {
    colors: HashMap<Rgb, f32>,
    faces: BTreeMap<String, Face>,
}

fn look_at(document: &Document) -> Look {
    let mut look = Look::default();
    let mut left = MAX_CONTENT_BYTES;
    for page in document.page_iter().take(MAX_PAGES) {
        let Ok(content) = document.get_page_content_with_limit(page, MAX_STREAM_BYTES) else { continue };
        let Some(rest) = left.checked_sub(content.len()) else { break };
        left = rest;
        let Ok(content) = Content::decode(&content) else { continue };
        let names = names_of_faces(document, page);
        let mut colors: HashMap<Rgb, f32> = HashMap::new();
        read_content(&content, &names, &mut look.faces, &mut colors);
        for (color, count) in colors {
            *look.colors.entry(color).or_default() += count.min(MOST_OF_PAGE);
        }
    }
    look
}

fn read_content(
    content: &Content,
    names: &BTreeMap<Vec<u8>, String>,
    faces: &mut BTreeMap<String, Face>,
    colors: &mut HashMap<Rgb, f32>,
) {
    let (mut fill, mut font, mut size, mut scale) = (Rgb::BLACK, None::<&String>, 0.0_f32, 1.0_f32);
    let mut kept: Vec<Rgb> = Vec::new();
    for step in &content.operations {
        let numbers = || step.operands.iter().filter_map(|number| number.as_float().ok()).collect::<Vec<f32>>();
        match step.operator.as_str() {
            "q" if kept.len() < 64 => kept.push(fill),
            "Q" => fill = kept.pop().unwrap_or(fill),
            "g" | "rg" | "k" | "sc" | "scn" => fill = color_of(&numbers()).unwrap_or(fill),
            "f" | "F" | "f*" | "B" | "B*" | "b" | "b*" => *colors.entry(fill).or_default() += 1.0,
            "Tf" => {
                font = step.operands.first().and_then(|name| name.as_name().ok()).and_then(|name| names.get(name));
                size = numbers().last().copied().unwrap_or(0.0).abs();
            }
            "BT" => scale = 1.0,
            "Tm" => scale = numbers().get(3).copied().unwrap_or(1.0).abs(),
            "Tj" | "'" | "\"" | "TJ" => {
                let letters: usize = step.operands.iter().map(letters_of).sum();
                if letters > 0 {
                    *colors.entry(fill).or_default() += 1.0;
                }
                if let Some(font) = font {
                    let face = faces.entry(font.clone()).or_default();
                    face.letters += letters;
                    face.size = face.size.max(size * scale);
                }
            }
            _ => {}
        }
    }
}

/// How many codes a string, or an array of strings and gaps, has.
fn letters_of(words: &Object) -> usize {
    match words {
        Object::String(bytes, _) => bytes.len(),
        Object::Array(pieces) => pieces.iter().map(|piece| piece.as_str().map_or(0, <[u8]>::len)).sum(),
        _ => 0,
    }
}

/// A colour of one, three or four numbers from 0 to 1: grey, RGB or CMYK.
fn color_of(numbers: &[f32]) -> Option<Rgb> {
    let part = |share: f32| (share.clamp(0.0, 1.0) * 255.0).round() as u8;
    match *numbers {
        [grey] => Some(Rgb::new(part(grey), part(grey), part(grey))),
        [red, green, blue] => Some(Rgb::new(part(red), part(green), part(blue))),
        [cyan, magenta, yellow, black] => {
            let mix = |ink: f32| part((1.0 - ink) * (1.0 - black));
            Some(Rgb::new(mix(cyan), mix(magenta), mix(yellow)))
        }
        _ => None,
    }
}

/// The typefaces of a page, by the names under which it sets words in them.
fn names_of_faces(document: &Document, page: ObjectId) -> BTreeMap<Vec<u8>, String> {
    let resolve = |object| match object {
        &Object::Reference(id) => document.get_object(id).ok(),
        object => Some(object),
    };
    let mut resources: Vec<&Dictionary> = Vec::new();
    if let Ok((own, inherited)) = document.get_page_resources(page) {
        resources.extend(own);
        resources.extend(inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok()));
    }
    let mut names = BTreeMap::new();
    for resources in resources {
        let Some(fonts) = resources.get(b"Font").ok().and_then(resolve).and_then(|fonts| fonts.as_dict().ok()) else {
            continue;
        };
        for (name, font) in fonts.iter().take(100) {
            let font = resolve(font).and_then(|font| font.as_dict().ok());
            let called = font.and_then(|font| font.get(b"BaseFont").ok()).and_then(|called| called.as_name().ok());
            if let Some(called) = called {
                names.entry(name.clone()).or_insert_with(|| String::from_utf8_lossy(called).into_owned());
            }
        }
    }
    names
}

/// The family of a typeface by the name that a PDF has for it: `ABCDEF+OpenSans-SemiBold` is “Open Sans”.
fn family_of_face(name: &str) -> Option<String> {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    let name = name.split(['-', ',']).next().unwrap_or(name);
    let mut words: Vec<String> = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let is_next = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
        if (is_next || letter.is_whitespace() || *letter == '_') && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.push(*letter);
        }
    }
    while words.len() > 1 && words.last().is_some_and(|word| STYLES.contains(&word.to_lowercase().as_str())) {
        words.pop();
    }
    family_of(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_face_says_its_family() {
        for (face, family) in [
            ("ABCDEF+OpenSans-SemiBold", "Open Sans"),
            ("Helvetica", "Helvetica"),
            ("TimesNewRomanPSMT", "Times New Roman"),
            ("XYZABC+PlayfairDisplay-Bold", "Playfair Display"),
            ("Inter-Regular", "Inter"),
            ("Arial,Bold", "Arial"),
        ] {
            assert_eq!(family_of_face(face).as_deref(), Some(family), "{face}");
        }
    }

    #[test]
    fn colors_are_read_in_the_three_ways_that_pages_say_them() {
        assert_eq!(color_of(&[0.0]), Some(Rgb::BLACK));
        assert_eq!(color_of(&[1.0, 0.5, 0.0]), Some(Rgb::new(255, 128, 0)));
        assert_eq!(color_of(&[0.0, 1.0, 1.0, 0.0]), Some(Rgb::new(255, 0, 0)));
        assert_eq!(color_of(&[]), None);
    }
}
