//! Other words for paragraphs, with the style of those that stay.
//!
//! Always true: a paragraph that says the same is the same; within one that says something else, the words at its beginning
//! and at its end that stay keep how they are set. Deliberately not here: sizes and places.

use crate::document::{Bullet, Paragraph};
use crate::run::Run;

/// These paragraphs with other words, a paragraph a line.
pub fn reword(before: &[Paragraph], words: &str) -> Vec<Paragraph> {
    let lines: Vec<&str> = words.split('\n').collect();
    let most = before.len().min(lines.len());
    let says = |paragraph: &Paragraph, line: &str| paragraph.text().trim() == line;
    let same = |(paragraph, line): &(&Paragraph, &&str)| says(paragraph, line);
    let head = before.iter().zip(&lines).take_while(same).count();
    let foot = before.iter().rev().zip(lines.iter().rev()).take(most - head).take_while(same).count();
    let middle = before.len() - foot;
    let mut after: Vec<Paragraph> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let from_end = lines.len() - at;
        after.push(if at < head {
            before[at].clone()
        } else if from_end <= foot {
            before[before.len() - from_end].clone()
        } else if at < middle {
            merge(&before[at], line)
        } else {
            // One more than there were, set as the one before it.
            before.get(middle.saturating_sub(1)).map_or_else(|| Paragraph::plain(*line), |model| anew(model, line))
        });
    }
    number(&mut after);
    after
}

/// Numbers of a list go on from its first one.
fn number(paragraphs: &mut [Paragraph]) {
    let mut next = None;
    for paragraph in paragraphs {
        if let Some(Bullet::Number(number)) = &mut paragraph.bullet {
            let now = next.unwrap_or(*number);
            *number = now;
            next = Some(now + 1);
        }
    }
}

fn merge(before: &Paragraph, line: &str) -> Paragraph {
    let text = before.text();
    let (head, foot) = what_stays(&text, line);
    if head == 0 && foot == 0 {
        return anew(before, line);
    }
    let (from, to) = (head, text.len() - foot);
    let new = &line[head..line.len() - foot];
    let (mut runs, mut begin, mut is_placed) = (Vec::new(), 0, false);
    for run in &before.runs {
        let end = begin + run.text.len();
        let mut kept = run.text[..from.clamp(begin, end) - begin].to_owned();
        // In the run whose words go; where none go, in the one that the new words follow.
        let is_here = if from < to { from < end } else { from <= end };
        if is_here && !is_placed {
            kept.push_str(new);
            is_placed = true;
        }
        kept.push_str(&run.text[to.clamp(begin, end) - begin..]);
        if !kept.is_empty() {
            runs.push(Run { text: kept, ..run.clone() });
        }
        begin = end;
    }
    Paragraph { runs, bullet: before.bullet }
}

/// Words of which none stood there before, set as its first ones. Where those led says nothing about where others lead.
fn anew(model: &Paragraph, line: &str) -> Paragraph {
    let first = model.runs.first().cloned().unwrap_or_else(|| Run::plain(""));
    Paragraph { runs: vec![Run { text: line.to_owned(), link: None, ..first }], bullet: model.bullet }
}

/// How many bytes at the beginning and at the end of a text stay in another, in whole words.
fn what_stays(before: &str, after: &str) -> (usize, usize) {
    let same = |(one, other): &(char, char)| one == other;
    let length =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let mut head: usize = length(&mut before.chars().zip(after.chars()));
    while !(is_between_words(before, head) && is_between_words(after, head)) {
        head -= before[..head].chars().next_back().map_or(1, char::len_utf8);
    }
    let mut foot: usize = length(&mut before[head..].chars().rev().zip(after[head..].chars().rev()));
    while !(is_between_words(before, before.len() - foot) && is_between_words(after, after.len() - foot)) {
        foot -= before[before.len() - foot..].chars().next().map_or(1, char::len_utf8);
    }
    (head, foot)
}

fn is_between_words(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().is_none_or(char::is_whitespace);
    before || text[at..].chars().next().is_none_or(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, strong: bool) -> Run {
        Run { strong, ..Run::plain(text) }
    }

    /// `*` around what stands out.
    fn paragraph(text: &str) -> Paragraph {
        let parts = text.split('*').enumerate().filter(|(_, part)| !part.is_empty());
        Paragraph { runs: parts.map(|(at, part)| run(part, at % 2 == 1)).collect(), bullet: None }
    }

    fn write(paragraphs: &[Paragraph]) -> String {
        let write = |run: &Run| if run.strong { format!("*{}*", run.text) } else { run.text.clone() };
        let lines = paragraphs.iter().map(|one| one.runs.iter().map(write).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn words_that_stay_keep_how_they_are_set() {
        let check = |before: &str, words: &str, expected: &str| {
            let before: Vec<Paragraph> = before.split('\n').map(paragraph).collect();
            assert_eq!(write(&reword(&before, words)), expected, "{words:?}");
        };
        check("*Fresh bred* every day", "Fresh bread every day", "*Fresh bread* every day");
        check("*Fresh bread* every day", "Fresh bread all day", "*Fresh bread* all day");
        check("*Fresh bread* every day", "Fresh bread, every day", "*Fresh bread,* every day");
        check("*Fresh bread* every day", "Fresh bread", "*Fresh bread*");
        check("*Fresh bread* every day", "every day", "every day");
        check("*Fresh bread* every day", "Fresh bread every day and night", "*Fresh bread* every day and night");
        check("*Fresh* bread", "Old friend", "*Old friend*");
        check("plain *and* strong", "Other", "Other");
        check("Grüße *aus* Köln", "Grüße aus Kölle", "Grüße *aus* Kölle");
        check("a *b*\nc\n*d* e", "a b\nnew c\nd e", "a *b*\nnew c\n*d* e");
        check("a\n*c* d", "a\nb\nc d", "a\nb\n*c* d");
        check("a\n*b* c\nd", "a\nd", "a\nd");
        check("a", "a\nb\nc", "a\nb\nc");
    }

    #[test]
    fn a_list_stays_one_and_its_numbers_go_on() {
        let item = |text: &str, number| Paragraph { bullet: Some(Bullet::Number(number)), ..Paragraph::plain(text) };
        let before = [item("one", 1), item("two", 2)];
        let after = reword(&before, "one\none and a half\ntwo\nthree");
        let numbers: Vec<Option<Bullet>> = after.iter().map(|paragraph| paragraph.bullet).collect();
        assert_eq!(numbers, (1..=4).map(|number| Some(Bullet::Number(number))).collect::<Vec<_>>());
        let texts: Vec<String> = after.iter().map(Paragraph::text).collect();
        assert_eq!(texts, ["one", "one and a half", "two", "three"]);
    }
}
