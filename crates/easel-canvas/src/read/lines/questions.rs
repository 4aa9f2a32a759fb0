//! “What do we do?” with its answer below: questions that are the headings of a text.
//!
//! What holds: one such question alone is none, for a poster may well begin with it. Deliberately not here: the questions of a
//! course (`flow`), and answers in the same line.

use crate::read::text;
use crate::read::vocabulary::QUESTION_WORDS;

/// A question of more words is no heading.
const MOST_WORDS: usize = 9;

/// Which lines are questions with their answers below, where there are several that ask for more than yes or no; beside
/// those also others are: “Can I bring my dog?”.
pub fn that_head(lines: &[&str]) -> Vec<usize> {
    let found: Vec<usize> = (0..lines.len()).filter(|at| is_question(lines[*at]) && is_answered(lines, *at)).collect();
    let is_sure =
        |at: &&usize| text::words(lines[**at]).first().is_some_and(|first| QUESTION_WORDS.contains(&first.as_str()));
    if found.iter().filter(is_sure).count() >= 2 { found } else { Vec::new() }
}

fn is_question(line: &str) -> bool {
    line.trim_end().ends_with('?')
        && (2..=MOST_WORDS).contains(&text::words(line).len())
        && text::sentences(line).len() == 1
}

/// Whether the next line answers: it asks nothing and is no way of a course.
fn is_answered(lines: &[&str], at: usize) -> bool {
    let next = lines[at + 1..].iter().find(|line| !line.trim().is_empty()).map_or("", |line| line.trim());
    !next.is_empty() && !next.ends_with('?') && !next.contains(['→', '➔']) && !next.contains("->")
}

#[cfg(test)]
mod tests {
    use super::that_head;

    #[test]
    fn questions_with_answers_below_are_headings() {
        let lines = ["About us", "", "What do we do?", "We mend lamps.", "", "When are we open?", "On Saturdays."];
        assert_eq!(that_head(&lines), [2, 5]);
        let lines = ["What is it?", "A game.", "Can I join?", "Yes, on Mondays.", "Who pays?", "Nobody."];
        assert_eq!(that_head(&lines), [0, 2, 4]);
        assert!(that_head(&["Who stole the sheep?", "A play in two acts"]).is_empty());
        assert!(that_head(&["How is it paid?", "yes -> ship", "Who signs?", "no -> stop"]).is_empty());
    }
}
