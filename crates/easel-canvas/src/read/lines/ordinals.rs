//! “first: the problem second: the fix third: call us”: places in words before what stands there, as the items of a list.
//!
//! What holds: only the word of the place becomes its number. Deliberately not here: places with the name of a page
//! (“first slide: …”), which stay labels, and Spanish and Italian ones, which name the courses of a meal.

use crate::read::text;

/// Places in their order, in one language each.
const PLACES: &[&[&str]] = &[
    &["first", "second", "third", "fourth", "fifth", "sixth"],
    &["erstens", "zweitens", "drittens", "viertens", "fünftens"],
    &["erstes", "zweites", "drittes", "viertes", "fünftes"],
    &["premier", "deuxième", "troisième", "quatrième"],
];

/// The brief with a numbered line for each place, where one of its lines has several.
pub fn as_items(prompt: &str) -> Option<String> {
    let lines: Vec<String> = prompt
        .split('\n')
        .map(|line| divided(line).or_else(|| bracketed(line)).unwrap_or_else(|| line.to_owned()))
        .collect();
    let told = lines.join("\n");
    (told != prompt).then_some(told)
}

fn divided(line: &str) -> Option<String> {
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        return None;
    }
    PLACES.iter().find_map(|places| {
        let marks = places.iter().map(|place| format!("{place}: "));
        // “A bike thief first: …” is no place: it stands at the beginning or behind a mark.
        let may_stand =
            |at: usize| at == 0 || lower[..at].trim_end().ends_with([':', '.', '!', '?', ',', ';', '-', '–']);
        number(line, &cuts_at(&lower, marks, may_stand), |_, piece| (piece.to_owned(), String::new()))
    })
}

/// “(1) leg day hurts? (2) three stretches (3) save this”: numbers in brackets from one on.
fn bracketed(line: &str) -> Option<String> {
    let cuts = cuts_at(line, (1..).map(|number| format!("({number}) ")), |_| true);
    number(line, &cuts, |is_last, piece| {
        // What follows the last of single sentences is none of it.
        match text::sentences(piece).as_slice() {
            [own, others @ ..] if is_last && !others.is_empty() => (own.clone(), others.join(" ")),
            _ => (piece.to_owned(), String::new()),
        }
    })
}

/// Where each of these marks begins and ends, in their order; the first that is not there, or may not stand where it is,
/// ends the list.
fn cuts_at(line: &str, marks: impl Iterator<Item = String>, may_stand: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for mark in marks {
        let from = cuts.last().map_or(0, |(_, end)| *end);
        let Some(at) = line[from..].find(&mark).map(|at| from + at).filter(|at| may_stand(*at)) else { break };
        cuts.push((at, at + mark.len()));
    }
    cuts
}

/// The line with a number before what stands behind each cut. `divide` is told whether a piece is the last, and gives its
/// item and what follows that; one item is no list.
fn number(line: &str, cuts: &[(usize, usize)], divide: impl Fn(bool, &str) -> (String, String)) -> Option<String> {
    if cuts.len() < 2 {
        return None;
    }
    let mut told = line[..cuts[0].0].trim_end().to_owned();
    let ends = cuts.iter().skip(1).map(|(at, _)| *at).chain([line.len()]);
    for (number, ((_, begin), end)) in (1..).zip(cuts.iter().zip(ends)) {
        let piece = line[*begin..end].trim().trim_end_matches([',', ';']);
        let (item, rest) = divide(number == cuts.len(), piece);
        told.push_str(&format!("\n{number}. {item}"));
        if !rest.is_empty() {
            told.push_str(&format!("\n{rest}"));
        }
    }
    Some(told.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::as_items;

    #[test]
    fn places_in_words_are_numbers() {
        assert_eq!(
            as_items("Stories for the vets: first: thirsty cat? second: see us. third: call").as_deref(),
            Some("Stories for the vets:\n1. thirsty cat?\n2. see us.\n3. call")
        );
        assert_eq!(
            as_items("Story: (1) cat (2) dog. Black please").as_deref(),
            Some("Story:\n1. cat\n2. dog.\nBlack please")
        );
        assert_eq!(as_items("first: bread\nthe second: cake"), None);
        assert_eq!(as_items("Safety first: wear a helmet"), None);
    }
}
