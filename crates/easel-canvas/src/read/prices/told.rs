//! Things and prices as they are told: “the soup is six pounds fifty, the pie nine and chips are three”.
//!
//! What holds: every clause that has no price stands with the thing before it, so no word is lost but those that only join a
//! thing to its price. Deliberately not here: how a price is spelled (`spelled`).

use super::words;
use crate::content::Priced;
use crate::read::spelled::{self, Sureness, TONGUES, Tongue};
use crate::read::text;

/// Words that join a thing to its price, in small letters.
#[rustfmt::skip]
const LINKS: &[&str] = &[
    "is", "are", "costs", "cost", "which", "that's", "thats", "will", "be", "comes", "come", "to", "goes", "go", "for", "at", "pay", "pays", "it's", "its", "kostet", "kosten", "für", "gibt's", "gibts",
    "gibt", "es", "macht", "est", "sont", "coûte", "coûtent", "à", "est", "cuesta", "cuestan", "vale", "valen", "a", "son", "costa", "costano", "è", "sono", "viene", "custa", "custam", "é",
    "são", "kost", "voor",
];

/// Words that only lead to the next thing.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "and", "then", "also", "plus", "we", "do", "there's", "there", "is", "und", "dann", "noch", "dazu", "et", "puis", "y", "luego", "e", "poi", "en", "erm", "um", "ähm", "okay", "ok", "so",
];

/// Words behind a price that belong to it: “fifty cents more”, “three pounds each”.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "more", "extra", "each", "mehr", "jeweils", "pro", "per", "je", "a", "an", "en", "plus", "de", "más", "in", "più", "chacun", "cada", "par", "por", "die", "der", "das", "la", "le", "el",
    "il", "un", "una", "al", "the", "both",
];

/// A thing has no more words.
const MOST_WORDS: usize = 9;

/// A thing with the price that is told of it, and how sure it is one.
struct Told {
    item: Priced,
    sureness: Sureness,
}

/// What a sentence tells of things and their prices, and the clauses before and behind them.
#[derive(Debug, Default)]
pub struct Within {
    /// Clauses before the first thing with a price.
    pub before: Vec<String>,
    /// The things with their prices.
    pub items: Vec<Priced>,
    /// Clauses behind the last one.
    pub behind: Vec<String>,
}

/// The things and prices that a text tells in words and nothing else; where prices are expected, numbers alone may be ones.
pub fn list_of(text: &str, is_expected: bool) -> Option<Vec<Priced>> {
    let Within { before, mut items, behind } = within(text, is_expected)?;
    let last = items.last_mut()?;
    behind.iter().for_each(|clause| words::add_note(last, clause));
    (before.is_empty() && items.len() > behind.len()).then_some(items)
}

/// The things and prices that are told within a sentence that may say more: “so it's for the van, soup is four fifty, …”.
pub fn within(text: &str, is_expected: bool) -> Option<Within> {
    let words = text::words(text);
    TONGUES.iter().filter(|tongue| tongue.count(&words) >= 2).find_map(|tongue| within_in(text, is_expected, tongue))
}

/// The one thing with its price that a text tells, among others that are told so.
pub fn one_of(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', '!']);
    let is_one = text::clauses(text).len() == 1 && text::label(text).is_none();
    TONGUES.iter().filter(|_| is_one).find_map(|tongue| told(text, tongue)).map(|told| told.item)
}

fn within_in(text: &str, is_expected: bool, tongue: &Tongue) -> Option<Within> {
    let text = text.trim().trim_end_matches(['.', ';', ',', '!']);
    if text::label(text).is_some() {
        return None;
    }
    let pieces: Vec<String> = text::clauses(text).iter().flat_map(|clause| divide(clause, tongue)).collect();
    let mut found = Within::default();
    let (mut count, mut surest) = (0, Sureness::Bare);
    for piece in &pieces {
        let item = match told(piece, tongue) {
            Some(told) => {
                count += 1;
                surest = surest.max(told.sureness);
                Some(told.item)
            }
            None => super::priced(piece).or_else(|| super::odd::told_free(piece)),
        };
        match (item, found.items.last_mut()) {
            (Some(item), last) => {
                // What stands between two prices is said of the first.
                if let Some(last) = last {
                    found.behind.drain(..).for_each(|clause| words::add_note(last, &clause));
                }
                found.items.push(item);
            }
            (None, Some(_)) => found.behind.push(piece.clone()),
            (None, None) => found.before.push(piece.clone()),
        }
    }
    let told = pieces.len() - found.before.len() - found.behind.len();
    let least = if is_expected { Sureness::Pair } else { Sureness::Sure };
    let is_sure = surest >= least || is_expected && count >= 3 && count == pieces.len();
    (count >= 2 && is_sure && found.items.len() * 2 > told).then_some(found)
}

/// “chips are three and a lemonade two twenty”: two things where both have their price.
fn divide(clause: &str, tongue: &Tongue) -> Vec<String> {
    let both = [" and ", " und ", " et ", " y ", " e ", " en "].iter().find_map(|and| {
        clause.match_indices(and).find_map(|(at, and)| {
            let (one, two) = (&clause[..at], &clause[at + and.len()..]);
            (told(one, tongue).is_some() && told(two, tongue).is_some()).then(|| [one.to_owned(), two.to_owned()])
        })
    });
    both.map_or_else(|| vec![clause.to_owned()], Vec::from)
}

