//! “Margherita 8 / Funghi 9.50”, “primi: risotto / gnocchi”, “soup / terrine // lamb”: dishes with slashes between them.
//!
//! What holds: a slash becomes the comma or the line end that it stands for, and no word changes. Deliberately not here:
//! prices and sizes with slashes between them (“2 / 3.50”, “small / large”), which belong to one thing (`sizes`).

use crate::read::courses::is_course;
use crate::read::kinds::{self, Kind};
use crate::read::{prices, text};

/// Between two things.
const SLASH: &str = " / ";

/// Between two courses.
const DOUBLE: &str = " // ";

/// The brief with commas and line ends for the slashes between its dishes.
pub fn as_lists(prompt: &str) -> String {
    if !prompt.contains(SLASH) && !prompt.contains(DOUBLE) {
        return prompt.to_owned();
    }
    let is_menu = kinds::all(prompt).iter().any(|named| named.kind == Kind::Menu);
    let lines: Vec<String> = prompt
        .split('\n')
        .map(|line| {
            let line = if is_menu { with_courses(line) } else { with_lines(line) };
            with_commas(&line)
        })
        .collect();
    lines.join("\n")
}

/// “Lake beach // 10 am // Swim across // 1.2 km”: between several things a double slash is the end of a line.
fn with_lines(line: &str) -> String {
    if line.matches(DOUBLE).count() >= 2 { line.replace(DOUBLE, "\n") } else { line.to_owned() }
}

/// “soup / terrine // lamb / pie // cake”: a line for each course, in a paragraph that says more.
fn with_courses(line: &str) -> String {
    let Some(sentence) = text::sentences(line).into_iter().find(|sentence| sentence.matches(DOUBLE).count() > 0) else {
        return line.to_owned();
    };
    let Some(at) = line.find(sentence.as_str()) else { return line.to_owned() };
    let courses: Vec<&str> = sentence.split(DOUBLE).map(|course| course.trim().trim_end_matches('.')).collect();
    let (before, behind) = (line[..at].trim_end(), line[at + sentence.len()..].trim_start());
    let is_said = |words: &&str| !words.is_empty();
    [before]
        .into_iter()
        .filter(is_said)
        .chain(courses)
        .chain([behind].into_iter().filter(is_said))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The line with commas where a slash stands between two things with their prices, or between the dishes of a course.
fn with_commas(line: &str) -> String {
    let mut told = String::with_capacity(line.len());
    let mut from = 0;
    for (at, _) in line.match_indices(SLASH) {
        told.push_str(&line[from..at]);
        from = at + SLASH.len();
        let (before, behind) = (last_piece(&line[..at]), first_piece(&line[from..]));
        let divides = is_priced(before) && is_priced(behind) || is_of_course(&line[..at], behind);
        told.push_str(if divides { ", " } else { SLASH });
    }
    told.push_str(&line[from..]);
    told
}

fn last_piece(words: &str) -> &str {
    let begin =
        [", ", ": ", "; ", ". ", SLASH].iter().filter_map(|mark| words.rfind(mark).map(|at| at + mark.len())).max();
    &words[begin.unwrap_or(0)..]
}

fn first_piece(words: &str) -> &str {
    let end = [", ", "; ", ". ", SLASH].iter().filter_map(|mark| words.find(mark)).min();
    words[..end.unwrap_or(words.len())].trim_end_matches(['.', ',', ';'])
}

/// Whether words are a thing and its price; behind a dash sizes have their prices, which stay together.
fn is_priced(words: &str) -> bool {
    words.trim_start().starts_with(char::is_alphabetic)
        && !text::has_dash(words)
        && prices::priced(words).is_some_and(|item| !item.price.is_empty() && item.note.is_empty())
}

/// Whether words stand in a list of dishes behind the name of a course.
fn is_of_course(before: &str, behind: &str) -> bool {
    let sentence = before.rfind(". ").map_or(before, |at| &before[at + 2..]);
    let is_plain = |words: &str| !words.chars().any(|letter| letter.is_ascii_digit());
    text::label(sentence).is_some_and(|(label, body)| is_course(label) && is_plain(body)) && is_plain(behind)
}

#[cfg(test)]
mod tests {
    use super::as_lists;

    #[test]
    fn only_slashes_between_things_divide() {
        for (told, divided) in [
            ("eggs 6.5 / with bacon 8.5 / with salmon 10", "eggs 6.5, with bacon 8.5, with salmon 10"),
            ("primi: risotto / gnocchi / minestrone", "primi: risotto, gnocchi, minestrone"),
            ("Swim across // Lake beach // 10 am", "Swim across\nLake beach\n10 am"),
            ("Menu. Leek soup / terrine // Lamb / pie. Coffee", "Menu.\nLeek soup / terrine\nLamb / pie\nCoffee"),
        ] {
            assert_eq!(as_lists(told), divided);
        }
        for told in [
            "vanille 2,20 / 3,80",
            "small / large",
            "Ski – Tag 32 / Woche 145",
            "yes / no",
            "Bring a cake! / Bringt Kuchen mit!",
        ] {
            assert_eq!(as_lists(told), told);
        }
    }
}
