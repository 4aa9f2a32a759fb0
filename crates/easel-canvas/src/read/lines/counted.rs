//! “1 Intro”, “2 Market”: lines numbered from one on without a mark, which are the items of a list.
//!
//! What holds: only a full stop is added behind such a number. Deliberately not here: numbers within a paragraph
//! (`paragraph`), and numbers that count what stands behind them, as in “2 eggs”.

use super::paragraph::is_after_count;
use crate::read::amounts::amounts;
use crate::read::dates;

/// A run of so many lines is numbered even where its words could be counted.
const SURE: usize = 5;

/// Behind an item stand no more lines that are said of it.
const MOST_BETWEEN: usize = 4;

/// The brief with a full stop behind the numbers of such lines, where it has any.
pub fn as_items(prompt: &str) -> Option<String> {
    let lines: Vec<&str> = prompt.lines().collect();
    let mut marked: Vec<usize> = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match numbered(line) {
            Some((number, _)) if number == run.len() + 1 => run.push(at),
            Some((1, _)) => {
                settle(&lines, &run, &mut marked);
                run = vec![at];
            }
            Some(_) => settle(&lines, &std::mem::take(&mut run), &mut marked),
            // Between the items of such a list may stand what is said of them.
            None if line.trim().is_empty() || run.last().is_some_and(|last| at - last <= MOST_BETWEEN) => {}
            None => settle(&lines, &std::mem::take(&mut run), &mut marked),
        }
    }
    settle(&lines, &run, &mut marked);
    if marked.is_empty() {
        return None;
    }
    let told: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| match numbered(line).filter(|_| marked.contains(&at)) {
            Some((number, words)) => {
                format!("{}{number}. {words}", &line[..line.len() - line.trim_start().len()])
            }
            None => (*line).to_owned(),
        })
        .collect();
    Some(told.join("\n"))
}

/// Takes the lines of a run as items, unless their numbers count.
fn settle(lines: &[&str], run: &[usize], marked: &mut Vec<usize>) {
    let words: Vec<&str> = run.iter().filter_map(|at| numbered(lines[*at])).map(|(_, words)| words).collect();
    // “1 egg, 2 onions, 3 carrots”: behind one stands a single thing, behind more stand several.
    let is_close = run.windows(2).all(|pair| lines[pair[0] + 1..pair[1]].iter().all(|line| line.trim().is_empty()));
    let is_count = words.len() < SURE && is_close && words.iter().skip(1).all(|words| is_after_count(words));
    if words.len() >= 2 && !is_count {
        marked.extend(run);
    }
}

/// The number at the beginning of a line and its words: only where no mark and no unit stands behind it.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let (number, words) = line.trim().split_once(' ')?;
    let words = words.trim_start();
    let count = number.parse::<usize>().ok().filter(|count| (1..=20).contains(count) && number.len() <= 2)?;
    let is_word = words.starts_with(char::is_alphabetic)
        && words.split([' ', '.', ',']).next().is_some_and(|first| first.chars().count() >= 2);
    let is_measured = amounts(line.trim()).first().is_some_and(|amount| !amount.suffix.is_empty());
    (is_word
        && !is_measured
        && !dates::begins_with_date(line.trim())
        && !words.split_whitespace().next().is_some_and(|first| is_unit(&first.to_lowercase())))
    .then_some((count, words))
}

/// Measures and hours, behind which a number is none of a list.
fn is_unit(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    dates::is_month(word)
        || matches!(
            word,
            "am" | "pm"
                | "uhr"
                | "kg"
                | "ml"
                | "cl"
                | "dl"
                | "km"
                | "cm"
                | "mm"
                | "min"
                | "std"
                | "el"
                | "tl"
                | "tbsp"
                | "tsp"
                | "cup"
                | "cups"
                | "oz"
                | "lb"
                | "lbs"
                | "pinch"
                | "clove"
                | "cloves"
                | "prise"
                | "zehe"
                | "zehen"
                | "bund"
                | "dose"
                | "tasse"
                | "tassen"
                | "mal"
                | "times"
                | "st"
                | "nd"
                | "rd"
                | "th"
                | "x"
                | "of"
                | "in"
        )
}

#[cfg(test)]
mod tests {
    use super::as_items;

    #[test]
    fn numbered_lines_without_a_mark_are_items() {
        assert_eq!(
            as_items("Deck for Monday\n1 Intro\n2 Market\n3 What we do next").as_deref(),
            Some("Deck for Monday\n1. Intro\n2. Market\n3. What we do next")
        );
        assert_eq!(as_items("1 Intro\n2 Markt").as_deref(), Some("1. Intro\n2. Markt"));
        assert_eq!(
            as_items("1 Begrüßung\nFrau Meyer eröffnet.\n2 Kasse\nStand 1.240 €.").as_deref(),
            Some("1. Begrüßung\nFrau Meyer eröffnet.\n2. Kasse\nStand 1.240 €.")
        );
    }

    #[test]
    fn numbers_that_count_stay_as_they_are() {
        for prompt in [
            "Carrot soup\n1 onion\n2 carrots\n3 potatoes",
            "Möhrensuppe\n1 Zwiebel\n2 Möhren\n3 Kartoffeln",
            "1 kg flour\n2 l milk",
            "1 May\n2 June",
            "1 adult £5\n2 adults £9",
            "3 rooms\n4 baths",
            "1 day\n2 nights",
        ] {
            assert_eq!(as_items(prompt), None, "{prompt}");
        }
    }
}
