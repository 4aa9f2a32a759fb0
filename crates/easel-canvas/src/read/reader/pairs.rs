//! Questions with their answers in the same line, and lines of rules: what a notice lists though no mark says so.
//!
//! Deliberately not here: questions with their answers below them (`lines::questions`), which are headings.

use super::state::Reader;
use crate::content::{Matter, Point};
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::vocabulary::REFUSING;
use crate::read::{dates, naming, text};

/// A question of more words tells a story.
const MOST_WORDS: usize = 16;

/// A rule has no more words.
const MOST_WORDS_OF_A_RULE: usize = 14;

/// Fewer lines are no list of rules.
const LEAST_RULES: usize = 3;

/// The questions that sentences begin with, each with its answer, and how many sentences they are.
fn pairs_of(sentences: &[String]) -> (Vec<Point>, usize) {
    let asks = |sentence: &String| {
        sentence.trim_end().ends_with('?') && (2..=MOST_WORDS).contains(&sentence.split_whitespace().count())
    };
    let mut points = Vec::new();
    let mut at = 0;
    while sentences.get(at).is_some_and(asks) {
        let answers = sentences[at + 1..].iter().take_while(|sentence| !sentence.trim_end().ends_with('?')).count();
        if answers == 0 {
            break;
        }
        points.push(Point::new(sentences[at].trim(), sentences[at + 1..=at + answers].join(" ")));
        at += 1 + answers;
    }
    (points, at)
}

/// Whether a line may be a rule: short, and nothing that tells when, whom to ask or what it costs.
fn is_rule(line: &str) -> bool {
    (2..=MOST_WORDS_OF_A_RULE).contains(&line.split_whitespace().count())
        && !line.contains(['?', '@'])
        && text::label(line).is_none()
        && text::sentences(line).len() == 1
        && line.chars().filter(char::is_ascii_digit).count() < 5
        && !dates::begins_with_date(line)
        && (matches!(instructions::judge(line), Clause::Content(_)) || !line.contains(','))
}

impl Reader {
    /// Questions with their answers at the beginning of sentences; how many sentences were taken.
    pub(super) fn take_pairs(&mut self, sentences: &[String]) -> usize {
        if self.is_paged() || self.is_menu() || self.kind == Kind::Diagram {
            return 0;
        }
        let (points, count) = pairs_of(sentences);
        if points.len() < 2 {
            return 0;
        }
        sentences[..count].iter().for_each(|words| {
            self.note_content(words);
        });
        self.part().add(Matter::Points { lead: String::new(), points, ordered: false });
        self.is_within = false;
        count
    }

    /// Lines that each hold a question and its answer, or under a title of rules one rule each; how many and what they are.
    pub(super) fn listed_of(&self, run: &[&str]) -> Option<(usize, Matter)> {
        if self.is_paged() || self.is_menu() || self.kind == Kind::Diagram {
            return None;
        }
        let pairs: Vec<Point> = run
            .iter()
            .map_while(|line| {
                let sentences = text::sentences(line);
                let (mut points, count) = pairs_of(&sentences);
                (points.len() == 1 && count == sentences.len()).then(|| points.remove(0))
            })
            .collect();
        if pairs.len() >= 2 {
            return Some((pairs.len(), Matter::Points { lead: String::new(), points: pairs, ordered: false }));
        }
        // “Do not swim.”, “Do not let dogs drink.”: lines that all forbid are rules, whatever stands above them.
        let forbids = |line: &&&str| {
            text::words(line)
                .first()
                .is_some_and(|first| REFUSING.contains(&first.as_str()) || matches!(first.as_str(), "do" | "don't"))
                && is_rule(line)
        };
        let forbidden = run.iter().take_while(forbids).count();
        if !naming::names_rules(&self.title) && (forbidden < LEAST_RULES || self.title.is_empty()) {
            return None;
        }
        let count = run.iter().take_while(|line| is_rule(line)).count();
        let points = run[..count].iter().map(|line| Point::new(text::capitalize(line.trim()), "")).collect();
        (count >= LEAST_RULES).then_some((count, Matter::Points { lead: String::new(), points, ordered: false }))
    }

    /// “Poster with the rules of the pool: shower first, no running, caps on”; says whether the list was taken.
    pub(super) fn take_rules(&mut self, words: &str) -> bool {
        let items = text::items(words.trim_end_matches('.'));
        let are_rules = !self.is_paged()
            && naming::names_rules(&self.title)
            && items.len() >= LEAST_RULES
            && items.iter().all(|item| item.split_whitespace().count() <= MOST_WORDS_OF_A_RULE);
        if are_rules {
            self.note_content(words);
            self.part().take_items(&items, false);
            self.is_within = false;
        }
        are_rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_with_their_answers() {
        let sentences = text::sentences("Darf ich essen? Ja, aber kein Glas. Gibt es Fächer? Ja. Sie kosten 50 Cent.");
        let (points, count) = pairs_of(&sentences);
        assert_eq!((points.len(), count), (2, 5));
        assert_eq!(points[1].body_text(), "Ja. Sie kosten 50 Cent.");
        assert_eq!(pairs_of(&text::sentences("Who wants cake? Who wants tea? We do.")).0.len(), 0);
    }
}