/// The thing and the price that a clause tells.
fn told(clause: &str, tongue: &Tongue) -> Option<Told> {
    let spans = spans(clause);
    let lower: Vec<String> = spans.iter().map(|(start, end)| clause[*start..*end].to_lowercase()).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (at, length, sureness) = (1..words.len())
        .find_map(|at| priced_at(&words, at, tongue).map(|(length, sureness)| (at, length, sureness)))?;
    let name = name_of(clause[..spans[at].0].trim())?;
    // “Open from ten till five” tells hours.
    let is_hour = sureness < Sureness::Sure
        && matches!(
            words[at - 1],
            "till" | "until" | "from" | "at" | "bis" | "um" | "von" | "ab" | "before" | "after" | "hasta" | "alle"
        );
    let is_name = name.split_whitespace().count() <= MOST_WORDS && name.contains(char::is_alphabetic);
    let price = clause[spans[at].0..spans[at + length - 1].1].to_owned();
    (is_name && !is_hour)
        .then(|| Told { item: Priced { name: text::capitalize(name), price, ..Priced::default() }, sureness })
}

/// The price that stands at a place and ends a clause, with what belongs to it: “two twenty or two for four”, “three a slice”.
fn priced_at(words: &[&str], at: usize, tongue: &Tongue) -> Option<(usize, Sureness)> {
    let (mut length, sureness) = spelled::price_at(&words[at..], tongue)?;
    loop {
        let rest = &words[at + length..];
        let Some(first) = rest.first() else { return Some((length, sureness)) };
        // What is said of one thing may have another price for more of it.
        if matches!(*first, "or" | "oder" | "ou" | "o" | "of") && rest.len() <= 6 {
            let ends = (1..rest.len()).any(|from| {
                spelled::price_at(&rest[from..], tongue).is_some_and(|(more, _)| from + more == rest.len())
            });
            return ends.then_some((length + rest.len(), sureness));
        }
        if !BEHIND.contains(first) || rest.len() > 3 {
            return None;
        }
        length += rest.len();
    }
}

/// Where the words of a text begin and end, without their marks.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    for word in text.split_whitespace() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let bare = word.trim_end_matches([',', '.', ';', '!', ':', ')']);
        let open = bare.trim_start_matches(['(']);
        if !open.is_empty() {
            let from = start + bare.len() - open.len();
            spans.push((from, from + open.len()));
        }
    }
    spans
}

/// What has a price, without the words that join it to the price and without an article; `None` where nothing else stands there.
fn name_of(before: &str) -> Option<&str> {
    let mut name = before.trim_end_matches([':', '–', '-', '—', '=', ' ']);
    while let Some((head, last)) =
        name.rsplit_once(' ').filter(|(_, last)| LINKS.contains(&last.to_lowercase().as_str()))
    {
        let _ = last;
        name = head.trim_end();
    }
    // “Cake's two fifty”.
    name = ["'s", "’s"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .filter(|_| before.len() == name.len())
        .unwrap_or(name);
    while let Some((first, rest)) =
        name.split_once(' ').filter(|(first, _)| LEADS.contains(&first.to_lowercase().as_str()))
    {
        let _ = first;
        name = rest.trim_start();
    }
    let name = words::without_article(name);
    (!name.is_empty() && !LINKS.contains(&name.to_lowercase().as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let items = list_of(text, true).unwrap_or_default();
        items.iter().map(|item| format!("{} | {} | {}", item.name, item.note, item.price)).collect()
    }

    #[test]
    fn things_have_the_prices_that_are_told_of_them() {
        for (text, items) in [
            (
                "the soup is six pounds fifty, the pie nine, chips are three and a lemonade two twenty",
                &["Soup |  | six pounds fifty", "Pie |  | nine", "Chips |  | three", "Lemonade |  | two twenty"]
                    as &[&str],
            ),
            (
                "Ein Bier kostet drei Euro fünfzig, der Wein vier Euro, die Bratwurst gibt's für vier",
                &["Bier |  | drei Euro fünfzig", "Wein |  | vier Euro", "Bratwurst |  | vier"],
            ),
            (
                "la caña cuesta dos cincuenta, la ración de calamares nueve euros y el bocadillo cinco",
                &["Caña |  | dos cincuenta", "Ración de calamares |  | nueve euros", "Bocadillo |  | cinco"],
            ),
            (
                "la complète est à neuf euros cinquante, le cidre trois euros la bolée",
                &["Complète |  | neuf euros cinquante", "Cidre |  | trois euros la bolée"],
            ),
            (
                "lavaggio esterno otto euro, la cera costa cinque euro in più",
                &["Lavaggio esterno |  | otto euro", "Cera |  | cinque euro in più"],
            ),
            (
                "cake's two fifty a slice, mac and cheese seven pounds, both hot, and the bun two ninety or two for five",
                &[
                    "Cake |  | two fifty a slice",
                    "Mac and cheese | both hot | seven pounds",
                    "Bun |  | two ninety or two for five",
                ],
            ),
        ] {
            assert_eq!(told(text), items, "{text}");
        }
    }

    #[test]
    fn numbers_that_count_or_tell_hours_are_no_prices() {
        for text in [
            "three classes a week, five people at most",
            "open from ten till five, closed on Mondays",
            "four acts, two stages, one night",
            "we opened two shops, hired six people and lost one van",
        ] {
            assert_eq!(told(text), [] as [&str; 0], "{text}");
        }
        assert!(list_of("doors at seven, music seven thirty, bar till one", false).is_none());
    }
}
