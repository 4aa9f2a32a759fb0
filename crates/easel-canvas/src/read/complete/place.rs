//! Where what was lost is put: beside what stood before it in the brief, else beside what stood behind it.

use std::collections::HashMap;

use super::lost::Piece;
use super::told::{head_of, tokens, words_of_part};
use crate::content::{Matter, Point};
use crate::read::parts::Part;
use crate::read::reading::Reading;
use crate::read::text;
use crate::run::Run;

/// A detail has no more letters.
const MOST_DETAIL_LETTERS: usize = 90;

/// Where a piece of the brief stands in its reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In title, subtitle or details.
    Head,
    /// In the part of this number.
    Part(usize),
}

/// A word that stands in more places tells none.
const MOST_PLACES: usize = 8;

/// The places of the pieces that were not lost, as far as they are told.
pub struct Neighbours {
    /// The words of the head and of each part, and where each stands.
    known: HashMap<String, Vec<Where>>,
    /// By the number of a piece, in rising order.
    places: Vec<(usize, Where)>,
}

impl Neighbours {
    /// What of a reading stands where.
    pub fn of(reading: &Reading) -> Self {
        let mut known: HashMap<String, Vec<Where>> = HashMap::new();
        let head = (Where::Head, head_of(reading));
        let parts = reading.parts.iter().enumerate().map(|(at, part)| (Where::Part(at), words_of_part(part)));
        for (place, words) in std::iter::once(head).chain(parts) {
            for (_, word) in tokens(&words) {
                let places = known.entry(word).or_default();
                if places.last() != Some(&place) && places.len() <= MOST_PLACES {
                    places.push(place);
                }
            }
        }
        Self { known, places: Vec::new() }
    }

    /// Notes where a piece stands: in the part that says most of its words, from the one of its neighbour on.
    pub fn note(&mut self, at: usize, piece: &Piece) {
        let mut scores: Vec<(Where, usize)> = Vec::new();
        let mut count = 0;
        for (_, word) in tokens(&piece.words) {
            let Some(places) = self.known.get(&word).filter(|places| places.len() <= MOST_PLACES) else { continue };
            count += 1;
            for place in places {
                match scores.iter_mut().find(|(known, _)| known == place) {
                    Some((_, score)) => *score += 1,
                    None => scores.push((*place, 1)),
                }
            }
        }
        let last = self.places.last().map_or(Where::Head, |(_, place)| *place);
        let best = scores.into_iter().max_by_key(|(place, score)| (*score, *place == last));
        if let Some((place, score)) = best
            && score * 2 > count
        {
            self.places.push((at, place));
        }
    }

    /// Puts words that were lost beside their neighbour.
    pub fn put(&self, reading: &mut Reading, at: usize, piece: &Piece, words: &str) {
        let behind = self.places.partition_point(|(place, _)| *place < at);
        let before = behind.checked_sub(1).and_then(|before| self.places.get(before)).map(|(_, place)| *place);
        let next = self.places.get(behind).map(|(_, place)| *place);
        let words = text::capitalize(words);
        let is_brief = words.chars().count() <= MOST_DETAIL_LETTERS;
        match before.or(next) {
            Some(Where::Part(at)) => add_to(&mut reading.parts[at], &words, piece.is_item),
            Some(Where::Head) if is_brief && before.is_some() => reading.details.push(words),
            None if is_brief && reading.parts.is_empty() => reading.details.push(words),
            // Behind all others: a part that stood between them would move the places that are noted.
            _ => {
                let mut part = Part::default();
                add_to(&mut part, &words, false);
                reading.parts.push(part);
            }
        }
    }
}

/// Adds words to a part: to the list that it ends with, where they were a thing of one, else as text.
fn add_to(part: &mut Part, words: &str, is_item: bool) {
    match part.matters.last_mut() {
        Some(Matter::Points { points, .. } | Matter::Steps { points, .. }) if is_item => {
            points.push(Point::new(words, ""));
        }
        Some(Matter::Prose { paragraphs, .. }) => paragraphs.push(vec![Run::plain(words)]),
        _ => part.matters.push(Matter::Prose { paragraphs: vec![vec![Run::plain(words)]], picture: None }),
    }
}
