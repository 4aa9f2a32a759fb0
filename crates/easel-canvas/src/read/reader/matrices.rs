//! A matrix: fields that lie beside and below each other, each with its name and what stands in it.
//!
//! Deliberately not here: frames that are known by the names of their fields, such as strengths and weaknesses
//! (`compose::fields`), and where a field is drawn.

use super::state::Reader;
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::Part;
use crate::read::text;

/// So many fields at least have their names.
const LEAST_FIELDS: usize = 3;

/// Whether a brief asks for a matrix and tells its fields.
pub(super) fn is_told(kind_name: &str, lines: &[Line]) -> bool {
    let names = ["matrix", "matriz", "matrice", "quadrant"];
    let lower = kind_name.to_lowercase();
    let fields = lines.iter().filter(|line| {
        matches!(line, Line::Text(words) | Line::Item(_, words) if text::label(words).is_some_and(|(_, body)| !body.is_empty()))
            || matches!(line, Line::Heading(_))
    });
    names.iter().any(|name| lower.contains(name)) && fields.count() >= LEAST_FIELDS
}

impl Reader {
    /// “urgent + important: server down, invoice overdue”: a field of a matrix; what has no name stands beside it. Says whether it
    /// was taken.
    pub(super) fn take_field(&mut self, words: &str) -> bool {
        if !self.is_matrix || self.kind != Kind::Diagram {
            return false;
        }
        match text::label(words).filter(|(_, body)| !body.is_empty()) {
            Some((name, body)) => {
                let mut part = Part::named(name);
                part.take_items(&text::items(body.trim_end_matches('.')), false);
                self.parts.push(part);
            }
            None => {
                let (told, wish) = without_axis(words.trim_end_matches('.'));
                self.instructions.push(wish.to_owned());
                self.details.push(text::capitalize(&told));
            }
        }
        self.is_within = false;
        true
    }
}

/// “urgent / not urgent across”: what an axis tells, and the word of where it lies.
fn without_axis(words: &str) -> (String, &str) {
    #[rustfmt::skip]
    const AXES: &[&str] = &[
        "across", "down", "horizontal", "horizontally", "vertical", "vertically", "waagrecht", "waagerecht", "senkrecht", "quer", "hoch", "horizontale", "verticale",
        "orizzontale", "x-axis", "y-axis", "x-achse", "y-achse",
    ];
    let is_axis = |word: &&str| AXES.contains(&word.trim_matches([',', ':', '(', ')']).to_lowercase().as_str());
    match words.split_whitespace().find(is_axis) {
        Some(axis) => (words.split_whitespace().filter(|word| *word != axis).collect::<Vec<_>>().join(" "), axis),
        None => (words.to_owned(), ""),
    }
}
