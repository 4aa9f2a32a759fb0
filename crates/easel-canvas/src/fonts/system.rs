//! Faces of the system, for letters that no shipped face has.
//!
//! Always true: which face of the system has a letter is decided by [`find_typeface`] alone, so that a design is the same
//! whether this process reads the system's fonts itself or borrows them from another one that may (`borrow_from`). A face is
//! opened once in the life of a process. Not here: the order in which shipped faces are asked.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use rustybuzz::ttf_parser;
use serde::{Deserialize, Serialize};

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

/// For which of the languages that share Han letters they are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Han {
    /// As in mainland China.
    #[default]
    Chinese,
    /// As in Japan.
    Japanese,
    /// As in Korea.
    Korean,
}

impl Han {
    /// As a language draws them.
    pub fn of_language(language: &str) -> Self {
        match language {
            "ja" => Self::Japanese,
            "ko" => Self::Korean,
            _ => Self::Chinese,
        }
    }

    /// How the families that are made for it end.
    fn suffix(self) -> &'static str {
        match self {
            Self::Chinese => " SC",
            Self::Japanese => " JP",
            Self::Korean => " KR",
        }
    }
}

/// A letter and how its face shall look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wanted {
    /// The letter.
    pub letter: char,
    /// Whether it stands in a heading of heavy weight.
    pub is_bold: bool,
    /// Whether it stands among letters with serifs.
    pub is_serif: bool,
    /// See [`Han`].
    pub han: Han,
}

type Lender = Box<dyn Fn(Wanted) -> Option<Typeface> + Send + Sync>;

static LENDER: OnceLock<Lender> = OnceLock::new();

/// Faces that some character needed, by the order in which they were needed.
static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(|| Mutex::new(Opened::default()));

#[derive(Default)]
struct Opened {
    faces: Vec<(&'static Face, Manner)>,
    found: HashMap<Wanted, Option<usize>>,
    asked: usize,
}

/// What is wanted of a face, whatever the letter.
type Manner = (bool, bool, Han);

impl Wanted {
    fn manner(self) -> Manner {
        (self.is_bold, self.is_serif, self.han)
    }
}

/// Has the fonts of the system handed over by `lender` from now on, for a process that may open no files. The first lender
/// of a process stays.
pub fn borrow_from(lender: impl Fn(Wanted) -> Option<Typeface> + Send + Sync + 'static) {
    let _ = LENDER.set(Box::new(lender));
}

/// The opened face that has a letter, by its place.
pub fn find(wanted: Wanted) -> Option<usize> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = opened.found.get(&wanted) {
        return *known;
    }
    let covered = opened
        .faces
        .iter()
        .position(|(face, manner)| *manner == wanted.manner() && face.shaper.glyph_index(wanted.letter).is_some());
    let found = covered.or_else(|| open(&mut opened, wanted));
    // A text of nothing but rare characters must not grow this without end.
    if opened.found.len() < MAX_KNOWN {
        opened.found.insert(wanted, found);
    }
    found
}

/// The face at a place.
pub fn face(at: usize) -> Option<&'static Face> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).faces.get(at).map(|(face, _)| *face)
}

fn open(opened: &mut Opened, wanted: Wanted) -> Option<usize> {
    if opened.asked >= MAX_ASKED || opened.faces.len() >= MAX_OPENED {
        return None;
    }
    opened.asked += 1;
    let typeface = match LENDER.get() {
        Some(lender) => lender(wanted),
        None => find_typeface(wanted),
    }?;
    let Typeface { family, weight, index, bytes } = typeface;
    // The same face may stand in for several manners: a family without serifs also where they are wanted.
    let known = opened.faces.iter().find(|(face, _)| {
        (face.family.as_str(), face.weight, face.index) == (family.as_str(), weight, index) && face.bytes == bytes
    });
    let face = match known {
        Some((face, _)) => *face,
        // Kept for good, as the shipped ones are: a handful of files in the life of a process.
        None => {
            Box::leak(Box::new(open_face(family, weight, false, Box::leak(bytes.into_boxed_slice()), index, true)?))
        }
    };
    face.shaper.glyph_index(wanted.letter)?;
    opened.faces.push((face, wanted.manner()));
    Some(opened.faces.len() - 1)
}

/// The fonts of the system and which letters each has.
struct Shelf {
    database: fontdb::Database,
    faces: Vec<Shelved>,
}

struct Shelved {
    id: fontdb::ID,
    family: String,
    weight: u16,
    is_slanted: bool,
    /// First and last of each row of letters, in order.
    letters: Vec<(u32, u32)>,
}

/// Read when a letter is first asked for.
static SHELF: Mutex<Option<Arc<Shelf>>> = Mutex::new(None);

fn shelf() -> Arc<Shelf> {
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(shelf.get_or_insert_with(|| Arc::new(Shelf::read())))
}

/// Has the system's fonts read again when the next letter is asked for: someone may have installed some.
pub fn look_again() {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.found.retain(|_, found| found.is_some());
    opened.asked = 0;
}

impl Shelf {
    fn read() -> Self {
        let mut database = fontdb::Database::new();
        database.load_system_fonts();
        let mut faces: Vec<Shelved> = Vec::new();
        for info in database.faces() {
            let letters = database.with_face_data(info.id, letters_of).unwrap_or_default();
            let Some((family, _)) = info.families.first().filter(|_| !letters.is_empty()) else { continue };
            faces.push(Shelved {
                id: info.id,
                family: family.clone(),
                weight: info.weight.0,
                is_slanted: info.style != fontdb::Style::Normal,
                letters,
            });
        }
        // So that the choice does not hang on the order of a directory.
        faces.sort_by(|one, two| (&one.family, one.weight).cmp(&(&two.family, two.weight)));
        Self { database, faces }
    }
}

