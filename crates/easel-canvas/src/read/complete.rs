//! What a brief said and its reading lost, put back where it stood.
//!
//! The reading takes sentences apart in many ways, and each of them may drop a phrase. Here every word of the brief is looked
//! for in what was read and in what is obeyed; a phrase that is in neither goes, as text, to the part in which its neighbour
//! stands. What holds: nothing is added where nothing was lost, a sentence that only asks for the thing is no loss, and the
//! time that it takes grows with the length of the brief. Deliberately not here: which words are instructions (`instructions`,
//! `maker`), and the forms and letters that a brief comes in, which are taken off before (`forms`, `mail`).

mod lost;
mod place;
mod told;

use super::lines::Line;
use super::reading::Reading;
use super::{dates, text};
use lost::Piece;
use place::Neighbours;
use told::Told;

/// Puts back what of these lines neither stands in a reading nor is obeyed.
pub fn complete(reading: &mut Reading, lines: &[Line], obeyed: &str) {
    let told = Told::of(reading, obeyed);
    let pieces = lost::pieces_of(lines, &told);
    name(reading, &pieces, &told);
    let lost: Vec<Option<String>> = pieces.iter().map(|piece| lost::lost_of(piece, &told)).collect();
    if lost.iter().all(Option::is_none) {
        return;
    }
    let mut neighbours = Neighbours::of(reading);
    for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| lost[*at].is_none()) {
        neighbours.note(at, piece);
    }
    let lost = lost.into_iter().enumerate().filter_map(|(at, words)| words.map(|words| (at, words))).collect();
    for (at, words) in joined(lost, &pieces) {
        neighbours.put(reading, at, &pieces[at], &words);
    }
}

/// A name stands at the beginning, among so many sentences.
const FIRST_SENTENCES: usize = 3;

/// Where nothing is the title but a day or the name of a field, a name that was taken for a wish is.
fn name(reading: &mut Reading, pieces: &[Piece], told: &Told) {
    let title = reading.title.to_lowercase();
    let is_field = pieces.iter().any(|piece| {
        text::label(&piece.words).is_some_and(|(label, body)| !body.is_empty() && label.to_lowercase() == title)
    });
    if !title.is_empty() && !is_field && !dates::has_moment(&title) {
        return;
    }
    let first = pieces.iter().take_while(|piece| piece.sentence <= FIRST_SENTENCES);
    let named = first.enumerate().find(|(at, piece)| lost::is_name(piece, pieces.get(at + 1), told));
    let Some((_, piece)) = named else { return };
    let name = text::capitalize(piece.words.trim().trim_end_matches('.'));
    let other = std::mem::replace(&mut reading.title, name);
    if is_field && !reading.subtitle.is_empty() {
        reading.subtitle = format!("{other}: {}", reading.subtitle);
    } else if !other.is_empty() {
        reading.details.insert(0, other);
    }
}

/// What was lost of one sentence in a row is put back as one text.
fn joined(lost: Vec<(usize, String)>, pieces: &[Piece]) -> Vec<(usize, String)> {
    let mut joined: Vec<(usize, usize, String)> = Vec::new();
    for (at, words) in lost {
        match joined.last_mut() {
            Some((_, last, text)) if *last + 1 == at && pieces[*last].sentence == pieces[at].sentence => {
                text.push_str(", ");
                text.push_str(&words);
                *last = at;
            }
            _ => joined.push((at, at, words)),
        }
    }
    joined.into_iter().map(|(at, _, words)| (at, words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::lines;
    use crate::read::parts::Part;

    fn completed(mut reading: Reading, prompt: &str, obeyed: &str) -> Reading {
        complete(&mut reading, &lines::read(prompt), obeyed);
        reading
    }

    fn part(title: &str, words: &str) -> Part {
        let mut part = Part::named(title);
        part.take_text(words, false);
        part
    }

    #[test]
    fn what_was_read_and_what_is_obeyed_is_no_loss() {
        let reading =
            Reading { title: "Weir Day".to_owned(), details: vec!["3 May, 10 am".to_owned()], ..Reading::default() };
        assert_eq!(
            completed(reading.clone(), "Poster for Weir Day, 3 May, 10 am, dark blue", "poster, dark blue"),
            reading
        );
    }

    #[test]
    fn a_lost_phrase_stands_beside_its_neighbour() {
        let reading = Reading {
            title: "Weir".to_owned(),
            parts: vec![part("Gates", "The gates are old."), part("Hinges", "The hinges squeak.")],
            ..Reading::default()
        };
        let prompt = "Weir\n\nGates\nThe gates are old. Repair costs 4,200 € by 12 June.\n\nHinges\nThe hinges squeak.";
        let parts = completed(reading, prompt, "").parts;
        let words = format!("{:?}", parts[0]);
        assert!(words.contains("Repair costs 4,200 € by 12 June"), "{words}");
        assert!(!format!("{:?}", parts[1]).contains("Repair"));
    }

    #[test]
    fn a_fact_in_a_sentence_that_asks_is_put_back() {
        let reading = Reading { title: "Jazz night".to_owned(), ..Reading::default() };
        let found = completed(
            reading,
            "make a poster for the jazz night, doors 19:30, in dark blue",
            "make a poster, in dark blue",
        );
        assert_eq!(found.details, ["Doors 19:30"]);
    }

    #[test]
    fn a_name_that_was_taken_for_a_wish_is_the_title() {
        let reading = Reading { title: "3 May".to_owned(), ..Reading::default() };
        let found = completed(reading.clone(), "Poster please. Weir Day. 3 May.", "Poster please, Weir Day");
        assert_eq!((found.title.as_str(), found.details), ("Weir Day", vec!["3 May".to_owned()]));
        let field = Reading { title: "Makes".to_owned(), subtitle: "Two loaves".to_owned(), ..Reading::default() };
        let found = completed(
            field,
            "Please make slides:\n\nSourdough in a day\n1. Makes: two loaves\n2. Bake",
            "Sourdough in a day",
        );
        assert_eq!((found.title.as_str(), found.subtitle.as_str()), ("Sourdough in a day", "Makes: Two loaves"));
        assert_eq!(completed(reading.clone(), "Poster please. Dark blue. 3 May.", "Poster please, Dark blue"), reading);
    }

    #[test]
    fn talk_is_no_loss() {
        let reading = Reading { title: "Weir".to_owned(), ..Reading::default() };
        let prompt =
            "Hi Ana, could you make us a nice deck about the weir?\n\nThe text would be:\n\nWeir\n\nThanks so much!";
        assert_eq!(completed(reading.clone(), prompt, ""), reading);
    }
}
