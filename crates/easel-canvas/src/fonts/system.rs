//! Faces of the system, for letters that no shipped face has.
//!
//! Always true: which face of the system has a letter is decided by [`find_typeface`] alone, so that a design is the same
//! whether this process reads the system's fonts itself or borrows them from another one that may (`borrow_from`). A face is
//! opened once in the life of a process. Not here: the order in which shipped faces are asked.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use rustybuzz::ttf_parser;

use super::{Face, open_face};

/// Letters that one process asks a lender about; what is beyond has no face.
const MAX_ASKED: usize = 4_000;

/// Faces that one process opens.
const MAX_OPENED: usize = 40;

/// Letters of which it is remembered which face has them.
const MAX_KNOWN: usize = 100_000;

/// A font of the system as a file.
pub struct Typeface {
    /// The family's name.
    pub family: String,
    /// 100 to 900.
    pub weight: u16,
    /// Which font in a collection file.
    pub index: u32,
    /// The file.
    pub bytes: Vec<u8>,
}

type Lender = Box<dyn Fn(char) -> Option<Typeface> + Send + Sync>;

static LENDER: OnceLock<Lender> = OnceLock::new();

/// Faces that some character needed, by the order in which they were needed.
static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(|| Mutex::new(Opened::default()));

#[derive(Default)]
struct Opened {
    faces: Vec<&'static Face>,
    by_char: BTreeMap<char, Option<usize>>,
    asked: usize,
}

/// Has the fonts of the system handed over by `lender` from now on, for a process that may open no files. The first lender
/// of a process stays.
pub fn borrow_from(lender: impl Fn(char) -> Option<Typeface> + Send + Sync + 'static) {
    let _ = LENDER.set(Box::new(lender));
}

/// The opened face that has a letter, by its place.
pub fn find(letter: char) -> Option<usize> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = opened.by_char.get(&letter) {
        return *known;
    }
    let covered = opened.faces.iter().position(|face| face.shaper.glyph_index(letter).is_some());
    let found = covered.or_else(|| open(&mut opened, letter));
    // A text of nothing but rare characters must not grow this without end.
    if opened.by_char.len() < MAX_KNOWN {
        opened.by_char.insert(letter, found);
    }
    found
}

/// The face at a place.
pub fn face(at: usize) -> Option<&'static Face> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).faces.get(at).copied()
}

fn open(opened: &mut Opened, letter: char) -> Option<usize> {
    if opened.asked >= MAX_ASKED || opened.faces.len() >= MAX_OPENED {
        return None;
    }
    opened.asked += 1;
    let typeface = match LENDER.get() {
        Some(lender) => lender(letter),
        None => find_typeface(letter),
    }?;
    let Typeface { family, weight, index, bytes } = typeface;
    // Kept for good, as the shipped ones are: a handful of files in the life of a process.
    let face = open_face(family, weight, false, Box::leak(bytes.into_boxed_slice()), index, true)?;
    face.shaper.glyph_index(letter)?;
    opened.faces.push(Box::leak(Box::new(face)));
    Some(opened.faces.len() - 1)
}

/// Which font of the system has which letter: read once, when a letter is first asked for.
struct Shelf {
    database: fontdb::Database,
    by_letter: HashMap<char, fontdb::ID>,
}

static SHELF: LazyLock<Shelf> = LazyLock::new(|| {
    let mut database = fontdb::Database::new();
    database.load_system_fonts();
    let mut faces: Vec<(fontdb::ID, _)> = database
        .faces()
        .map(|info| {
            let name = info.families.first().map(|(name, _)| name.clone()).unwrap_or_default();
            let is_slanted = info.style != fontdb::Style::Normal;
            // By name and weight, so that the choice does not hang on the order of a directory.
            (info.id, (is_slanted, info.weight.0.abs_diff(400), !name.contains("Noto"), name, info.index))
        })
        .collect();
    faces.sort_by(|(_, one), (_, two)| one.cmp(two));
    let mut by_letter = HashMap::new();
    for (id, _) in faces {
        database.with_face_data(id, |data, index| {
            let Ok(face) = ttf_parser::Face::parse(data, index) else { return };
            if face.tables().glyf.is_none() && face.tables().cff.is_none() {
                return;
            }
            for table in face.tables().cmap.iter().flat_map(|cmap| cmap.subtables) {
                if table.is_unicode() {
                    table.codepoints(|code| {
                        if let Some(letter) = char::from_u32(code)
                            && !by_letter.contains_key(&letter)
                            && face.glyph_index(letter).is_some()
                        {
                            by_letter.insert(letter, id);
                        }
                    });
                }
            }
        });
    }
    Shelf { database, by_letter }
});

/// The font of the system that has a letter: upright and of ordinary weight rather than not. Reads the system's fonts when it
/// is first called, which may take a second.
#[must_use]
pub fn find_typeface(letter: char) -> Option<Typeface> {
    let id = *SHELF.by_letter.get(&letter)?;
    let info = SHELF.database.face(id)?;
    let (family, _) = info.families.first()?;
    let (bytes, index) = SHELF.database.with_face_data(id, |data, index| (data.to_vec(), index))?;
    Some(Typeface { family: family.clone(), weight: info.weight.0, index, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a process of its own (nextest), because the first lender of a process stays.
    #[test]
    fn a_letter_that_is_not_shipped_comes_from_whoever_lends_faces() {
        // A private use letter: no system has it, and neither has a shipped face.
        assert!(super::super::find_in_system('\u{f8ff}').is_none());
        static ASKED: Mutex<String> = Mutex::new(String::new());
        borrow_from(|letter| {
            ASKED.lock().expect("a list").push(letter);
            let inter = super::super::face(super::super::find_face("Inter", 400, false));
            Some(Typeface { family: "Lent".to_owned(), weight: 400, index: 0, bytes: inter.bytes.to_vec() })
        });
        // What was lent is asked for once, and a face without the letter is none.
        let lent = super::super::find_in_system('a').map(super::super::face);
        assert_eq!(lent.map(|face| face.family.as_str()), Some("Lent"));
        assert!(super::super::find_in_system('b').is_some() && super::super::find_in_system('\u{10fffd}').is_none());
        assert_eq!(*ASKED.lock().expect("a list"), "a\u{10fffd}");
    }
}