/// The letters that a font can draw, in rows.
fn letters_of(data: &[u8], index: u32) -> Vec<(u32, u32)> {
    let mut letters: Vec<u32> = Vec::new();
    let Ok(face) = ttf_parser::Face::parse(data, index) else { return Vec::new() };
    if face.tables().glyf.is_none() && face.tables().cff.is_none() {
        return Vec::new();
    }
    for table in face.tables().cmap.iter().flat_map(|cmap| cmap.subtables) {
        if table.is_unicode() {
            table.codepoints(|code| letters.push(code));
        }
    }
    letters.sort_unstable();
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for letter in letters {
        match rows.last_mut() {
            Some((_, last)) if letter <= *last + 1 => *last = letter,
            _ => rows.push((letter, letter)),
        }
    }
    rows
}

impl Shelved {
    fn has(&self, letter: char) -> bool {
        let code = letter as u32;
        let at = self.letters.partition_point(|(_, last)| *last < code);
        self.letters.get(at).is_some_and(|(first, _)| *first <= code)
    }

    /// How far it is from what is wanted, the nearest first.
    fn distance(&self, wanted: Wanted) -> (bool, bool, bool, u16, bool, bool) {
        let weight = if wanted.is_bold { 700 } else { 400 };
        let is_serif = self.family.contains("Serif");
        let is_shared = [" JP", " KR", " SC", " TC", " HK"].iter().any(|suffix| self.family.ends_with(suffix));
        (
            self.is_slanted,
            self.family.contains("Mono") || self.family.contains(" UI"),
            is_serif != wanted.is_serif,
            self.weight.abs_diff(weight),
            is_shared && !self.family.ends_with(wanted.han.suffix()),
            !self.family.contains("Noto"),
        )
    }
}

/// The font of the system that has a letter, the one that is most like what is wanted. Reads the system's fonts when it is first
/// called, which may take a second.
#[must_use]
pub fn find_typeface(wanted: Wanted) -> Option<Typeface> {
    let shelf = shelf();
    let nearest = shelf.faces.iter().filter(|face| face.has(wanted.letter)).min_by_key(|face| face.distance(wanted))?;
    let (bytes, index) = shelf.database.with_face_data(nearest.id, |data, index| {
        let has_it = ttf_parser::Face::parse(data, index).is_ok_and(|face| face.glyph_index(wanted.letter).is_some());
        has_it.then(|| (data.to_vec(), index))
    })??;
    Some(Typeface { family: nearest.family.clone(), weight: nearest.weight, index, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(letter: char) -> Wanted {
        Wanted { letter, is_bold: false, is_serif: false, han: Han::default() }
    }

    /// In a process of its own (nextest), because the first lender of a process stays.
    #[test]
    fn a_letter_that_is_not_shipped_comes_from_whoever_lends_faces() {
        // A private use letter: no system has it, and neither has a shipped face.
        assert!(super::super::find_in_system(wanted('\u{f8ff}')).is_none());
        static ASKED: Mutex<String> = Mutex::new(String::new());
        borrow_from(|wanted| {
            ASKED.lock().expect("a list").push(wanted.letter);
            let inter = super::super::face(super::super::find_face("Inter", 400, false));
            Some(Typeface { family: "Lent".to_owned(), weight: 400, index: 0, bytes: inter.bytes.to_vec() })
        });
        // What was lent is asked for once, and a face without the letter is none.
        let lent = super::super::find_in_system(wanted('a')).map(super::super::face);
        assert_eq!(lent.map(|face| face.family.as_str()), Some("Lent"));
        let lost = super::super::find_in_system(wanted('\u{10fffd}'));
        assert!(super::super::find_in_system(wanted('b')).is_some() && lost.is_none());
        assert_eq!(*ASKED.lock().expect("a list"), "a\u{10fffd}");
    }

    #[test]
    fn takes_the_face_that_is_most_like_what_is_wanted() {
        let shelved = |family: &str, weight| Shelved {
            id: fontdb::ID::dummy(),
            family: family.to_owned(),
            weight,
            is_slanted: false,
            letters: vec![(0x4e00, 0x9fff)],
        };
        let shelf = [
            shelved("Noto Sans CJK JP", 400),
            shelved("Noto Sans CJK JP", 700),
            shelved("Noto Sans CJK KR", 700),
            shelved("Noto Sans CJK SC", 400),
            shelved("Noto Sans Mono CJK SC", 400),
            shelved("Noto Serif CJK SC", 400),
            shelved("Some Hei", 400),
        ];
        let check = |is_bold, is_serif, han, expected: (&str, u16)| {
            let wanted = Wanted { letter: '直', is_bold, is_serif, han };
            let found =
                shelf.iter().filter(|face| face.has('直')).min_by_key(|face| face.distance(wanted)).expect("a face");
            assert_eq!((found.family.as_str(), found.weight), expected, "{wanted:?}");
        };
        check(false, false, Han::Chinese, ("Noto Sans CJK SC", 400));
        check(false, false, Han::Japanese, ("Noto Sans CJK JP", 400));
        check(true, false, Han::Korean, ("Noto Sans CJK KR", 700));
        check(false, true, Han::Chinese, ("Noto Serif CJK SC", 400));
        assert!(!shelf[0].has('a') && !shelf[0].has('\u{a000}'));
    }
}
