//! Frames of thought that are one page with a field for each of their parts: strengths, weaknesses, opportunities, threats.

use crate::read::parts::Part;

/// The names of the fields of a frame, in the order in which they stand.
#[rustfmt::skip]
const FRAMES: &[&[&str]] = &[
    &["strengths", "weaknesses", "opportunities", "threats"],
    &["stärken", "schwächen", "chancen", "risiken"],
    &["stärken", "schwächen", "chancen", "gefahren"],
    &["stärken", "schwächen", "möglichkeiten", "bedrohungen"],
    &["forces", "faiblesses", "opportunités", "menaces"],
    &["fortalezas", "debilidades", "oportunidades", "amenazas"],
    &["punti di forza", "punti di debolezza", "opportunità", "minacce"],
    &["start", "stop", "continue"],
    &["keep", "drop", "try"],
];

/// How many parts from a place on are the fields of one frame; `None` where they are none, or one of them says nothing.
pub fn count_at(parts: &[Part], at: usize) -> Option<usize> {
    let name = |part: &Part| part.title.trim().trim_end_matches([':', '.']).to_lowercase();
    FRAMES.iter().find_map(|frame| {
        let own = parts.get(at..at + frame.len())?;
        let are_all = frame.iter().all(|field| own.iter().any(|part| name(part) == *field && part.matters.len() == 1));
        are_all.then_some(frame.len())
    })
}
