//! What stands behind the colon of a request and names the thing: a title over its list, a name and its line, whose life it is.

use super::state::Reader;
use crate::content::Matter;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::matter::is_data;
use crate::read::{amounts, dates, maker, naming, parts, text, vocabulary};
use crate::run::Run;

impl Reader {
    /// What stands under a question that is a heading answers it: it is text, and none of it is a wish but what surely is one.
    pub(super) fn take_answer(&mut self, words: &str) -> bool {
        let Some(part) = self.parts.last_mut().filter(|part| self.is_within && part.title.ends_with('?')) else {
            return false;
        };
        let (wishes, told): (Vec<String>, Vec<String>) =
            text::sentences(words).into_iter().partition(|sentence| maker::speaks(sentence));
        self.instructions.extend(wishes);
        if !told.is_empty() {
            let told = told.join(" ");
            part.add(Matter::Prose { paragraphs: vec![vec![Run::plain(told.as_str())]], picture: None });
            self.note_content(&told);
        }
        true
    }

    /// A sentence that names what the thing is about by its form: a vacancy, an invitation, the name of what is shown, the head of
    /// what follows; says whether it was taken.
    pub(super) fn take_naming_sentence(&mut self, sentence: &str) -> bool {
        self.take_vacancy(sentence)
            || self.take_invited(sentence)
            || self.take_name_below(sentence)
            || self.take_head(sentence)
    }

    /// “Oak Lane Allotments committee, 4 March 2026, the hut.”: the first sentence of what is told is its head: who it is, and when
    /// and where; says whether it was taken.
    pub(super) fn take_head(&mut self, sentence: &str) -> bool {
        let is_free = matches!(self.kind, Kind::Document | Kind::OnePager | Kind::Deck)
            && self.parts.is_empty()
            && self.details.is_empty()
            && (self.title.is_empty() || !self.request.is_named);
        let clauses = text::clauses(sentence.trim().trim_end_matches('.'));
        let [first, others @ ..] = clauses.as_slice() else { return false };
        let is_head = is_free
            && (1..=5).contains(&others.len())
            && (2..=8).contains(&first.split_whitespace().count())
            && first.starts_with(char::is_uppercase)
            && names(first)
            && naming::is_title(first)
            && others.iter().all(|clause| clause.split_whitespace().count() <= 6 && text::label(clause).is_none())
            && others.iter().any(|clause| dates::has_moment(clause) || super::contacts::has_contact(clause))
            && others.iter().all(|clause| matches!(instructions::judge_spoken(clause), Clause::Content(_)));
        if is_head {
            self.note_content(sentence);
            let before = std::mem::replace(&mut self.title, first.clone());
            self.instructions.push(before);
            self.request.is_named = true;
            self.details.extend(others.iter().map(|clause| text::capitalize(clause)));
        }
        is_head
    }

    /// “5 mistakes when buying a bike: no test ride, no papers, rusty chain”: what a list is called, and its things; says whether
    /// they were taken.
    pub(super) fn take_headed_list(&mut self, words: &str) -> bool {
        let Some((head, list)) = text::label(words).filter(|(head, _)| self.title.is_empty() && self.is_headline(head))
        else {
            return false;
        };
        let items = text::items(list);
        let are_listed = items.len() >= 3 && items.iter().all(|item| text::label(item).is_none()) && !is_data(list);
        let is_whole = head.split_whitespace().count() >= 3;
        if !(are_listed && is_whole && self.parts.is_empty()) {
            return false;
        }
        self.title = text::capitalize(head);
        self.request.is_named = true;
        let named = parts::of_list(list.trim_end_matches('.'), self.told_count(), false);
        self.take_parts(named);
        true
    }

    /// “CV: Tomas Vrba, carpenter, Brno. Experience: …”: whose life it is, and what stands under the name; says whether it was
    /// taken.
    pub(super) fn take_whose_life(&mut self, words: &str) -> bool {
        const LIVES: &[&str] = &["cv", "résumé", "resume", "lebenslauf", "curriculum vitae"];
        let name = self.request.kind_name.to_lowercase();
        if !LIVES.contains(&name.as_str()) || !self.title.is_empty() || text::label(words).is_some() {
            return false;
        }
        let mut clauses = text::clauses(words.trim_end_matches('.')).into_iter();
        self.title = clauses.next().unwrap_or_default();
        self.details.extend(clauses.map(|clause| text::capitalize(&clause)));
        true
    }

    /// “pitch deck: Kettlewise - smart descaling for espresso machines. Problem: …”: a name and the line under it; says whether
    /// they were taken.
    pub(super) fn take_name_and_line(&mut self, words: &str) -> bool {
        let words = words.trim().trim_end_matches('.');
        // “Tern, the quiet outboard motor”: behind the comma an article tells what it is.
        let by_comma = || {
            words.split_once(", ").filter(|(name, line)| {
                let first = line.split_whitespace().next().unwrap_or_default();
                name.starts_with(char::is_uppercase)
                    && name.split_whitespace().count() <= 3
                    && vocabulary::ARTICLES.contains(&first)
                    && !line.contains(',')
            })
        };
        let Some((name, line)) = text::split_at_dash(words).or_else(by_comma) else { return false };
        // “Pitch: Fjordbox - parcels by ferry”: the name of the kind gives way.
        let is_kind = self.request.is_bare && !self.request.is_named && self.title == self.request.title;
        let is_free = (self.title.is_empty() || is_kind) && self.parts.is_empty() && self.subtitle.is_empty();
        let is_name = (1..=5).contains(&name.split_whitespace().count())
            && amounts::next_amount(name, 0).is_none()
            && naming::is_title(name);
        let dash = &words[name.len()..words.len() - line.len()];
        let is_line = (2..=16).contains(&line.split_whitespace().count()) && !is_data(line) && !line.contains(dash);
        if is_free && is_name && is_line {
            let kind = std::mem::replace(&mut self.title, text::capitalize(name.trim()));
            if self.request.kicker.is_empty() {
                self.request.kicker = kind;
            }
            self.subtitle = text::capitalize(line.trim());
            self.request.is_named = true;
            self.note_content(words);
            return true;
        }
        false
    }
}

/// Whether words may be a name: beside small words that join, most of them begin large.
fn names(words: &str) -> bool {
    let all: Vec<&str> = words.split_whitespace().collect();
    let large = all
        .iter()
        .filter(|word| word.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()))
        .count();
    large * 2 > all.len()
}
